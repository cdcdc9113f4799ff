"""Write a new problem folder from a packaged problem or from another folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from autocomp.errors import ProblemError, SetupError, UsageError
from autocomp.problems._assemble import assemble
from autocomp.problems._folder import DESCRIPTION, Folder
from autocomp.problems._load import resolve

DEFAULT_TEMPLATE = "gemm:64x64x64"
_NAME_LINE = re.compile(r'^name\s*=\s*"[^"\n]*"', re.MULTILINE)


def scaffold(
    folder: str | os.PathLike[str], name: str | None = None, *, template: str | os.PathLike[str] = DEFAULT_TEMPLATE
) -> tuple[Path, ...]:
    """Write a problem folder that loads and evaluates as it is; return the files written.

    ``template`` is anything that ``load`` takes, such as ``gemm:96x160x48:bias:relu``; ``name`` defaults to the name
    of the folder. Existing files are never overwritten, and either all files are written or none.

    Raises UsageError if a file is there already, ProblemError if the name or the template is not right, and SetupError
    if the folder cannot be written.
    """
    root = Path(folder).expanduser()
    source = _renamed(resolve(template)[0], name or root.resolve().name)
    assemble(source, str(root))  # refuse before anything is written
    targets = {root / relative: text for relative, text in source.files.items()}
    present = [str(path) for path in targets if os.path.lexists(path)]
    if present:
        raise UsageError(f"{', '.join(present)}: exists already and is not overwritten; choose another folder")
    written: list[Path] = []
    try:
        for path, text in targets.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                written.append(path)
                file.write(text)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise SetupError(
            f"{root}: cannot be written: {(error.strerror or str(error)).lower()}; choose a folder that can"
        ) from error
    return tuple(written)


def _renamed(source: Folder, name: str) -> Folder:
    text, count = _NAME_LINE.subn(lambda _: f'name = "{name}"', source.files[DESCRIPTION], count=1)
    if not count or '"' in name or "\\" in name or "\n" in name:
        raise ProblemError(f"{name!r}: cannot be the name of a problem; use letters, digits, '.', '_' and '-'")
    return Folder(source.origin, {**source.files, DESCRIPTION: text})
