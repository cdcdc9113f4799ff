"""The bookkeeping of one iteration: what was asked for, what is still out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from autocomp.records import Candidate, Move
from autocomp.search._tasks import ImplementTask, PlanTask


def signature(move: Move) -> str:
    """Equal for two moves that ask for the same thing."""
    return json.dumps([move.item, move.plan, move.parameters], sort_keys=True, default=str)


@dataclass
class ParentState:
    """One member of the beam while its plans come in."""

    candidate: Candidate
    tasks: list[PlanTask]
    answers: dict[int, Move | None] = field(default_factory=dict)
    released: int = 0
    """How many plans, counted by index, were taken up."""

    @property
    def exhausted(self) -> bool:
        """True if it was asked and had nothing to propose."""
        return bool(self.tasks) and len(self.answers) == len(self.tasks) and not any(self.answers.values())


@dataclass
class Iteration:
    """All requests of one iteration."""

    number: int
    implementations: int
    parents: list[ParentState]
    plans_out: dict[str, ParentState] = field(default_factory=dict)
    codes_out: dict[str, ImplementTask] = field(default_factory=dict)
    evaluations_out: set[str] = field(default_factory=set)
    """Digests under evaluation."""
    children: list[Candidate] = field(default_factory=list)
    """Every candidate that came in and is not the code of an earlier iteration; equal codes stand here several
    times."""

    @property
    def complete(self) -> bool:
        """True if nothing is out any more."""
        return not (self.plans_out or self.codes_out or self.evaluations_out)
