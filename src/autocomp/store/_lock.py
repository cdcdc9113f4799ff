"""One process at a time works on a run; the operating system releases the lock when that process dies."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from types import TracebackType

from autocomp.errors import StoreError
from autocomp.store._failures import explain

_PATIENCE_S = 0.5
"""How long to wait for a lock: readers of a run's status hold it for an instant."""


class RunLock:
    """The exclusive right to append to one run, until :meth:`release` or the end of the process."""

    def __init__(self, folder: Path, run: str) -> None:
        """Take the lock. Raises StoreError if another process has it or the folder cannot be written."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(folder / f"{run}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise explain(folder, error) from error
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    os.close(self._descriptor)
                    raise StoreError(
                        f"run {run} is being worked on by another process; wait for it or end it"
                    ) from None
                time.sleep(0.02)
            else:
                break

    def release(self) -> None:
        """Give the lock back; harmless when done twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> RunLock:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release."""
        self.release()


def is_locked(folder: Path, run: str) -> bool:
    """True if some process works on ``run`` now."""
    try:
        descriptor = os.open(folder / f"{run}.lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
