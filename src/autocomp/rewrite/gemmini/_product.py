"""A kernel as one product of matrices, C = A B + D, found from the memory that its commands touch.

Nothing is proved here: what is found says only which kernel to write, and that kernel must pass the comparison of
signatures as every child does.
"""

from __future__ import annotations

from typing import NamedTuple

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._commands import ACCUMULATOR, COMPUTES, FULL_WIDTH, HARDWARE_LOOP, LOADS
from autocomp.rewrite.gemmini._program import ARRAY_SHIFT
from autocomp.rewrite.ir._expression import Const, Element, Expression, Range, add, scale
from autocomp.rewrite.ir._simplify import range_of


class Matrix(NamedTuple):
    """A matrix in memory; sizes in elements."""

    array: str
    extents: tuple[int, ...]
    """Of the array that it lies in."""
    first: int
    """Where its first element is in the array."""
    rows: int
    columns: int
    stride: int
    """Elements from row to row; 0 if all rows are one."""
    element_bytes: int
    factor: str = ""
    """What loads multiply it by, as it is written; empty for one."""

    def element(self, row: Expression, column: Expression) -> Element:
        """The address of an element."""
        count = len(self.extents)
        if self.stride and count == 2 and self.extents[1] == self.stride:
            down, right = divmod(self.first, self.stride)
            return Element(self.array, (add(row, Const(down)), add(column, Const(right))))
        flat = add(add(scale(row, self.stride), column), Const(self.first))
        return Element(self.array, (flat,))


class Product(NamedTuple):
    """C = A B + D."""

    a: Matrix
    b: Matrix
    d: Matrix | None
    c: Matrix
    whole_sums: bool
    """C takes the sums as they are, without scale, limit and activation."""

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Rows and columns of C, and the length of its sums."""
        return self.c.rows, self.c.columns, self.a.columns


class _Place(NamedTuple):
    """What one command of a role does."""

    span: Range
    """Bytes that it touches."""
    stride_bytes: int
    factor: str
    element_bytes: int


def product_of(analysis: Analysis) -> Product:
    """The product. Raises IllegalMoveError if the kernel touches memory as no product of matrices does."""
    if analysis.configuration.store.pooled_rows:
        raise IllegalMoveError("a store takes the greatest of several rows")
    places: dict[str, list[_Place]] = {"A": [], "B": [], "C": [], "D": []}
    for (statement, argument), span in analysis.dataflow.places.items():
        role, state, whole = _role(analysis, statement, argument)
        geometry = analysis.geometry
        sums = role == "D" or (role == "C" and whole)
        stride, factor = (analysis.configuration.store.stride, "") if role == "C" else _state(analysis, state)
        places[role].append(_Place(span, stride, factor, geometry.sum_bytes if sums else geometry.element_bytes))
    found = {role: _matrix(analysis, role, parts) for role, parts in places.items() if parts}
    if not {"A", "B", "C"} <= set(found):
        raise IllegalMoveError("the kernel is no product")
    a, b, c, d = found["A"], found["B"], found["C"], found.get("D")
    rows = c.rows if d is None or d.stride else 1
    if (a.rows, b.columns, b.rows) != (c.rows, c.columns, a.columns) or not a.stride or not b.stride or not c.stride:
        raise IllegalMoveError("the kernel is no product of whole matrices")
    if d is not None and (d.rows, d.columns) != (rows, c.columns):
        raise IllegalMoveError("what is added is neither a matrix of the size of the result nor one row of it")
    whole = any(_role(analysis, *operand)[2] for operand in analysis.dataflow.places)
    return Product(a, b, d, c, whole)


def _role(analysis: Analysis, statement: int, argument: int) -> tuple[str, int, bool]:
    """What a command's address is, the load state it goes by, and whether it stores whole sums."""
    command = analysis.command(statement)
    if command.name == HARDWARE_LOOP:
        return "ABDC"[argument], argument, argument == 3 and command.args[16] == Const(1)
    ranges = analysis.ranges(statement)
    local = range_of(command.args[1], ranges).low
    if command.name == "mvout":
        return "C", 0, bool(local & FULL_WIDTH)
    state = LOADS.index(command.name)
    if local & ACCUMULATOR:
        return "D", state, False
    roles = _readers(analysis).get(statement, set())
    if len(roles) != 1:
        raise IllegalMoveError("a load is both operands of a product, or none")
    return next(iter(roles)), state, False


def _readers(analysis: Analysis) -> dict[int, set[str]]:
    """What the loads into the scratchpad bring."""
    if "readers" not in analysis.memory:
        readers: dict[int, set[str]] = {}
        for one, two in analysis.dataflow.pairs:
            name = analysis.command(two.statement).name
            if two.argument == 0 and (name == "preload" or name in COMPUTES):
                readers.setdefault(one.statement, set()).add("B" if name == "preload" else "A")
        analysis.memory["readers"] = readers
    found = analysis.memory["readers"]
    assert isinstance(found, dict)
    return found


def _state(analysis: Analysis, state: int) -> tuple[int, str]:
    """Stride and factor of a load state, if it has no more than one of each."""
    settings = [item for number, item in analysis.configuration.settings.values() if number == state]
    known = {(item.stride, item.scale) for item in settings or [analysis.configuration.loads[state]]}
    if len(known) > 1:
        raise IllegalMoveError("one load state has several strides")
    return known.pop()


def _matrix(analysis: Analysis, role: str, parts: list[_Place]) -> Matrix:
    if len({part[1:] for part in parts}) > 1:
        raise IllegalMoveError(f"{role} is loaded or stored in several ways")
    _, stride_bytes, factor, size = parts[0]
    low, high = min(part.span.low for part in parts), max(part.span.high for part in parts)
    number = low >> ARRAY_SHIFT
    if not 0 < number <= len(analysis.kernel.arrays):
        raise IllegalMoveError(f"{role} lies outside all arrays")
    name, array = list(analysis.kernel.arrays.items())[number - 1]
    first = low - (number << ARRAY_SHIFT)
    if high - 1 >> ARRAY_SHIFT != number or stride_bytes % size or first % size or array.element_bytes != size:
        raise IllegalMoveError(f"{role} is more than one matrix")
    stride, length = stride_bytes // size, (high - low) // size
    rows = (length - 1) // stride + 1 if stride else 1
    return Matrix(name, array.extents, first // size, rows, length - (rows - 1) * stride, stride, size, factor)
