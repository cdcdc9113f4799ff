"""Asks a process of its own about an Exo file, once for each content of the file."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from autocomp.errors import ProblemError, SetupError
from autocomp.problems._process import run_program
from autocomp.problems.cache import cache_folder, keep
from autocomp.problems.exo._locator import ExoSpec

TIME_LIMIT_S = 900
"""Scheduling may take minutes."""
_SHOWN_LINES = 12
_MADE_BY = ("_worker.py", "_loopir.py", "_tidy.py", "_places.py", "../_chip.py")
"""Our modules that decide what an answer holds."""


def facts(spec: ExoSpec) -> dict[str, Any]:
    """What the file says about the procedures of ``spec``: see ``_worker.py``.

    Answers are kept in the user's cache folder by the content of the file, the versions of Exo and Python and the
    request, as long as the user's other files that it imports stay as they were.

    Raises ProblemError if the file is missing, raises, or does not fit the request, and SetupError without Exo.
    """
    version = _exo_version()
    try:
        content = spec.path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ProblemError(f"{spec.path}: the Exo file cannot be read: {reason}") from error
    request = {
        "path": str(spec.path),
        "procedure": spec.procedure,
        "sizes": dict(spec.sizes),
        "others": sorted({*spec.rivals, *([spec.start] if spec.start else [])}),
    }
    digest = hashlib.sha256(json.dumps([version, platform.python_version(), request], sort_keys=True).encode())
    for part in (content, *((Path(__file__).parent / name).read_bytes() for name in _MADE_BY)):
        digest.update(hashlib.sha256(part).digest())
    path = cache_folder("exo") / f"{digest.hexdigest()}.json"
    found = _kept(path)
    if found is None:
        found = _ask(request)
        keep(path, json.dumps(found).encode())
    return found


def digest_of(file: Path) -> str:
    """Digest of the content of a file. Raises OSError."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _exo_version() -> str:
    try:
        return importlib.metadata.version("exo-lang")
    except importlib.metadata.PackageNotFoundError as error:
        raise SetupError("exo-lang is not installed; install it with: pip install 'autocomp[exo]'") from error


def _kept(path: Path) -> dict[str, Any] | None:
    """An answer from before, if every file that it came from is still the same."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for file, digest in found["files"].items():
            if digest_of(Path(file)) != digest:
                return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # not there, or damaged: made again
    return found


def _ask(request: dict[str, Any]) -> dict[str, Any]:
    path = request["path"]
    with tempfile.TemporaryDirectory(prefix="autocomp-exo-") as scratch:
        question, reply = Path(scratch) / "request.json", Path(scratch) / "reply.json"
        question.write_text(json.dumps(request), encoding="utf-8")
        # -P: nothing in the working directory is taken for a module; -B: nothing is left beside the user's files.
        command = [sys.executable, "-P", "-B", "-m", "autocomp.problems.exo._worker", str(question), str(reply)]
        done = run_program(command, seconds=TIME_LIMIT_S)
        if done.status is None:
            raise ProblemError(
                f"{path}: still running after {TIME_LIMIT_S} s; schedule fewer procedures when the file is imported"
            )
        try:
            answer = json.loads(reply.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            lines = done.output.strip().splitlines()[-_SHOWN_LINES:]
            shown = "\n".join(f"    {line}" for line in lines) or "    (it printed nothing)"
            raise ProblemError(
                f"{path}: Exo could not use this file (exit status {done.status}); its last lines:\n{shown}"
            ) from error
    if "refused" in answer:
        raise ProblemError(f"{path}: {answer['refused']}")
    found: dict[str, Any] = answer["facts"]
    return found
