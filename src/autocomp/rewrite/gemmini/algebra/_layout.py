"""Where matrices and vectors lie on the geometry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import ACCUMULATOR
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini.algebra._settings import Number
from autocomp.rewrite.ir._expression import Const, Expression, Range, add, scale
from autocomp.rewrite.ir._simplify import apply


@dataclass(frozen=True)
class Vectors:
    """The vectors of one array as rows; their blocks of ``dim`` elements lie ``block_stride`` rows apart."""

    base: int
    length: int
    dim: int
    accumulator: bool
    time_stride: int
    """Rows from one vector to the next; 0 if they lie in groups of ``dim`` vectors, in rows without a gap."""
    block_stride: int

    @property
    def blocks(self) -> int:
        """Blocks of ``dim`` elements per vector."""
        return -(-self.length // self.dim)

    def width(self, block: int) -> int:
        """Elements in a block."""
        return min(self.dim, self.length - block * self.dim)

    def at(self, time: Expression, block: int, ranges: Mapping[str, Range]) -> Expression:
        """Local address of one block of the vector of a time."""
        start = (ACCUMULATOR if self.accumulator else 0) + self.base
        first = Const(start + block * self.block_stride)
        if self.time_stride:
            return add(scale(time, self.time_stride), first)
        size = Const(self.dim)
        group, place = apply("/", (time, size), ranges), apply("%", (time, size), ranges)
        return add(add(scale(group, self.dim * self.blocks), place), first)


@dataclass(frozen=True)
class Matrix:
    """A matrix as it is stored: rows of tiles of ``dim`` rows, one tile after the other.

    The copy with every tile transposed has the same shape: its tiles lie where those of the matrix lie.
    """

    base: int
    copy: int | None
    """First row of the transposed tiles, if there are any."""
    rows: int
    columns: int
    dim: int

    def at(self, row: int, column: int, *, turned: bool = False) -> int:
        """Local address of a tile."""
        base = self.base if not turned or self.copy is None else self.copy
        return base + (row * self.tiles[1] + column) * self.dim

    @property
    def tiles(self) -> tuple[int, int]:
        """Rows and columns of tiles."""
        return -(-self.rows // self.dim), -(-self.columns // self.dim)


class Layout:
    """Gives out local rows: matrices from the first bank on, operands from the second, sums in the accumulator."""

    def __init__(self, geometry: Geometry, *, spread: bool) -> None:
        self._geometry = geometry
        self._spread = spread
        bank = geometry.scratchpad_bank_rows
        self._next = {"matrices": 0, "to turn": bank // 4, "copies": bank // 2, "operands": bank, "sums": 0}
        self._end = {"matrices": bank // 4, "to turn": bank // 2, "copies": bank,
                     "operands": geometry.scratchpad_rows, "sums": geometry.accumulator_rows}  # fmt: skip
        self.vectors: dict[tuple[str, Number], Vectors] = {}
        self.matrices: dict[tuple[str, Number, bool], Matrix] = {}

    def vector(self, array: str, factor: Number, length: int, times: int, *, accumulator: bool) -> Vectors:
        """The place of an array of vectors, times a factor; made when it is first asked for.

        Stores read blocks that lie ``dim`` rows apart, so long vectors that are stored lie in groups, or each by
        itself. All others lie block by block, all times in a row.
        """
        key = (array, 1 if accumulator else factor)
        if key not in self.vectors:
            dim = self._geometry.dim
            if length > dim * self._geometry.widest:
                raise IllegalMoveError(f"the vectors of '{array}' are longer than one load")
            blocks, padded = -(-length // dim), -(-times // dim) * dim
            time_stride, block_stride = 1, padded
            if accumulator and blocks > 1:
                time_stride, block_stride = (dim * blocks if self._spread else 0), dim
            rows = (times if self._spread and time_stride > 1 else padded) * (
                time_stride if time_stride > 1 else blocks
            )
            base = self._take("sums" if accumulator else "operands", rows)
            self.vectors[key] = Vectors(base, length, dim, accumulator, time_stride, block_stride)
        return self.vectors[key]

    def matrix(self, name: str, factor: Number, shape: tuple[int, int], *, turned: bool) -> Matrix:
        """The place of a matrix times a factor; with place for a copy with transposed tiles, if that is asked for."""
        key = (name, factor, turned)
        if key not in self.matrices:
            dim, (rows, columns) = self._geometry.dim, shape
            if columns > dim * self._geometry.widest:
                raise IllegalMoveError(f"the rows of '{name}' are longer than one load")
            size = -(-rows // dim) * -(-columns // dim) * dim
            base = self._take("to turn" if turned else "matrices", size)
            self.matrices[key] = Matrix(base, self._take("copies", size) if turned else None, rows, columns, dim)
        return self.matrices[key]

    def scratch(self) -> int:
        """Rows of one more tile."""
        return self._take("matrices", self._geometry.dim)

    def _take(self, region: str, rows: int) -> int:
        base = self._next[region]
        if base + rows > self._end[region]:
            raise IllegalMoveError("the vectors and matrices do not fit the chip")
        self._next[region] = base + rows
        return base
