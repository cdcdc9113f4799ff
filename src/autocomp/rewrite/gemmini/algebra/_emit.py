"""Commands for an algebra: matrices and vectors stay on the chip, every sum is made in the accumulator.

Vectors are rows. A product streams the rows of its vectors through an array that holds a tile of the matrix, so the
same product for several vectors costs as much as for one. A vector that the kernel computes stays where it was summed
up and is read from the accumulator as an operand of the next product; memory sees it once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import ACCUMULATE, GARBAGE
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini.algebra._issue import Issue
from autocomp.rewrite.gemmini.algebra._layout import Layout, Matrix, Vectors
from autocomp.rewrite.gemmini.algebra._lift import Algebra, Block, MatrixSum, Product, Statement
from autocomp.rewrite.gemmini.algebra._reassociate import reassociate
from autocomp.rewrite.gemmini.algebra._schedule import Schedule, Times, Work, schedule
from autocomp.rewrite.gemmini.algebra._settings import Number
from autocomp.rewrite.ir._expression import Const, Expression, Range, add, scale
from autocomp.rewrite.ir._tree import ArrayType, Kernel, LocalArray

_IDENTITY = "identity"
_Ranges = Mapping[str, Range]


LAYOUTS = ("spread", "straight", "segments", "groups")


@dataclass(frozen=True)
class Options:
    """How the same algebra is laid out in time and on the chip."""

    batch: bool = True
    """Work that no later step waits for is done for several steps at once instead of step by step."""
    layout: str = "spread"
    """How long vectors lie that are made step by step.

    spread: each by itself. Addresses in the loop over time are simple; every vector is stored by itself.
    groups: in groups of ``dim``, which are stored with one command each after the loop.
    segments: the same, and the loop over time ends after every group, to store it and to work on it as a whole.
    straight: as groups, with all steps written out.
    """
    reassociate: bool = False
    """Products of matrices are made once, so that a step waits for one product only."""
    transpose_once: bool = False
    """Matrices are transposed once, by a product with the identity, instead of whenever they enter the array."""


def emit(kernel: Kernel, algebra: Algebra, geometry: Geometry, options: Options) -> Kernel:
    """The kernel that computes the algebra as the options say. Raises IllegalMoveError if it does not fit the chip."""
    arrays = {name: array for name, array in kernel.arrays.items() if name not in kernel.locals}
    if _IDENTITY in arrays:
        raise IllegalMoveError(f"'{_IDENTITY}' is an argument")
    writer = _Writer(arrays, reassociate(algebra) if options.reassociate else algebra, geometry, options)
    writer.write()
    own: dict[str, LocalArray] = {}
    if writer.identity is not None:
        dim = geometry.dim
        own[_IDENTITY] = LocalArray("float", True, tuple(int(i % (dim + 1) == 0) for i in range(dim * dim)))
    return Kernel(
        kernel.preamble, kernel.header, writer.issue.arrays, tuple(writer.issue.commands), kernel.dialect, own
    )


class _Writer:
    """Writes one kernel and remembers which vectors are loaded, made and stored so far."""

    def __init__(self, arrays: Mapping[str, ArrayType], algebra: Algebra, geometry: Geometry, options: Options) -> None:
        self._algebra, self._geometry, self._options = algebra, geometry, options
        self.issue = Issue(arrays, geometry)
        self.identity: int | None = None
        self._times = Times(algebra)
        self._targets = {statement.step.target.array: statement for statement in algebra.statements}
        self._computed = {
            self._times.at(statement.step.target, turn)
            for statement in algebra.statements
            for turn in range(self._times.turns)
        }
        self._layout = Layout(geometry, spread=options.layout == "spread")
        self._loaded: set[tuple[str, Number, int]] = set()
        self._made: set[Block] = set()
        self._stored: set[Block] = set()

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
                self._tiles(work, self._first(turns), len(turns), {})
            if number == 0:
                for work in late:
                    self._require(work, range(self._times.turns))
            self._loop(segment, plan.chained)
            self._finish(plan)
        self._finish(plan)
        stored = {block for block in self._computed if block.array in self._algebra.stored}
        if self._stored != stored:
            raise IllegalMoveError("a vector would not be stored")
        self.issue.add("fence")

    def _segments(self, plan: Schedule) -> list[range]:
        if not plan.chained:
            return []
        if self._options.layout != "segments":
            return [range(self._times.turns)]
        targets = {work.statement.step.target for work in plan.chained}
        longest = max(self._algebra.lengths[target.array] for target in targets)
        lead = [target for target in sorted(targets) if self._algebra.lengths[target.array] == longest]
        return [range(group[0], group[-1] + 1) for group in self._times.groups(lead[:1], self._geometry.dim)]

    def _groups(self, statement: Statement) -> list[list[int]]:
        """Turns whose vectors can be worked on together: their rows must be neighbours."""
        blocks = [statement.step.target, *statement.step.operands]
        grouped = [block for block in blocks if not self._vectors(block, 1).time_stride]
        return self._times.groups(grouped, self._geometry.dim)

    # Products

    def _loop(self, segment: range, works: tuple[Work, ...]) -> None:
        """The steps of some turns, one after the other."""
        if self._options.layout == "straight":
            for turn, work in itertools.product(segment, works):
                self._tiles(work, Const(turn), 1, {})
            self._made.update(self._times.at(work.statement.step.target, turn) for work in works for turn in segment)
            return
        bounds = {"i": Range(0, len(segment) - 1)}
        needed = {self._is_turned(work.product) for work in works}
        if len(needed) == 1:
            self.issue.execute(transpose=needed.pop())
        else:
            self.issue.forget_execute()
        statements = dict.fromkeys(work.statement for work in works)
        early: list[Statement] = []
        if self._options.layout == "spread":
            early = [statement for statement in statements if statement.step.target.array in self._algebra.stored]
        if early:
            self.issue.store_settings(self._algebra.lengths[early[0].step.target.array], 1)
        with self.issue.loop("i", len(segment)) as var:
            now = add(var, Const(segment[0]))
            for work in works:
                self._tiles(work, now, 1, bounds)
            for statement in early:
                target = statement.step.target
                self._store(target.array, self._time(target, now), 1, bounds)
        for statement in statements:
            made = {self._times.at(statement.step.target, turn) for turn in segment}
            self._made |= made
            self._stored |= made if statement in early else set()

    def _finish(self, plan: Schedule) -> None:
        """Store what is there, and do the late work whose vectors are all there."""
        self._store_groups()
        for works in plan.late:
            statement = works[0].statement
            groups = [turns for turns in self._groups(statement) if self._ready(statement, turns)]
            for turns in groups:
                for work in works:
                    self._require(work, turns)
                    self._tiles(work, self._first(turns), len(turns), {})
            self._made.update(self._times.at(statement.step.target, turn) for turns in groups for turn in turns)
            self._store_groups()

    def _ready(self, statement: Statement, turns: list[int]) -> bool:
        """True if these vectors are not made yet and all that they need is there."""
        if any(self._times.at(statement.step.target, turn) in self._made for turn in turns):
            return False
        needed = {self._times.at(block, turn) for block in statement.step.operands for turn in turns}
        return needed & self._computed <= self._made

    def _first(self, turns: list[int]) -> Expression:
        """The turn whose vectors lie in the first of the rows of a group."""
        return Const(min(turns) if self._times.stride > 0 else max(turns))

    def _tiles(self, work: Work, turn: Expression, count: int, ranges: _Ranges) -> None:
        """The tiles of one product, for ``count`` vectors in consecutive rows."""
        target = self._vectors(work.statement.step.target, 1)
        operand = self._vectors(work.product.vector, work.product.vector_factor)
        strides = (operand.time_stride or 1, target.time_stride or 1) if count > 1 else (0, 0)
        self.issue.execute(transpose=self._is_turned(work.product), a_stride=strides[0], c_stride=strides[1])
        to, source = self._time(work.statement.step.target, turn), self._time(work.product.vector, turn)
        for deep, wide in itertools.product(range(operand.blocks), range(target.blocks)):
            depth, width = operand.width(deep), target.width(wide)
            starts = work.first and deep == 0
            bias: Expression = Const(GARBAGE)
            if starts and work.bias is not None:
                place = self._vectors(work.bias.vector, work.bias.factor)
                bias = place.at(self._time(work.bias.vector, turn), wide, ranges)
            goal = add(target.at(to, wide, ranges), Const(0 if starts else ACCUMULATE))
            weights = self._weights(work.product, deep, wide)
            self.issue.add("preload", weights, goal, width, depth, width, count)
            self.issue.add("compute_preloaded", operand.at(source, deep, ranges), bias, depth, count, width, count)

    def _is_turned(self, product: Product) -> bool:
        """True if the matrix is transposed on its way into the array."""
        return not product.transposed and not self._options.transpose_once

    def _weights(self, product: Product, deep: int, wide: int) -> int:
        matrix = self._matrix(product)
        return matrix.at(deep, wide) if product.transposed else matrix.at(wide, deep, turned=True)

    def _time(self, block: Block, turn: Expression) -> Expression:
        return add(scale(turn, self._times.stride), Const(block.time))

    def _turn(self, matrix: Matrix, identity: int) -> None:
        """Transpose the tiles: the identity times each of them, which is turned on its way into the array."""
        dim = self._geometry.dim
        self.issue.execute(transpose=True, a_stride=1, c_stride=1)
        for row, column in itertools.product(range(matrix.tiles[0]), range(matrix.tiles[1])):
            height, width = min(dim, matrix.rows - row * dim), min(dim, matrix.columns - column * dim)
            goal = matrix.at(row, column, turned=True)
            self.issue.add("preload", matrix.at(row, column), goal, height, width, height, width)
            self.issue.add("compute_preloaded", identity, GARBAGE, width, width, height, width)

    # Places

    def _vectors(self, block: Block, factor: Number) -> Vectors:
        array = block.array
        computed = array in self._targets
        if computed and factor != 1:
            raise IllegalMoveError("a multiple of a computed vector is added")
        times = self._count(array) if array in self.issue.arrays else self._times.turns
        return self._layout.vector(array, factor, self._algebra.lengths[array], times, accumulator=computed)

    def _count(self, array: str) -> int:
        """How many vectors an argument holds."""
        return prod(self.issue.arrays[array].extents) // self._algebra.lengths[array]

    def _shape(self, name: str) -> tuple[int, int]:
        made = self._algebra.made.get(name)
        if made is not None:
            return self._shape(made.left[0])[0], self._shape(made.right[0])[1]
        rows, columns = (extent for extent in self.issue.arrays[name].extents if extent > 1)
        return rows, columns

    def _matrix(self, product: Product) -> Matrix:
        turned = not product.transposed and self._options.transpose_once
        return self._place(product.matrix, product.factor, turned=turned)

    def _place(self, name: str, factor: Number, *, turned: bool = False) -> Matrix:
        return self._layout.matrix(name, factor, self._shape(name), turned=turned)

    # Transfers

    def _require(self, work: Work, turns: Iterable[int]) -> None:
        """Load what a product needs in some turns and is not there yet."""
        if len(work.statement.step.addends) > 1:
            raise IllegalMoveError("more than one vector is added to a product")
        self._load_matrix(work.product.matrix, work.product.factor, self._matrix(work.product))
        product = work.product
        needed = [
            (product.vector, product.vector_factor),
            *([(work.bias.vector, work.bias.factor)] if work.bias else []),
        ]
        for turn in turns:
            for block, factor in needed:
                self._load_vectors(self._times.at(block, turn), factor)

    def _load_matrix(self, name: str, factor: Number, matrix: Matrix) -> None:
        key = (name, factor, matrix.base)
        if key in self._loaded:
            return
        self._loaded.add(key)
        dim = self._geometry.dim
        made = self._algebra.made.get(name)
        if made is not None:
            self._multiply(made, matrix)
        else:
            command = self.issue.load_settings(name, matrix.columns, factor, dim)
            for row in range(matrix.tiles[0]):
                source = self.issue.element(name, Const(row * dim))
                self.issue.add(command, source, matrix.at(row, 0), matrix.columns, min(dim, matrix.rows - row * dim))
        if matrix.copy is None:
            return
        if self.identity is None:
            self.identity = self._layout.scratch()
            self.issue.arrays[_IDENTITY] = ArrayType(self._geometry.element_bytes, (dim, dim))
            command = self.issue.load_settings(_IDENTITY, dim, 1, dim)
            self.issue.add(command, self.issue.element(_IDENTITY, Const(0)), self.identity, dim, dim)
        self._turn(matrix, self.identity)

    def _multiply(self, made: MatrixSum, goal: Matrix) -> None:
        """Make a matrix of others, tile by tile in the scratchpad."""
        left, right = self._place(*made.left), self._place(*made.right)
        base = None if made.base is None else self._place(*made.base)
        for part, place in ((made.right, right), (made.left, left), (made.base, base)):
            if part is not None and place is not None:
                self._load_matrix(*part, place)
        dim = self._geometry.dim
        self.issue.execute(transpose=False, a_stride=1, c_stride=1)
        for row, column, deep in itertools.product(*map(range, (*goal.tiles, left.tiles[1]))):
            height, width = min(dim, goal.rows - row * dim), min(dim, goal.columns - column * dim)
            depth = min(dim, left.columns - deep * dim)
            before = goal.at(row, column) if deep else GARBAGE if base is None else base.at(row, column)
            self.issue.add("preload", right.at(deep, column), goal.at(row, column), width, depth, width, height)
            self.issue.add("compute_preloaded", left.at(row, deep), before, depth, height, width, height)

    def _load_vectors(self, block: Block, factor: Number) -> None:
        """The group of vectors to which one belongs, as far as the kernel does not make them itself."""
        if block in self._computed or block.array not in self.issue.arrays:
            return
        dim, place = self._geometry.dim, self._vectors(block, factor)
        key = (block.array, 1 if place.accumulator else factor, block.time // dim)
        if key in self._loaded:
            return
        self._loaded.add(key)
        first = block.time // dim * dim
        times = [time for time in range(first, first + dim) if 0 <= time < self._count(block.array)]
        times = [time for time in times if Block(block.array, time) not in self._computed]
        alone = place.time_stride > 1
        for start in [time for time in times if alone or time - 1 not in times]:
            end = next(time for time in range(start + 1, first + dim + 1) if alone or time not in times)
            command = self.issue.load_settings(block.array, place.length, factor, place.block_stride)
            local = place.at(Const(start), 0, {})
            self.issue.add(command, self.issue.element(block.array, Const(start)), local, place.length, end - start)

    def _store_groups(self) -> None:
        for name, statement in self._targets.items():
            if name not in self._algebra.stored:
                continue
            target = statement.step.target
            alone = self._vectors(target, 1).time_stride > 1
            for turns in self._times.groups([target], 1 if alone else self._geometry.dim):
                blocks = {self._times.at(target, turn) for turn in turns}
                if blocks <= self._made and not blocks & self._stored:
                    self._stored |= blocks
                    self._store(name, self._time(target, self._first(turns)), len(turns), {})

    def _store(self, array: str, time: Expression, rows: int, ranges: _Ranges) -> None:
        place = self._vectors(Block(array, 0), 1)
        self.issue.store_settings(place.length, rows)
        self.issue.add("mvout", self.issue.element(array, time), place.at(time, 0, ranges), place.length, rows)
