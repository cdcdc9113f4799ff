"""The model's own arithmetic, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from isa_numbers import NAN, fused_multiply_add

BITS = st.integers(0, 2**32 - 1)
NEAR_ONE = st.integers(0x3F7FFFF0, 0x3F800010)
SMALL = st.integers(0, 0x01000000)
OPERAND = st.one_of(BITS, NEAR_ONE, SMALL, NEAR_ONE.map(lambda bits: bits | 1 << 31), SMALL.map(lambda b: b | 1 << 31))


def single(bits: int) -> np.float32:
    return np.uint32(bits).view(np.float32)


def rounded(value: Fraction) -> float:
    """To single precision, nearest, ties to even, with integers alone."""
    magnitude = abs(value)
    if magnitude == 0:
        return 0.0
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    step = Fraction(2) ** (max(exponent, -126) - 23)
    count = round(magnitude / step)  # Python rounds halves to even
    result = step * count
    out = math.inf if result >= Fraction(2) ** 128 else float(result)
    return out if value > 0 else -out


def exact(a: np.float32, b: np.float32, c: np.float32) -> float:
    if all(np.isfinite((a, b, c))):
        total = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        if total != 0:
            return rounded(total)
    with np.errstate(all="ignore"):  # exact zeros, infinities and not-a-numbers need no rounding
        return float(np.float64(a) * np.float64(b) + np.float64(c))


@settings(max_examples=3000)
@given(OPERAND, OPERAND, OPERAND)
@example(0x3F800001, 0x3F800001, 0x33800000)
@example(0x3F7FFFFF, 0x3F7FFFFF, 0xBF7FFFFE)
@example(0x00000001, 0x3F000000, 0x00000001)
@example(0x7F7FFFFF, 0x40000000, 0xFF7FFFFF)
@example(0x80000000, 0x3F800000, 0x80000000)
@example(0x7F800000, 0x00000000, 0x3F800000)
def test_fused_multiply_add_rounds_once(a_bits: int, b_bits: int, c_bits: int) -> None:
    a, b, c = single(a_bits), single(b_bits), single(c_bits)
    found = fused_multiply_add(np.array([a]), np.array([b]), np.array([c]))[0]
    expected = exact(a, b, c)
    wanted = NAN if math.isnan(expected) else np.float32(expected)
    assert found.view(np.uint32) == wanted.view(np.uint32), (a, b, c, found, expected)


def test_two_roundings_would_differ() -> None:
    """Double precision rounds this sum to the middle between two singles; from there it would go the wrong way."""
    a, b, c = (np.array([single(bits)]) for bits in (0x3F800001, 0x337FFFFE, 0x3F800001))
    twice = (a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)).astype(np.float32)
    assert float(twice[0]) == 1 + 2.0**-22
    assert float(fused_multiply_add(a, b, c)[0]) == 1 + 2.0**-23
