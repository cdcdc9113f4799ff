"""The tree of candidates, flattened so that a template needs no recursion and depth has no limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autocomp.report._diff import DiffLine, unified
from autocomp.report._words import status_text
from autocomp.store import Entry, RunView

DIFF_BUDGET = 3_000_000
"""Characters of difference in one report; the path to the best and what was kept come first."""


@dataclass(frozen=True)
class Node:
    """One candidate at its place in the tree."""

    entry: Entry
    parent: Entry | None
    depth: int
    children: int
    below: int
    """Children, their children and so on."""
    closes: int
    """How many levels end after this node, for nested mark-up in document order."""
    role: str
    """``best``, ``path`` (an ancestor of the best), ``kept`` (was in a beam) or empty."""
    diff: tuple[DiffLine, ...] | None
    """Against the parent; None if it was left out to keep the report small; empty for the start kernel."""

    @property
    def status(self) -> str:
        """The verdict in words."""
        return status_text(self.entry.evaluation)

    @property
    def latency(self) -> float | None:
        """Latency, if the candidate passed."""
        return None if self.entry.evaluation is None else self.entry.evaluation.latency

    @property
    def parent_latency(self) -> float | None:
        """Latency of the parent."""
        return None if self.parent is None or self.parent.evaluation is None else self.parent.evaluation.latency


def lineage(view: RunView) -> tuple[Entry, ...]:
    """From the start kernel to the best, each the parent of the next."""
    by_id = {entry.candidate.id: entry for entry in (view.start, *view.entries)}
    path = [view.best]
    while (parent := path[-1].candidate.parent_id) is not None and parent in by_id and len(path) <= len(by_id):
        path.append(by_id[parent])
    return tuple(reversed(path))


def steps(view: RunView) -> tuple[Node, ...]:
    """The lineage of the best as nodes, the start kernel first, with whole differences."""
    path = lineage(view)
    parents: tuple[Entry | None, ...] = (None, *path[:-1])
    return tuple(
        Node(entry, parent, depth, 0, 0, 0, "path", () if parent is None else _diff(entry, parent, 2000))
        for depth, (entry, parent) in enumerate(zip(path, parents, strict=True))
    )


def tree(view: RunView) -> tuple[Node, ...]:
    """Every candidate, parents before children: first the child on the way to the best, then fast before slow, failures
    last."""
    by_id = {entry.candidate.id: entry for entry in view.entries}
    children: dict[str | None, list[Entry]] = {}
    for entry in view.entries:
        parent_id = entry.candidate.parent_id
        known = parent_id in by_id and parent_id != entry.candidate.id
        children.setdefault(parent_id if known else None, []).append(entry)
    roles = _roles(view)
    diffs = _diffs(view.entries, by_id, roles)
    below = _descendants(view.entries, by_id)
    ordered: list[Node] = []
    pending = [(entry, 0) for entry in reversed(children.get(None, ()))]
    while pending:
        entry, depth = pending.pop()
        name = entry.candidate.id
        own = children.get(name, [])
        own = sorted(own, key=lambda child: (roles.get(child.candidate.id) not in ("best", "path"), *_rank(child)))
        pending += [(child, depth + 1) for child in reversed(own)]
        closes = 0 if own else depth - (pending[-1][1] if pending else 0)
        parent = by_id.get(entry.candidate.parent_id or "")
        role = roles.get(name, "")
        ordered.append(Node(entry, parent, depth, len(own), below[name], closes, role, diffs.get(name)))
    return tuple(ordered)


def _descendants(entries: Sequence[Entry], by_id: dict[str, Entry]) -> Counter[str]:
    """How many candidates came of each one; entries stand after their parents."""
    below: Counter[str] = Counter()
    for entry in reversed(entries):
        parent_id = entry.candidate.parent_id
        if parent_id in by_id and parent_id != entry.candidate.id:
            below[parent_id] += below[entry.candidate.id] + 1
    return below


def _roles(view: RunView) -> dict[str, str]:
    roles = {name: "kept" for beam in view.beams for name in beam}
    roles |= {entry.candidate.id: "path" for entry in lineage(view)}
    return roles | {view.best.candidate.id: "best"}


def _diffs(entries: Iterable[Entry], by_id: dict[str, Entry], roles: dict[str, str]) -> dict[str, tuple[DiffLine, ...]]:
    """Differences of as many candidates as the budget allows, the ones a reader asks for first."""
    importance = {"best": 0, "path": 0, "kept": 1}
    wanted = sorted(entries, key=lambda entry: (importance.get(roles.get(entry.candidate.id, ""), 2), *_rank(entry)))
    left = DIFF_BUDGET
    found: dict[str, tuple[DiffLine, ...]] = {}
    for entry in wanted:
        parent = by_id.get(entry.candidate.parent_id or "")
        if parent is None:
            found[entry.candidate.id] = ()
            continue
        if left <= 0:
            break
        lines = _diff(entry, parent, 400)
        left -= sum(len(line.text) + 30 for line in lines)
        found[entry.candidate.id] = lines
    return found


def _diff(entry: Entry, parent: Entry, limit: int) -> tuple[DiffLine, ...]:
    return unified(parent.candidate.code, entry.candidate.code, limit)


def _rank(entry: Entry) -> tuple[bool, float]:
    latency = None if entry.evaluation is None else entry.evaluation.latency
    return (latency is None, latency or 0.0)
