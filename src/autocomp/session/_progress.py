"""What a run tells while it works."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

_log = logging.getLogger("autocomp")


@dataclass(frozen=True)
class Progress:
    """How far a run has come; latencies are in ``unit``."""

    run: str
    """Id of the run."""
    phase: str
    """``start`` (start kernel and rivals), ``search``, ``confirm`` or ``finished``."""
    iteration: int
    iterations: int
    evaluations: int
    """Different candidates evaluated so far in the whole run."""
    evaluations_pending: int
    """Candidates waiting for their evaluation now."""
    best_latency: float | None
    start_latency: float | None
    ideal_latency: float
    unit: str
    elapsed_s: float
    message: str = ""
    """One line for people: what just happened."""


Listener = Callable[[Progress], None]


class Announcer:
    """Passes progress on to a listener; one that fails is logged once and not called again."""

    def __init__(self, listener: Listener | None) -> None:
        """Announce to ``listener``, if any."""
        self._listener = listener

    def __call__(self, progress: Progress) -> None:
        """Tell the listener."""
        if self._listener is None:
            return
        try:
            self._listener(progress)
        except Exception:
            self._listener = None
            _log.exception("the listener of run %s failed and is not called again", progress.run)
