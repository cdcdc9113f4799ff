"""Inputs that candidates are judged on, drawn from the problem's distributions."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import ml_dtypes  # noqa: F401  (registers bfloat16 and the float8 types with NumPy)
import numpy as np

from autocomp.records import Array, Distribution, Problem, TensorSpec

_SPARSE_SHARE = 0.1
_RAMP_PERIOD = 251
"""A prime, so that a ramp shifts from row to row whatever the row's length."""


@dataclass(frozen=True)
class InputSet:
    """One set of inputs: everything that decides its values."""

    distributions: tuple[Distribution, ...]
    """One, or several that stand side by side in bands of each argument."""
    seed: int
    label: str
    """Names it in verdicts, such as ``extremes/secret 1``; shows no secret seed."""


@dataclass(frozen=True)
class InputPlan:
    """The input sets of one evaluation."""

    measured: InputSet | None
    """Run with timing, and its outputs compared; None if only the function is checked."""
    checked: tuple[InputSet, ...]
    """Run for their outputs only."""


def plan_evaluation(
    distributions: tuple[Distribution, ...], public_seeds: tuple[int, ...], secret_seeds: tuple[int, ...]
) -> InputPlan:
    """Measure on the first distribution and public seed, check the other public seeds on the same distribution; and
    with every secret seed, check the first distribution on its own and all others side by side.

    Side by side because a run costs the same whatever the values are: what is wrong for large, negative or extreme
    values shows in its band. Alone, each distribution is met before a candidate is called best.
    """
    first, *others = distributions
    measured, *public = [InputSet((first,), seed, f"{_name(first)}/seed {seed}") for seed in public_seeds]
    secret = []
    for number, seed in enumerate(secret_seeds, start=1):
        secret.append(InputSet((first,), seed, f"{_name(first)}/secret {number}"))
        if others:
            name = _name(others[0]) if len(others) == 1 else "mixed"
            secret.append(InputSet(tuple(others), seed, f"{name}/secret {number}"))
    return InputPlan(measured, (*public, *secret))


def plan_confirmation(distributions: tuple[Distribution, ...], fresh_seeds: tuple[int, ...]) -> InputPlan:
    """Check every distribution on its own with every one of ``fresh_seeds``; measure nothing."""
    checked = [
        InputSet((distribution,), seed, f"{_name(distribution)}/fresh {number}")
        for number, seed in enumerate(fresh_seeds, start=1)
        for distribution in distributions
    ]
    return InputPlan(None, tuple(checked))


def _name(distribution: Distribution) -> str:
    if distribution.low is None and distribution.high is None:
        return distribution.kind
    low = "" if distribution.low is None else f"{distribution.low:g}"
    high = "" if distribution.high is None else f"{distribution.high:g}"
    return f"{distribution.kind} {low}..{high}"


def draw_inputs(problem: Problem, inputs: InputSet) -> dict[str, Array]:
    """The input arrays by argument name, read-only.

    Every argument has a generator of its own, keyed by seed, distribution and name: adding an argument does not change
    the others. Several distributions lie in bands along the first axis of one argument and the last axis of the next,
    so that in a matrix product every band of one meets every band of the other.
    """
    arrays = {}
    for number, spec in enumerate(problem.inputs):
        if len(inputs.distributions) == 1 or not spec.shape:
            array = _draw(spec, inputs.distributions[0], _generator(inputs, inputs.distributions[0], spec.name))
        else:
            array = _draw_bands(spec, inputs, axis=0 if number % 2 == 0 else len(spec.shape) - 1)
        array = np.ascontiguousarray(array)
        array.flags.writeable = False
        arrays[spec.name] = array
    return arrays


def _draw_bands(spec: TensorSpec, inputs: InputSet, axis: int) -> Array:
    bands = []
    share, rest = divmod(spec.shape[axis], len(inputs.distributions))
    for number, distribution in enumerate(inputs.distributions):
        shape = list(spec.shape)
        shape[axis] = share + (number < rest)
        band = TensorSpec(spec.name, spec.dtype, tuple(shape), spec.role)
        bands.append(_draw(band, distribution, _generator(inputs, distribution, spec.name)))
    return np.concatenate(bands, axis=axis)


def _generator(inputs: InputSet, distribution: Distribution, argument: str) -> np.random.Generator:
    text = f"{inputs.seed}/{distribution.kind}/{distribution.low}/{distribution.high}/{argument}"
    return np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")))


def _draw(spec: TensorSpec, distribution: Distribution, generator: np.random.Generator) -> Array:
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
