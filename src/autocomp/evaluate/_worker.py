"""The program of a worker process: ``python -m autocomp.evaluate._worker DESCRIPTOR PARENT_PID MEMORY_BYTES``.

Messages are JSON on a private socket. In: one job. Out: ``{"step": …}`` before every step, then ``{"outcome": …}`` or
``{"error": …}``; each carries the job's nonce. What the candidate prints goes elsewhere and counts for nothing.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from autocomp.errors import InfrastructureError, ProblemError
from autocomp.evaluate._job import JobText, Outcome, job_from_json, outcome_to_json
from autocomp.evaluate._ladder import CaseCache, Ladder
from autocomp.evaluate._process import die_with_parent, limit_resources
from autocomp.problems import load
from autocomp.records import Evaluation, Problem, Status, Verdict
from autocomp.targets import Target, create

Announce = Callable[[str], None]


class Workshop:
    """Problems and targets that were loaded once."""

    def __init__(self) -> None:
        """Start empty."""
        self._problems: dict[str, Problem] = {}
        self._targets: dict[str, Target] = {}
        self._cases = CaseCache()

    def ladder(self, job: JobText) -> Ladder:
        """The ladder for ``job``. Raises ProblemError if the problem is not the one the parent loaded."""
        problem = self._problems.get(job.fingerprint)
        if problem is None:
            problem = load(job.locator)
            if problem.fingerprint != job.fingerprint:
                raise ProblemError(
                    f"problem {job.locator} has changed since this run began: put it back, or start a new run"
                )
            self._problems[job.fingerprint] = problem
        key = json.dumps([job.target, job.settings], sort_keys=True)
        if key not in self._targets:
            self._targets[key] = create(job.target, job.settings)
        return Ladder(problem, self._targets[key], self._cases)


def serve(connection: Connection, memory_bytes: int) -> None:
    """Do jobs until the parent closes its end."""
    workshop = Workshop()
    _send(connection, {"ready": True})
    while True:
        try:
            message = json.loads(connection.recv_bytes())
        except (EOFError, OSError):
            return
        nonce = message["nonce"]

        def announce(step: str, nonce: str = nonce) -> None:
            _send(connection, {"nonce": nonce, "step": step})

        _send(connection, {"nonce": nonce, **_reply(workshop, job_from_json(message["job"]), announce, memory_bytes)})


def _reply(workshop: Workshop, job: JobText, announce: Announce, memory_bytes: int) -> dict[str, Any]:
    step = "load"

    def note(name: str) -> None:
        nonlocal step
        step = name
        announce(name)

    try:
        note("load")
        ladder = workshop.ladder(job)
        return {"outcome": outcome_to_json(ladder.evaluate(job.code, job.plan, timeline=job.timeline, announce=note))}
    except MemoryError:
        if is_ours(step):
            return _error(
                InfrastructureError(
                    f"inputs and reference of {job.locator} need more than {memory_bytes >> 20} MiB; "
                    "raise evaluate.memory_limit_mb"
                )
            )
        verdict = Verdict(Status.CRASHED, f"used more than {memory_bytes >> 20} MiB of memory (in step: {step})")
        return {"outcome": outcome_to_json(Outcome(Evaluation(verdict), repeatable=False))}
    except Exception as error:
        return _error(error, step)


def is_ours(step: str) -> bool:
    """True for steps in which no code of the candidate takes part: what breaks there is never its fault."""
    return step.startswith(("load", "inputs"))


def _error(error: Exception, step: str = "") -> dict[str, Any]:
    return {
        "error": {
            "kind": type(error).__name__,
            "message": str(error),
            "broken_machine": isinstance(error, OSError),
            "ours": is_ours(step),
            "trace": "".join(traceback.format_exception(error)[-3:]),
        }
    }


def _send(connection: Connection, message: Mapping[str, Any]) -> None:
    connection.send_bytes(json.dumps(message).encode())


def main(arguments: list[str]) -> None:
    """Limit this process, then serve."""
    descriptor, parent_pid, memory_bytes = (int(argument) for argument in arguments)
    die_with_parent(parent_pid)
    limit_resources(memory_bytes)
    serve(Connection(descriptor), memory_bytes)


if __name__ == "__main__":
    main(sys.argv[1:])
