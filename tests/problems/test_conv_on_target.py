"""The packaged convolutions on the accelerator they are written for."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autocomp.errors import SetupError
from autocomp.problems import load, packaged, scaffold
from autocomp.problems._sample import sample
from autocomp.records import Problem
from autocomp.targets import Artifact, Execution, Target, create

KERNELS = ("start", "hand-tuned")
LARGE = 5e7
"""Multiply-accumulates beyond which only benchmarks run."""
CONVOLUTIONS = [load(entry.locator) for entry in packaged() if entry.operator == "conv2d"]
PACKAGED = [problem.locator for problem in CONVOLUTIONS if problem.work.operations < LARGE]
OTHERS = [
    "conv:1x1x1x1x1:k=1",
    "conv:1x3x3x5x5:k=5:pad=2",
    "conv:1x2x7x930x20",
    "conv:1x4x5x20x300:k=2:stride=3:relu",
    "conv:1x7x7x3x64:k=7:pad=3:stride=2:pool=3/2/1:relu",
    "conv:2x8x8x20x40:pool=2/3/1:stride=2",
]


@pytest.fixture(scope="module")
def gemmini() -> Iterator[Target]:
    target = create("gemmini")
    try:
        target.fingerprint()
    except SetupError as error:
        pytest.skip(str(error))
    yield target


def execute(target: Target, problem: Problem, kernel: str, distribution: int) -> Execution:
    code = problem.start.code if kernel == "start" else problem.rivals[kernel].code
    assert target.check(problem, code) is None
    artifact = target.build(problem, code)
    assert isinstance(artifact, Artifact), artifact
    assert artifact.diagnostics == ()
    inputs = sample(problem, problem.distributions[distribution], np.random.default_rng(distribution))
    execution = target.measure(problem, artifact, inputs)
    assert execution.verdict is None
    np.testing.assert_array_equal(execution.outputs["output"], problem.reference(inputs)["output"])
    return execution


@pytest.mark.parametrize("locator", PACKAGED + OTHERS)
def test_right_and_counted(gemmini: Target, emulate: Callable[..., Any], locator: str) -> None:
    problem = load(locator)
    inputs = sample(problem, problem.distributions[0], np.random.default_rng(0))
    latencies = []
    for kernel in KERNELS:
        measurement = execute(gemmini, problem, kernel, 0).measurement
        assert measurement is not None
        code = problem.start.code if kernel == "start" else problem.rivals[kernel].code
        counted = emulate(problem, code, inputs)
        assert measurement.counters["commands_load"] == counted.loads + counted.zero_loads
        assert measurement.counters["commands_store"] == counted.stores
        assert measurement.latency > gemmini.ideal(problem).latency
        latencies.append(measurement.latency)
    if locator in PACKAGED:
        assert latencies[1] < latencies[0], "the rival is not worth beating"


@pytest.mark.parametrize("locator", PACKAGED + OTHERS)
def test_rivals_of_the_library_are_right(gemmini: Target, locator: str) -> None:
    problem = load(locator)
    for kernel in sorted(set(problem.rivals) - set(KERNELS)):
        execute(gemmini, problem, kernel, 1)


@pytest.mark.parametrize("distribution", range(1, 5))
@pytest.mark.parametrize("locator", ["conv:1x9x20x24x40:pad=1", "conv:2x10x10x20x70:stride=2:pad=1:relu:scale=0.05"])
def test_right_on_every_distribution(gemmini: Target, locator: str, distribution: int) -> None:
    for kernel in (*KERNELS, "library", "hardware-loop"):
        execute(gemmini, load(locator), kernel, distribution)


def test_a_scaffolded_folder_runs_unmodified(gemmini: Target, tmp_path: Any) -> None:
    scaffold(tmp_path / "mine", template="conv:1x5x7x6x9:pad=1:relu")
    execute(gemmini, load(tmp_path / "mine"), "start", 1)
