"""Random legal loop nests compute what NumPy computes, and take the same cycles every time."""

from __future__ import annotations

from random import Random

import loop_nests
import numpy as np
import pytest

from autocomp.records import Kernel, Problem, Role, TensorSpec, Verdict, Work
from autocomp.targets import Execution
from autocomp.targets.gemmini import create

MAKERS = {"gemm": loop_nests.gemm, "conv": loop_nests.conv}
FAST, ALL = 12, 72


def problem(nest: loop_nests.Nest) -> Problem:
    arguments = [TensorSpec(item.name, item.dtype, item.shape, Role.INPUT) for item in nest.inputs]
    arguments.append(TensorSpec(nest.output.name, nest.output.dtype, nest.output.shape, Role.OUTPUT))
    start = Kernel("start", "")
    work = Work(1 << 20, 1 << 20)
    return Problem("nest", "other", {}, "solution", tuple(arguments), lambda inputs: {}, start, {}, (), {}, work)


def measured(nest: loop_nests.Nest, arrays: dict[str, np.ndarray], memory: str) -> Execution:
    target = create({"memory": memory})
    artifact = target.build(problem(nest), nest.code)
    assert not isinstance(artifact, Verdict), artifact.message
    execution = target.measure(problem(nest), artifact, arrays, timeline=True)
    assert execution.verdict is None, execution.verdict.message + "\n" + nest.code
    return execution


def check(kind: str, seed: int) -> None:
    random = Random(seed)
    nest = MAKERS[kind](random)
    generator = np.random.default_rng(seed)
    span = random.choice([3, 128])
    arrays = {
        item.name: generator.integers(-span, span, item.shape, dtype=np.int8, endpoint=span < 128)
        for item in nest.inputs
    }
    memory = random.choice(["ideal", "ddr3"])
    first, second = measured(nest, arrays, memory), measured(nest, arrays, memory)
    np.testing.assert_array_equal(first.outputs[nest.output.name], nest.expected(arrays), err_msg=nest.code)
    assert first.measurement == second.measurement
    assert first.timeline == second.timeline
    # Values cannot change when anything happens.
    zeros = measured(nest, {name: np.zeros_like(array) for name, array in arrays.items()}, memory)
    assert zeros.timeline == first.timeline


@pytest.mark.parametrize("kind", list(MAKERS))
@pytest.mark.parametrize("seed", range(FAST))
def test_nest(kind: str, seed: int) -> None:
    check(kind, seed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(MAKERS))
def test_more_nests(kind: str) -> None:
    for seed in range(FAST, ALL):
        check(kind, seed)
