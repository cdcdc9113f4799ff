"""Write what a command makes, whole or not at all, and say plainly why not."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from autocomp.errors import InfrastructureError, UsageError

_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def write_file(path: Path, text: str, *, force: bool = True, make_folder: bool = False) -> None:
    """Put ``text`` at ``path`` in one step, so that no reader ever sees half of it.

    Raises UsageError if it exists and not ``force``, or if the place cannot be written; InfrastructureError if the
    disk is full or fails.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; give the name of a file")
    if path.exists() and not force:
        raise UsageError(f"{path} exists; use --force to overwrite it or -o to choose another name")
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a device or pipe: nothing to replace
            return
        _replace(path, text)
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _DISK:
            raise InfrastructureError(f"cannot write {path}: {reason}; make room and run the command again") from error
        raise UsageError(f"cannot write {path}: {reason}; choose another place") from error


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        mode = path.stat().st_mode if path.exists() else 0o666 & ~_umask()
        Path(name).chmod(mode & 0o777)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
