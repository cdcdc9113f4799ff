"""Files that are kept between processes: made once, found by the digest of what they came from."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from pathlib import Path

from autocomp.errors import SetupError


def cache_folder(name: str) -> Path:
    """A folder of this user for files of the kind ``name``; one that goes with this process if there can be none.

    Raises SetupError if no folder can be written at all.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    # A relative value is to be ignored (XDG base directories).
    folder = (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "autocomp" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return _folder_of_process(name)
    return folder


@functools.cache
def _folder_of_process(name: str) -> Path:
    try:
        folder = tempfile.mkdtemp(prefix=f"autocomp-{name}-")
    except OSError as error:
        raise SetupError(f"no folder can be written ({error}); set XDG_CACHE_HOME to one that can") from error
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def keep(path: Path, content: bytes) -> None:
    """Write ``path`` in one step: another process sees all of it or nothing. Raises SetupError if it cannot."""
    written = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            written = Path(file.name)
            file.write(content)
        written.replace(path)
    except OSError as error:
        if written is not None:
            written.unlink(missing_ok=True)
        reason = (error.strerror or str(error)).lower()
        raise SetupError(f"{path} cannot be written: {reason}; free some space, or set XDG_CACHE_HOME") from error
