"""The executor that uses the cores of this machine."""

from __future__ import annotations

import os
import queue
import threading
from concurrent.futures import Future

from autocomp.errors import (
    AutocompError,
    InfrastructureError,
    ProblemError,
    SetupError,
    ToolchainError,
    UnknownTargetError,
    UsageError,
)
from autocomp.evaluate._handle import Died, Failed, Reply, TimedOut, WorkerHandle
from autocomp.evaluate._job import Job, Outcome
from autocomp.evaluate._worker import is_ours
from autocomp.records import Evaluation, Status, Verdict

_ATTEMPTS = 2
_START_ATTEMPTS = 3

_PASSED_ON = {
    kind.__name__: kind
    for kind in (UsageError, SetupError, ToolchainError, UnknownTargetError, ProblemError, InfrastructureError)
}
"""Errors that speak of the set-up, never of the candidate, wherever they are found."""


class LocalExecutor:
    """Worker processes on this machine, one thread of the parent for each.

    Who is to blame when a worker dies: a job is tried again on a fresh worker, whatever the reason. If that dies too
    while running the candidate, the candidate is the only thing both had in common and its verdict is CRASHED; if
    both died in a step of ours (loading, drawing inputs), it is an InfrastructureError. A worker that does not even
    come up is always an InfrastructureError. A job over its time is TIMED_OUT at once.

    The workers die with this process, however it ends.
    """

    def __init__(self, workers: int | None = None) -> None:
        """Use ``workers`` processes, by default one per core that this process may use; they start with the first
        jobs."""
        self.workers = workers or usable_cores()
        self._jobs: queue.SimpleQueue[tuple[Job, Future[Outcome]] | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._closed = False
        self._idle = 0
        self._handles: set[WorkerHandle] = set()
        self._threads: list[threading.Thread] = []

    def submit(self, job: Job) -> Future[Outcome]:
        """Queue a job. Raises InfrastructureError after :meth:`close`."""
        future: Future[Outcome] = Future()
        with self._guard:
            if self._closed:
                raise InfrastructureError("the executor is closed")
            self._jobs.put((job, future))
            if self._idle < self._jobs.qsize() and len(self._threads) < self.workers:
                thread = threading.Thread(target=self._serve, name="evaluate", daemon=True)
                self._threads.append(thread)
                thread.start()
        return future

    def close(self) -> None:
        """Kill all workers and cancel what is queued."""
        with self._guard:
            self._closed = True
            handles = list(self._handles)
        for handle in handles:
            handle.kill()
        while True:
            try:
                entry = self._jobs.get_nowait()
            except queue.Empty:
                break
            if entry is not None:
                entry[1].cancel()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join(timeout=5.0)

    def _serve(self) -> None:
        slot = _Slot(self)
        try:
            while True:
                with self._guard:
                    self._idle += 1
                entry = self._jobs.get()
                with self._guard:
                    self._idle -= 1
                if entry is None:
                    return
                job, future = entry
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    future.set_result(slot.run(job))
                except Exception as error:
                    future.set_exception(error)
        finally:
            slot.close()

    def _enlist(self, handle: WorkerHandle) -> None:
        with self._guard:
            self._handles.add(handle)
            if self._closed:
                handle.kill()

    def _dismiss(self, handle: WorkerHandle) -> None:
        with self._guard:
            self._handles.discard(handle)

    @property
    def _is_closed(self) -> bool:
        with self._guard:
            return self._closed


class _Slot:
    """The place of one worker; a dead one is replaced by the next job."""

    def __init__(self, executor: LocalExecutor) -> None:
        self._executor = executor
        self._handle: WorkerHandle | None = None
        self._memory_bytes = 0

    def run(self, job: Job) -> Outcome:
        """Do a job, twice if need be."""
        if not job.problem.locator:
            raise InfrastructureError(
                f"problem '{job.problem.name}' exists only in this process; "
                "workers need one that can be loaded by name or path"
            )
        for attempt in range(1, _ATTEMPTS + 1):
            reply = self._worker(job.limits.memory_bytes).run(job)
            if not isinstance(reply, Outcome | Failed):
                self.close()
            if self._executor._is_closed:
                raise InfrastructureError("the executor was closed")
            outcome = _judge(job, reply, final=attempt == _ATTEMPTS)
            if outcome is not None:
                return outcome
            self.close()
        raise AssertionError("the last attempt always ends in an outcome or an error")

    def close(self) -> None:
        """End the worker, if there is one."""
        if self._handle is not None:
            self._executor._dismiss(self._handle)
            self._handle.close()
            self._handle = None

    def _worker(self, memory_bytes: int) -> WorkerHandle:
        if self._handle is not None and self._memory_bytes != memory_bytes:
            self.close()
        for attempt in range(1, _START_ATTEMPTS + 1):
            if self._handle is not None:
                break
            try:
                self._handle = WorkerHandle(memory_bytes)
            except InfrastructureError:
                if attempt == _START_ATTEMPTS:
                    raise
        assert self._handle is not None
        self._memory_bytes = memory_bytes
        self._executor._enlist(self._handle)
        return self._handle


def usable_cores() -> int:
    """How many cores this process may use; where the system does not say, how many there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _judge(job: Job, reply: Reply, *, final: bool) -> Outcome | None:
    """The outcome of a job, or None if it is to be tried again. Raises if somebody else is to blame."""
    match reply:
        case Outcome():
            return reply
        case TimedOut(step) if not is_ours(step):
            return _failure(Status.TIMED_OUT, f"was still running after {job.limits.time_s:g} s (in step: {step})")
        case TimedOut(step):
            raise InfrastructureError(
                f"preparing {job.problem.locator} took longer than evaluate.time_limit_s = {job.limits.time_s:g} "
                f"(in step: {step})"
            )
        case Failed() if reply.kind in _PASSED_ON:
            raise _passed_on(reply)
        case Failed() if final and (reply.ours or reply.broken_machine):
            raise InfrastructureError(f"evaluating failed twice: {reply.kind}: {reply.message}\n{reply.trace}")
        case Failed() if final:
            return _failure(Status.CRASHED, f"target {job.target} fails on this source: {reply.kind}: {reply.message}")
        case Died(step, how) if final and is_ours(step):
            raise InfrastructureError(
                f"two workers died while preparing {job.problem.locator}: {how} (in step: {step})"
            )
        case Died(step, how) if final:
            return _failure(Status.CRASHED, f"the process that ran it was {how} twice (in step: {step})")
    return None


def _passed_on(reply: Failed) -> AutocompError:
    return _PASSED_ON[reply.kind](reply.message)


def _failure(status: Status, message: str) -> Outcome:
    return Outcome(Evaluation(Verdict(status, message)), repeatable=False)
