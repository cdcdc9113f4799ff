"""Outputs against the reference: every kind of difference has a status of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from autocomp.records import Array, Problem, Status, TensorSpec, Tolerance, Verdict
from autocomp.targets import POISON_BYTE

_Values = npt.NDArray[Any]

_LARGEST_NORM_ERROR = 0.5
"""Share of the expected norm that the error's norm may reach: an absolute tolerance must not let zeros pass."""


def compare(
    problem: Problem, expected: Mapping[str, Array], outputs: Mapping[str, Array], label: str
) -> Verdict | None:
    """The first difference found, or None. ``label`` names the input set in the message."""
    for spec in problem.outputs:
        if spec.name not in outputs:
            return Verdict(Status.NOT_WRITTEN, f"{spec.name} was not returned on inputs {label}", inputs=label)
        tolerance = problem.tolerances.get(spec.dtype, Tolerance())
        found = _compare_one(spec, tolerance, expected[spec.name], outputs[spec.name])
        if found is not None:
            status, message = found
            return Verdict(status, f"{message}, on inputs {label}", inputs=label)
    return None


def _compare_one(
    spec: TensorSpec, tolerance: Tolerance, expected: _Values, output: _Values
) -> tuple[Status, str] | None:
    if tuple(output.shape) != spec.shape:
        return Status.WRONG_SHAPE, f"{spec.name} has shape {tuple(output.shape)} instead of {spec.shape}"
    if output.dtype != np.dtype(spec.dtype):
        return Status.WRONG_DTYPE, f"{spec.name} has dtype {output.dtype} instead of {spec.dtype}"
    if output.dtype.kind in "biu":
        wrong = output != expected
        if tolerance.absolute or tolerance.relative:
            wrong &= ~_close(output.astype(np.float64), expected.astype(np.float64), tolerance)
        if not wrong.any():
            return None
        return _explain(spec, wrong, expected, output)
    return _compare_floats(spec, tolerance, expected, output)


def _compare_floats(
    spec: TensorSpec, tolerance: Tolerance, expected: Array, output: Array
) -> tuple[Status, str] | None:
    wanted, found = expected.astype(np.float64), output.astype(np.float64)
    finite = np.isfinite(wanted)
    # Where the reference itself is infinite or NaN, the same is right and anything else is a wrong value.
    same = (wanted == found) | (np.isnan(wanted) & np.isnan(found))
    stray = finite & ~np.isfinite(found)
    wrong = np.where(finite, ~_close(found, wanted, tolerance), ~same)
    if stray.any():
        status, message = _explain(spec, stray, expected, output)
        return (status if status is Status.NOT_WRITTEN else Status.NOT_FINITE), message
    if wrong.any():
        return _explain(spec, wrong, expected, output)
    return _compare_norms(spec, tolerance, wanted[finite], found[finite])


def _close(found: _Values, wanted: _Values, tolerance: Tolerance) -> _Values:
    with np.errstate(invalid="ignore"):
        close: _Values = np.abs(found - wanted) <= tolerance.absolute + tolerance.relative * np.abs(wanted)
    return close


def _compare_norms(
    spec: TensorSpec, tolerance: Tolerance, wanted: _Values, found: _Values
) -> tuple[Status, str] | None:
    size = float(np.linalg.norm(wanted))
    error = float(np.linalg.norm(np.subtract(found, wanted)))
    # Far below the tolerance there is only rounding noise, of which nothing can be said.
    if size <= 1e-6 * tolerance.absolute * np.sqrt(wanted.size) or error <= _LARGEST_NORM_ERROR * size:
        return None
    return Status.WRONG_VALUE, (
        f"{spec.name} differs from the reference by {error / size:.0%} in norm: "
        f"every element is within the absolute tolerance {tolerance.absolute:g} only because all are small"
    )


def _explain(spec: TensorSpec, wrong: _Values, expected: _Values, output: _Values) -> tuple[Status, str]:
    count = int(np.count_nonzero(wrong))
    position = tuple(int(index) for index in np.unravel_index(int(np.argmax(wrong)), wrong.shape))
    unwritten = bool((np.ascontiguousarray(output[wrong]).view(np.uint8) == POISON_BYTE).all())
    place = f"{spec.name}[{', '.join(map(str, position))}]" if position else spec.name
    share = f"{count} of {wrong.size} elements are wrong"
    if unwritten:
        return Status.NOT_WRITTEN, f"{place} was not written, expected {expected[position]}; {share}"
    return Status.WRONG_VALUE, f"{place} is {output[position]!s}, expected {expected[position]!s}; {share}"
