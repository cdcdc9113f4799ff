"""Draws arrays from distributions: the one place that says what each kind means."""

from __future__ import annotations

import ml_dtypes  # noqa: F401  (registers bfloat16 and the float8 types with NumPy)
import numpy as np

from autocomp.records import Array, Distribution, Problem, TensorSpec

_SPARSE_SHARE = 0.1
_RAMP_PERIOD = 251
"""A prime, so that a ramp shifts from row to row whatever the row's length."""


def sample(problem: Problem, distribution: Distribution, generator: np.random.Generator) -> dict[str, Array]:
    """One set of inputs by argument name, for looking at the problem itself."""
    return {spec.name: draw(spec, distribution, generator) for spec in problem.inputs}


def draw(spec: TensorSpec, distribution: Distribution, generator: np.random.Generator) -> Array:
    """One array with the dtype and shape of ``spec``; equal for equal states of ``generator``."""
    dtype = np.dtype(spec.dtype)
    if dtype.kind == "b":
        return generator.random(spec.shape) < 0.5
    if dtype.kind in "iu":
        return _draw_integers(spec, distribution, generator)
    return _draw_floats(spec, distribution, generator).astype(dtype)


def _draw_integers(spec: TensorSpec, distribution: Distribution, generator: np.random.Generator) -> Array:
    dtype = np.dtype(spec.dtype)
    limits = np.iinfo(dtype)
    low = limits.min if distribution.low is None else max(limits.min, int(np.ceil(distribution.low)))
    high = limits.max if distribution.high is None else min(limits.max, int(np.floor(distribution.high)))
    match distribution.kind:
        case "extremes":
            return np.asarray(np.where(generator.random(spec.shape) < 0.5, low, high), dtype)
        case "negative":
            # An unsigned type has no negatives; its large values are what a signed misreading turns negative.
            least, greatest = (low, min(-1, high)) if limits.min < 0 else (limits.max // 2 + 1, high)
            return generator.integers(least, max(least, greatest), spec.shape, dtype=dtype.type, endpoint=True)
        case "sparse":
            drawn = generator.integers(low, high, spec.shape, dtype=dtype.type, endpoint=True)
            return np.where(generator.random(spec.shape) < _SPARSE_SHARE, drawn, dtype.type(0))
        case "constant":
            return np.full(spec.shape, 0 if distribution.low is None else low, dtype)
        case "ramp":
            period = min(_RAMP_PERIOD, high - low + 1)
            steps = np.arange(np.prod(spec.shape, dtype=np.int64)) % period + low
            return np.asarray(steps.reshape(spec.shape), dtype)
        case _:
            return generator.integers(low, high, spec.shape, dtype=dtype.type, endpoint=True)


def _draw_floats(spec: TensorSpec, distribution: Distribution, generator: np.random.Generator) -> Array:
    # The extremes of a float dtype overflow in any sum; a wide but safe range serves unless the problem states one.
    low = -1.0 if distribution.low is None else distribution.low
    high = 1.0 if distribution.high is None else distribution.high
    match distribution.kind:
        case "extremes":
            return np.where(generator.random(spec.shape) < 0.5, low, high)
        case "negative":
            return -generator.uniform(0.0, abs(low) or 1.0, spec.shape)
        case "sparse":
            return np.where(generator.random(spec.shape) < _SPARSE_SHARE, generator.uniform(low, high, spec.shape), 0.0)
        case "constant":
            return np.full(spec.shape, 0.0 if distribution.low is None else low)
        case "ramp":
            position = np.arange(np.prod(spec.shape, dtype=np.int64)) % _RAMP_PERIOD
            return (low + (high - low) * position / (_RAMP_PERIOD - 1)).reshape(spec.shape)
        case _:
            return generator.uniform(low, high, spec.shape)
