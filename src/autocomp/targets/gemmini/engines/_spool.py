"""Where evaluations of several processes meet, so that one run of the FPGA serves them all.

Every process lays its case into a folder and waits. Whoever gets the FPGA's lock runs what lies there, for everybody,
and answers beside each case. A process that is gone has let go of its case's lock: its case is thrown away.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from autocomp.errors import AutocompError, InfrastructureError, SetupError
from autocomp.records import Role, TensorSpec, verdict_from_json, verdict_to_json
from autocomp.targets.gemmini.engines._case import Case
from autocomp.targets.gemmini.engines._result import CaseResult

_POLL_S = 0.1

RunAll = Callable[[Sequence[Case]], list[CaseResult | InfrastructureError]]


class Spool:
    """One folder of cases for one lock."""

    def __init__(self, folder: Path, lock: Path, *, most: int, gather_s: float) -> None:
        """Runs of at most ``most`` cases, each waiting ``gather_s`` for more to come."""
        self._folder = folder
        self._lock = lock
        self._most = most
        self._gather_s = gather_s

    def submit(self, case: Case, run: RunAll) -> CaseResult:
        """The result of ``case``, run by this process or by another, alone or with others.

        Raises what the run raised.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{time.time_ns():020}-{secrets.token_hex(4)}"
        job, answer = self._folder / f"{name}.job", self._folder / f"{name}.answer"
        with _locked_file(job, json.dumps(_case_to_json(case))):
            try:
                while not answer.exists():
                    with _lock(self._lock) as ours:
                        if ours and not answer.exists():
                            self._lead(run)
                    if not answer.exists():
                        time.sleep(_POLL_S)
                return _result_from_json(json.loads(answer.read_text()))
            finally:
                job.unlink(missing_ok=True)
                answer.unlink(missing_ok=True)

    def _lead(self, run: RunAll) -> None:
        deadline = time.monotonic() + self._gather_s
        while len(jobs := self._jobs()) < self._most and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        jobs = jobs[: self._most]
        try:
            answers = [_result_to_json(result) for result in run([_case_from_json(case) for _, case in jobs])]
        except (SetupError, InfrastructureError) as error:
            answers = [_error_to_json(error)] * len(jobs)
        for (job, _), answer in zip(jobs, answers, strict=True):
            _write(job.with_suffix(".answer"), json.dumps(answer))

    def _jobs(self) -> list[tuple[Path, dict[str, Any]]]:
        """What waits for an answer, the oldest first."""
        found = []
        for job in sorted(self._folder.glob("*.job")):
            answer = job.with_suffix(".answer")
            with contextlib.suppress(FileNotFoundError):
                if _is_abandoned(job):
                    job.unlink(missing_ok=True)
                    answer.unlink(missing_ok=True)
                elif not answer.exists():
                    found.append((job, json.loads(job.read_text())))
        return found


@contextlib.contextmanager
def _locked_file(path: Path, text: str) -> Iterator[None]:
    """A file that is locked for as long as we live, from before it can be seen."""
    hidden = path.with_suffix(".new")
    with hidden.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(text)
        file.flush()
        hidden.rename(path)
        yield


def _is_abandoned(path: Path) -> bool:
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[bool]:
    """True if the lock is ours until the end of the block."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def _write(path: Path, text: str) -> None:
    hidden = path.with_suffix(f".{os.getpid()}")
    hidden.write_text(text)
    hidden.rename(path)


def _to_text(contents: dict[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(content).decode() for name, content in contents.items()}


def _to_bytes(texts: dict[str, str]) -> dict[str, bytes]:
    return {name: base64.b64decode(text) for name, text in texts.items()}


def _case_to_json(case: Case) -> dict[str, Any]:
    return {
        "source": case.source,
        "entry": case.entry,
        "arguments": [[spec.name, spec.dtype, spec.shape, spec.role] for spec in case.arguments],
        "contents": _to_text(dict(case.contents)),
        "expected": _to_text(dict(case.expected)),
    }


def _case_from_json(values: dict[str, Any]) -> Case:
    arguments = tuple(
        TensorSpec(name, dtype, tuple(shape), Role(role)) for name, dtype, shape, role in values["arguments"]
    )
    return Case(
        values["source"], values["entry"], arguments, _to_bytes(values["contents"]), _to_bytes(values["expected"])
    )


def _error_to_json(error: AutocompError) -> dict[str, Any]:
    return {"error": type(error).__name__, "message": str(error)}


def _result_to_json(result: CaseResult | InfrastructureError) -> dict[str, Any]:
    if isinstance(result, InfrastructureError):
        return _error_to_json(result)
    return {
        "verdict": verdict_to_json(result.verdict) if result.verdict else None,
        "outputs": _to_text(dict(result.outputs)),
        "cycles": result.cycles,
        "instructions": result.instructions,
        "protected": result.protected,
    }


def _result_from_json(values: dict[str, Any]) -> CaseResult:
    if "error" in values:
        kind: type[AutocompError] = SetupError if values["error"] != "InfrastructureError" else InfrastructureError
        raise kind(values["message"])
    verdict = verdict_from_json(values["verdict"]) if values["verdict"] else None
    return CaseResult(
        verdict, _to_bytes(values["outputs"]), values["cycles"], values["instructions"], values["protected"]
    )
