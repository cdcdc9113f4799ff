"""Keep weights in the array while several row tiles stream past them."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._commands import GARBAGE
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal
from autocomp.rewrite.ir._expression import Const, Expression, Op, Var, variables
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, Statement


def is_pair(one: Statement, two: Statement) -> bool:
    """True for a preload of weights followed by their first use."""
    return (
        isinstance(one, Command)
        and isinstance(two, Command)
        and one.name == "preload"
        and two.name == "compute_preloaded"
        and one.args[0] != Const(GARBAGE)
    )


def keep_in_loop(loop: Loop) -> Loop:
    """The loop over one pair with weights preloaded on the first turn only, or the loop itself."""
    if len(loop.body) != 2 or not is_pair(*loop.body):
        return loop
    preload, compute = loop.body
    assert isinstance(preload, Command)
    assert isinstance(compute, Command)
    weights = preload.args[0]
    if loop.var in variables(weights) or (isinstance(weights, Op) and weights.name == "?:"):
        return loop
    if any(loop.var in variables(arg) for arg in preload.args[2:4]):
        return loop
    first: Expression = Op("==", (Var(loop.var), Const(0)))
    once = Op("?:", (first, weights, Const(GARBAGE)))
    return Loop(
        loop.var,
        loop.count,
        (
            Command("preload", (once, *preload.args[1:])),
            If(first, (compute,), (Command("compute_accumulated", compute.args),)),
        ),
    )


def keep_everywhere(body: Body) -> Body:
    """Weights kept in every loop and every straight run that allows it."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            kept = keep_in_loop(statement)
            result.append(kept if kept is not statement else Loop(statement.var, statement.count,
                                                                  keep_everywhere(statement.body)))  # fmt: skip
        elif isinstance(statement, If):
            result.append(If(statement.condition, keep_everywhere(statement.then), keep_everywhere(statement.orelse)))
        else:
            result.append(statement)
    weights: tuple[Expression, ...] | None = None
    for index in range(len(result) - 1):
        one, two = result[index], result[index + 1]
        if not is_pair(one, two):
            if not (isinstance(one, Command) and one.name in ("compute_preloaded", "compute_accumulated", "preload")):
                weights = None
            continue
        assert isinstance(one, Command)
        assert isinstance(two, Command)
        same = (one.args[0], *one.args[2:4])
        if weights == same:
            result[index] = Command("preload", (Const(GARBAGE), *one.args[1:]))
            result[index + 1] = Command("compute_accumulated", two.args)
        weights = same
    return tuple(result)


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    if keep_everywhere(analysis.kernel.body) != analysis.kernel.body:
        yield Proposal("keep_weights", {}, "Preload each weight tile once and stream all its row tiles past it.", 30)


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    del parameters
    return keep_everywhere(analysis.kernel.body)


MOVE = Move("keep_weights", _enumerate, _apply)
