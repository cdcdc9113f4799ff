"""One version of the kernel and the step that led to it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field


def digest(text: str) -> str:
    """Content address of a source text: 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def place(candidate_id: str) -> tuple[int, ...]:
    """Sorts candidates by their place in the search."""
    return tuple(int(part) for part in candidate_id.split("."))


@dataclass(frozen=True)
class Move:
    """One step from parent to child: the menu item, the plan, who proposed it."""

    item: str
    """Identifier of the menu item."""
    plan: str
    """What was to be done to this code, in words."""
    proposer: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    """Concrete values where the proposer has them (JSON types only)."""


@dataclass(frozen=True)
class Candidate:
    """One version of the kernel in a run.

    ``id`` is ``0`` for the start kernel and ``ITERATION.PARENT_RANK.PLAN.IMPLEMENTATION`` for the others: it follows
    from where in the search the candidate was asked for, not from when its evaluation ended.
    """

    id: str
    code: str
    parent_id: str | None = None
    move: Move | None = None
    iteration: int = 0

    @property
    def digest(self) -> str:
        """Content address of the code."""
        return digest(self.code)
