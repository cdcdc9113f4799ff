"""What the model of the instruction set does to numbers, for each pair of types that a chip can have.

Integers are computed in 64 bits and cut down where the hardware does. Floats are computed in single precision, one
rounding for each operation of the hardware; its fused multiply-add is made exact with a sum rounded to odd in double
precision, which is then rounded once more to single.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.generic]
NAN = np.uint32(0x7FC00000).view(np.float32)
"""Every not-a-number that an operation makes."""


def float_from_bits(bits: int) -> np.float32:
    return np.uint32(bits & 0xFFFFFFFF).view(np.float32)


def wrapped(values: npt.NDArray[np.int64], bits: int) -> npt.NDArray[np.int64]:
    """The low ``bits`` bits as a two's complement number."""
    half = 1 << (bits - 1)
    return ((values + half) & ((1 << bits) - 1)) - half


def rounding_shift(values: npt.NDArray[np.int64], shift: int) -> npt.NDArray[np.int64]:
    """Arithmetic shift right, half rounded to even (ISA, output stationary)."""
    if shift == 0:
        return values
    down = values >> shift
    half = values >> (shift - 1) & 1
    sticky = (values & ((1 << (shift - 1)) - 1)) != 0
    odd = (down & 1) != 0
    return down + (half & (sticky | odd))


def canonical(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.where(np.isnan(values), NAN, values).astype(np.float32)


def fused_multiply_add(
    a: npt.NDArray[np.float32], b: npt.NDArray[np.float32], c: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """``a * b + c``, rounded once to single precision.

    The product of two singles is exact in double precision (48 of 53 bits, exponents in range). Its sum with ``c`` is
    rounded to odd: whatever was lost leaves a one in the last bit. Since double precision has more than two bits over
    single, rounding that to single gives the same as rounding the exact sum.
    """
    with np.errstate(all="ignore"):
        product, addend = np.broadcast_arrays(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64))
        total = product + addend
        part = total - product
        lost = (product - (total - part)) + (addend - part)  # exactly what the rounding of `total` left out
        bits = total.view(np.int64)
        repair = np.isfinite(total) & np.isfinite(lost) & (lost != 0) & (bits & 1 == 0)
        towards = np.where((lost > 0) == (total > 0), 1, -1)
        odd = np.where(repair, bits + towards, bits).view(np.float64)
        return canonical(odd.astype(np.float32))


class Int8:
    """int8 elements, int32 sums."""

    element: type[np.generic] = np.int8
    sum: type[np.generic] = np.int32
    wide: type[np.generic] = np.int64
    """In what matrices are held on their way."""
    element_bytes = 1

    def __init__(self, spatial_output_bits: int) -> None:
        self.bits = spatial_output_bits

    def scaled(self, values: Numbers, scale: np.float32) -> Numbers:
        """Float multiply with one rounding, then to the nearest integer (ties to even), then saturated."""
        with np.errstate(all="ignore"):
            product = values.astype(np.int32).astype(np.float32) * scale
        return np.clip(np.nan_to_num(np.rint(product), nan=127.0), -128, 127).astype(np.int8)

    def scaled_sums(self, values: Numbers, scale: np.float32) -> Numbers:
        return values  # no multiplier on that way

    def clipped(self, values: Numbers) -> Numbers:
        return np.clip(values, -128, 127)

    def positive(self, values: Numbers) -> Numbers:
        return np.maximum(values, 0)

    def larger(self, a: Numbers, b: Numbers) -> Numbers:
        return np.maximum(a, b)

    def added(self, old: Numbers, new: Numbers) -> Numbers:
        return wrapped(old.astype(np.int64) + new, 32).astype(np.int32)

    def product(self, start: Numbers, left: Numbers, right: Numbers) -> Numbers:
        """Partial sums run through cells of so many bits; weight stationary up to 16 x 16 they cannot wrap."""
        return wrapped(start + left @ right, self.bits)

    def shifted(self, values: Numbers, shift: int) -> Numbers:
        limit = 1 << (self.bits - 1)
        return np.clip(rounding_shift(values, shift), -limit, limit - 1)


class Float32:
    """Single precision everywhere; nothing saturates."""

    element: type[np.generic] = np.float32
    sum: type[np.generic] = np.float32
    wide: type[np.generic] = np.float32
    element_bytes = 4

    def scaled(self, values: Numbers, scale: np.float32) -> Numbers:
        with np.errstate(all="ignore"):
            return canonical(values * scale)

    def scaled_sums(self, values: Numbers, scale: np.float32) -> Numbers:
        return self.scaled(values, scale)

    def clipped(self, values: Numbers) -> Numbers:
        return values

    def positive(self, values: Numbers) -> Numbers:
        """By the sign bit: minus zero stays what it is."""
        return np.where(np.signbit(values) & (values != 0), np.float32(0), values)

    def larger(self, a: Numbers, b: Numbers) -> Numbers:
        """The first unless the second is greater."""
        return np.where(b > a, b, a)

    def added(self, old: Numbers, new: Numbers) -> Numbers:
        with np.errstate(all="ignore"):
            return canonical(old + new)

    def product(self, start: Numbers, left: Numbers, right: Numbers) -> Numbers:
        """One fused multiply-add after the other, in order of k."""
        total = start.astype(np.float32)
        for k in range(left.shape[1]):
            total = fused_multiply_add(left[:, k : k + 1], right[k : k + 1, :], total)
        return total

    def shifted(self, values: Numbers, shift: int) -> Numbers:
        with np.errstate(all="ignore"):
            return canonical(values * np.float32(2.0**-shift))
