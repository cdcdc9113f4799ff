"""Kernels from Exo procedures on the accelerator, from recorded answers."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from autocomp.errors import SetupError
from autocomp.problems import draw, load
from autocomp.problems.exo import _folder
from autocomp.records import Problem
from autocomp.targets import Artifact, Execution, Target, create

EXO = Path(__file__).parent / "exo"


record = SimpleNamespace(**runpy.run_path(str(EXO / "record.py")))


@pytest.fixture(scope="module")
def gemmini() -> Iterator[Target]:
    target = create("gemmini")
    try:
        target.fingerprint()
    except SetupError as error:
        pytest.skip(str(error))
    yield target


def recorded(monkeypatch: pytest.MonkeyPatch, name: str) -> Problem:
    answers = json.loads(record.RECORDED.read_text(encoding="utf-8"))
    monkeypatch.setattr(_folder, "ask", lambda spec: answers[name])
    return load(record.SPECS[name].locator)


def execute(target: Target, problem: Problem, distribution: int = 0) -> Execution:
    """The start kernel, which must compute what the reference does."""
    assert target.check(problem, problem.start.code) is None
    artifact = target.build(problem, problem.start.code)
    assert isinstance(artifact, Artifact), artifact
    generator = np.random.default_rng(1)
    inputs = {spec.name: draw(spec, problem.distributions[distribution], generator) for spec in problem.inputs}
    execution = target.measure(problem, artifact, inputs)
    assert execution.verdict is None, execution.verdict
    for name, expected in problem.reference(inputs).items():
        np.testing.assert_array_equal(execution.outputs[name], expected)
    return execution


@pytest.mark.parametrize("name", ["product", "rows", "triangle", "gather", "solution"])
def test_scalar_code_is_a_start_kernel(gemmini: Target, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    execution = execute(gemmini, recorded(monkeypatch, name))
    assert execution.measurement is not None
    assert execution.measurement.counters.get("commands_load", 0) == 0


def test_scheduled_code_uses_the_accelerator(gemmini: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    measurement = execute(gemmini, recorded(monkeypatch, "scheduled")).measurement
    assert measurement is not None
    tiles = 2 * 3
    assert measurement.counters["commands_load"] == tiles * (1 + 2 * 4)  # zeros, then a tile of A and of B for each k
    assert measurement.counters["commands_compute"] == tiles * 4
    assert measurement.counters["commands_store"] == tiles
    assert measurement.counters["multiply_accumulates"] == 32 * 48 * 64
    assert measurement.counters["scratchpad_high_water_rows"] == 32  # rows that were returned are taken again


@pytest.mark.parametrize("distribution", range(4))
def test_scaled_sums_are_equal_to_the_bit(gemmini: Target, monkeypatch: pytest.MonkeyPatch, distribution: int) -> None:
    measurement = execute(gemmini, recorded(monkeypatch, "scaled"), distribution).measurement
    assert measurement is not None
    assert measurement.counters["multiply_accumulates"] == 16 * 16 * 32


ALLOCATE = """
#include "gemm_malloc.h"
#include "gemm_acc_malloc.h"
#include "library/heap.h"

void solution(const int8_t A[5][16], const int8_t B[16][8], int32_t C[5][8]) {
  int32_t *out = &C[0][0];
  uint32_t a = gemm_malloc(100 * 16), b = gemm_malloc(33), c = gemm_malloc(16);
  *out++ = a, *out++ = b, *out++ = c;                 /* 0, 100, 103 */
  gemm_free(b);
  *out++ = gemm_malloc(16 * 4);                       /* 104: four rows do not fit between */
  *out++ = gemm_malloc(16 * 3);                       /* 100: three do */
  gemm_free(a);
  *out++ = gemm_malloc(16 * (BANK_NUM * BANK_ROWS - 108)); /* 108: all the rest */
  *out++ = gemm_malloc(1);                            /* 0 */
  *out++ = gemm_acc_malloc(64 * ACC_ROWS) == 0x80000000u;
  gemm_acc_free(0x80000000u);
  *out++ = gemm_acc_malloc(1) == 0x80000000u && gemm_acc_malloc(1) == 0x80000001u;
  char *p = malloc(1000), *q = malloc(10);
  *out++ = q - p;                                     /* 1024 */
  free(p);
  *out++ = (char *)malloc(1) == p;
  free(NULL);
  for (; out < &C[0][0] + 40; out++) *out = 0;
  WHAT_IS_WRONG;
}
"""


@pytest.mark.parametrize(
    "wrong", ["", "gemm_malloc(1 << 20)", "gemm_free(1)", "gemm_acc_malloc(65)", "malloc(1 << 30)"]
)
def test_memories_are_handed_out_by_first_fit(gemmini: Target, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    problem = recorded(monkeypatch, "product")
    code = ALLOCATE.replace("WHAT_IS_WRONG", wrong or "gemmini_fence()")
    if wrong == "gemm_acc_malloc(65)":
        code = code.replace(wrong, f"gemm_acc_malloc(64 * ACC_ROWS - 64), {wrong}")
    artifact = gemmini.build(problem, code)
    assert isinstance(artifact, Artifact), artifact
    inputs = {spec.name: np.zeros(spec.shape, spec.dtype) for spec in problem.inputs}
    execution = gemmini.measure(problem, artifact, inputs)
    if wrong:
        assert execution.verdict is not None and "abort" in execution.verdict.message
        return
    assert execution.verdict is None
    told = execution.outputs["C"].ravel()[:11].tolist()
    assert told == [0, 100, 103, 104, 100, 108, 0, 1, 1, 1024, 1]
