"""What must be computed: arguments, reference, tolerance, inputs, kernels that already do it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
"""An array of any dtype and shape."""

Reference = Callable[[Mapping[str, Array]], Mapping[str, Array]]
"""Input arrays by argument name in, expected output arrays by argument name out; exact or float64."""


DistributionKind = Literal["uniform", "extremes", "negative", "sparse", "constant", "ramp"]
"""Every kind of distribution; what they mean stands at :class:`Distribution`."""


class Role(StrEnum):
    """What the kernel does with an argument."""

    INPUT = "input"
    OUTPUT = "output"
    INOUT = "inout"


@dataclass(frozen=True)
class TensorSpec:
    """One array argument of the kernel: row-major, contiguous, of fixed shape."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    role: Role

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize


@dataclass(frozen=True)
class Tolerance:
    """Largest accepted error of one output dtype; both zero means equal to the bit."""

    absolute: float = 0.0
    relative: float = 0.0


@dataclass(frozen=True)
class Distribution:
    """One way of drawing the inputs.

    The kinds: ``uniform`` (low..high, inclusive), ``extremes`` (only the least and greatest value of the
    dtype), ``negative`` (least value..-1), ``sparse`` (mostly zero), ``constant`` (``low`` everywhere) and ``ramp``
    (a value that tells where it stood).
    """

    kind: DistributionKind
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Work:
    """What the problem costs on any machine, from its mathematics."""

    operations: int
    """Multiply-accumulates."""
    bytes: int
    """Bytes that must cross the memory interface at least once: every input read, every output written."""


@dataclass(frozen=True)
class Kernel:
    """Source text of one version of the kernel and where it came from."""

    name: str
    code: str
    path: Path | None = None


@dataclass(frozen=True)
class Problem:
    """What must be computed, and the kernels that already compute it."""

    name: str
    operator: str
    """Kind of operation: ``matmul``, ``conv2d``, …; menus and schedules are matched by it."""
    dimensions: Mapping[str, int]
    entry: str
    """Name of the function that a candidate must define."""
    arguments: tuple[TensorSpec, ...]
    reference: Reference
    start: Kernel
    rivals: Mapping[str, Kernel]
    distributions: tuple[Distribution, ...]
    tolerances: Mapping[str, Tolerance]
    """By dtype of the output."""
    work: Work
    target: str = "gemmini"
    options: Mapping[str, object] = field(default_factory=dict)
    """Further facts of the operator that a proposer may use (activation, scale, bias, …)."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Settings that the problem needs of its ``target``, as they would stand in that target's own table."""
    fingerprint: str = ""
    """Digest of everything that decides correctness and speed (the kernels excluded): part of the cache key."""
    locator: str = ""
    """What :func:`autocomp.problems.load` needs to load the same problem again in another process."""

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """Arguments that the kernel reads."""
        return tuple(spec for spec in self.arguments if spec.role is not Role.OUTPUT)

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """Arguments that the kernel writes."""
        return tuple(spec for spec in self.arguments if spec.role is not Role.INPUT)
