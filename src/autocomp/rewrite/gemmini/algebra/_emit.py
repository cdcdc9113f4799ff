"""Commands for an algebra: matrices and vectors stay on the chip, every sum is made in the accumulator.

Vectors are rows. A product streams the rows of its vectors through an array that holds a tile of the matrix, so the
same product for several vectors costs as much as for one. A vector that the kernel computes stays where it was summed
up and is read from the accumulator as an operand of the next product; memory sees it once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import ACCUMULATE, GARBAGE
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini.algebra._layout import Layout, Matrix, Vectors
from autocomp.rewrite.gemmini.algebra._lift import Algebra, Block, Product, Statement
from autocomp.rewrite.gemmini.algebra._schedule import Schedule, Times, Work, schedule
from autocomp.rewrite.gemmini.algebra._settings import Number
from autocomp.rewrite.ir._expression import Const, Element, Expression, Range, Text, Var, add, scale
from autocomp.rewrite.ir._tree import ArrayType, Command, Kernel, LocalArray, Loop

_IDENTITY = "identity"
_Ranges = Mapping[str, Range]


@dataclass(frozen=True)
class Options:
    """How the same algebra is laid out in time."""

    batch: bool = True
    """Work that no later step waits for is done for several steps at once instead of step by step."""
    segments: bool = True
    """The loop over time stops after every group of ``dim`` steps, to store them and to work on them together."""
    transpose_once: bool = False
    """Matrices are transposed once, by a product with the identity, instead of whenever they enter the array."""
    store_early: bool = False
    """Every vector is stored by itself, as soon as it is there."""
    spread: bool = False
    """Long vectors lie each by itself: simple addresses, but every one is stored by itself; one loop over time."""


def emit(kernel: Kernel, algebra: Algebra, geometry: Geometry, options: Options) -> Kernel:
    """The kernel that computes the algebra as the options say. Raises IllegalMoveError if it does not fit the chip."""
    arrays = {name: array for name, array in kernel.arrays.items() if name not in kernel.locals}
    if _IDENTITY in arrays:
        raise IllegalMoveError(f"'{_IDENTITY}' is an argument")
    writer = _Writer(arrays, algebra, geometry, options)
    writer.write()
    own: dict[str, LocalArray] = {}
    if writer.identity is not None:
        dim = geometry.dim
        arrays[_IDENTITY] = ArrayType(geometry.element_bytes, (dim, dim))
        own[_IDENTITY] = LocalArray("float", True, tuple(int(i % (dim + 1) == 0) for i in range(dim * dim)))
    return Kernel(kernel.preamble, kernel.header, arrays, tuple(writer.out), kernel.dialect, own)


class _Writer:
    """Writes one kernel; what it remembers is the state of the chip where the next command stands."""

    def __init__(self, arrays: Mapping[str, ArrayType], algebra: Algebra, geometry: Geometry, options: Options) -> None:
        self._arrays, self._algebra, self._geometry, self._options = arrays, algebra, geometry, options
        self._times = Times(algebra)
        self._targets = {statement.step.target.array: statement for statement in algebra.statements}
        self._layout = Layout(geometry, spread=options.spread)
        self._loads: dict[int, tuple[int, Number, int]] = {}
        self._store_stride: int | None = None
        self._execute: tuple[bool, int, int] | None = None
        self._loaded: set[tuple[str, Number, int]] = set()
        self._turned: set[tuple[str, Number]] = set()
        self._made: set[Block] = set()
        self._stored: set[Block] = set()
        self._late: set[Block] = set()
        self.identity: int | None = None
        self.out: list[Command | Loop] = []

    def write(self) -> None:
        """The whole body."""
        plan = schedule(self._algebra, batch=self._options.batch)
        late = [work for works in plan.late for work in works]
        waiting = [(work, turns) for work in plan.early for turns in self._groups(work.statement)]
        for number, segment in enumerate(self._segments(plan)):
            due = [item for item in waiting if set(item[1]) & set(segment)]
            waiting = [item for item in waiting if item not in due]
            for work, turns in due:
                self._require(work, turns)
            for work in plan.chained:
                self._require(work, range(self._times.turns))
            for work, turns in due:
                self._product(work, self._first(turns), len(turns), {})
            if number == 0:
                for work in late:
                    self._require(work, range(self._times.turns))
            self._loop(segment, plan.chained)
            self._finish(plan)
        self._finish(plan)
        if any(
            self._times.at(statement.step.target, turn) not in self._stored
            for name, statement in self._targets.items()
            for turn in range(self._times.turns)
            if name in self._algebra.stored
        ):
            raise IllegalMoveError("a vector would not be stored")
        self._command("fence")

    def _segments(self, plan: Schedule) -> list[range]:
        if not plan.chained:
            return []
        if not self._options.segments:
            return [range(self._times.turns)]
        targets = {work.statement.step.target for work in plan.chained}
        longest = max(self._algebra.lengths[target.array] for target in targets)
        lead = [target for target in sorted(targets) if self._algebra.lengths[target.array] == longest]
        return [range(group[0], group[-1] + 1) for group in self._times.groups(lead[:1], self._geometry.dim)]

    def _groups(self, statement: Statement) -> list[list[int]]:
        """Turns whose vectors can be worked on together: rows of long vectors must be neighbours."""
        blocks = [statement.step.target, *statement.step.operands]
        grouped = [block for block in blocks if not self._vectors(block, 1).time_stride]
        return self._times.groups(grouped, self._geometry.dim)

    def _first(self, turns: Iterable[int]) -> Expression:
        """The turn whose vectors lie in the first of the rows of a group."""
        return Const(min(turns) if self._times.stride > 0 else max(turns))

    # Work

    def _loop(self, segment: range, works: tuple[Work, ...]) -> None:
        bounds = {"i": Range(0, len(segment) - 1)}
        turn = add(Var("i"), Const(segment[0]))
        before, self.out = self.out, []
        needed = {self._is_turned(work.product) for work in works}
        if len(needed) == 1:
            self._configure_execute(transpose=needed.pop())
            before.extend(self.out)
            self.out = []
        else:
            self._execute = None
        for work in works:
            self._product(work, turn, 1, bounds)
        for statement in dict.fromkeys(work.statement for work in works):
            target = statement.step.target
            made = {self._times.at(target, turn) for turn in segment}
            self._made |= made
            if (self._options.store_early or self._options.spread) and target.array in self._algebra.stored:
                self._store(target.array, self._time(target, turn), 1, bounds)
                self._stored |= made
        self.out = [*before, Loop("i", len(segment), tuple(self.out))]

    def _finish(self, plan: Schedule) -> None:
        """Store what is there, and do the late work whose vectors are all there."""
        self._store_groups()
        for works in plan.late:
            statement = works[0].statement
            for turns in self._groups(statement):
                targets = {self._times.at(statement.step.target, turn) for turn in turns}
                if targets <= self._made or not all(self._ready(statement, turn) for turn in turns):
                    continue
                for work in works:
                    self._require(work, turns)
                    self._product(work, self._first(turns), len(turns), {})
                self._made |= targets
            self._store_groups()

    def _ready(self, statement: Statement, turn: int) -> bool:
        blocks = [self._times.at(block, turn) for block in statement.step.operands]
        return all(block in self._made or not self._computed(block) for block in blocks)

    def _computed(self, block: Block) -> bool:
        """True if the kernel makes this vector at some time."""
        statement = self._targets.get(block.array)
        if statement is None:
            return False
        return any(self._times.at(statement.step.target, turn) == block for turn in range(self._times.turns))

    def _product(self, work: Work, turn: Expression, count: int, ranges: _Ranges) -> None:
        """The tiles of one product, for ``count`` vectors in consecutive rows."""
        step, product = work.statement.step, work.product
        target, operand = self._vectors(step.target, 1), self._vectors(product.vector, 1)
        bias = None if work.bias is None else self._vectors(work.bias.vector, work.bias.factor)
        to, source = self._time(step.target, turn), self._time(product.vector, turn)
        strides = (operand.time_stride or 1, target.time_stride or 1) if count > 1 else (0, 0)
        self._configure_execute(transpose=self._is_turned(product), a_stride=strides[0], c_stride=strides[1])
        for deep in range(operand.blocks):
            for wide in range(target.blocks):
                depth, width = operand.width(deep), target.width(wide)
                adds = 0 if work.first and deep == 0 else ACCUMULATE
                rows: tuple[Expression, ...] = (Const(GARBAGE), Const(width), Const(count))
                if bias is not None and work.bias is not None and deep == 0:
                    rows = (bias.at(self._time(work.bias.vector, turn), wide, ranges), *rows[1:])
                goal = add(target.at(to, wide, ranges), Const(adds))
                self._command("preload", Const(self._weights(product, deep, wide)), goal, width, depth, width, count)
                self._command("compute_preloaded", operand.at(source, deep, ranges), rows[0], depth, count, *rows[1:])

    def _is_turned(self, product: Product) -> bool:
        """True if the matrix is transposed on its way into the array."""
        return not product.transposed and not self._options.transpose_once

    def _weights(self, product: Product, deep: int, wide: int) -> int:
        if product.transposed:
            return self._matrix(product).at(deep, wide)
        if self._options.transpose_once:
            return self._copy(product).at(deep, wide)
        return self._matrix(product).at(wide, deep)

    def _time(self, block: Block, turn: Expression) -> Expression:
        return add(scale(turn, self._times.stride), Const(block.time))

    # Places

    def _vectors(self, block: Block, factor: Number) -> Vectors:
        array = block.array
        length = self._algebra.lengths[array]
        computed = array in self._targets
        if computed and factor != 1:
            raise IllegalMoveError("a multiple of a computed vector is added")
        times = self._times.turns
        if array in self._arrays:
            times = self._count(array)
        return self._layout.vector(array, factor, length, times, accumulator=computed)

    def _count(self, array: str) -> int:
        """How many vectors an argument holds."""
        return prod(self._arrays[array].extents) // self._algebra.lengths.get(array, 1)

    def _shape(self, name: str) -> tuple[int, int]:
        rows, columns = (extent for extent in self._arrays[name].extents if extent > 1)
        return rows, columns

    def _matrix(self, product: Product) -> Matrix:
        return self._layout.matrix(product.matrix, product.factor, self._shape(product.matrix), turned=False)

    def _copy(self, product: Product) -> Matrix:
        rows, columns = self._shape(product.matrix)
        return self._layout.matrix(product.matrix, product.factor, (columns, rows), turned=True)

    # Moves

    def _require(self, work: Work, turns: Iterable[int]) -> None:
        """Load what a product needs in some turns and is not there yet."""
        statement = work.statement
        if len(statement.step.addends) > 1:
            raise IllegalMoveError("more than one vector is added to a product")
        self._load_matrix(work.product)
        needed = [(work.product.vector, 1), *([(work.bias.vector, work.bias.factor)] if work.bias else [])]
        for turn in turns:
            for block, factor in needed:
                self._load_vectors(self._times.at(block, turn), factor)

    def _load_matrix(self, product: Product) -> None:
        key = (product.matrix, product.factor, -1)
        if key not in self._loaded:
            self._loaded.add(key)
            matrix = self._matrix(product)
            for tile in range(matrix.tiles[0]):
                row = tile * self._geometry.dim
                rows = min(self._geometry.dim, matrix.rows - row)
                self._load(product.matrix, row, matrix.at(tile, 0), (matrix.columns, rows), product.factor)
        if not product.transposed and self._options.transpose_once and key[:2] not in self._turned:
            self._turned.add(key[:2])
            self._turn(self._matrix(product), self._copy(product))

    def _turn(self, matrix: Matrix, copy: Matrix) -> None:
        """Transpose a matrix tile by tile: the identity times the tile, which is turned on its way into the array."""
        dim = self._geometry.dim
        if self.identity is None:
            self.identity = self._layout.scratch()
            self._arrays = {**self._arrays, _IDENTITY: ArrayType(self._geometry.element_bytes, (dim, dim))}
            self._load(_IDENTITY, 0, self.identity, (dim, dim), 1)
        self._configure_execute(transpose=True, a_stride=1, c_stride=1)
        for row in range(matrix.tiles[0]):
            for column in range(matrix.tiles[1]):
                height = min(dim, matrix.rows - row * dim)
                width = min(dim, matrix.columns - column * dim)
                self._command(
                    "preload", Const(matrix.at(row, column)), Const(copy.at(column, row)), height, width, height, width
                )
                self._command("compute_preloaded", Const(self.identity), Const(GARBAGE), width, width, height, width)

    def _load_vectors(self, block: Block, factor: Number) -> None:
        """The group of vectors to which one belongs, as far as the kernel does not make them itself."""
        if self._computed(block) or block.array not in self._arrays:
            return
        dim, place = self._geometry.dim, self._vectors(block, factor)
        key = (block.array, 1 if place.accumulator else factor, block.time // dim)
        if key in self._loaded:
            return
        self._loaded.add(key)
        first = block.time // dim * dim
        times = [time for time in range(first, first + dim) if 0 <= time < self._count(block.array)]
        times = [time for time in times if not self._computed(Block(block.array, time))]
        alone = place.time_stride > 1
        for start in [time for time in times if alone or time - 1 not in times]:
            end = next(time for time in range(start + 1, first + dim + 1) if alone or time not in times)
            local = place.at(Const(start), 0, {})
            assert isinstance(local, Const)
            self._load(block.array, start, local.value, (place.length, end - start), factor, place.block_stride)

    def _load(
        self, array: str, start: int, local: int, extent: tuple[int, int], factor: Number, block_stride: int = 0
    ) -> None:
        columns, rows = extent
        wide = columns > self._geometry.dim
        last = self._arrays[array].extents[-1]
        row_bytes = (last if last > 1 else columns) * self._geometry.element_bytes
        wanted = (max(row_bytes, columns * self._geometry.element_bytes), factor, block_stride or self._geometry.dim)
        state = next(
            (s for s, held in self._loads.items() if held[: 3 if wide else 2] == wanted[: 3 if wide else 2]), None
        )
        if state is None:
            state = len(self._loads) if len(self._loads) < 3 else next(iter(self._loads))
            self._command("config_ld", wanted[0], _factor(factor), wanted[2], state)
        else:
            wanted = self._loads[state]
        self._loads.pop(state, None)
        self._loads[state] = wanted
        name = ("mvin", "mvin2", "mvin3")[state]
        self._command(name, self._element(array, Const(start)), Const(local), columns, rows)

    def _store_groups(self) -> None:
        for name, statement in self._targets.items():
            if name not in self._algebra.stored:
                continue
            alone = self._vectors(statement.step.target, 1).time_stride > 1
            for turns in self._times.groups([statement.step.target], 1 if alone else self._geometry.dim):
                blocks = {self._times.at(statement.step.target, turn) for turn in turns}
                if blocks <= self._made and not blocks & self._stored:
                    self._stored |= blocks
                    self._store(name, self._time(statement.step.target, self._first(turns)), len(turns), {})

    def _store(self, array: str, time: Expression, rows: int, ranges: _Ranges) -> None:
        length = self._algebra.lengths[array]
        stride = length * self._geometry.element_bytes
        if self._store_stride is None or (rows > 1 and stride != self._store_stride):
            self._store_stride = stride
            self._command("config_st", stride)
        place = self._vectors(Block(array, 0), 1)
        self._command("mvout", self._element(array, time), place.at(time, 0, ranges), length, rows)

    def _configure_execute(self, *, transpose: bool, a_stride: int = 0, c_stride: int = 0) -> None:
        """Strides of 0 may be any: operands of one row."""
        held = self._execute
        if held is not None and held[0] is transpose and a_stride in (0, held[1]) and c_stride in (0, held[2]):
            return
        self._execute = held = (transpose, a_stride or 1, c_stride or 1)
        dataflow, activation = Text("WEIGHT_STATIONARY"), Text("NO_ACTIVATION")
        if held[2] == 1:
            self._command("config_ex", dataflow, activation, held[1], 0, int(transpose))
            return
        one = Text("ACC_SCALE_IDENTITY")
        self._command(
            "gemmini_extended3_config_ex", dataflow, activation, 0, one, held[2], held[1], 0, int(transpose), 0
        )

    def _element(self, array: str, index: Expression) -> Element:
        """The start of a vector or of a row of a matrix."""
        extents = self._arrays[array].extents
        if self._count(array) == 1 and index == Const(0):
            return Element(array, (index,) * len(extents))
        return Element(array, (index, *[Const(0)] * (len(extents) - 1)))

    def _command(self, name: str, *args: Expression | int) -> None:
        self.out.append(Command(name, tuple(Const(arg) if isinstance(arg, int) else arg for arg in args)))


def _factor(factor: Number) -> Expression:
    return Const(int(factor)) if factor == int(factor) else Text(f"{float(factor)!r}f")
