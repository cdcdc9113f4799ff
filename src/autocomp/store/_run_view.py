"""A run as its faces see it: read from the events, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autocomp.records import Candidate, Evaluation, Ideal


@dataclass(frozen=True)
class Entry:
    """One candidate and what is known of it."""

    candidate: Candidate
    evaluation: Evaluation | None
    """None while it is still being evaluated, or if the run stopped before that."""
    time_s: float
    """Seconds since the run began at which the result was stored."""


@dataclass(frozen=True)
class RivalResult:
    """A named kernel of the problem that the found one is compared with."""

    name: str
    code: str
    evaluation: Evaluation


@dataclass(frozen=True)
class RunView:
    """Everything a command or report needs to know about one run."""

    id: str
    problem: str
    """Locator: a library name, a parametric name or the path of a folder."""
    target: str
    status: str
    """``running``, ``interrupted`` (can be resumed), ``finished`` or ``failed``."""
    started_s: float
    """Seconds since the epoch."""
    duration_s: float
    configuration: Mapping[str, object]
    ideal: Ideal
    start: Entry
    entries: tuple[Entry, ...]
    """All candidates in the order of their place in the search, the start kernel first."""
    rivals: tuple[RivalResult, ...]
    best: Entry
    """The fastest candidate that passed; the start kernel if nothing was faster."""
    confirmed: bool
    """True if ``best`` was checked again with fresh secret inputs."""
    beams: tuple[tuple[str, ...], ...]
    """Ids of the candidates kept after each iteration."""
    stop_reason: str = ""


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
