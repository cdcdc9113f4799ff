"""Where buffers lie: spreading one over more rows, and finding room for all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, Buffer, hold_at_zero, move_address, row_of
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.ir._expression import Const, Expression, add, scale, variables
from autocomp.rewrite.ir._tree import Body, Command


@dataclass(frozen=True)
class Digit:
    """One dimension along which a buffer is spread: an index and how many values it takes."""

    index: Expression
    count: int
    stride: int | None = None
    """Rows from one value to the next; None packs tightly."""


@dataclass(frozen=True)
class Spread:
    """How one buffer grows: variables its addresses no longer use, and new dimensions, innermost first."""

    buffer: Buffer
    digits: tuple[Digit, ...]
    collapse: frozenset[str] = frozenset()


def spread(analysis: Analysis, spreads: list[Spread]) -> Body:
    """Give buffers more rows and lay everything out again.

    Raises IllegalMoveError if an operand cannot see an index or the memory is too small.
    """
    changes: dict[int, Command] = {}
    sizes: dict[Buffer, int] = {buffer: buffer.size for buffer in analysis.buffers}
    collapsed = {item.buffer: item.collapse for item in spreads}
    for item in spreads:
        size = size_without(analysis, item.buffer, item.collapse)
        offset: Expression = Const(0)
        for digit in item.digits:
            stride = digit.stride if digit.stride is not None else size
            if stride < size:
                raise IllegalMoveError("the copies of a buffer would overlap")
            offset = add(offset, scale(digit.index, stride))
            size = stride * (digit.count - 1) + size
        sizes[item.buffer] = size
        for operand in item.buffer.operands:
            command = changes.get(operand.statement, analysis.command(operand.statement))
            seen = {loop.var for loop in analysis.sites[operand.statement].loops}
            address = command.args[operand.argument]
            if row_of(address) is None:
                continue
            if not variables(offset) <= seen:
                raise IllegalMoveError("not every use of the data is inside the loop")
            args = list(command.args)
            args[operand.argument] = move_address(hold_at_zero(address, item.collapse), offset)
            changes[operand.statement] = Command(command.name, tuple(args))
    for buffer, base in _place(analysis, sizes).items():
        low = _low(analysis, buffer, collapsed.get(buffer, frozenset()))
        if base == low:
            continue
        for operand in buffer.operands:
            command = changes.get(operand.statement, analysis.command(operand.statement))
            args = list(command.args)
            args[operand.argument] = move_address(args[operand.argument], Const(base - low))
            changes[operand.statement] = Command(command.name, tuple(args))
    return analysis.replace(changes)


def _low(analysis: Analysis, buffer: Buffer, zero: frozenset[str]) -> int:
    if not zero:
        return buffer.rows.low
    spans = [span for operand in buffer.operands if (span := analysis.rows(operand, zero))]
    return min(span.low for span in spans)


def size_without(analysis: Analysis, buffer: Buffer, zero: frozenset[str]) -> int:
    """Rows of a buffer once some variables are taken out of its addresses."""
    spans = [span for operand in buffer.operands if (span := analysis.rows(operand, zero))]
    size = max(span.high for span in spans) - min(span.low for span in spans)
    return analysis.geometry.tiles(size) * analysis.geometry.dim


def _place(analysis: Analysis, sizes: dict[Buffer, int]) -> dict[Buffer, int]:
    """First row of every buffer: as it is if there is room and A and B are in different banks, else a fresh layout."""
    result: dict[Buffer, int] = {}
    geometry = analysis.geometry
    for accumulator, capacity in ((False, geometry.scratchpad_rows), (True, geometry.accumulator_rows)):
        buffers = [buffer for buffer in analysis.buffers if buffer.accumulator == accumulator]
        where = {buffer: buffer.rows.low for buffer in buffers}
        if not _fits(where, sizes, capacity, geometry.scratchpad_bank_rows):
            where = _fresh(buffers, sizes, accumulator, geometry)
        result.update(where)
    return result


def _fits(where: dict[Buffer, int], sizes: dict[Buffer, int], capacity: int, bank_rows: int) -> bool:
    spans = sorted((base, base + sizes[buffer]) for buffer, base in where.items())
    if spans and spans[-1][1] > capacity:
        return False
    if any(one[1] > two[0] for one, two in pairwise(spans)):
        return False
    banks: list[set[int]] = [set(), set()]
    for buffer, base in where.items():
        if not buffer.accumulator:
            banks[buffer.weights].update(range(base // bank_rows, (base + sizes[buffer] - 1) // bank_rows + 1))
    return not banks[0] & banks[1]


def _fresh(buffers: list[Buffer], sizes: dict[Buffer, int], accumulator: bool, geometry: Geometry) -> dict[Buffer, int]:
    capacity = geometry.accumulator_rows if accumulator else geometry.scratchpad_rows
    half, bank_rows = capacity // 2, geometry.scratchpad_bank_rows
    left = [buffer for buffer in buffers if not buffer.weights]
    right = [buffer for buffer in buffers if buffer.weights]
    total = [sum(sizes[buffer] for buffer in side) for side in (left, right)]
    if sum(total) > capacity:
        raise IllegalMoveError(f"{sum(total)} rows do not fit into {capacity}")
    if accumulator or not right:
        start = total[0]
    elif total[0] <= half and total[1] <= half:
        start = half
    else:
        # One operand needs more than half: the other gets whole banks at its end if that is possible.
        start = -(-total[0] // bank_rows) * bank_rows
        if start + total[1] > capacity:
            start = capacity - total[1]
    where: dict[Buffer, int] = {}
    for side, base in ((left, 0), (right, start)):
        position = base
        for buffer in side:
            where[buffer] = position
            position += sizes[buffer]
    return where
