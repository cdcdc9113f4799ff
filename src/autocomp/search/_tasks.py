"""What the search asks for; every task carries the key under which its answer is told."""

from __future__ import annotations

from dataclasses import dataclass

from autocomp.records import Candidate, Move


@dataclass(frozen=True)
class PlanTask:
    """Ask a proposer for one plan."""

    key: str
    """``ITERATION.PARENT_RANK.PLAN``."""
    parent: Candidate
    iteration: int
    index: int
    count: int
    earlier: int
    """How many plans this parent was asked for in earlier iterations."""
    menu: tuple[str, ...]
    """Ids of the menu items that survived dropout."""
    seed: int


@dataclass(frozen=True)
class ImplementTask:
    """Ask a proposer for the code of one plan."""

    key: str
    """``ITERATION.PARENT_RANK.PLAN.IMPLEMENTATION``: the id of the candidate to be."""
    plan: PlanTask
    move: Move
    index: int


@dataclass(frozen=True)
class EvaluateTask:
    """Check and measure a code that this run has not seen; answered under the candidate's digest."""

    candidate: Candidate


@dataclass(frozen=True)
class ConfirmTask:
    """Check the would-be best again on fresh secret inputs; answered under the candidate's digest."""

    candidate: Candidate


Task = PlanTask | ImplementTask | EvaluateTask | ConfirmTask
