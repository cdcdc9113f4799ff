"""Wider transfers: one command for up to four tiles side by side."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, row_of
from autocomp.rewrite.gemmini._commands import FULL_WIDTH, LOADS
from autocomp.rewrite.gemmini._layout import Digit, Spread, spread
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, integer, text
from autocomp.rewrite.ir._expression import Const, Element, Expression, Op, Var, add, coefficient_of, scale
from autocomp.rewrite.ir._simplify import apply, range_of
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, edit, ranges_of, walk


def _columns(command: Command) -> Expression | None:
    element = command.args[0]
    return element.indices[-1] if isinstance(element, Element) else None


def _candidates(analysis: Analysis) -> Iterable[tuple[int, Loop, int]]:
    tile, widest = analysis.geometry.dim, analysis.geometry.widest
    for number in (*analysis.loads(), *analysis.numbers("mvout")):
        command = analysis.command(number)
        column = _columns(command)
        width = range_of(command.args[2], analysis.ranges(number))
        if column is None or width.high > tile * widest // 2 or range_of(command.args[1], {}).low & FULL_WIDTH > 0:
            continue
        for loop in reversed(analysis.sites[number].loops):
            tiles = -(-width.high // tile)
            if coefficient_of(column, loop.var) == tiles * tile and loop.count > 1:
                yield number, loop, tiles


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    for number, loop, tiles in _candidates(analysis):
        command = analysis.command(number)
        if command.name not in (*LOADS, "mvout"):
            continue
        for factor in (8, 4, 2, 3):
            if factor * tiles <= analysis.geometry.widest and factor <= loop.count:
                if factor == 3 and loop.count % 3:
                    continue
                yield Proposal(
                    "widen",
                    {"statement": number, "loop": loop.var, "factor": factor},
                    f"Let one {command.name} move {factor * tiles} tiles of {_name(command)} at once.",
                    5 + 0.5 * abs(4 - factor),
                )


def _name(command: Command) -> str:
    return command.args[0].array if isinstance(command.args[0], Element) else "data"


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    number, var, factor = integer(parameters, "statement"), text(parameters, "loop"), integer(parameters, "factor")
    if not 0 <= number < len(analysis.sites):
        raise IllegalMoveError("there is no such statement")
    command = analysis.command(number)
    loop = next((item for item in analysis.sites[number].loops if item.var == var), None)
    if loop is None or command.name not in (*LOADS, "mvout"):
        raise IllegalMoveError("the transfer is not in this loop")
    row = row_of(command.args[1])
    width = range_of(command.args[2], analysis.ranges(number)).high
    tile = analysis.geometry.dim
    tiles = -(-width // tile)
    body = analysis.kernel.body
    if row is None or coefficient_of(row, var) != tiles * tile:
        if command.name == "mvout" or row is None or coefficient_of(row, var):
            raise IllegalMoveError("the tiles do not lie side by side")
        buffer = analysis.buffer_of(number, 1)
        if buffer.size != tiles * tile:
            raise IllegalMoveError("there is no room between the tiles")
        body = spread(analysis, [Spread(buffer, (Digit(Var(var), loop.count),))])
    path = analysis.sites[number].path
    command = next(site.statement for site in walk(body) if site.path == path)  # type: ignore[assignment]
    ranges = ranges_of(analysis.sites[number].loops)
    # Columns that are left in the row of the array from here on, at most the width of the new command.
    columns = command.args[2]
    if not isinstance(columns, Const) or loop.count % factor:
        columns = _remaining(analysis, command, width, factor, loop, ranges)
    else:
        columns = Const(columns.value * factor if columns.value == tiles * tile else 0)
        if columns == Const(0):
            raise IllegalMoveError("tiles that are not full cannot be joined")
    wide = Command(command.name, (command.args[0], command.args[1], columns, *command.args[3:]))
    guard = apply("==", (apply("%", (Var(var), Const(factor)), ranges), Const(0)), ranges)
    direct = path[:-1]
    parent = _at_loop(body, direct)
    if parent is not None and parent.var == var and len(parent.body) == 1 and loop.count % factor == 0:
        inner = Loop(var, loop.count // factor, (wide,))
        from autocomp.rewrite.ir._tree import substitute

        scaled = substitute(inner.body, {var: scale(Var(var), factor)}, {})
        return edit(body, {direct: (Loop(var, loop.count // factor, scaled),)})
    return edit(body, {path: (If(guard, (wide,)),)})


def _remaining(analysis: Analysis, command: Command, width: int, factor: int, loop: Loop, ranges: object) -> Expression:
    del ranges
    element = command.args[0]
    assert isinstance(element, Element)
    extents = analysis.kernel.arrays[element.array].extents
    if len(extents) != len(element.indices):
        raise IllegalMoveError("the width of the array is not known")
    left = add(Const(extents[-1]), scale(element.indices[-1], -1))
    within = add(Const(loop.count * width), scale(Var(loop.var), -width))
    most = Const(width * factor)
    inner = Op("?:", (Op("<", (left, within)), left, within))
    return Op("?:", (Op("<", (inner, most)), inner, most))


def _at_loop(body: Body, path: tuple[int, ...]) -> Loop | None:
    for site in walk(body):
        if site.path == path:
            return site.statement if isinstance(site.statement, Loop) else None
    return None


MOVE = Move("widen", _enumerate, _apply)
