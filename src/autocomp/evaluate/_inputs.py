"""Inputs that candidates are judged on, drawn from the problem's distributions."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from autocomp.problems import draw
from autocomp.records import Array, Distribution, Problem, TensorSpec


@dataclass(frozen=True)
class InputSet:
    """One set of inputs: everything that decides its values."""

    distributions: tuple[Distribution, ...]
    """One, or several that stand side by side in bands of each argument."""
    seed: int
    label: str
    """Names it in verdicts, such as ``extremes/secret 1``; shows no secret seed."""
    secret: bool = False
    """True if the seed was drawn for one run."""


@dataclass(frozen=True)
class InputPlan:
    """The input sets of one evaluation."""

    measured: tuple[InputSet, ...]
    """Run with timing, and their outputs compared; the slowest run counts."""
    checked: tuple[InputSet, ...]
    """Run for their outputs only."""


def plan_evaluation(
    distributions: tuple[Distribution, ...], public_seeds: tuple[int, ...], secret_seeds: tuple[int, ...]
) -> InputPlan:
    """With every secret seed, the first distribution on its own and all others side by side; with every public seed,
    the first distribution. The first of these sets is measured: a secret one, unless there is none, so that no code
    can know the inputs it is timed on and answer those from a table.

    Side by side because a run costs the same whatever the values are: what is wrong for large, negative or extreme
    values shows in its band. Alone, each distribution is met before a candidate is called best.
    """
    first, *others = distributions
    public = [InputSet((first,), seed, f"{_name(first)}/seed {seed}") for seed in public_seeds]
    secret = []
    for number, seed in enumerate(secret_seeds, start=1):
        secret.append(InputSet((first,), seed, f"{_name(first)}/secret {number}", secret=True))
        if others:
            name = _name(others[0]) if len(others) == 1 else "mixed"
            secret.append(InputSet(tuple(others), seed, f"{name}/secret {number}", secret=True))
    measured, *checked = (*secret, *public)
    return InputPlan((measured,), tuple(checked))


def plan_confirmation(distributions: tuple[Distribution, ...], fresh_seeds: tuple[int, ...]) -> InputPlan:
    """Measure every distribution on its own with every one of ``fresh_seeds``: a code that is fast for some inputs only
    is as fast as for the others.
    """
    measured = [
        InputSet((distribution,), seed, f"{_name(distribution)}/fresh {number}", secret=True)
        for number, seed in enumerate(fresh_seeds, start=1)
        for distribution in distributions
    ]
    return InputPlan(tuple(measured), ())


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
            array = draw(spec, inputs.distributions[0], _generator(inputs, inputs.distributions[0], spec.name))
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
        bands.append(draw(band, distribution, _generator(inputs, distribution, spec.name)))
    return np.concatenate(bands, axis=axis)


def _generator(inputs: InputSet, distribution: Distribution, argument: str) -> np.random.Generator:
    text = f"{inputs.seed}/{distribution.kind}/{distribution.low}/{distribution.high}/{argument}"
    return np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")))
