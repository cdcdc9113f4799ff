"""The texts of one problem folder, on disk or made by a template."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autocomp.errors import ProblemError

DESCRIPTION = "problem.toml"
REFERENCE = "reference.py"
RIVALS = "rivals"
SUFFIXES = ("c", "cc", "cpp", "cu", "py", "S")
"""Languages a kernel may be written in, by suffix."""

_MAX_BYTES = 4 << 20


@dataclass(frozen=True)
class Folder:
    """File texts by path relative to the folder, with ``/`` between the parts."""

    origin: str
    """How messages name the folder."""
    files: Mapping[str, str]
    path: Path | None = None
    """Where it is on disk, absolute; None if a template made it."""

    def label(self, name: str) -> str:
        """Name of one of its files for a message."""
        return str(self.path / name) if self.path else f"{self.origin} ({name})"

    def kernels(self, prefix: str) -> list[str]:
        """Names of the kernel files whose name starts with ``prefix``, sorted."""
        return sorted(name for name in self.files if name.startswith(prefix))


def read_folder(path: Path) -> Folder:
    """Read the files that make up the problem in ``path``; other files are left alone.

    Raises ProblemError if the folder or a required file is missing, unreadable, too long or not UTF-8.
    """
    try:
        root = path.resolve(strict=True)
        names = sorted(entry.name for entry in root.iterdir())
    except FileNotFoundError as error:
        raise ProblemError(f"{path}: there is no such problem folder; `autocomp init` makes one") from error
    except NotADirectoryError as error:
        raise ProblemError(f"{path}: a problem is a folder with {DESCRIPTION}, and this is a file") from error
    except (OSError, RuntimeError, ValueError) as error:  # not OSError: a loop of links before 3.13, a NUL character
        raise ProblemError(f"{path}: cannot be read: {_reason(error)}") from error
    for required, what in ((DESCRIPTION, "describes the problem"), (REFERENCE, "computes the expected outputs")):
        if required not in names:
            raise ProblemError(f"{root}: {required} is missing; it {what} (`autocomp init` shows the format)")
    wanted = [DESCRIPTION, REFERENCE, *(name for name in names if name.startswith("start.") and _is_kernel(name))]
    if RIVALS in names:
        try:
            rivals = sorted(entry.name for entry in (root / RIVALS).iterdir())
        except OSError as error:
            raise ProblemError(f"{root / RIVALS}: must be a folder of kernels: {_reason(error)}") from error
        wanted += [f"{RIVALS}/{name}" for name in rivals if _is_kernel(name)]
    return Folder(str(root), {name: _read_text(root / name) for name in wanted}, root)


def _is_kernel(name: str) -> bool:
    # Editors leave start.c~, .start.c.swp and the like; those are not kernels.
    return not name.startswith(".") and name.rpartition(".")[2] in SUFFIXES


def _read_text(path: Path) -> str:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ProblemError(f"{path}: must be a regular file")
        if status.st_size > _MAX_BYTES:
            raise ProblemError(f"{path}: has {status.st_size} bytes; at most {_MAX_BYTES} are read")
        content = path.read_bytes()
    except OSError as error:
        raise ProblemError(f"{path}: cannot be read: {_reason(error)}") from error
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ProblemError(
            f"{path}: line {line}: byte 0x{content[error.start]:02x} at offset {error.start} is not UTF-8; "
            "save the file as UTF-8"
        ) from error
    if "\0" in text:
        raise ProblemError(f"{path}: contains a NUL character; it must be plain text")
    return text.replace("\r\n", "\n")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) and error.strerror else str(error)).lower()
