"""The parent's end of one worker process."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from autocomp.errors import InfrastructureError
from autocomp.evaluate._job import Job, Outcome, job_to_json, outcome_from_json
from autocomp.evaluate._process import scrubbed

_START_LIMIT_S = 60.0
_TAIL_BYTES = 2000


@dataclass(frozen=True)
class Died:
    """The worker ended in the middle of a job."""

    step: str
    how: str


@dataclass(frozen=True)
class TimedOut:
    """The job was over its time and the worker was killed."""

    step: str


@dataclass(frozen=True)
class Failed:
    """The worker caught an exception that it does not account for."""

    kind: str
    message: str
    trace: str
    broken_machine: bool
    ours: bool


Reply = Outcome | Died | TimedOut | Failed


class WorkerHandle:
    """One worker process in a process group of its own; used by one thread, :meth:`kill` by any."""

    def __init__(self, memory_bytes: int) -> None:
        """Start the process and wait until it is ready. Raises InfrastructureError if it does not come up."""
        ours, theirs = socket.socketpair()
        # Not a pipe: nobody reads it while a job runs, and a full pipe would block the worker.
        self._log = tempfile.TemporaryFile(mode="a+b")  # noqa: SIM115 (closed with the handle)
        with theirs:
            descriptor = theirs.fileno()
            try:
                self._process = subprocess.Popen(
                    [
                        sys.executable,
                        "-P",
                        "-m",
                        __package__ + "._worker",
                        str(descriptor),
                        str(os.getpid()),
                        str(memory_bytes),
                    ],
                    pass_fds=(descriptor,),
                    stdin=subprocess.DEVNULL,
                    stdout=self._log,
                    stderr=self._log,
                    env=scrubbed(os.environ),
                    start_new_session=True,
                )
            except OSError as error:
                ours.close()
                self._log.close()
                raise InfrastructureError(f"a worker process could not be started: {error}") from error
        self._connection = Connection(ours.detach())
        self._await_ready()

    @property
    def pid(self) -> int:
        """Id of the process and of its group."""
        return self._process.pid

    def run(self, job: Job) -> Reply:
        """Do one job; after anything but an Outcome or Failed the worker is gone."""
        self._log.truncate(0)
        nonce = secrets.token_hex(16)
        deadline = time.monotonic() + job.limits.time_s
        step = "load"
        try:
            self._connection.send_bytes(json.dumps({"nonce": nonce, "job": job_to_json(job)}).encode())
            while self._connection.poll(max(0.0, deadline - time.monotonic())):
                message = json.loads(self._connection.recv_bytes())
                if message.get("nonce") != nonce:
                    continue
                if "step" in message:
                    step = str(message["step"])
                elif "outcome" in message:
                    return outcome_from_json(message["outcome"])
                else:
                    return _failed(message["error"])
        except (EOFError, OSError, ValueError, KeyError, TypeError) as error:
            # Also what is no message at all: a worker that sends such a thing is not to be used again.
            return Died(step, self._end() if isinstance(error, EOFError | OSError) else "sent a malformed reply")
        self.kill()
        self._end()
        return TimedOut(step)

    def kill(self) -> None:
        """Kill the process and all it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill, and release what the handle holds."""
        self._end()
        self._connection.close()
        self._log.close()

    def _await_ready(self) -> None:
        try:
            ready = self._connection.poll(_START_LIMIT_S) and json.loads(self._connection.recv_bytes()).get("ready")
        except (EOFError, OSError, ValueError):
            ready = False
        if not ready:
            how = self._end()
            tail = self._tail()
            self.close()
            raise InfrastructureError(f"a worker process did not come up: {how}{': ' if tail else ''}{tail}")

    def _end(self) -> str:
        """Make sure that the whole group is dead; tell how the worker itself ended."""
        try:
            # It may be on its way out by itself, and its own exit status says more than our signal.
            code = self._process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            code = None
        self.kill()
        if code is None:
            code = self._process.wait()
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"exited with status {code}"

    def _tail(self) -> str:
        self._log.seek(0)
        return self._log.read()[-_TAIL_BYTES:].decode(errors="replace").strip()


def _failed(values: dict[str, Any]) -> Failed:
    return Failed(values["kind"], values["message"], values["trace"], values["broken_machine"], values["ours"])
