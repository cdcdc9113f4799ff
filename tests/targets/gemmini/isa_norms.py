"""The model's statistics and the activations that use them: 32-bit integers that wrap, single-precision factors."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

NONE, SUM, MEAN, VARIANCE, INVERSE_DEVIATION, MAX, SUM_EXP, INVERSE_SUM_EXP = range(8)
LAYERNORM, GELU, SOFTMAX = 2, 3, 4
UNFINISHED = {MEAN: SUM, INVERSE_DEVIATION: VARIANCE, INVERSE_SUM_EXP: SUM_EXP}
LEAST = -(2**31)


class Undefined(Exception):  # noqa: N818 - an answer of the model
    pass


def wrap(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def signed(bits: int) -> int:
    return wrap(bits & 0xFFFFFFFF)


@dataclass
class Constants:
    b: int = 0
    c: int = 0
    ln2: int = 0
    ln2_inverse: int = 0

    def polynomial(self, x: int) -> int:
        base = wrap(x + self.b)
        return wrap(base * base + self.c)

    def gelu(self, q: int) -> int:
        magnitude = min(wrap(abs(q)), wrap(-self.b))
        sign = -1 if q < 0 else 1
        return wrap(q * wrap(wrap(sign * self.polynomial(magnitude)) + self.c))

    def exponential(self, q: int) -> int:
        halvings = wrap(wrap(-q) * self.ln2_inverse) >> 16
        if halvings < 0:
            raise Undefined("a negative shift")
        return self.polynomial(wrap(q + wrap(halvings * self.ln2))) >> min(halvings, 31)


@dataclass
class Statistics:
    fresh: bool = True
    values: list[int] = field(default_factory=list)
    """What has been summed up."""
    count: int = 0
    running: int = LEAST
    mean: int | None = None
    maximum: int = 0
    deviation: np.float32 | None = None
    exponentials: np.float32 | None = None

    def gather(self, command: int, values: list[int], constants: Constants, scale: np.float32) -> None:
        if self.fresh:
            self.values, self.count, self.running = [], 0, LEAST
        self.fresh = command in (NONE, MEAN, INVERSE_DEVIATION)
        self.count += len(values)
        if command in (SUM, MEAN):
            self.values += values
        elif command in (VARIANCE, INVERSE_DEVIATION):
            if self.mean is None:
                raise Undefined("no mean")
            self.values += [wrap(wrap(value - self.mean) ** 2) for value in values]
        elif command == MAX:
            self.running = max(self.running, *values)
        elif command in (SUM_EXP, INVERSE_SUM_EXP):
            self.maximum = self.running
            self.values += [constants.exponential(wrap(value - self.maximum)) for value in values]
        total = wrap(sum(self.values))
        with np.errstate(all="ignore"):
            if command == MEAN:
                self.mean = self._quotient(total)
            elif command == INVERSE_DEVIATION:
                variance = self._quotient(total)
                if variance < 0:
                    raise Undefined("an overflow")
                self.deviation = np.float32(1) / np.float32(math.isqrt(variance) or 1) * scale
            elif command == INVERSE_SUM_EXP:
                self.running = LEAST
                self.exponentials = np.float32(127) / np.float32(total) * scale

    def _quotient(self, total: int) -> int:
        """Towards zero."""
        return abs(total) // self.count * (1 if total >= 0 else -1)

    def activated(
        self, activation: int, values: list[int], constants: Constants, scale: np.float32
    ) -> tuple[list[int], np.float32]:
        """Values and the factor that scales them."""
        if activation == GELU:
            return [constants.gelu(value) for value in values], scale
        if activation == LAYERNORM:
            if self.mean is None or self.deviation is None:
                raise Undefined("no mean or deviation")
            return [wrap(value - self.mean) for value in values], self.deviation
        if self.exponentials is None:
            raise Undefined("no sum")
        return [constants.exponential(wrap(value - self.maximum)) for value in values], self.exponentials
