"""What the faces and other programs call."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autocomp.configuration import Configuration, load_configuration
from autocomp.errors import UsageError
from autocomp.evaluate import LARGEST_CODE_BYTES, Executor
from autocomp.problems import load
from autocomp.proposer import Proposer
from autocomp.records import Evaluation, Ideal, Problem
from autocomp.session._composition import Overrides, evaluate_once, resume_run, start_run, time_again
from autocomp.session._progress import Listener
from autocomp.store import RunView, Store
from autocomp.targets import Span


@dataclass(frozen=True)
class Profile:
    """One kernel looked at closely."""

    evaluation: Evaluation
    timeline: tuple[Span, ...]
    ideal: Ideal


def load_problem(name_or_path: str | Path) -> Problem:
    """Load a problem by library name, parametric name (``gemm:128x64x256``) or folder. Raises ProblemError."""
    return load(name_or_path)


def open_store(config: Configuration | None = None, *, create: bool = False) -> Store:
    """The project's store. Raises StoreError if it cannot be opened, or is missing and not to be made."""
    return Store((config or load_configuration()).run.store, create=create)


def optimize(
    problem: Problem | str | Path,
    *,
    config: Configuration | None = None,
    listener: Listener | None = None,
    proposer: Proposer | None = None,
    executor: Executor | None = None,
) -> RunView:
    """Search for faster code for ``problem`` and return the finished run.

    ``problem`` is a library name, a parametric name (``gemm:128x64x256``), the path of a problem folder, or a Problem.
    ``config`` defaults to :func:`autocomp.configuration.load_configuration`. ``proposer`` and ``executor`` replace
    the configured ones; an executor that is given is not closed.

    Raises ProblemError, SetupError, UsageError, StoreError; StartKernelError if the start kernel fails its own
    problem's checks; InfrastructureError if the machine keeps failing; KeyboardInterrupt on Ctrl-C, after which the
    run can be resumed.
    """
    config = config or load_configuration()
    with open_store(config, create=True) as store:
        return start_run(_problem(problem), config, store, Overrides(listener, proposer, executor))


def resume(
    run: str,
    *,
    config: Configuration | None = None,
    listener: Listener | None = None,
    proposer: Proposer | None = None,
    executor: Executor | None = None,
) -> RunView:
    """Go on with a run that was interrupted and return it finished; a finished run is returned as it is.

    ``run`` is an id, the unique beginning of one, or ``last``. Of ``config`` only ``run.store``,
    ``run.proposer_threads`` and ``evaluate.workers`` count; everything else is as the run was started.

    Raises UnknownRunError; StoreError if another process works on the run or what it needs has changed since; and
    what :func:`optimize` raises.
    """
    config = config or load_configuration()
    with open_store(config) as store:
        return resume_run(store.resolve(run), config, store, Overrides(listener, proposer, executor))


def evaluate(
    problem: Problem | str | Path,
    kernel: str | Path,
    *,
    config: Configuration | None = None,
    executor: Executor | None = None,
) -> Evaluation:
    """Check and measure one kernel: its source text, or the Path of a file.

    A bad kernel is told by the verdict of the result. Nothing is stored. Raises ProblemError, SetupError,
    InfrastructureError; UsageError if the file cannot be read.
    """
    return profile(problem, kernel, config=config, timeline=False, executor=executor).evaluation


def profile(
    problem: Problem | str | Path,
    kernel: str | Path,
    *,
    config: Configuration | None = None,
    timeline: bool = True,
    executor: Executor | None = None,
) -> Profile:
    """Like :func:`evaluate`, with the timeline of the measured run and the ideal."""
    config = config or load_configuration()
    outcome, ideal = evaluate_once(_problem(problem), _source(kernel), config, timeline=timeline, executor=executor)
    return Profile(outcome.evaluation, outcome.timeline, ideal)


def timelines(
    problem: Problem | str | Path, kernels: Sequence[str], *, config: Configuration | None = None
) -> tuple[Profile, ...]:
    """The timelines of kernels that have passed all checks before: each is run once, on the measured inputs.

    Raises ProblemError, SetupError, InfrastructureError.
    """
    outcomes, ideal = time_again(_problem(problem), kernels, config or load_configuration())
    return tuple(Profile(outcome.evaluation, outcome.timeline, ideal) for outcome in outcomes)


def _problem(problem: Problem | str | Path) -> Problem:
    return problem if isinstance(problem, Problem) else load(problem)


def _source(kernel: str | Path) -> str:
    # A source has lines; a text of one line that names a file is meant as its path.
    if isinstance(kernel, str) and ("\n" in kernel or not kernel.strip() or not Path(kernel).is_file()):
        return kernel
    return read_kernel(Path(kernel))


def read_kernel(file: Path | None) -> str:
    """The text of a kernel; None reads standard input. Of what is too large to be one, only so much that checking
    refuses it.

    Raises UsageError if it cannot be read.
    """
    try:
        if file is None:
            return sys.stdin.read(LARGEST_CODE_BYTES + 1)
        with file.open(encoding="utf-8") as stream:
            return stream.read(LARGEST_CODE_BYTES + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"not UTF-8: {error}"
        raise UsageError(f"kernel {file or 'on standard input'} cannot be read: {reason}") from error
