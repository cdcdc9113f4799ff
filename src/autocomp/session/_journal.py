"""One run's part of the store: what is in it already, and what is added."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from autocomp.errors import StoreError
from autocomp.records import Evaluation, Event
from autocomp.store import Store, elapsed_s


class Journal:
    """Replays what was stored and appends what is new.

    A step first looks here for its result; only if there is none, it does the work and appends. So a resumed run goes
    the way of the first one, up to where that ended.
    """

    def __init__(self, store: Store, run: str) -> None:
        """Read what the store has of ``run``. Raises StoreError."""
        self.store = store
        self.run = run
        stored = store.events(run)
        self._recorded: dict[tuple[str, str], Event] = {(event.kind, event.key): event for event in stored}
        self._worked_before_s = elapsed_s(stored)
        self._began = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Seconds of work on this run so far; pauses do not count."""
        return self._worked_before_s + time.monotonic() - self._began

    def find(self, kind: str, key: str) -> Mapping[str, Any] | None:
        """Payload of the event of this kind and key, if it was stored."""
        event = self._recorded.get((kind, key))
        return event.payload if event else None

    def append(
        self,
        kind: str,
        key: str,
        payload: Mapping[str, Any],
        *,
        blobs: Iterable[str] = (),
        cache: tuple[str, Evaluation] | None = None,
    ) -> None:
        """Store an event before the next step begins. Raises StoreError."""
        self.store.append(self.run, kind, key, payload, blobs=blobs, cache=cache)

    def append_numbered(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Store one of the events that may occur several times. Raises StoreError."""
        number = sum(event.kind == kind for event in self.store.events(self.run)) + 1
        self.append(kind, str(number), payload)

    def append_or_check(self, kind: str, key: str, payload: Mapping[str, Any]) -> None:
        """Store a decision; if it was stored before, make sure that it is the same. Raises StoreError."""
        stored = self.find(kind, key)
        if stored is None:
            self.append(kind, key, payload)
        elif stored != payload:
            raise StoreError(
                f"run {self.run} does not replay: {kind} {key} was {dict(stored)} and is now {dict(payload)}; "
                "the run was made by a version that decides differently: start a new run"
            )

    def text(self, digest: str) -> str:
        """A stored text. Raises StoreError."""
        return self.store.blob(digest)
