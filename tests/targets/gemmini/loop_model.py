"""An independent functional model of the hardware loops, on top of the one of the instruction set.

It knows nothing of commands or of how wide a move is: every element of a matrix has one address in memory and one place
in a local memory, given in closed form, and products are products of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from isa_model import RELU, IsaModel, LoadState
from isa_numbers import Numbers

Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class MatmulLoop:
    """What LOOP_WS and its configuration say; sizes in tiles, strides in elements, addresses in bytes."""

    i: int
    j: int
    k: int
    pad_i: int = 0
    pad_j: int = 0
    pad_k: int = 0
    a: int = 0
    b: int = 0
    d: int = 0
    c: int = 0
    a_stride: int = 0
    b_stride: int = 0
    d_stride: int = 0
    c_stride: int = 0
    a_transpose: bool = False
    b_transpose: bool = False
    full_c: bool = False
    low_d: bool = False
    accumulate: bool = False
    residual: bool = False
    a_half: int = 0
    b_half: int = 0

    def commands(self) -> list[tuple[int, int, int]]:
        """Raw commands: funct, rs1, rs2."""
        rs1 = self.a_half << 18 | self.b_half << 16 | self.low_d << 2 | self.full_c << 1 | self.accumulate
        return [
            (9, self.pad_k << 32 | self.pad_j << 16 | self.pad_i, self.k << 32 | self.j << 16 | self.i),
            (10, self.a, self.b),
            (11, self.d, self.c),
            (12, self.a_stride, self.b_stride),
            (13, self.d_stride, self.c_stride),
            (8, rs1, self.residual << 2 | self.b_transpose << 1 | self.a_transpose),
        ]


@dataclass(frozen=True)
class Layout:
    """A matrix in tiles: its extent in elements, its tiles in a row, and where it starts locally."""

    rows: int
    columns: int
    tiles_across: int
    start: int
    dim: int

    @property
    def places(self) -> tuple[Int64, Int64]:
        """Local row and column of every element."""
        row, column = np.indices((self.rows, self.columns))
        tile = row // self.dim * self.tiles_across + column // self.dim
        return self.start + tile * self.dim + row % self.dim, column % self.dim

    def addresses(self, base: int, tile_stride: int, row_stride_bytes: int, element_bytes: int) -> Int64:
        """Address in memory of every element: tiles by the loop's stride, rows in a tile by the move's."""
        row, column = np.indices((self.rows, self.columns))
        tiles = (row // self.dim * tile_stride + column // self.dim) * self.dim * element_bytes
        return base + tiles + row % self.dim * row_stride_bytes + column % self.dim * element_bytes


class LoopModel:
    """Executes loops on the state of an ``IsaModel``."""

    def __init__(self, isa: IsaModel) -> None:
        self.isa = isa
        self.loops = 0
        self.accumulator_half = 0

    def matmul(self, loop: MatmulLoop) -> None:
        p, dim, numbers = self.isa.parameters, self.isa.parameters.dim, self.isa.numbers
        half, slot = p.scratchpad_rows // 2, self.loops % 2
        m, n, k = loop.i * dim - loop.pad_i, loop.j * dim - loop.pad_j, loop.k * dim - loop.pad_k
        c_start = (slot if loop.residual else self.accumulator_half) * (p.accumulator_rows // 2)
        c = Layout(m, n, loop.j, c_start, dim)
        self.loops += 1
        self.accumulator_half ^= loop.c != 0
        if loop.residual:
            self._residual(loop, c)
        else:
            a_start = (loop.a_half - 1 if loop.a_half else slot) * half
            b_start = (loop.b_half if loop.b_half else slot + 1) * half - loop.k * loop.j * dim
            a = Layout(k, m, loop.i, a_start, dim) if loop.a_transpose else Layout(m, k, loop.k, a_start, dim)
            b = Layout(n, k, loop.k, b_start, dim) if loop.b_transpose else Layout(k, n, loop.j, b_start, dim)
            if loop.a:
                self.isa.scratchpad[a.places] = self._operand(a, loop.a, loop.a_stride, self.isa.loads[0])
            if loop.b:
                self.isa.scratchpad[b.places] = self._operand(b, loop.b, loop.b_stride, self.isa.loads[1])
            if loop.d:
                self.isa.accumulator[c.places] = self._addend(loop, c)
            left, right = self.isa.scratchpad[a.places], self.isa.scratchpad[b.places]
            left, right = left.T if loop.a_transpose else left, right.T if loop.b_transpose else right
            total = self.isa.accumulator[c.places]
            for first in range(0, k, dim):  # depth by tiles: each is a sum of its own, then added to the rest
                zeros = np.zeros((m, n), numbers.wide)
                depth = slice(first, first + dim)
                step = numbers.product(zeros, left[:, depth].astype(numbers.wide), right[depth].astype(numbers.wide))
                total = numbers.added(total, step) if loop.accumulate or first else step
            self.isa.accumulator[c.places] = total
        if loop.c:
            self._store(loop, c)

    def _gather(self, addresses: Int64, dtype: type[np.generic]) -> Numbers:
        size = np.dtype(dtype).itemsize
        raw = b"".join(self.isa.read(int(address), size) for address in addresses.ravel())
        return np.frombuffer(raw, dtype).reshape(addresses.shape)

    def _operand(self, layout: Layout, base: int, stride: int, state: LoadState) -> Numbers:
        numbers = self.isa.numbers
        addresses = layout.addresses(base, stride, state.stride, numbers.element_bytes)
        return numbers.scaled(self._gather(addresses, numbers.element), state.scale)

    def _addend(self, loop: MatmulLoop, c: Layout) -> Numbers:
        state = self.isa.loads[2]
        if loop.low_d:
            return self._operand(c, loop.d, loop.d_stride, state)
        addresses = c.addresses(loop.d, loop.d_stride, state.stride, 4)
        return self.isa.numbers.scaled_sums(self._gather(addresses, self.isa.numbers.sum), state.scale)

    def _residual(self, loop: MatmulLoop, c: Layout) -> None:
        if loop.a:
            self.isa.accumulator[c.places] = self._operand(c, loop.a, loop.a_stride, self.isa.loads[0])
        if loop.b:
            addend = self._operand(c, loop.b, loop.b_stride, self.isa.loads[1])
            self.isa.accumulator[c.places] = self.isa.numbers.added(self.isa.accumulator[c.places], addend)

    def _store(self, loop: MatmulLoop, c: Layout) -> None:
        numbers = self.isa.numbers
        values = self.isa.accumulator[c.places]
        if not loop.full_c:
            if self.isa.store_activation == RELU:
                values = numbers.positive(values)
            values = numbers.scaled(values, self.isa.store_scale)
        addresses = c.addresses(loop.c, loop.c_stride, self.isa.store_stride, values.itemsize)
        for address, value in zip(addresses.ravel(), values.ravel(), strict=True):
            self.isa.write(int(address), value.tobytes())
