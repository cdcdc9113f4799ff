"""Files that are kept between processes: made once, found by the digest of what they came from.

Among them are libraries and programs that we run, so they lie where nobody else can put any.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import stat
import tempfile
from pathlib import Path

from autocomp.errors import SetupError

__all__ = ["cache_folder", "keep"]


def cache_folder(name: str) -> Path:
    """A folder of this user, which nobody else may write, for files of the kind ``name``.

    Where the usual place cannot be written, or is not ours alone, it is one among the temporary files; if that one is
    not ours alone either, a folder of this process that goes with it. Raises SetupError if there is none at all.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    # A relative value is to be ignored (XDG base directories); whoever asks may run in any folder.
    usual = (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "autocomp" / name
    with contextlib.suppress(OSError):
        usual.parent.mkdir(parents=True, exist_ok=True)
        if _is_ours(usual):
            return usual
    shared = Path(tempfile.gettempdir()) / f"autocomp-{name}-{os.getuid()}"
    with contextlib.suppress(OSError):
        if _is_ours(shared) and not shared.is_symlink():
            return shared
    return _folder_of_process(name)


def keep(path: Path, content: bytes) -> None:
    """Write ``path`` in one step: another process sees all of it or nothing. Raises SetupError if it cannot."""
    written = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            written = Path(file.name)
            file.write(content)
        written.replace(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SetupError(f"{path} cannot be written: {reason}; free some space, or set XDG_CACHE_HOME") from error
    finally:
        if written is not None:
            written.unlink(missing_ok=True)


def _is_ours(folder: Path) -> bool:
    """Make ``folder`` if need be; true if we can write it and nobody else can. Raises OSError."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.stat()
    if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    with tempfile.TemporaryFile(dir=folder):
        return True


@functools.cache
def _folder_of_process(name: str) -> Path:
    try:
        folder = tempfile.mkdtemp(prefix=f"autocomp-{name}-")
    except OSError as error:
        raise SetupError(f"no folder can be written ({error}); set XDG_CACHE_HOME to one that can") from error
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
