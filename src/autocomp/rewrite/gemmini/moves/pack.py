"""Rows of pixels one behind the other: tiles run across the ends of rows, so that nearly all of them are full."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import NamedTuple

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, hold_at_zero
from autocomp.rewrite.gemmini._commands import COMPUTES, LOADS
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, finish, integer, text
from autocomp.rewrite.gemmini.moves.tile import tiled
from autocomp.rewrite.gemmini.moves.weights import keep_everywhere
from autocomp.rewrite.ir._expression import Const, Element, Expression, Op, Var, add, coefficient_of, scale, variables
from autocomp.rewrite.ir._join import join_remainders
from autocomp.rewrite.ir._reroll import reroll
from autocomp.rewrite.ir._simplify import range_of, rebuild
from autocomp.rewrite.ir._transform import Nest, find_loop, flatten, has_command, used_names
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, Statement, edit, free_name

_FEWEST_ROWS = 4
"""The array takes as long as for so many rows at least."""
_ROW, _COLUMN, _TILE = "py", "px", "pt"
"""Names of the loops over rows, over the tiles of a row, and over the new tiles."""


def joined(analysis: Analysis) -> Analysis:
    """The kernel with remainders put back into their loops."""
    if "joined" not in analysis.memory:
        current = analysis
        for change in (join_remainders, lambda body: reroll(body, used_names(body))):
            with contextlib.suppress(IllegalMoveError):
                current = current.of(finish(current, change(current.kernel.body)))
        analysis.memory["joined"] = current
    found = analysis.memory["joined"]
    assert isinstance(found, Analysis)
    return found


def compact(analysis: Analysis) -> Analysis:
    """The kernel with what is loaded anew for every turn of a loop always in the same place."""
    if "compact" not in analysis.memory:
        current = analysis
        for number in analysis.loads():
            addresses = [
                current.command(operand.statement).args[operand.argument]
                for operand in current.buffer_of(number, 1).operands
            ]
            for name in sorted(frozenset.intersection(*(variables(address) for address in addresses))):
                with contextlib.suppress(IllegalMoveError):
                    current = current.of(finish(current, _at_zero(current, number, name)))
        analysis.memory["compact"] = current
    found = analysis.memory["compact"]
    assert isinstance(found, Analysis)
    return found


def _at_zero(analysis: Analysis, number: int, name: str) -> Body:
    """All uses of a buffer, one variable taken out of their addresses."""
    changes: dict[int, Command] = {}
    for operand in analysis.buffer_of(number, 1).operands:
        command = changes.get(operand.statement, analysis.command(operand.statement))
        args = list(command.args)
        args[operand.argument] = hold_at_zero(args[operand.argument], frozenset((name,)))
        changes[operand.statement] = Command(command.name, tuple(args))
    return analysis.replace(changes)


class _Picture(NamedTuple):
    """A loop over rows of an output, and the loop over the tiles of a row (none if one tile is a row)."""

    rows: Loop
    columns: Loop | None
    width: int
    """Pixels in a row."""
    images: Loop | None
    """The loop around that holds nothing else: its turns may follow one another as rows do."""


def _pictures(analysis: Analysis) -> Iterable[_Picture]:
    """Loops whose turns store one row of pixels each."""
    tile = analysis.geometry.dim
    for number in analysis.numbers("mvout"):
        command, site = analysis.command(number), analysis.sites[number]
        element = command.args[0]
        if not isinstance(element, Element) or not _has_rows(command) or site.guards:
            continue
        row_index, column_index = element.indices[-3], element.indices[-2]
        loops = [loop for loop in site.loops if has_command(loop.body, lambda c: c.name in COMPUTES)]
        columns = next((loop for loop in loops if coefficient_of(column_index, loop.var) == tile), None)
        rows = next((loop for loop in loops if coefficient_of(row_index, loop.var) == 1), None)
        if rows is None or variables(column_index) - ({columns.var} if columns else set()):
            continue
        last = {columns.var: Const(columns.count - 1)} if columns else {}
        size = rebuild(command.args[3], {}, last)
        if isinstance(size, Const) and 0 < size.value <= tile:
            above = loops[loops.index(rows) - 1] if loops.index(rows) else None
            images = above if above is not None and above.body == (rows,) else None
            yield _Picture(rows, columns, (columns.count - 1 if columns else 0) * tile + size.value, images)


def _has_rows(command: Command) -> bool:
    """True if what is moved has rows, columns and channels."""
    return isinstance(command.args[0], Element) and len(command.args[0].indices) >= 3


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    if not any(_has_rows(analysis.command(number)) for number in analysis.numbers("mvout")):
        return
    current = joined(analysis)
    tile = analysis.geometry.dim
    for picture in dict.fromkeys(_pictures(current)):
        whole = picture.rows.count * (picture.images.count if picture.images else 1)
        for factor in range(1, whole + 1):
            pixels = picture.width * factor
            across = picture.rows.count % factor > 0
            if whole % factor or pixels > analysis.geometry.accumulator_rows:
                continue
            used = pixels / _time(_tiles(picture.width, factor, tile), tile)
            yield Proposal(
                "pack_rows",
                {
                    "rows": picture.rows.var,
                    "columns": picture.columns.var if picture.columns else "",
                    "factor": factor,
                    "images": int(across),
                },
                f"Compute {factor} turns of loop '{picture.rows.var}' together{', across images' if across else ''}, "
                f"the pixels of their rows one behind the other in tiles of {tile}: {used:.0%} of the rows that the "
                "array works on are pixels.",
                3.5 + 10 * (1 - used) + abs(pixels / tile - 7) / 20 + 0.5 * across,
            )


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    rows, columns, factor = text(parameters, "rows"), text(parameters, "columns"), integer(parameters, "factor")
    current = compact(joined(analysis))
    wanted = (rows, columns or None)
    picture = next(
        (p for p in _pictures(current) if (p.rows.var, p.columns.var if p.columns else None) == wanted), None
    )
    if picture is None or factor < 1:
        raise IllegalMoveError("there are no rows of pixels to pack")
    if parameters.get("images"):
        if picture.images is None:
            raise IllegalMoveError("the rows of one image do not follow those of another")
        path, images, _ = find_loop(current.kernel.body, picture.images.var)
        flat = flatten(Nest(path, (images, picture.rows)), used_names(current.kernel.body))
        current = current.of(current.kernel.with_body(edit(current.kernel.body, {path: (flat,)})))
        rows = flat.var
    if find_loop(current.kernel.body, rows)[1].count % factor:
        raise IllegalMoveError("the rows cannot be shared out evenly")
    if any(name.startswith((_ROW, _COLUMN, _TILE)) for name in used_names(current.kernel.body)):
        raise IllegalMoveError("rows are packed already")
    # The outer loop of the two goes inside last: rows are the slower index.
    if factor > 1:
        current = current.of(current.kernel.with_body(tiled(current, rows, factor, _ROW)))
    body = current.kernel.body
    if columns:
        body = tiled(current, columns, find_loop(body, columns)[1].count, _COLUMN)
    return keep_everywhere(_Packer(current, picture, factor, used_names(body)).body(body))


class _Packer:
    """Replaces the innermost loops over rows and tiles of rows."""

    def __init__(self, analysis: Analysis, picture: _Picture, factor: int, names: set[str]) -> None:
        self._dim = analysis.geometry.dim
        self._width, self._rows = picture.width, factor
        self._names = names
        self._tiles = _tiles(picture.width, factor, self._dim)

    def body(self, body: Body) -> Body:
        """The statements with every such loop replaced."""
        result: list[Statement] = []
        for statement in body:
            if isinstance(statement, Loop) and _kind(statement):
                result.extend(self._nest(statement))
            elif isinstance(statement, Loop):
                result.append(Loop(statement.var, statement.count, self.body(statement.body)))
            elif isinstance(statement, If):
                result.append(If(statement.condition, self.body(statement.then), self.body(statement.orelse)))
            else:
                result.append(statement)
        return tuple(result)

    def _nest(self, outer: Loop) -> Body:
        loops = [outer]
        while len(loops[-1].body) == 1 and isinstance(loops[-1].body[0], Loop):
            loops.append(loops[-1].body[0])
        names = {_kind(loop): loop.var for loop in loops}
        commands = [item for item in loops[-1].body if isinstance(item, Command)]
        if "" in names or len(names) != len(loops) or len(commands) != len(loops[-1].body):
            raise IllegalMoveError("more than transfers and computes depends on the pixel")
        row, column = names.get(_ROW, ""), names.get(_COLUMN, "")
        result: list[Statement] = []
        tile = ""
        for command in commands:  # each transfer for itself, what is done with whole tiles in one loop
            if _moves(command) and {row, column} & variables(command.args[0]):
                result.extend(self._segments(command, row, column))
                tile = ""
                continue
            if not tile:
                tile = free_name(self._names, _TILE)
                self._names.add(tile)
                result.append(Loop(tile, len(self._tiles), ()))
            loop = result[-1]
            assert isinstance(loop, Loop)
            result[-1] = Loop(tile, loop.count, (*loop.body, self._at(command, row, column, Var(tile))))
        return tuple(result)

    def _at(self, command: Command, row: str, column: str, tile: Expression) -> Command:
        """A command that works on a whole new tile."""
        args = list(command.args)
        for place in _local(command):
            args[place] = self._address(args[place], row, column, tile, Const(0))
        first, last = (len(self._tiles[number]) for number in (0, -1))
        rows: Expression = Const(last)
        if first != last:
            rows = Op("?:", (Op("==", (tile, Const(0))), Const(first), rows))
        args[5 if command.name == "preload" else 3] = rows
        return self._checked(command, args, row, column)

    def _segments(self, command: Command, row: str, column: str) -> Iterable[Command]:
        """A transfer in pieces: those of one row of the picture, and of one tile."""
        for number in range(self._rows):
            for tile, pixels in enumerate(self._tiles):
                low, high = max(pixels.start, number * self._width), min(pixels.stop, (number + 1) * self._width)
                if low >= high:
                    continue
                args = list(command.args)
                args[0] = self._pixel(args[0], row, column, number, low - number * self._width)
                args[1] = self._address(args[1], row, column, Const(tile), Const(low - pixels.start))
                args[3] = Const(high - low)
                yield self._checked(command, args, row, column)

    def _pixel(self, element: Expression, row: str, column: str, number: int, pixel: int) -> Expression:
        if not isinstance(element, Element):
            raise IllegalMoveError("a transfer moves no array")
        indices = []
        for index in element.indices:
            step = coefficient_of(index, column) if column else 0
            if step is None or step % self._dim:
                raise IllegalMoveError("pixels are not spaced evenly")
            fixed = rebuild(index, {}, {column: Const(0), row: Const(number)})
            indices.append(add(fixed, Const(pixel * (step // self._dim))))
        if not column:
            indices[-2] = add(indices[-2], Const(pixel))
        return Element(element.array, tuple(indices))

    def _address(self, address: Expression, row: str, column: str, tile: Expression, offset: Expression) -> Expression:
        """Where a tile lies: the places of the old tiles are used in their order."""
        steps = [step for name in (row, column) if name and (step := coefficient_of(address, name)) != 0]
        if None in steps or not steps:
            raise IllegalMoveError("tiles do not lie evenly")
        pitch = min(step for step in steps if step is not None)
        origin = rebuild(address, {}, {row: Const(0), column: Const(0)})
        product = scale(tile, pitch) if isinstance(tile, Var) else Const(pitch * range_of(tile, {}).low)
        return add(add(origin, product), offset)

    def _checked(self, command: Command, args: list[Expression], row: str, column: str) -> Command:
        if any({row, column} & variables(argument) for argument in args):
            raise IllegalMoveError("something else depends on the pixel")
        return Command(command.name, tuple(args))


def _tiles(width: int, rows: int, dim: int) -> list[range]:
    """Pixels of each tile: all full but the first, or one row of the picture each if that is as fast."""
    total = width * rows
    first = total % dim or dim
    # The short tile comes first: with the last one the next weights are loaded, which takes all rows anyway.
    packed = [range(0, first), *(range(start, start + dim) for start in range(first, total, dim))]
    plain = [range(start, start + width) for start in range(0, total, width)]
    return plain if width <= dim and _time(plain, dim) <= _time(packed, dim) else packed


def _time(tiles: list[range], dim: int) -> int:
    """Cycles that the array needs for one tile of weights."""
    return sum(max(len(tile), _FEWEST_ROWS) for tile in tiles[:-1]) + dim


def _kind(loop: Loop) -> str:
    stem = loop.var.rstrip("0123456789")
    return stem if stem in (_ROW, _COLUMN) else ""


def _moves(command: Command) -> bool:
    return command.name in LOADS or command.name == "mvout"


def _local(command: Command) -> tuple[int, ...]:
    """Arguments that are local addresses and depend on the tile."""
    if _moves(command) or command.name == "preload":
        return (1,)
    return (0,)


MOVE = Move("pack_rows", _enumerate, _apply)
