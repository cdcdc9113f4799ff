"""Overwrite the accumulator on the first step of a sum instead of loading zeros into it before."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._commands import ACCUMULATE
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal
from autocomp.rewrite.ir._expression import Const, Expression, Op, Var, add, split_sum, variables
from autocomp.rewrite.ir._simplify import apply
from autocomp.rewrite.ir._tree import Body, Command, Path, edit


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    if analysis.dataflow.cleared:
        yield Proposal("overwrite_first", {}, "Drop the zeroing loads; the first product of a sum overwrites.", 0)


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    del parameters
    cleared = analysis.dataflow.cleared
    for number in cleared:
        if analysis.command(number).args[0] != Const(0):
            raise IllegalMoveError("one load clears some tiles and fills others")
    changes: dict[Path, Body] = {analysis.sites[number].path: () for number in cleared}
    seen = {number for number, _ in analysis.dataflow.first_products}
    for number in seen:
        starts = (number, True) in analysis.dataflow.first_products
        continues = (number, False) in analysis.dataflow.first_products
        command = analysis.command(number)
        constant, _ = split_sum(command.args[1])
        if not starts or not constant & ACCUMULATE:
            continue
        flag: Expression = Const(-ACCUMULATE)
        if continues:
            later = _not_first(analysis, number, cleared)
            flag = add(flag, Op("?:", (later, Const(ACCUMULATE), Const(0))))
        args = list(command.args)
        args[1] = add(args[1], flag)
        changes[analysis.sites[number].path] = (Command(command.name, tuple(args)),)
    return edit(analysis.kernel.body, changes)


def _not_first(analysis: Analysis, number: int, cleared: frozenset[int]) -> Expression:
    """True on all but the first step of a sum: any turn but the first of the loops that only the sum runs through,
    or a turn of the other loops on which nothing was cleared."""
    outside = {loop.var for other in cleared for loop in analysis.sites[other].loops}
    total: Expression = Const(0)
    for loop in analysis.sites[number].loops:
        if loop.var not in outside and loop.var not in variables(analysis.command(number).args[1]):
            total = add(total, Var(loop.var))
    later: Expression = Op(">", (total, Const(0))) if total != Const(0) else Const(0)
    own = {loop.var for loop in analysis.sites[number].loops}
    guards = {guard for other in cleared for guard in analysis.sites[other].guards if variables(guard) <= own} - set(
        analysis.sites[number].guards
    )
    if len(guards) == 1:
        later = apply("||", (apply("!", (guards.pop(),), {}), later), {})
    if later == Const(0):
        raise IllegalMoveError("the first step of the sum cannot be told from the others")
    return later


MOVE = Move("overwrite_first", _enumerate, _apply)
