"""Integer expressions over loop variables, kept as sums of products.

Addition and multiplication by constants are always in one normal form (a constant plus coefficients times atoms), so
that equal addresses look equal and the coefficient of a loop variable can be read off. Everything else (division,
remainder, comparison, choice, bit operations) is an atom that keeps its operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple


class Range(NamedTuple):
    """Least and greatest value, both inclusive."""

    low: int
    high: int


UNKNOWN = Range(-(1 << 40), 1 << 40)
Ranges = Mapping[str, Range]


@dataclass(frozen=True)
class Const:
    """An integer."""

    value: int


@dataclass(frozen=True)
class Var:
    """A loop variable."""

    name: str


@dataclass(frozen=True)
class Text:
    """Source text that is not understood and kept as it is."""

    text: str


@dataclass(frozen=True)
class Sum:
    """``constant`` + the sum of coefficient times atom; at least one term, no zero coefficient."""

    constant: int
    terms: tuple[tuple[Expression, int], ...]

    @cached_property
    def _hash(self) -> int:
        return hash((self.constant, self.terms))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class Op:
    """An operator other than ``+``, ``-`` and multiplication by a constant; ``?:`` has three arguments."""

    name: str
    args: tuple[Expression, ...]

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.args))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class Element:
    """Address of an array element: ``&array[i][j]``; one index on a matrix counts elements from its start."""

    array: str
    indices: tuple[Expression, ...]

    @cached_property
    def _hash(self) -> int:
        return hash((self.array, self.indices))

    def __hash__(self) -> int:
        return self._hash


Expression = Const | Var | Text | Sum | Op | Element

ZERO = Const(0)
ONE = Const(1)


def split_sum(expression: Expression) -> tuple[int, tuple[tuple[Expression, int], ...]]:
    """The constant and the terms of any integer expression."""
    if isinstance(expression, Const):
        return expression.value, ()
    if isinstance(expression, Sum):
        return expression.constant, expression.terms
    return 0, ((expression, 1),)


def make_sum(constant: int, terms: Iterator[tuple[Expression, int]] | tuple[tuple[Expression, int], ...]) -> Expression:
    """Normal form of a constant plus terms; terms of the same atom are merged in order of first appearance."""
    merged: dict[Expression, int] = {}
    for atom, coefficient in terms:
        merged[atom] = merged.get(atom, 0) + coefficient
    kept = tuple((atom, coefficient) for atom, coefficient in merged.items() if coefficient)
    if not kept:
        return Const(constant)
    if constant == 0 and len(kept) == 1 and kept[0][1] == 1:
        return kept[0][0]
    if kept[0][1] < 0:  # a positive term goes first: it reads better, and printing need not change the order
        first = next((index for index, term in enumerate(kept) if term[1] > 0), 0)
        kept = (kept[first], *kept[:first], *kept[first + 1 :])
    return Sum(constant, kept)


def add(left: Expression, right: Expression) -> Expression:
    """Sum of two expressions; adding to an element address moves its last index."""
    if isinstance(left, Element):
        return Element(left.array, (*left.indices[:-1], add(left.indices[-1], right)))
    if isinstance(right, Element):
        return add(right, left)
    left_constant, left_terms = split_sum(left)
    right_constant, right_terms = split_sum(right)
    return make_sum(left_constant + right_constant, left_terms + right_terms)


def scale(expression: Expression, factor: int) -> Expression:
    """An expression times a constant."""
    constant, terms = split_sum(expression)
    return make_sum(constant * factor, tuple((atom, coefficient * factor) for atom, coefficient in terms))


def children(expression: Expression) -> tuple[Expression, ...]:
    """Direct parts of an expression."""
    if isinstance(expression, Sum):
        return tuple(atom for atom, _ in expression.terms)
    if isinstance(expression, Op):
        return expression.args
    if isinstance(expression, Element):
        return expression.indices
    return ()


@lru_cache(maxsize=1 << 16)
def variables(expression: Expression) -> frozenset[str]:
    """Names of the variables in an expression."""
    if isinstance(expression, Var):
        return frozenset((expression.name,))
    if isinstance(expression, (Const, Text)):
        return frozenset()
    return frozenset().union(*(variables(part) for part in children(expression)))


def has_text(expression: Expression) -> bool:
    """True if some part of the expression is not understood."""
    return isinstance(expression, Text) or any(has_text(part) for part in children(expression))


def coefficient_of(expression: Expression, name: str) -> int | None:
    """Factor of a variable if the expression is affine in it; None if it stands inside another operator."""
    if name not in variables(expression):
        return 0
    _, terms = split_sum(expression)
    found = 0
    for atom, coefficient in terms:
        if isinstance(atom, Var) and atom.name == name:
            found = coefficient
        elif name in variables(atom):
            return None
    return found


@lru_cache(maxsize=1 << 14)
def flat_index(element: Element, extents: tuple[int, ...]) -> Expression:
    """How many elements lie between the start of the array and this element."""
    if len(element.indices) == 1:
        return element.indices[0]
    result: Expression = ZERO
    for position, index in enumerate(element.indices):
        step = 1
        for extent in extents[position + 1 :]:
            step *= extent
        result = add(result, scale(index, step))
    return result
