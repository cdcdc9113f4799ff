"""Every error Autocomp raises on purpose, as a tree.

::

    AutocompError                      exit code 1: something failed; the message says what and what to do
    ├── UsageError                     exit code 2: the command or an argument is wrong
    ├── SetupError                     exit code 3: something is missing here; the message has the fix
    │   ├── ToolchainError             no usable compiler, or a compiler that does not run
    │   └── UnknownTargetError         no target of that name is installed
    ├── ProblemError                   exit code 4: a problem folder is malformed: file, key, value, remedy
    ├── StartKernelError               exit code 5: the start kernel does not pass its own problem's checks
    ├── StoreError                     exit code 6: the project's store cannot be read or written
    │   └── UnknownRunError            no run of that name in the store
    ├── InfrastructureError            exit code 7: a worker, disk or process broke; never the candidate's fault
    └── IllegalMoveError               internal: a move does not apply to this kernel; the search takes the next one
    (Ctrl-C, SIGTERM, SIGHUP)          exit code 130: stopped by the user; the run can be resumed

A bad *candidate* is never an error: it is a :class:`autocomp.records.Verdict`.
"""

import difflib
from collections.abc import Iterable


class AutocompError(Exception):
    """Something failed; the message names the thing, the value and the next step."""

    exit_code = 1


class UsageError(AutocompError):
    """The command line, an argument or a configuration value is wrong."""

    exit_code = 2


class SetupError(AutocompError):
    """Something is missing on this machine; the message names the command that fixes it."""

    exit_code = 3


class ToolchainError(SetupError):
    """No usable compiler was found, or the one found does not run."""


class UnknownTargetError(SetupError):
    """No target of that name is installed."""


class ProblemError(AutocompError):
    """A problem folder is malformed; the message names file, key, value and what would be right."""

    exit_code = 4


class StartKernelError(AutocompError):
    """The start kernel of a problem does not pass that problem's own checks."""

    exit_code = 5


class StoreError(AutocompError):
    """The project's store cannot be read or written."""

    exit_code = 6


class UnknownRunError(StoreError):
    """The store holds no run of that name."""


class InfrastructureError(AutocompError):
    """A worker process, the disk or the operating system failed; never the candidate's fault."""

    exit_code = 7


class IllegalMoveError(AutocompError):
    """A move does not apply to this kernel; callers take the next move."""


def near(word: str, known: Iterable[str]) -> str:
    """A hint for a message about an unknown ``word``: the nearest known one, or all of them."""
    words = list(known)
    close = difflib.get_close_matches(word, words, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(words) or 'none'}"
