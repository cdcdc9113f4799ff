"""Counters of two measurements side by side."""

from __future__ import annotations

from dataclasses import dataclass

from autocomp.records import Evaluation


@dataclass(frozen=True)
class CounterRow:
    """One counter before and after; None where a side does not have it."""

    name: str
    before: float | None
    after: float | None


def counter_rows(before: Evaluation | None, after: Evaluation | None) -> tuple[CounterRow, ...]:
    """Every counter that either side has and that is not zero on both, in the order of the measurement."""
    left = before.measurement.totals if before and before.measurement else {}
    right = after.measurement.totals if after and after.measurement else {}
    names = dict.fromkeys([*left, *right])
    rows = (CounterRow(name, left.get(name), right.get(name)) for name in names)
    return tuple(row for row in rows if row.before or row.after)
