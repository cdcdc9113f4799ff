"""How many plans each parent gets in an iteration, and how many implementations each plan."""

from __future__ import annotations

from typing import NamedTuple

from autocomp.search._settings import SearchSettings


class Allocation(NamedTuple):
    """What one iteration may ask for."""

    plans: tuple[int, ...]
    """Plans per parent, in order of rank; may be zero."""
    implementations: int


def allocate(settings: SearchSettings, parents: int, evaluations_left: int | None) -> Allocation:
    """Share the iteration's plans over ``parents`` so that no more than ``evaluations_left`` candidates can result.

    A budget cuts the requests instead of stopping half-way: which candidates a run evaluates then never depends on
    which of them is ready first.
    """
    if settings.spread_plans:
        total = settings.beam * settings.plans
        plans = [total // parents + (rank < total % parents) for rank in range(parents)]
    else:
        plans = [settings.plans] * parents
    implementations = settings.implementations
    if evaluations_left is not None:
        implementations = min(implementations, evaluations_left)
        plans = _trim(plans, evaluations_left // implementations)
    return Allocation(tuple(plans), implementations)


def _trim(plans: list[int], total: int) -> list[int]:
    trimmed = [0] * len(plans)
    for index in range(max(plans, default=0)):
        for rank, wanted in enumerate(plans):
            if index < wanted and total > 0:
                trimmed[rank] += 1
                total -= 1
    return trimmed
