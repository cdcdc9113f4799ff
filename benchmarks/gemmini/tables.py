"""Rows as tables, and what they are held to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from benchmarks.gemmini.measure import Row, geometric_mean
from benchmarks.gemmini.paper import FOUND, RATIO_TOLERANCE, Bar, Family
from rich.table import Table

from autocomp.report import number_text, share_text, speedup_text


def table(family: Family, rows: Sequence[Row]) -> Table:
    """Cycles, speed-up over the family's baseline, and share of the ideal."""
    shown = Table(title=f"{family.title}: simulated cycles; speed-up over {family.baseline}, share of ideal")
    for name in ("problem", "memory", *family.columns, FOUND, "ideal", "roof", "evaluations", "seconds"):
        shown.add_column(name, justify="left" if name in ("problem", "memory", "roof") else "right", no_wrap=True)
    for row in rows:
        kernels = [_cell(family, row, kernel) for kernel in family.columns]
        behind = any(row.cycles[FOUND] > row.cycles.get(name, math.inf) for name in family.columns)
        found = _cell(family, row, FOUND)
        shown.add_row(
            row.problem,
            row.memory,
            *kernels,
            f"[red]{found}[/red]" if behind else found,
            number_text(row.ideal_cycles),
            row.bound,
            str(row.evaluations),
            f"{row.seconds:.1f}",
        )
    if len(rows) > 1:
        means = [_mean_cell(family, rows, kernel) for kernel in (*family.columns, FOUND)]
        shown.add_section()
        shown.add_row("geometric mean", "", *means, "", "", "", "")
    return shown


def _cell(family: Family, row: Row, kernel: str) -> str:
    cycles = row.cycles.get(kernel, math.nan)
    if math.isnan(cycles):
        return "-"
    speedup = speedup_text(row.speedup(kernel, family.baseline))
    return f"{number_text(cycles)}\n{speedup}, {share_text(row.share(kernel))}"


def _mean_cell(family: Family, rows: Sequence[Row], kernel: str) -> str:
    mean = geometric_mean([row.speedup(kernel, family.baseline) for row in rows])
    share = geometric_mean([row.share(kernel) for row in rows])
    return "-" if math.isnan(mean) else f"{speedup_text(mean)}, {share_text(share)}"


def beside_the_paper(family: Family, rows: Sequence[Row]) -> Table:
    """Speed-ups over the baseline, ours and the papers'."""
    shown = Table(title=f"{family.title}: speed-up over {family.baseline}, here / reported")
    shown.add_column("problem")
    for kernel in family.reported:
        shown.add_column(kernel, justify="right", no_wrap=True)
    for row in rows:
        if row.problem in family.problems:
            place = family.problems.index(row.problem)
            shown.add_row(row.problem, *(_beside(family, [row], kernel, place) for kernel in family.reported))
    if len(_in_family(family, rows)) == len(family.problems):
        shown.add_section()
        shown.add_row("geometric mean", *(_beside(family, rows, kernel) for kernel in family.reported))
    return shown


def _beside(family: Family, rows: Sequence[Row], kernel: str, place: int | None = None) -> str:
    reported = family.reported[kernel]
    here = geometric_mean([row.speedup(kernel, family.baseline) for row in rows])
    there = geometric_mean(list(reported)) if place is None else reported[place]
    return f"{here:.2f} / {there:.2f}"


def _in_family(family: Family, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.problem in family.problems]


def missed(family: Family, rows: Sequence[Row]) -> Iterator[str]:
    """One sentence for every bar that the rows do not reach. Bars over a whole table need all its rows."""
    whole = len(_in_family(family, rows)) == len(family.problems)
    for bar in family.bars:
        judged = [row for row in rows if not bar.problems or row.problem in bar.problems]
        if judged and (whole or bar.problems):
            yield from _missed_bar(bar, judged)
    for row in rows:
        if not row.confirmed:
            yield f"{row.problem}: the best kernel was not confirmed"
        for rival in family.never_behind:
            if not row.cycles[FOUND] <= row.cycles.get(rival, math.nan):
                yield f"{row.problem}: found {row.cycles[FOUND]:,.0f}, {rival} {row.cycles.get(rival, math.nan):,.0f}"
    if whole:
        yield from _unlike_the_paper(family, rows)


def _missed_bar(bar: Bar, rows: Sequence[Row]) -> Iterator[str]:
    reached = geometric_mean([row.speedup(FOUND, bar.baseline) for row in rows])
    if not reached >= bar.least:
        where = f" on {', '.join(bar.problems)}" if bar.problems else ""
        yield f"found is {reached:.2f} times as fast as {bar.baseline}{where}; the bar is {bar.least}"


def _unlike_the_paper(family: Family, rows: Sequence[Row]) -> Iterator[str]:
    for kernel, reported in family.reported.items():
        if kernel == FOUND:
            continue
        here = geometric_mean([row.speedup(kernel, family.baseline) for row in rows])
        there = geometric_mean(list(reported))
        if not abs(here / there - 1) <= RATIO_TOLERANCE:
            yield (
                f"{kernel} is {here:.2f} times as fast as {family.baseline} in the geometric mean; "
                f"reported {there:.2f}, which allows {RATIO_TOLERANCE:.0%}"
            )
