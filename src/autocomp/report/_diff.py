"""Line differences between a kernel and its parent."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from autocomp.report._words import clean, plural

CONTEXT = 3
Range = tuple[int, int, int, int]
"""First and end of a stretch before, first and end of what it became."""


@dataclass(frozen=True)
class DiffLine:
    """One line of a unified difference."""

    kind: str
    """``add``, ``remove``, ``same``, ``place`` (where a hunk begins) or ``more`` (the rest was left out)."""
    text: str


def unified(before: str, after: str, limit: int = 400) -> tuple[DiffLine, ...]:
    """The unified difference with three lines of context, cut after ``limit`` lines with a note of how many follow."""
    old, new = clean(before).splitlines(), clean(after).splitlines()
    lines = tuple(_hunks(old, new))
    if len(lines) <= limit:
        return lines
    return (*lines[:limit], DiffLine("more", f"… {plural(len(lines) - limit, 'more line')}"))


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    changes = list(_changes(old, new))
    while changes:
        # Changes whose context would touch or overlap belong to one hunk.
        count = 1
        while count < len(changes) and changes[count][0] - changes[count - 1][1] <= 2 * CONTEXT:
            count += 1
        hunk, changes = changes[:count], changes[count:]
        begin = max(0, hunk[0][0] - CONTEXT)
        end = min(len(old), hunk[-1][1] + CONTEXT)
        shift, grown = hunk[0][2] - hunk[0][0], hunk[-1][3] - hunk[-1][1]
        yield DiffLine("place", f"@@ -{_span(begin, end)} +{_span(begin + shift, end + grown)} @@")
        at = begin
        for first, last, new_first, new_last in hunk:
            yield from (DiffLine("same", f" {line}") for line in old[at:first])
            yield from (DiffLine("remove", f"-{line}") for line in old[first:last])
            yield from (DiffLine("add", f"+{line}") for line in new[new_first:new_last])
            at = last
        yield from (DiffLine("same", f" {line}") for line in old[at:end])


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Range]:
    """Stretches that differ. Matching is quadratic, so the common beginning and end are set aside first."""
    head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    rest = min(len(old), len(new)) - head
    tails = zip(reversed(old[len(old) - rest :]), reversed(new[len(new) - rest :]), strict=True)
    tail = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], tails))
    matcher = difflib.SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag != "equal":
            yield (first + head, last + head, new_first + head, new_last + head)


def _span(first: int, end: int) -> str:
    """A range of lines in the notation of unified differences."""
    length = end - first
    if length == 1:
        return str(first + 1)
    return f"{first + (1 if length else 0)},{length}"
