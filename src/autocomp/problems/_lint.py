"""Warnings about a problem that is well-formed and yet tests little."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from autocomp.problems._reference import is_float
from autocomp.problems._sample import draw, sample
from autocomp.records import Array, Distribution, Problem, TensorSpec, Tolerance

Numbers = npt.NDArray[np.float64]

_SATURATED_SHARE = 0.9
_SEED = 20240613


def lint(problem: Problem) -> tuple[str, ...]:
    """What would let a wrong kernel pass, as sentences; empty if nothing was found.

    Runs the reference a few times for every distribution. Raises ProblemError if the reference does not run.
    """
    drawn = []
    for index, distribution in enumerate(problem.distributions):
        generator = np.random.default_rng([_SEED, index])
        inputs = sample(problem, distribution, generator)
        drawn.append((distribution, inputs, problem.reference(inputs)))
    first_inputs, first_outputs = drawn[0][1], drawn[0][2]
    warnings = []
    if any(not _equal(first_outputs[name], again) for name, again in problem.reference(first_inputs).items()):
        warnings.append("the reference gives different outputs for the same inputs: remove what is random in it")
    warnings += [
        f"no output depends on input {spec.name!r}: a kernel that never reads it would pass"
        for spec in problem.inputs
        if not any(_matters(problem, spec, *item) for item in drawn)
    ]
    for spec in problem.outputs:
        warnings += _lint_output(spec, problem.tolerances[spec.dtype], [item[2][spec.name] for item in drawn])
    if not re.search(rf"\b{re.escape(problem.entry)}\b", problem.start.code):
        warnings.append(f"the start kernel does not mention the entry point {problem.entry!r}")
    return tuple(warnings)


def _matters(
    problem: Problem,
    spec: TensorSpec,
    distribution: Distribution,
    inputs: Mapping[str, Array],
    outputs: Mapping[str, Array],
) -> bool:
    changed = {**inputs, spec.name: draw(spec, distribution, np.random.default_rng([_SEED, 1, 2]))}
    again = problem.reference(changed)
    return any(not _equal(outputs[name], array) for name, array in again.items())


def _lint_output(spec: TensorSpec, tolerance: Tolerance, outputs: list[Array]) -> list[str]:
    values = [_numbers(output) for output in outputs]
    where = f"output {spec.name!r}"
    if any(not np.isfinite(value).all() for value in values):
        return [f"{where} has NaN or infinity in the reference: change the distributions or the reference"]
    if spec.nbytes > np.dtype(spec.dtype).itemsize and all(value.min() == value.max() for value in values):
        return [f"{where} is the same number everywhere, for every distribution: a kernel could just write it"]
    warnings = []
    if (tolerance.absolute or tolerance.relative) and all(_passes(value, tolerance) for value in values):
        warnings.append(
            f"the tolerance of {spec.dtype} (absolute {tolerance.absolute:g}, relative {tolerance.relative:g}) is "
            f"wider than {where} itself: a kernel that writes one number everywhere would pass"
        )
    if not is_float(np.dtype(spec.dtype)):
        limits = np.iinfo(spec.dtype)
        shares = [float(np.mean((value == limits.min) | (value == limits.max))) for value in values]
        if min(shares) > _SATURATED_SHARE:
            warnings.append(
                f"{where} is nearly all {limits.min} and {limits.max}, for every distribution: errors hide behind "
                'saturation; add a narrow one, such as kind = "uniform", low = -2, high = 2'
            )
    return warnings


def _passes(value: Numbers, tolerance: Tolerance) -> bool:
    """True if one number, zero or the middle, would be accepted for all of ``value``."""
    allowed = tolerance.absolute + tolerance.relative * np.abs(value)
    middle = (value.min() + value.max()) / 2
    return any(bool((np.abs(value - constant) <= allowed).all()) for constant in (0.0, middle))


def _numbers(array: Array) -> Numbers:
    return array.astype(np.float64)


def _equal(first: Array, second: Array) -> bool:
    return bool(np.array_equal(_numbers(first), _numbers(second), equal_nan=True))
