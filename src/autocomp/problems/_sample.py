"""Inputs for looking at a problem itself; what candidates are judged with is drawn elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from autocomp.problems._reference import is_float
from autocomp.records import Array, Distribution, Problem, TensorSpec


def sample(problem: Problem, distribution: Distribution, generator: np.random.Generator) -> dict[str, Array]:
    """One set of inputs by argument name."""
    return {spec.name: sample_one(spec, distribution, generator) for spec in problem.inputs}


def sample_one(spec: TensorSpec, distribution: Distribution, generator: np.random.Generator) -> Array:
    """One input array."""
    dtype = np.dtype(spec.dtype)
    if is_float(dtype):
        low = -1.0 if distribution.low is None else distribution.low
        high = 1.0 if distribution.high is None else distribution.high
        drawn: npt.NDArray[Any] = generator.uniform(low, high, spec.shape)
        least, greatest = low, high
    else:
        limits = np.iinfo(dtype)
        least = limits.min if distribution.low is None else int(distribution.low)
        greatest = limits.max if distribution.high is None else int(distribution.high)
        drawn = generator.integers(least, greatest, spec.shape, dtype=dtype, endpoint=True)
    match distribution.kind:
        case "extremes":
            drawn = np.where(generator.random(spec.shape) < 0.5, least, greatest)
        case "negative":
            drawn = -np.abs(drawn) if is_float(dtype) else np.minimum(drawn, ~drawn)
        case "sparse":
            drawn = np.where(generator.random(spec.shape) < 0.1, drawn, 0)
        case "constant":
            drawn = np.full(spec.shape, least)
        case "ramp":
            drawn = np.arange(drawn.size).reshape(spec.shape) % 127
    return drawn.astype(dtype)
