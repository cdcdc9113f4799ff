"""Where words go: results to standard output, progress and errors to standard error."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from rich.console import Console
from rich.text import Text

from autocomp.cli._codes import CLOSED_PIPE

PIPE_COLUMNS = 160
"""Width of tables when nobody's terminal limits it."""


class _Console(Console):
    """Ends quietly when the reader of the output has gone."""

    def on_broken_pipe(self) -> NoReturn:
        """Leave with the code for it, instead of a traceback."""
        self.quiet = True
        closed_pipe()


def prepare_streams() -> None:
    """Make standard streams usable: closed ones become the null device, characters they cannot show become ``?``."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "r" if number == 0 else "w"
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def out() -> Console:
    """Standard output; wide if it is not a terminal, so that nothing is cut."""
    terminal = sys.stdout.isatty()
    return _Console(highlight=False, width=None if terminal or "COLUMNS" in os.environ else PIPE_COLUMNS)


def err() -> Console:
    """Standard error."""
    return _Console(stderr=True, highlight=False)


def print_json(value: Any) -> None:
    """``value`` as the one JSON document of this command."""
    try:
        sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        closed_pipe()


def print_text(text: str) -> None:
    """Plain text as it is: source code, pictures of characters."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        closed_pipe()


def fail(message: str, label: str = "error") -> None:
    """One message in red on standard error; never interpreted as mark-up."""
    try:
        err().print(Text.assemble((f"{label}: ", "bold red"), message), soft_wrap=True)
    except OSError:
        # Nobody can be told; the exit code still says it.
        return


def closed_pipe() -> NoReturn:
    """Stop without a message. Standard output becomes the null device, or Python would complain while exiting."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except OSError:
        pass
    raise SystemExit(CLOSED_PIPE)


def unicode_output() -> bool:
    """True if standard output can show more than ASCII."""
    return "utf" in (sys.stdout.encoding or "").lower()
