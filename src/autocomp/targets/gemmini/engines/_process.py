"""Runs a tool that is not ours, within limits, and ends all of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autocomp.errors import InfrastructureError, SetupError

_POLL_S = 0.05
_LONGEST_POLL_S = 1.0
_MOST_OUTPUT_BYTES = 256 << 20


@dataclass(frozen=True)
class Finished:
    """How a tool ended."""

    status: int | None
    """Exit status, negative for a signal; None if it was stopped."""
    output: bytes
    """Standard output and error together."""

    def tail(self) -> str:
        """The end of what it printed, for messages."""
        return self.output[-600:].decode(errors="replace").strip() or "it printed nothing"


def run_tool(
    command: Sequence[str],
    *,
    seconds: float,
    directory: Path | None = None,
    watch: Callable[[bytes], bool] | None = None,
) -> Finished:
    """Run ``command`` for at most ``seconds``; ``watch`` sees its output now and then and may end it by returning True.

    The tool stays in our own process group, so that it ends with us. Raises SetupError if it cannot be started,
    InfrastructureError if it prints without end.
    """
    with tempfile.TemporaryFile() as log:
        try:
            process = subprocess.Popen(
                command, cwd=directory, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        except OSError as error:
            raise SetupError(f"{command[0]} cannot be started: {error.strerror or error}") from error
        try:
            status = _wait(process, log.fileno(), seconds, watch)
        finally:
            if process.poll() is None:
                _end(process)
        log.seek(0)
        return Finished(status, log.read())


def _wait(
    process: subprocess.Popen[bytes], log: int, seconds: float, watch: Callable[[bytes], bool] | None
) -> int | None:
    deadline = time.monotonic() + seconds
    pause = _POLL_S
    while time.monotonic() < deadline:
        try:
            return process.wait(timeout=min(pause, max(0.0, deadline - time.monotonic())))
        except subprocess.TimeoutExpired:
            pause = min(pause * 1.5, _LONGEST_POLL_S)
        size = os.fstat(log).st_size
        if size > _MOST_OUTPUT_BYTES:
            raise InfrastructureError(f"{process.args!r} prints more than {_MOST_OUTPUT_BYTES >> 20} MiB")
        if watch is not None and watch(os.pread(log, size, 0)):
            return None
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the tool and what it has started."""
    for pid in (process.pid, *_descendants(process.pid)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def _descendants(pid: int) -> list[int]:
    """Processes started by ``pid``, and by these, where the system shows them (Linux)."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = entry.read_text().rpartition(")")[2].split()
            parents.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found: list[int] = []
    queue = [pid]
    while queue:
        children = parents.get(queue.pop(), [])
        found += children
        queue += children
    return found
