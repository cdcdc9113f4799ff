"""Stores: alternate accumulator banks, and write a block back while the next one is computed."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, linear_index, row_of
from autocomp.rewrite.gemmini._commands import COMPUTES
from autocomp.rewrite.gemmini._layout import Digit, Spread, spread
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, text
from autocomp.rewrite.gemmini.moves.pipeline import insert, later, nest_between
from autocomp.rewrite.ir._expression import Const, Expression, Op, Range, Var, add, scale, variables
from autocomp.rewrite.ir._simplify import apply
from autocomp.rewrite.ir._transform import (
    distribute_all,
    find_loop,
    flatten,
    has_command,
    project,
    used_names,
    without,
)
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, edit, rename_loops, substitute, walk


def _is_store(command: Command) -> bool:
    return command.name == "mvout"


def _period(loop: Loop) -> int:
    """Turns of a loop per block: from the condition that stores on the last turn of a block; 1 without one."""
    for statement in loop.body:
        if isinstance(statement, If) and has_command((statement,), _is_store):
            found = _last_turn(statement.condition, loop.var)
            if found:
                return found
    return 1


def _last_turn(condition: Expression, var: str) -> int | None:
    """``n`` for ``var % n == n - 1``."""
    if isinstance(condition, Op) and condition.name == "==" and isinstance(condition.args[1], Const):
        left, last = condition.args[0], condition.args[1].value
        if isinstance(left, Op) and left.name == "%" and left.args == (Var(var), Const(last + 1)):
            return last + 1
    return None


def alternate(analysis: Analysis) -> Body:
    """Let consecutive blocks use the halves of the accumulator in turn: two banks, where it has them."""
    half = analysis.geometry.accumulator_rows // 2
    spreads: dict[frozenset[object], Spread] = {}
    for number in analysis.numbers("mvout"):
        site = analysis.sites[number]
        buffer = analysis.buffer_of(number, 1)
        shared = [
            loop
            for loop in site.loops
            if has_command(loop.body, lambda c: c.name in COMPUTES)
        ]  # fmt: skip
        if not shared:
            raise IllegalMoveError("a store is outside the loops that compute")
        names = [(loop.var, loop.count) for loop in shared]
        ranges = {name: Range(0, count - 1) for name, count in names}
        index = apply("/", (linear_index(names), Const(_period(shared[-1]))), ranges)
        index = apply("%", (index, Const(2)), ranges)
        row = row_of(analysis.command(number).args[1])
        if row is None:
            raise IllegalMoveError("a store reads nothing")
        collapse = frozenset(name for name in variables(row) if name in ranges)
        item = Spread(buffer, (Digit(index, 2, half),), collapse)
        key = frozenset(buffer.operands)
        if key in spreads and spreads[key] != item:
            raise IllegalMoveError("stores of one buffer stand in different loops")
        spreads[key] = item
    return spread(analysis, list(spreads.values()))


def _enumerate_alternate(analysis: Analysis) -> Iterable[Proposal]:
    if analysis.numbers("mvout"):
        yield Proposal("alternate_accumulators", {}, "Let consecutive output blocks use the two accumulator banks in "
                       "turn.", 8)  # fmt: skip


def _enumerate_delay(analysis: Analysis) -> Iterable[Proposal]:
    for site in walk(analysis.kernel.body):
        loop = site.statement
        if not isinstance(loop, Loop) or not has_command(loop.body, lambda c: c.name in COMPUTES):
            continue
        if not any(has_command((item,), _is_store) for item in loop.body if not isinstance(item, Loop)
                   or not has_command((item,), lambda c: c.name in COMPUTES)):  # fmt: skip
            continue
        tops = [outer.var for outer in site.loops[:1]] + ([loop.var] if not site.loops else [])
        for top in tops:
            for rank, where in enumerate(("back", "middle")):
                yield Proposal(
                    "delay_stores",
                    {"top": top, "bottom": loop.var, "position": where},
                    "Store each output block during the computation of the next one, a row of tiles at a time, and "
                    "let the two accumulator banks take turns.",
                    7 + 0.1 * rank + later(analysis),
                )


def _apply_delay(analysis: Analysis, parameters: Parameters) -> Body:
    body = alternate(analysis)
    return delay(body, text(parameters, "top"), text(parameters, "bottom"), text(parameters, "position"))


def delay(body: Body, top: str, bottom: str, position: str) -> Body:
    """Run the loops from ``top`` to ``bottom`` as one and move its stores into the next block."""
    nest = nest_between(body, top, bottom)
    names = used_names(body)
    loop = flatten(nest, names) if len(nest.loops) > 1 else nest.loops[0]
    names.add(loop.var)
    return edit(body, {nest.path: _delay(loop, position, names)})


def _delay(loop: Loop, position: str, names: set[str]) -> Body:
    period = _period(loop)
    stores = project(loop.body, _is_store)
    rest = without(loop.body, _is_store)
    if not stores or loop.count <= period:
        raise IllegalMoveError("there is no next block to store in")
    variable = Var(loop.var)
    inner = {loop.var: Range(period, loop.count - 1)}
    block = apply("/", (variable, Const(period)), inner)
    previous = substitute(stores, {loop.var: add(scale(block, period), Const(-1))}, inner)
    previous = rename_loops(previous, names)
    last = rename_loops(substitute(stores, {loop.var: Const(loop.count - 1)}), names)
    guard: Expression = Op(">=", (variable, Const(period)))
    step = apply("%", (variable, Const(period)), inner)
    inside = next(
        (item for item in rest if isinstance(item, Loop) and has_command(item.body, lambda c: c.name in COMPUTES)), None
    )
    most = max((item.count for item in previous if isinstance(item, Loop)), default=1)
    if period == 1:
        new = insert(rest, previous, guard, position)
    elif most <= period or inside is None:
        parts = distribute_all(previous, step, period, inner)
        new = insert(rest, parts, guard, position, turn=0)
    else:
        ranges = {**inner, inside.var: Range(0, inside.count - 1)}
        index = add(scale(step, inside.count), Var(inside.var))
        parts = distribute_all(previous, index, period * inside.count, ranges)
        new = _insert_every(rest, parts, guard, position, inside.var)
    return (Loop(loop.var, loop.count, new), *last)


def _insert_every(rest: Body, parts: Body, guard: Expression, position: str, var: str) -> Body:
    from autocomp.rewrite.ir._transform import place

    path, loop, _ = find_loop(rest, var)
    return edit(rest, {path: (Loop(loop.var, loop.count, place(loop.body, (If(guard, parts),), position)),)})


ALTERNATE = Move("alternate_accumulators", _enumerate_alternate, lambda analysis, parameters: alternate(analysis))
DELAY = Move("delay_stores", _enumerate_delay, _apply_delay)
