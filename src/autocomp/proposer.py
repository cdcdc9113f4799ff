"""The contract of a proposer: who plans one step and writes the code. It never evaluates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from autocomp.records import Candidate, Evaluation, Problem, Verdict
from autocomp.targets import MenuItem


@dataclass(frozen=True)
class PlanRequest:
    """What a proposer is told when it is asked for one plan."""

    key: str
    """``ITERATION.PARENT_RANK.PLAN``: unique in the run, the same in a resumed run."""
    problem: Problem
    parent: Candidate
    evaluation: Evaluation
    """What is known of the parent: latency, counters, feedback."""
    menu: tuple[MenuItem, ...]
    """Items that survived dropout for this request."""
    iteration: int
    """From 1."""
    iterations: int
    index: int
    """Which of this parent's plans in this iteration, from 0."""
    count: int
    """How many plans this parent gets in this iteration."""
    seed: int
    """Differs per request; the only source of randomness a proposer may use."""
    earlier: int = 0
    """How many plans this parent was asked for in earlier iterations: ``earlier + index`` counts on over all of them,
    so that a proposer that goes through a ranked list never offers the same plan twice."""


@dataclass(frozen=True)
class Plan:
    """One menu item applied to one kernel, in words and, where the proposer has them, in concrete values."""

    item: str
    text: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    """JSON types only."""


class Proposer(Protocol):
    """Plans and implements. Called from several threads at once: it keeps no state that a call could change,
    apart from caches."""

    @property
    def name(self) -> str:
        """Stands in moves; a resumed run needs the proposer of the same name."""
        ...

    @property
    def concurrency(self) -> int:
        """On how many threads it is best called at once."""
        ...

    @property
    def recommended(self) -> Mapping[str, object]:
        """Search parameters that it works best with; what the configuration sets wins."""
        ...

    def plan(self, request: PlanRequest) -> Plan | None:
        """Propose one step; None if there is nothing (more) to propose for this request."""
        ...

    def implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
        """Write the whole kernel with ``plan`` applied; ``index`` tells implementations of one plan apart.

        Raises IllegalMoveError if the plan cannot be applied to this kernel.
        """
        ...

    def repair(self, request: PlanRequest, plan: Plan, code: str, verdict: Verdict) -> str | None:
        """Mend ``code`` after ``verdict``; None if this proposer does not repair."""
        ...
