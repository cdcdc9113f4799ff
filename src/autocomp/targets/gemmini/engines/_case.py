"""One candidate with one set of inputs, as the tools outside this process are given it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from autocomp.records import Array, Problem, Role, TensorSpec, Tolerance


@dataclass(frozen=True)
class Case:
    """What is to be run, and what should come of it."""

    source: str
    entry: str
    arguments: tuple[TensorSpec, ...]
    contents: Mapping[str, bytes]
    """What arguments hold before the call; outputs that are not named hold poison."""
    expected: Mapping[str, bytes]
    """What outputs hold afterwards, for those that must be equal to the bit: of these, digests suffice. Others are
    sent back whole."""

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """Arguments that the candidate writes, in order."""
        return tuple(spec for spec in self.arguments if spec.role is not Role.INPUT)


def is_value(spec: TensorSpec) -> bool:
    """True if the argument is passed by value."""
    return spec.shape == () and spec.role is Role.INPUT


def make_case(problem: Problem, source: str, inputs: Mapping[str, Array]) -> Case:
    """The case of ``source`` on ``inputs``. Raises whatever a broken reference raises."""
    contents = {
        spec.name: np.ascontiguousarray(inputs[spec.name], dtype=spec.dtype).tobytes()
        for spec in problem.arguments
        if spec.name in inputs
    }
    exact = [spec for spec in problem.outputs if _is_exact(problem, spec)]
    reference = problem.reference(inputs) if exact else {}
    expected = {}
    for spec in exact:
        values = np.asarray(reference[spec.name]) if spec.name in reference else None
        if values is None or values.shape != spec.shape:
            continue
        stored = np.ascontiguousarray(values.astype(spec.dtype))
        if np.array_equal(stored, values):
            expected[spec.name] = stored.tobytes()
    return Case(source, problem.entry, problem.arguments, contents, expected)


def _is_exact(problem: Problem, spec: TensorSpec) -> bool:
    tolerance = problem.tolerances.get(spec.dtype, Tolerance())
    return np.dtype(spec.dtype).kind in "biu" and not tolerance.absolute and not tolerance.relative
