"""Events and blobs in one SQLite file: nothing paid for is lost."""

from autocomp.store._run_view import Entry, RivalResult, RunView
from autocomp.store._store import RunSummary, Store

__all__ = ["Entry", "RivalResult", "RunSummary", "RunView", "Store"]
