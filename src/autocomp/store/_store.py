"""The project's store: one SQLite file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from autocomp.records import Event
from autocomp.store._run_view import RunView


@dataclass(frozen=True)
class RunSummary:
    """One line of ``autocomp runs``; latencies in ``unit``."""

    id: str
    problem: str
    target: str
    status: str
    """As in :class:`RunView`."""
    started_s: float
    evaluations: int
    start_latency: float | None
    best_latency: float | None
    unit: str


class Store:
    """Events, blobs and cached evaluations of one project."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open the file; make it if it is missing and ``create``. Raises StoreError."""
        self.path = path

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs, the oldest first."""
        raise NotImplementedError

    def resolve(self, run: str) -> str:
        """Full id of ``run``: an id, the unique beginning of one, or ``latest``. Raises UnknownRunError."""
        raise NotImplementedError

    def view(self, run: str) -> RunView:
        """The run as its faces see it. Raises UnknownRunError; StoreError if it stopped before its start kernel was
        evaluated."""
        raise NotImplementedError

    def events(self, run: str, *, after: int = 0) -> tuple[Event, ...]:
        """Events of ``run`` whose sequence is greater than ``after``, in order."""
        raise NotImplementedError

    def blob(self, digest: str) -> str:
        """The text with this content address. Raises StoreError if there is none."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the file."""

    def __enter__(self) -> Store:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()
