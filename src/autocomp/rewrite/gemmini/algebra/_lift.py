"""Reads out of a kernel which vectors it computes from which: products with matrices, and sums.

The kernel runs on polynomials. Whatever is written to memory becomes a variable of its own, so the polynomials stay
what one step computes. Vectors that only pass through memory are put in where they are used, and the steps that differ
by the time alone become one statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, NamedTuple

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini.algebra._machine import Machine
from autocomp.rewrite.gemmini.algebra._ring import Atom, Polynomial, Symbols
from autocomp.rewrite.gemmini.algebra._settings import Number
from autocomp.rewrite.ir._tree import ArrayType, Kernel


class Block(NamedTuple):
    """One vector: the array it lies in and which of the array's vectors it is, counted over time."""

    array: str
    time: int


@dataclass(frozen=True)
class Product:
    """``factor * M @ vector``, or with M transposed."""

    matrix: str
    transposed: bool
    factor: Number
    vector: Block
    vector_factor: Number = 1
    """What the vector is multiplied by besides; another place for the same factor."""


@dataclass(frozen=True)
class MatrixSum:
    """A matrix that the kernel makes: ``base + left @ right``, each a matrix and its factor."""

    base: tuple[str, Number] | None
    left: tuple[str, Number]
    right: tuple[str, Number]

    @property
    def name(self) -> str:
        """What tells it from all other sums; no name of an argument."""
        base, left, right = (
            "" if part is None else f"{part[1]}*{part[0]}" for part in (self.base, self.left, self.right)
        )
        return f"{base}+{left}*{right}"


@dataclass(frozen=True)
class Addend:
    """``factor * vector``."""

    factor: Number
    vector: Block


@dataclass(frozen=True)
class Step:
    """``target = sum of products + sum of addends``."""

    target: Block
    products: tuple[Product, ...]
    addends: tuple[Addend, ...]

    @property
    def operands(self) -> list[Block]:
        """All vectors that it uses."""
        return [*(item.vector for item in self.products), *(item.vector for item in self.addends)]


@dataclass(frozen=True)
class Statement:
    """Steps that differ by the time alone: in turn i every block is ``stride * i`` further."""

    step: Step
    """The step of turn 0."""
    count: int
    stride: int


@dataclass(frozen=True)
class Algebra:
    """What a kernel computes, in the order in which it does."""

    statements: tuple[Statement, ...]
    lengths: Mapping[str, int]
    """Elements of a vector, by array."""
    stored: frozenset[str]
    """Arrays that must be in memory at the end; the others are the kernel's own."""
    made: Mapping[str, MatrixSum] = field(default_factory=dict)
    """Matrices that are no arguments."""


class _Reader(Machine):
    """Runs on polynomials; what is written becomes a variable, and its polynomial is noted."""

    def __init__(self, kernel: Kernel, geometry: Geometry) -> None:
        super().__init__(kernel, geometry, Symbols())
        self.written: list[tuple[Atom, Polynomial]] = []

    def _write(self, array: str, index: int, value: Any) -> Any:
        super()._write(array, index, value)
        atom = (array, index, self.version[array][index])
        self.written.append((atom, value))
        self.memory[array][index] = self._ring.atom(atom)
        return self.memory[array][index]


def lift(kernel: Kernel, geometry: Geometry) -> Algebra:
    """What the kernel computes. Raises IllegalMoveError if that is not a sequence of products and sums of vectors."""
    reader = _Reader(kernel, geometry)
    reader.run(kernel.body)
    own = frozenset(kernel.locals)
    for name, versions in reader.version.items():
        if name not in own and max(versions) > 1:
            raise IllegalMoveError(f"'{name}' is written twice")
    lengths = {name: _length(array) for name, array in kernel.arrays.items()}
    shape = _Shape(kernel.arrays, lengths, own)
    steps = [shape.step(target, rows) for target, rows in _blocks(reader.written, shape)]
    steps = _same_direction(_put_in(steps, own), own)
    return Algebra(_statements(steps), lengths, frozenset(kernel.arrays) - own)


def _length(array: ArrayType) -> int:
    extents = [extent for extent in array.extents if extent > 1] or [1]
    return extents[-1]


@dataclass(frozen=True)
class _Shape:
    arrays: Mapping[str, ArrayType]
    lengths: Mapping[str, int]
    own: frozenset[str]

    def block(self, atom: Atom) -> tuple[Block, int]:
        """The vector an element belongs to and its place in there; rewritten arrays of the kernel's own count on."""
        array, index, version = atom
        time, place = divmod(index, self.lengths[array])
        if array in self.own:
            time += (version - 1) * (prod(self.arrays[array].extents) // self.lengths[array])
        return Block(array, time), place

    def step(self, target: Block, rows: list[Polynomial]) -> Step:
        """Recognise what the elements of a vector are made of."""
        matrices: dict[tuple[str, str], dict[tuple[int, Atom, Atom], Number]] = {}
        addends: dict[Block, list[Number]] = {}
        for row, polynomial in enumerate(rows):
            for monomial, factor in polynomial.terms.items():
                if len(monomial) == 1:
                    vector, place = self.block(monomial[0])
                    if place != row or self.lengths[vector.array] != len(rows):
                        raise IllegalMoveError("vectors of different shape are added")
                    addends.setdefault(vector, [0] * len(rows))[row] = factor
                elif len(monomial) == 2:
                    left, right = monomial
                    matrices.setdefault((left[0], right[0]), {})[row, left, right] = factor
                else:
                    raise IllegalMoveError("a result is no product of a matrix and a vector")
        products: list[Product] = []
        for terms in matrices.values():
            products.extend(self._products(terms, len(rows)))
        return Step(target, tuple(products), tuple(Addend(_same(all_), block) for block, all_ in addends.items()))

    def _products(self, terms: Mapping[tuple[int, Atom, Atom], Number], rows: int) -> Iterable[Product]:
        for matrix_at, vector_at in ((1, 2), (2, 1)):
            by_vector: dict[Block, dict[tuple[int, int], tuple[Atom, Number]]] = {}
            for key, factor in terms.items():
                block, place = self.block(key[vector_at])  # type: ignore[arg-type]
                by_vector.setdefault(block, {})[key[0], place] = (key[matrix_at], factor)  # type: ignore[assignment]
            found = [self._product(block, cells, rows) for block, cells in by_vector.items()]
            if all(found):
                return [product for product in found if product is not None]
        raise IllegalMoveError("a sum of products is none of a matrix and a vector")

    def _product(
        self, vector: Block, cells: Mapping[tuple[int, int], tuple[Atom, Number]], rows: int
    ) -> Product | None:
        columns = self.lengths[vector.array]
        if len(cells) != rows * columns:
            return None
        matrix, extents = cells[0, 0][0][0], [e for e in self.arrays[cells[0, 0][0][0]].extents if e > 1]
        for transposed, shape in ((False, [rows, columns]), (True, [columns, rows])):
            if extents == shape and all(
                atom == (matrix, column * rows + row if transposed else row * columns + column, 0)
                for (row, column), (atom, _) in cells.items()
            ):
                return Product(matrix, transposed, _same([factor for _, factor in cells.values()]), vector)
        return None


def _same(factors: list[Number]) -> Number:
    if len(set(factors)) != 1:
        raise IllegalMoveError("the elements of a vector have different factors")
    return factors[0]


def _blocks(written: list[tuple[Atom, Polynomial]], shape: _Shape) -> Iterable[tuple[Block, list[Polynomial]]]:
    """Whole vectors in the order in which their last elements are written."""
    waiting: dict[Block, dict[int, Polynomial]] = {}
    for atom, polynomial in written:
        block, place = shape.block(atom)
        rows = waiting.setdefault(block, {})
        rows[place] = polynomial
        if len(rows) == shape.lengths[block.array]:
            yield block, [rows[index] for index in range(len(rows))]
            del waiting[block]
    if waiting:
        raise IllegalMoveError("a vector is written in part")


def _put_in(steps: list[Step], own: frozenset[str]) -> list[Step]:
    """Without the vectors of the kernel's own that are only added to others or are multiples of another."""
    known: dict[Block, Step] = {}
    result: list[Step] = []
    needed: set[Block] = set()
    for step in steps:
        products: list[Product] = []
        addends: dict[Block, Number] = {}
        for product in step.products:
            source = known.get(product.vector)
            if source is not None and not source.products and len(source.addends) == 1:
                only = source.addends[0]
                products.append(replace(product, factor=product.factor * only.factor, vector=only.vector))
            else:
                products.append(product)
            needed.add(products[-1].vector)
        for addend in step.addends:
            source = known.get(addend.vector)
            if source is None:
                addends[addend.vector] = addends.get(addend.vector, 0) + addend.factor
                continue
            products.extend(replace(item, factor=item.factor * addend.factor) for item in source.products)
            needed.update(item.vector for item in source.products)
            for item in source.addends:
                addends[item.vector] = addends.get(item.vector, 0) + item.factor * addend.factor
        made = Step(step.target, tuple(products), tuple(Addend(f, block) for block, f in addends.items() if f))
        if step.target.array in own:
            known[step.target] = made
        result.append(made)
    return [step for step in result if step.target.array not in own or step.target in needed]


def _same_direction(steps: list[Step], own: frozenset[str]) -> list[Step]:
    """Count the time of the kernel's own vectors down if that of the others goes down."""
    times: dict[str, list[int]] = {}
    for step in steps:
        times.setdefault(step.target.array, []).append(step.target.time)
    if not any(name not in own and len(found) > 1 and found[1] < found[0] for name, found in times.items()):
        return steps
    return [_mapped(step, lambda block: _reversed(block, times) if block.array in own else block) for step in steps]


def _reversed(block: Block, times: Mapping[str, list[int]]) -> Block:
    return Block(block.array, max(times.get(block.array, [0])) - block.time)


def _mapped(step: Step, change: Callable[[Block], Block]) -> Step:
    return Step(
        change(step.target),
        tuple(replace(item, vector=change(item.vector)) for item in step.products),
        tuple(replace(item, vector=change(item.vector)) for item in step.addends),
    )


def _statements(steps: list[Step]) -> tuple[Statement, ...]:
    families: dict[str, list[Step]] = {}
    for step in steps:
        families.setdefault(step.target.array, []).append(step)
    found = []
    for family in families.values():
        first, count = family[0], len(family)
        stride = family[1].target.time - first.target.time if count > 1 else 1
        for turn, step in enumerate(family):
            if _shifted(first, stride * turn) != step:
                raise IllegalMoveError("the steps of the kernel differ in more than the time")
        found.append(Statement(first, count, stride))
    return tuple(found)


def _shifted(step: Step, distance: int) -> Step:
    return _mapped(step, lambda block: Block(block.array, block.time + distance))
