"""Exit codes, in one table that the help, the reference and the tests share."""

from __future__ import annotations

from autocomp.errors import (
    AutocompError,
    InfrastructureError,
    ProblemError,
    SetupError,
    StartKernelError,
    StoreError,
    UsageError,
)

BAD_CANDIDATE = 10
INTERNAL_ERROR = 70
INTERRUPTED = 130
CLOSED_PIPE = 141

MEANINGS: dict[int, str] = {
    0: "success",
    AutocompError.exit_code: "something failed; the message says what and what to do",
    UsageError.exit_code: "the command line, an argument or a setting is wrong",
    SetupError.exit_code: "something is missing on this machine; the message has the command that fixes it",
    ProblemError.exit_code: "a problem folder is malformed: file, key, value, remedy",
    StartKernelError.exit_code: "the start kernel does not pass its own problem's checks",
    StoreError.exit_code: "the store cannot be read or written, or holds no such run",
    InfrastructureError.exit_code: "a worker, the disk or the operating system failed",
    BAD_CANDIDATE: "`evaluate` and `profile`: the kernel is bad; the verdict is printed",
    INTERNAL_ERROR: "a defect of Autocomp itself; the traceback is in the file that the message names",
    INTERRUPTED: "stopped by Ctrl-C, or told to end by SIGTERM or SIGHUP; a run that was stopped can be resumed",
    CLOSED_PIPE: "whoever read the output closed it, as `head` does",
}
