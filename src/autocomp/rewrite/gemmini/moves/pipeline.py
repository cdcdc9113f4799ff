"""Load for the next group while the array works on this one, across all loops as one stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import prod

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, linear_index, row_of
from autocomp.rewrite.gemmini._commands import ACCUMULATOR, COMPUTES, LOADS
from autocomp.rewrite.gemmini._dataflow import Operand
from autocomp.rewrite.gemmini._layout import Digit, Spread, size_without, spread
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, integer, text
from autocomp.rewrite.gemmini.moves.late import early_arrays
from autocomp.rewrite.ir._expression import Const, Expression, Op, Range, Var, add, coefficient_of, variables
from autocomp.rewrite.ir._simplify import apply
from autocomp.rewrite.ir._transform import (
    Nest,
    distribute_all,
    find_loop,
    flatten,
    has_command,
    place,
    project,
    used_names,
    without,
)
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, Statement, edit, rename_loops, substitute, walk


def nest_between(body: Body, top: str, bottom: str) -> Nest:
    """The chain of loops from ``top`` in to ``bottom``."""
    path, loop, _ = find_loop(body, top)
    _, last, loops = find_loop(body, bottom)
    names = [item.var for item in loops]
    if top == bottom:
        return Nest(path, (loop,))
    if top not in names:
        raise IllegalMoveError(f"loop '{bottom}' is not inside loop '{top}'")
    chain = (*loops[names.index(top) :], last)
    for outer, inner in pairwise(chain):
        if not any(isinstance(item, Loop) and item.var == inner.var for item in outer.body):
            raise IllegalMoveError(f"loop '{inner.var}' stands under a condition")
    return Nest(path, chain)


def is_fill(command: Command) -> bool:
    """True for a load into the scratchpad."""
    if command.name not in LOADS:
        return False
    address = command.args[1]
    constant = getattr(address, "constant", getattr(address, "value", 0))
    return not constant & ACCUMULATOR


def is_input(command: Command) -> bool:
    """True for a load into the scratchpad, and for one into the accumulator that is no zeroing."""
    return command.name in LOADS and command.args[0] != Const(0)


LATER = 100.0
"""Added to the rank of moves that hide loads while there are more loads than can be hidden."""
HIDEABLE = 0.8
"""Share of the array's time that loads may take before they are worth hiding rather than removing."""


def later(analysis: Analysis) -> float:
    """Penalty for moves after which the loops can no longer be tiled."""
    return LATER if analysis.load_share > HIDEABLE else 0.0


def _computes(loops: tuple[Loop, ...]) -> bool:
    return any(has_command(loop.body, lambda c: c.name in COMPUTES) for loop in loops)


def _pairs(body: Body) -> int:
    """How often the array is used in one run of some statements."""
    total = 0
    for statement in body:
        if isinstance(statement, Loop):
            total += statement.count * _pairs(statement.body)
        elif isinstance(statement, If):
            total += max(_pairs(statement.then), _pairs(statement.orelse))
        elif isinstance(statement, Command):
            total += statement.name in COMPUTES
    return total


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    penalty = later(analysis)
    early = early_arrays(analysis)
    if any(
        not _computes(analysis.sites[number].loops)
        and getattr(analysis.command(number).args[0], "array", "") not in early
        for number in analysis.loads()
    ):
        penalty += LATER / 2  # some loads run ahead already
    for site in walk(analysis.kernel.body):
        bottom = site.statement
        if not isinstance(bottom, Loop) or not has_command(bottom.body, lambda c: c.name in COMPUTES):
            continue
        pairs = _pairs(bottom.body)
        if pairs < FEWEST_PAIRS:
            continue
        top = site.loops[0] if site.loops else bottom
        if not has_command(top.body, is_fill):
            continue
        for where in ("middle", "back", "front"):
            for copies in ("double", "spread", "none"):
                # Best in the middle of about 64 uses of the array; rows that are free only now and then suffice.
                rank = (
                    6
                    + 0.01 * abs(pairs.bit_length() - 7)
                    + 6 * (copies == "none")
                    + 0.5 * (copies == "spread")
                    + (pairs < 16)
                )
                rank += 2 * ("middle", "back", "front").index(where) + penalty
                yield Proposal(
                    "prefetch",
                    {"top": top.var, "bottom": bottom.var, "depth": 1, "position": where, "copies": copies},
                    f"Run the loops from '{top.var}' to '{bottom.var}' as one and load the data of the next turn "
                    f"between the computes of this one, " + (_WHERE[copies]),
                    rank,
                )


_WHERE = {
    "double": "into the other half of a double buffer.",
    "spread": "each tile to a place of its own in the other half of a double buffer.",
    "none": "into rows that are free by then.",
}
FEWEST_PAIRS = 8


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    depth, position = integer(parameters, "depth"), text(parameters, "position")
    top, bottom = text(parameters, "top"), text(parameters, "bottom")
    nest = nest_between(analysis.kernel.body, top, bottom)
    body = _double(analysis, nest, depth, text(parameters, "copies"))
    nest = nest_between(body, top, bottom)
    names = used_names(body)
    flat = flatten(nest, names)
    moved = is_input if parameters.get("biases") else is_fill
    return edit(body, {nest.path: ahead(flat, depth, position, names | {flat.var}, moved)})


def ahead(flat: Loop, depth: int, position: str, names: set[str], moved: Callable[[Command], bool] = is_fill) -> Body:
    """Run the loads of a loop ``depth`` turns earlier."""
    fills = project(flat.body, moved)
    rest = without(flat.body, moved)
    if not fills or depth >= flat.count:
        raise IllegalMoveError("there is nothing to load ahead")
    prologue: list[Statement] = []
    for turn in range(depth):
        prologue.extend(rename_loops(substitute(fills, {flat.var: Const(turn)}), names))
    left = flat.count - depth
    coming = substitute(fills, {flat.var: add(Var(flat.var), Const(depth))}, {flat.var: Range(0, left - 1)})
    guard: Expression = Op("<", (Var(flat.var), Const(left)))
    return (*prologue, Loop(flat.var, flat.count, insert(rest, rename_loops(coming, names), guard, position)))


def insert(rest: Body, units: Body, guard: Expression | None, position: str, turn: int | None = None) -> Body:
    """Spread statements over the turns of the first loop that computes; over the middle of the text if there is none.

    With ``turn``, all of them go to that turn of it.
    """

    def wrapped(items: Body) -> Body:
        return items if guard is None or not items else (If(guard, items),)

    for index, statement in enumerate(rest):
        if isinstance(statement, Loop) and has_command(statement.body, lambda c: c.name in COMPUTES):
            ranges = {statement.var: Range(0, statement.count - 1)}
            if turn is None:
                parts = distribute_all(units, Var(statement.var), statement.count, ranges)
            else:
                parts = (If(Op("==", (Var(statement.var), Const(turn % statement.count))), units),)
            loop = Loop(statement.var, statement.count, place(statement.body, wrapped(parts), position))
            return (*rest[:index], loop, *rest[index + 1 :])
    return place(rest, wrapped(units), position)


def _double(analysis: Analysis, nest: Nest, depth: int, copies: str) -> Body:
    """Give what is loaded per turn as many copies as loading ahead needs."""
    spreads: dict[frozenset[Operand], Spread] = {}
    for number in analysis.loads():
        if all(loop.var != nest.loops[0].var for loop in analysis.sites[number].loops):
            continue
        item = _copies(analysis, nest, depth, copies, number)
        key = item.buffer.operands
        if spreads.setdefault(key, item) != item:
            raise IllegalMoveError("loads that share a buffer differ")
    if not any(item.digits for item in spreads.values()):
        return analysis.kernel.body
    return spread(analysis, list(spreads.values()))


def _copies(analysis: Analysis, nest: Nest, depth: int, copies: str, number: int) -> Spread:
    """How the buffer of one load has to grow.

    ``double`` makes what is loaded anew in every turn as small as it can be before it is doubled; ``spread`` leaves
    tiles that have a place of their own where they are; ``none`` adds no copies.
    """
    site = analysis.sites[number]
    names = [loop.var for loop in site.loops]
    chain = [loop.var for loop in nest.loops]
    buffer = analysis.buffer_of(number, 1)
    row = row_of(analysis.command(number).args[1])
    if row is None:
        raise IllegalMoveError("a load goes nowhere")
    gated = [var not in names or any(_first_turn(guard, var) for guard in site.guards) for var in chain]
    collapse: set[str] = set()
    if any(coefficient_of(row, var) is None for var in chain):
        collapse |= {name for name in variables(row) if coefficient_of(row, name) is None}
    kept_from = gated.index(True) if True in gated else len(chain)
    if copies == "double":
        collapse |= {var for var in chain[:kept_from] if var in variables(row)}
    used = analysis.array_variables(number)
    digits = [
        Digit(Var(loop.var), loop.count)
        for loop in reversed(site.loops[names.index(chain[0]) :])
        if loop.var not in chain and loop.var in used and not coefficient_of(row, loop.var)
    ]
    anew = [
        position
        for position, var in enumerate(chain)
        if not gated[position] and (var in collapse or not coefficient_of(row, var))
    ]
    if anew and copies != "none":
        prefix = [(loop.var, loop.count) for loop in nest.loops[: anew[-1] + 1]]
        kept = prod(loop.count for loop in nest.loops[anew[-1] + 1 :])
        slots = 2 if kept >= depth else depth + 1
        index = apply("%", (linear_index(prefix), Const(slots)), {n: Range(0, c - 1) for n, c in prefix})
        size = size_without(analysis, buffer, frozenset(collapse)) * prod(digit.count for digit in digits)
        # One bank per copy if they fit, so that the bank being filled is not the one being read.
        bank = analysis.geometry.scratchpad_bank_rows
        digits.append(Digit(index, slots, bank if slots == 2 and size <= bank else None))
    return Spread(buffer, tuple(digits), frozenset(collapse))


def _first_turn(guard: Expression, var: str) -> bool:
    if isinstance(guard, Op) and guard.name == "&&":
        return any(_first_turn(part, var) for part in guard.args)
    return guard == Op("==", (Var(var), Const(0)))


MOVE = Move("prefetch", _enumerate, _apply)
