"""The composition root: turns a configuration into parts and drives one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autocomp.configuration import Configuration
from autocomp.proposer import Proposer
from autocomp.records import Evaluation, Ideal, Problem
from autocomp.store import RunView, Store
from autocomp.targets import Span


@dataclass(frozen=True)
class Progress:
    """How far a run has come; latencies are in ``unit``."""

    run: str
    """Id of the run."""
    phase: str
    """``preparing``, ``start``, ``rivals``, ``search``, ``confirm`` or ``finished``."""
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


@dataclass(frozen=True)
class Profile:
    """One kernel looked at closely."""

    evaluation: Evaluation
    timeline: tuple[Span, ...]
    ideal: Ideal


def optimize(
    problem: Problem | str | Path,
    *,
    config: Configuration | None = None,
    listener: Listener | None = None,
    proposer: Proposer | None = None,
) -> RunView:
    """Search for faster code for ``problem`` and return the finished run.

    ``problem`` is a library name, a parametric name (``gemm:128x64x256``), the path of a problem folder, or a Problem.
    ``config`` defaults to :func:`autocomp.configuration.load_configuration`. ``proposer`` replaces the configured one.

    Raises ProblemError, SetupError, StoreError; StartKernelError if the start kernel fails its own problem's checks;
    InfrastructureError if the machine keeps failing; KeyboardInterrupt on Ctrl-C, after which the run can be resumed.
    """
    raise NotImplementedError


def resume(
    run: str,
    *,
    config: Configuration | None = None,
    listener: Listener | None = None,
    proposer: Proposer | None = None,
) -> RunView:
    """Go on with a run that was interrupted and return it finished; a finished run is returned as it is.

    ``run`` is an id, the unique beginning of one, or ``latest``. Of ``config`` only ``run.store`` and
    ``evaluate.workers`` count; everything else is as the run was started.

    Raises UnknownRunError; StoreError if another process works on the run or what it needs has changed since; and
    what :func:`optimize` raises.
    """
    raise NotImplementedError


def evaluate(problem: Problem | str | Path, kernel: str | Path, *, config: Configuration | None = None) -> Evaluation:
    """Check and measure one kernel: source text, or the Path of a file.

    A bad kernel is told by the verdict of the result. Raises ProblemError, SetupError, InfrastructureError; UsageError
    if the file cannot be read.
    """
    return profile(problem, kernel, config=config, timeline=False).evaluation


def profile(
    problem: Problem | str | Path,
    kernel: str | Path,
    *,
    config: Configuration | None = None,
    timeline: bool = True,
) -> Profile:
    """Like :func:`evaluate`, with the timeline of the measured run and the ideal."""
    raise NotImplementedError


def open_store(config: Configuration | None = None) -> Store:
    """The project's store. Raises StoreError if it cannot be opened."""
    raise NotImplementedError
