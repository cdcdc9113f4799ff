"""Find a problem by name or path and load it."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from autocomp.errors import ProblemError, near
from autocomp.problems._assemble import assemble
from autocomp.problems._folder import DESCRIPTION, Folder, read_folder
from autocomp.problems._library import FAMILIES, Instance, find, is_parametric, packaged, render
from autocomp.problems._sample import sample
from autocomp.problems.exo import exo_folder, is_exo
from autocomp.records import Problem


def load(name_or_path: str | os.PathLike[str], *, verify: bool = True) -> Problem:
    """Load a packaged problem by name, one of any size as ``gemm:MxNxK``, a folder by path, or an Exo procedure as
    ``exo:FILE.py:PROCEDURE:N=16``.

    A text with a path separator, or that names a folder here, is a path unless it starts with a family and a colon; a
    bare name that is both a packaged problem's and a folder's is refused.
    With ``verify``, the reference of a folder is run once on drawn inputs, so that one that raises or returns the wrong
    thing is found now; leave it out where the same folder was verified before. ``locator`` of the result loads the same
    problem in any other process.

    Raises ProblemError with file, key, value and what would be right.
    """
    folder, locator = resolve(name_or_path)
    problem = assemble(folder, locator)
    if verify and folder.path is not None:
        problem.reference(sample(problem, problem.distributions[0], np.random.default_rng(0)))
    return problem


def resolve(name_or_path: str | os.PathLike[str]) -> tuple[Folder, str]:
    """The folder, on disk or in memory, that a name or path stands for, and its locator. Raises ProblemError."""
    text = os.fspath(name_or_path)
    if not text:
        raise ProblemError("the name of the problem is empty; `autocomp problems` lists what there is")
    if isinstance(name_or_path, str) and is_exo(text):
        return exo_folder(text)
    if isinstance(name_or_path, str) and not _looks_like_path(text):
        here = not is_parametric(text) and _is_problem_folder(Path(text))
        instance = _instance(text, here)
        if instance is not None and here:
            raise ProblemError(
                f"{text!r}: is both a packaged problem and a folder here; "
                f"write {'.' + os.sep + text} for the folder or {instance.locator} for the packaged one"
            )
        if instance is not None:
            return render(instance), instance.locator
        if not here and not os.path.lexists(text):
            known = [entry.name for entry in packaged()]
            raise ProblemError(
                f"{text!r}: is neither a packaged problem nor a folder here; {near(text, known)}; "
                f"any size is {' or '.join(family.syntax for family in FAMILIES.values())}, an Exo procedure "
                "exo:FILE.py:PROCEDURE, and `autocomp init` makes a folder"
            )
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:  # no such user
        raise ProblemError(f"{text}: {error}") from error
    folder = read_folder(path)
    return folder, str(folder.path)


def _instance(text: str, here: bool) -> Instance | None:
    """The packaged problem of this name; None for a folder ``here`` whose name only begins like one."""
    try:
        return find(text)
    except ProblemError as error:
        if here:
            return None
        if os.path.lexists(text):
            raise ProblemError(f"{error}; for what is called so here write .{os.sep}{text}") from error
        raise


def _looks_like_path(text: str) -> bool:
    if is_parametric(text):
        return False
    separators = [os.sep, *([os.altsep] if os.altsep else [])]
    return text.startswith(("~", ".")) or any(separator in text for separator in separators)


def _is_problem_folder(path: Path) -> bool:
    try:
        return (path / DESCRIPTION).is_file()
    except (OSError, ValueError):
        return False
