"""The packaged kernels on the accelerator they are written for."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autocomp.errors import SetupError
from autocomp.problems import load, packaged, scaffold
from autocomp.problems._sample import sample
from autocomp.records import Problem
from autocomp.targets import Artifact, Execution, Target, create

RIVALS = ("hand-tuned", "double-buffered", "library", "hardware-loop")
SMALL, LARGE = 5e7, 3e8
"""Multiply-accumulates up to which every kernel runs, and up to which any does; benchmarks run the rest."""
GEMMS = [load(entry.locator) for entry in packaged() if entry.operator == "matmul"]
PACKAGED = [problem.locator for problem in GEMMS if problem.work.operations < LARGE]
OTHERS = ["gemm:1x1x1", "gemm:5x17x3:bias", "gemm:20x100x70:bias:relu", "gemm:17x300x200:relu:scale=0.3"]
CHUNKED = ["gemm:40x40x4500:bias", "gemm:272x70x2112:scale=0.01"]


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
    np.testing.assert_array_equal(execution.outputs["C"], problem.reference(inputs)["C"])
    return execution


@pytest.mark.parametrize("locator", PACKAGED + OTHERS + CHUNKED)
def test_right_and_counted(gemmini: Target, emulate: Callable[..., Any], locator: str) -> None:
    problem = load(locator)
    inputs = sample(problem, problem.distributions[0], np.random.default_rng(0))
    latencies = []
    for kernel in ("start", *RIVALS[: None if problem.work.operations < SMALL else 1]):
        measurement = execute(gemmini, problem, kernel, 0).measurement
        assert measurement is not None
        if kernel != "hardware-loop":
            counted = emulate(problem, problem.start.code if kernel == "start" else problem.rivals[kernel].code, inputs)
            assert measurement.counters["commands_load"] == counted.loads + counted.zero_loads
            assert measurement.counters["commands_store"] == counted.stores
        latencies.append(measurement.latency)
    if locator in PACKAGED:
        assert all(latency < latencies[0] for latency in latencies[1:3]), "a rival is not worth beating"


@pytest.mark.parametrize("distribution", range(5))
@pytest.mark.parametrize("locator", ["gemm:100x70x50", "gemm:33x47x129:bias", "gemm:64x64x64:relu:scale=0.05"])
def test_right_on_every_distribution(gemmini: Target, locator: str, distribution: int) -> None:
    for kernel in ("start", *RIVALS):
        execute(gemmini, load(locator), kernel, distribution)


def test_a_scaffolded_folder_runs_unmodified(gemmini: Target, tmp_path: Path) -> None:
    scaffold(tmp_path / "mine", template="gemm:96x160x48:bias")
    execute(gemmini, load(tmp_path / "mine"), "start", 1)
