"""Hardware loops: one command does a block of a product, with its loads, its products and its stores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._commands import COMPUTES, HARDWARE_LOOP
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, integer, text
from autocomp.rewrite.gemmini._product import Matrix, Product, product_of
from autocomp.rewrite.ir._expression import Const, Expression, Op, Text, Var, scale
from autocomp.rewrite.ir._transform import has_command
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, Statement, walk

NONE = Const(0)


class Blocks(NamedTuple):
    """How a product is cut: tiles of a block, and the order of the loops over blocks."""

    i: int
    j: int
    k: int
    order: str
    """Which of rows and columns is the outer loop: "ij" or "ji". The sum over k is always the inner one."""
    keep: int
    """1: what stays the same from block to block is not loaded again."""

    @property
    def parameters(self) -> dict[str, object]:
        """As the parameters of a move."""
        return dict(self._asdict())

    def __str__(self) -> str:
        """As a part of a sentence."""
        rows = "rows" if self.order == "ij" else "columns"
        again = f"; what the {rows} of blocks share is loaded once" if self.keep else ""
        return f"{self.i} x {self.j} tiles of C and {self.k} of each sum at a time, {rows} of blocks outermost{again}"


def fits(blocks: Blocks, geometry: Geometry) -> bool:
    """True if two blocks have room side by side."""
    operands, sums = geometry.scratchpad_rows // 2 // geometry.dim, geometry.accumulator_rows // 2 // geometry.dim
    return (blocks.i + blocks.j) * blocks.k <= operands and blocks.i * blocks.j <= sums


def choices(product: Product, geometry: Geometry) -> list[Blocks]:
    """Ways to cut a product, the one with the least estimate first."""
    rows, columns, depth = (geometry.tiles(size) for size in product.sizes)
    operands = geometry.scratchpad_rows // 2 // geometry.dim
    found: dict[Blocks, float] = {}
    for i in {-(-rows // parts) for parts in range(1, rows + 1)}:
        for j in {-(-columns // parts) for parts in range(1, columns + 1)}:
            if i + j > operands:
                continue
            k = -(-depth // -(-depth // min(depth, operands // (i + j))))
            for order in ("ij", "ji"):
                blocks = Blocks(i, j, k, order, 0)
                for choice in (blocks, blocks._replace(keep=1)):
                    if fits(choice, geometry) and _sensible(choice, rows, columns, depth):
                        found[choice] = estimate(choice, product, geometry)
    return sorted(found, key=lambda item: (found[item], item))


def _sensible(blocks: Blocks, rows: int, columns: int, depth: int) -> bool:
    """False for what is the same as a plainer choice."""
    outer, inner = -(-rows // blocks.i), -(-columns // blocks.j)
    if blocks.order == "ji":
        outer, inner = inner, outer
    if blocks.keep:
        return inner > 2 and blocks.k == depth
    return blocks.order == "ij" or (outer > 1 and inner > 1)


def estimate(blocks: Blocks, product: Product, geometry: Geometry) -> float:
    """Cycles, roughly and less what all choices have in common: the busier of array and loads; the first product of
    each tile of weights, which waits for them; rows of transfers, since narrow ones are worth less; loads of the first
    block.

    The weights are those that order some hundred measured kernels of seven sizes best, all on ideal memory.
    """
    dim, widest = geometry.dim, geometry.widest
    rows, columns, depth = (geometry.tiles(size) for size in product.sizes)
    down, right = -(-rows // blocks.i), -(-columns // blocks.j)
    times_a, times_b = right, down
    if blocks.keep:
        times_a, times_b = (min(2, right), down) if blocks.order == "ij" else (right, min(2, down))
    load = (rows * depth * times_a + depth * columns * times_b) * dim
    if product.d is not None:
        load += rows * columns * dim * geometry.sum_bytes // geometry.element_bytes
    moves_a = -(-depth // blocks.k) * -(-blocks.k // widest) * times_a * rows
    moves_b = right * -(-blocks.j // widest) * times_b * depth
    first = (blocks.i + blocks.j) * blocks.k * dim
    busy = max(rows * columns * depth * dim, load)
    return busy + 3 * down * columns * depth + 0.7 * (moves_a + moves_b) * dim + 0.5 * first


def write(product: Product, blocks: Blocks, kept: tuple[Command, ...], geometry: Geometry) -> Body:
    """The product in hardware loops. ``kept`` are config commands that stay: what stores and the array do."""
    if not fits(blocks, geometry) or min(blocks[:3]) < 1 or blocks.order not in ("ij", "ji"):
        raise IllegalMoveError(f"a hardware loop cannot take {blocks.i} x {blocks.j} x {blocks.k} tiles")
    axes = {
        name: _Axis(name, size, step, geometry.dim)
        for name, size, step in zip("ijk", product.sizes, blocks[:3], strict=True)
    }
    body: Body = _block(product, blocks, axes)
    for name in ("k", *reversed(blocks.order)):
        body = (Loop(name, axes[name].count, body),)
    matrices = [product.a, product.b, *([product.d] if product.d else [])]
    states = [
        Command("gemmini_extended3_config_ld", (Const(matrix.stride * matrix.element_bytes),
                Text(matrix.factor or "1.0f"), Const(0), Const(state)))
        for state, matrix in enumerate(matrices)
    ]  # fmt: skip
    return (*kept, *states, *body, Command("fence", ()))


@dataclass(frozen=True)
class _Axis:
    """One of the three loops over blocks."""

    name: str
    size: int
    step: int
    """Tiles of a block."""
    dim: int

    @property
    def count(self) -> int:
        """Blocks."""
        return -(-self.size // (self.step * self.dim))

    @property
    def start(self) -> Expression:
        """First element of a block."""
        return scale(Var(self.name), self.step * self.dim)

    @property
    def first(self) -> Expression:
        """True in the first block."""
        return Op("==", (Var(self.name), Const(0)))

    @property
    def last(self) -> Expression:
        """True in the last block."""
        return Op("==", (Var(self.name), Const(self.count - 1)))

    def _at_end(self, last: int, else_: int) -> Expression:
        return Const(last) if last == else_ or self.count == 1 else Op("?:", (self.last, Const(last), Const(else_)))

    @property
    def tiles(self) -> Expression:
        """Tiles of a block; the last one may have fewer."""
        return self._at_end(-(-self.size // self.dim) - (self.count - 1) * self.step, self.step)

    @property
    def pad(self) -> Expression:
        """Elements that the last tile lacks."""
        return self._at_end(-self.size % self.dim, 0)


def _block(product: Product, blocks: Blocks, axes: dict[str, _Axis]) -> Body:
    """The commands of one block: what is loaded, added to and stored depends on its place."""
    i, j, k = (axes[name] for name in "ijk")

    def loop(*, a: bool = True, b: bool = True, d: bool = True, c: bool = True) -> Statement:
        def address(matrix: Matrix | None, row: _Axis, column: _Axis, wanted: bool) -> Expression:
            return matrix.element(row.start, column.start) if matrix and wanted else NONE

        more: Expression = Const(1) if product.d else Op(">", (Var("k"), Const(0)))
        return Command(HARDWARE_LOOP, (
            i.tiles, j.tiles, k.tiles, i.pad, j.pad, k.pad,
            address(product.a, i, k, a), address(product.b, k, j, b),
            address(product.d, i, j, d), address(product.c, i, j, c),
            *(Const(matrix.stride if matrix else 0) for matrix in (product.a, product.b, product.d, product.c)),
            Const(0), Const(0), Const(int(product.whole_sums)), Const(0), more, Const(0), Const(0), Const(0), Const(0),
        ))  # fmt: skip

    if blocks.keep:
        # Both halves of the scratchpad hold the operand after two blocks.
        inner, whole = axes[blocks.order[1]], loop()
        if k.count > 1:
            raise IllegalMoveError("an operand stays only if a block makes whole sums")
        again = loop(a=False) if blocks.order == "ij" else loop(b=False)
        return (If(Op("<", (Var(inner.name), Const(2))), (whole,), (again,)),)
    if k.count == 1:
        return (loop(),)
    if product.d is None:
        return (If(k.last, (loop(),), (loop(c=False),)),)
    middle = If(k.last, (loop(d=False),), (loop(d=False, c=False),))
    return (If(k.first, (loop(c=False),), (middle,)),)


def _kept(analysis: Analysis) -> tuple[Command, ...]:
    return tuple(dict.fromkeys(
        command for command in analysis.configurations if not command.name.endswith("config_ld")
    ))  # fmt: skip


def _from_parameters(analysis: Analysis, parameters: Parameters) -> Body:
    i, j, k, keep = (integer(parameters, name) for name in ("i", "j", "k", "keep"))
    blocks = Blocks(i, j, k, text(parameters, "order"), keep)
    return write(product_of(analysis), blocks, _kept(analysis), analysis.geometry)


def _enumerate_loop(analysis: Analysis) -> Iterable[Proposal]:
    if analysis.hardware:
        return
    product = product_of(analysis)
    tiles = [analysis.geometry.tiles(size) for size in product.sizes]
    pays = _pays(analysis, product, tiles)
    if not pays and fits(Blocks(tiles[0], tiles[1], tiles[2], "ij", 0), analysis.geometry):
        return  # small and of whole tiles: other moves get as far, and a good child would crowd theirs out
    rank = 3.9 if pays else 1000
    for blocks in choices(product, analysis.geometry)[:1]:
        yield Proposal("hardware_loop", blocks.parameters, f"Let the hardware's loop do the product: {blocks}.", rank)


def _pays(analysis: Analysis, product: Product, tiles: list[int]) -> bool:
    """True where software deals with remainders or uses every tile of weights once only, or has no loops to improve."""
    ragged = any(size % analysis.geometry.dim for size in product.sizes)
    blocks = (site.statement for site in walk(analysis.kernel.body) if isinstance(site.statement, Loop))
    loops = any(
        has_command(loop.body, lambda c: c.name in COMPUTES) and has_command(loop.body, lambda c: c.name == "mvout")
        for loop in blocks
    )
    once = tiles[0] == 1 and tiles[1] * tiles[2] >= MANY
    return analysis.load_share > FED and (ragged or once or not loops)


def _enumerate_tiles(analysis: Analysis) -> Iterable[Proposal]:
    if not analysis.hardware:
        return
    for position, blocks in enumerate(choices(product_of(analysis), analysis.geometry)[:OTHERS]):
        yield Proposal("loop_tiles", blocks.parameters, f"Cut the product in another way: {blocks}.", position)


OTHERS = 8
MANY = 64
"""Tiles of weights from which on sending commands for each of them takes longer than all else."""
FED = 0.8
"""Share of the array's time that loads alone take; below, a kernel has been improved by other moves already."""
LOOP = Move("hardware_loop", _enumerate_loop, _from_parameters)
TILES = Move("loop_tiles", _enumerate_tiles, _from_parameters)
