"""The entry point: runs a command and turns whatever happens into a message and an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path

import typer.main

from autocomp.cli._app import app
from autocomp.cli._codes import INTERNAL_ERROR, INTERRUPTED
from autocomp.cli._console import closed_pipe, fail, prepare_streams
from autocomp.errors import AutocompError, InfrastructureError, UsageError

DISK_TROUBLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENOMEM)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``autocomp`` with ``arguments`` (default: the command line) and return its exit code.

    No exception leaves it: errors of the tree become one message on standard error, anything unexpected is written
    to a file whose path is printed.
    """
    try:
        return _run(arguments)
    except SystemExit as end:
        # A reader that went away while a message was being printed.
        return end.code if isinstance(end.code, int) else INTERNAL_ERROR


def _run(arguments: Sequence[str] | None) -> int:
    prepare_streams()
    try:
        Path.cwd()
    except OSError:
        fail("the current directory no longer exists; change to one that does")
        return UsageError.exit_code
    _treat_termination_like_ctrl_c()
    try:
        typer.main.get_command(app).main(args=arguments, prog_name="autocomp")
    except SystemExit as end:
        if _reader_left(end):
            closed_pipe()
        return _flushed(end.code if isinstance(end.code, int) else 0)
    except AutocompError as error:
        fail(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        fail("stopped by Ctrl-C", "stopped")
        return INTERRUPTED
    except BrokenPipeError:
        closed_pipe()
    except OSError as error:
        if error.errno in DISK_TROUBLE:
            where = f"{error.filename}: " if error.filename else ""
            fail(f"{where}{os.strerror(error.errno)}; free the resource and run the same command again")
            return InfrastructureError.exit_code
        return _internal(error)
    except Exception as error:  # the last line of defence: no traceback reaches a user
        return _internal(error)
    return _flushed(0)


def _reader_left(end: SystemExit) -> bool:
    """True if the output's reader closed it: the libraries that print the help then leave with a code of their own."""
    cause: BaseException | None = end
    while cause is not None:
        if isinstance(cause, BrokenPipeError):
            return True
        cause = cause.__context__
    return False


def _treat_termination_like_ctrl_c() -> None:
    """A run that is told to end, or whose terminal is closed, stores what is under way and can be resumed."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, lambda *_: signal.raise_signal(signal.SIGINT))


def _flushed(code: int) -> int:
    """``code``, once standard output really has everything; a full disk shows only here."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        closed_pipe()
    except OSError as error:
        fail(f"standard output: {error.strerror}")
        return InfrastructureError.exit_code
    return code


def _internal(error: BaseException) -> int:
    """Save the traceback and say where."""
    text = "".join(traceback.format_exception(error))
    summary = f"{type(error).__name__}: {error}"
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="autocomp-crash-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
        ) as file:
            file.write(text)
        fail(f"{summary}\nThis is a defect of Autocomp. Please report it with {file.name}", "internal error")
    except OSError:
        fail(f"{summary}\nThis is a defect of Autocomp; its traceback could not be saved.", "internal error")
    return INTERNAL_ERROR
