"""Where evaluation jobs run."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

from autocomp.evaluate._job import Job, Outcome
from autocomp.evaluate._ladder import CaseCache, Ladder
from autocomp.targets import create


class Executor(Protocol):
    """Runs evaluation jobs, several at once.

    A bad candidate is told by the outcome. The future fails with UsageError, SetupError, ProblemError or
    InfrastructureError only for what is not the candidate's fault. Safe to call from several threads.
    """

    @property
    def workers(self) -> int:
        """How many jobs run at once."""
        ...

    def submit(self, job: Job) -> Future[Outcome]:
        """Queue a job; it starts as soon as a worker is free."""
        ...

    def close(self) -> None:
        """End all workers now and cancel what is queued; harmless when done twice."""
        ...


class InlineExecutor:
    """Runs every job at once in the calling process: no protection, no limits. For tests and for problems that exist
    only in this process."""

    workers = 1

    def __init__(self) -> None:
        """Start with an empty cache of inputs."""
        self._cases = CaseCache()

    def submit(self, job: Job) -> Future[Outcome]:
        """Run the job; the future is done when this returns."""
        future: Future[Outcome] = Future()
        try:
            ladder = Ladder(job.problem, create(job.target, job.settings), self._cases)
            future.set_result(ladder.evaluate(job.code, job.plan, timeline=job.timeline))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing to end."""
