"""The two kinds of numbers a kernel is run on: a finite field, to compare results, and polynomials, to read them."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import lru_cache

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini.algebra._settings import Number

Atom = tuple[str, int, int]
"""An element of memory: array, position from its start, and how often it had been written before."""


class Field:
    """Whole numbers modulo 2^61 - 1; what is in memory at the start is random.

    Kernels compute polynomials of the inputs. Two different polynomials of degree n agree on random numbers with a
    probability of at most n / 2^61 (Schwartz and Zippel).
    """

    prime = (1 << 61) - 1

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed

    def atom(self, atom: Atom) -> int:
        """The number an element holds at the start."""
        return _random(self._seed, atom) % self.prime

    def constant(self, value: Number) -> int:
        """A rational constant."""
        value = Fraction(value)
        return value.numerator * pow(value.denominator, -1, self.prime) % self.prime

    def reduce(self, value: int) -> int:
        """The representative of a sum of products."""
        return value % self.prime


@lru_cache(maxsize=1 << 14)
def _random(seed: int, atom: Atom) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}/{atom}".encode(), digest_size=16).digest(), "little")


Monomial = tuple[Atom, ...]
_LARGEST = 4096


class Polynomial:
    """A polynomial of elements of memory with rational coefficients; immutable."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[Monomial, Number]) -> None:
        self.terms = terms

    def __add__(self, other: Polynomial | int) -> Polynomial:
        if isinstance(other, int):
            return self if other == 0 else self + Polynomial({(): other})
        if not other.terms:
            return self
        result = dict(self.terms)
        for monomial, factor in other.terms.items():
            total = result.get(monomial, 0) + factor
            if total:
                result[monomial] = total
            else:
                del result[monomial]
        return Polynomial(result)

    __radd__ = __add__

    def __mul__(self, other: Polynomial | Number) -> Polynomial:
        if isinstance(other, int | Fraction):
            return Polynomial({monomial: factor * other for monomial, factor in self.terms.items()} if other else {})
        if len(self.terms) * len(other.terms) > _LARGEST:
            raise IllegalMoveError("the result is too large a polynomial")
        result: dict[Monomial, Number] = {}
        for left, factor in self.terms.items():
            for right, times in other.terms.items():
                monomial = tuple(sorted((*left, *right)))
                result[monomial] = result.get(monomial, 0) + factor * times
        return Polynomial({monomial: factor for monomial, factor in result.items() if factor})

    __rmul__ = __mul__


class Symbols:
    """Polynomials of what is in memory."""

    def atom(self, atom: Atom) -> Polynomial:
        """An element as a variable."""
        return Polynomial({(atom,): 1})

    def constant(self, value: Number) -> Polynomial:
        """A rational constant."""
        return Polynomial({(): value} if value else {})

    def reduce(self, value: Polynomial | int) -> Polynomial:
        """A sum as a polynomial; the empty sum is the number 0."""
        return value if isinstance(value, Polynomial) else self.constant(value)
