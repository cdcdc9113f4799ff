"""Runs a program within a time limit and ends all of it, with what it has started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Finished:
    """How a program ended."""

    status: int | None
    """Exit status, negative for a signal; None if its time ran out."""
    output: str
    """Standard output and error together."""


def run_program(command: Sequence[str], *, seconds: float, directory: Path | None = None) -> Finished:
    """Run ``command`` in a process group of its own, of which nothing is left afterwards. Raises OSError."""
    # A file, not a pipe: whoever holds the end of a pipe open can keep its reader waiting.
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        status = None
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(timeout=seconds)
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.seek(0)
        return Finished(status, log.read().decode(errors="replace"))
