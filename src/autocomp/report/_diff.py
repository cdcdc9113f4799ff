"""Line differences between a kernel and its parent."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from autocomp.report._words import clean


@dataclass(frozen=True)
class DiffLine:
    """One line of a unified difference."""

    kind: str
    """``add``, ``remove``, ``same``, ``place`` (where a hunk begins) or ``more`` (the rest was left out)."""
    text: str


def unified(before: str, after: str, limit: int = 400) -> tuple[DiffLine, ...]:
    """The unified difference with three lines of context, cut after ``limit`` lines with a note of how many follow."""
    raw = difflib.unified_diff(clean(before).splitlines(), clean(after).splitlines(), lineterm="", n=3)
    lines = [_classified(text) for index, text in enumerate(raw) if index >= 2]
    if len(lines) <= limit:
        return tuple(lines)
    return (*lines[:limit], DiffLine("more", f"… {len(lines) - limit:,} more lines"))


def size(lines: tuple[DiffLine, ...]) -> tuple[int, int]:
    """How many lines were added and removed."""
    return (sum(line.kind == "add" for line in lines), sum(line.kind == "remove" for line in lines))


def _classified(text: str) -> DiffLine:
    kind = {"+": "add", "-": "remove", "@": "place"}.get(text[:1], "same")
    return DiffLine(kind, text)
