"""Events and blobs in one SQLite file: nothing paid for is lost."""

from autocomp.store._lock import RunLock
from autocomp.store._run_view import Entry, RivalResult, RunSummary, RunView
from autocomp.store._store import Store
from autocomp.store._view import elapsed_s

__all__ = ["Entry", "RivalResult", "RunLock", "RunSummary", "RunView", "Store", "elapsed_s"]
