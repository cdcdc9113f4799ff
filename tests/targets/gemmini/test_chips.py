"""Chips of other sizes and types: the same kernel, compiled for each, is right on each and refused by the others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from isa_numbers import fused_multiply_add

from autocomp.errors import UsageError
from autocomp.records import Kernel, Problem, Role, Status, TensorSpec, Verdict, Work
from autocomp.targets.gemmini import _config, create

# C = A B with whatever DIM the header says, for sizes that are multiples of it.
_KERNEL = """
void solution(elem_t A[SIZE][SIZE], elem_t B[SIZE][SIZE], elem_t C[SIZE][SIZE]) {
  const size_t row = SIZE * sizeof(elem_t);
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(row, 1.0f, DIM, 0);
  config_ld(row, 1.0f, DIM, 1);
  config_st(row);
  const int tiles = SIZE / DIM;
  for (int i = 0; i < tiles; i++)
    for (int k = 0; k < tiles; k++) {
      mvin(&A[i * DIM][k * DIM], (i * tiles + k) * DIM, DIM, DIM);
      mvin2(&B[i * DIM][k * DIM], BANK_ROWS + (i * tiles + k) * DIM, DIM, DIM);
    }
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j < tiles; j++) {
      uint32_t sum = 0x80000000u + (i * tiles + j) * DIM;
      for (int k = 0; k < tiles; k++) {
        preload(BANK_ROWS + (k * tiles + j) * DIM, k ? sum | 0x40000000u : sum, DIM, DIM, DIM, DIM);
        compute_preloaded((i * tiles + k) * DIM, GARBAGE_ADDR, DIM, DIM, DIM, DIM);
      }
      mvout(&C[i * DIM][j * DIM], sum, DIM, DIM);
    }
  fence();
}
"""

_CHIPS: list[Mapping[str, object]] = [
    {},
    {"chip": "int8-32x32"},
    {"chip": "float32-4x4"},
    {"simulator": {"dim": 4}},
    {"simulator": {"dim": 8}},
    {"simulator": {"dim": 64}},
    {"chip": "float32-4x4", "simulator": {"dim": 8}},
    {"chip": "float32-4x4", "simulator": {"dim": 16, "scratchpad_banks": 2}},
]


def _problem(dtype: str, size: int) -> Problem:
    shape = (size, size)
    roles = {"A": Role.INPUT, "B": Role.INPUT, "C": Role.OUTPUT}
    arguments = tuple(TensorSpec(name, dtype, shape, role) for name, role in roles.items())
    work = Work(size**3, 3 * size**2 * np.dtype(dtype).itemsize)
    return Problem("p", "matmul", {}, "solution", arguments, lambda i: {}, Kernel("start", ""), {}, (), {}, work)


def _code(size: int) -> str:
    return f"#define SIZE {size}\n{_KERNEL}"


def _inputs(dtype: str, size: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)
    if dtype == "float32":
        return {name: random.normal(size=(size, size)).astype(np.float32) for name in "AB"}
    return {name: random.integers(-9, 10, (size, size)).astype(np.int8) for name in "AB"}


def _expected(inputs: Mapping[str, np.ndarray], dim: int) -> np.ndarray:
    """Integers saturate. Floats: in each tile one fused multiply-add per k from zero, the tiles' sums added in turn."""
    a, b = inputs["A"], inputs["B"]
    if a.dtype == np.int8:
        return np.clip(a.astype(int) @ b.astype(int), -128, 127).astype(np.int8)
    total = np.zeros_like(a)
    for tile in range(0, len(a), dim):
        part = np.zeros_like(a)
        for k in range(tile, tile + dim):
            part = fused_multiply_add(a[:, k : k + 1], b[k : k + 1], part)
        total = part if tile == 0 else total + part
    return total


@pytest.mark.parametrize("settings", _CHIPS, ids=str)
def test_the_same_kernel_on_every_chip(settings: Mapping[str, object]) -> None:
    target = create(settings)
    config = _config.load(settings)
    problem = _problem(config.elements, 64)
    artifact = target.build(problem, _code(64))
    assert not isinstance(artifact, Verdict)
    inputs = _inputs(config.elements, 64)
    measured = target.measure(problem, artifact, inputs)
    assert measured.verdict is None
    np.testing.assert_array_equal(measured.outputs["C"], _expected(inputs, config.dim))
    assert measured.measurement is not None
    assert target.ideal(problem).latency < measured.measurement.latency
    assert measured.measurement.counters["multiply_accumulates"] == 64**3


def test_sizes_of_the_chips() -> None:
    """256 and 64 KiB on each, whatever the array; commands take what fits into a request of 64 bytes."""
    for settings in _CHIPS:
        config = _config.load(settings)
        by_name = {memory["name"]: memory for memory in config.description["memories"]}
        assert by_name["scratchpad"]["bytes"] == 256 << 10
        assert by_name["accumulator"]["bytes"] == 64 << 10
    single = _config.load({"chip": "float32-4x4"})
    sizes = single.simulator
    assert (sizes["scratchpad_bank_rows"], sizes["accumulator_banks"], sizes["accumulator_bank_rows"]) == (
        4096,
        1,
        4096,
    )
    assert "float32" in single.description["chip"]["name"]
    header = single.parameters_header()
    assert "typedef float elem_t;" in header
    assert "#define ELEM_T_IS_FLOAT" in header
    assert _config.load({"simulator": {"dim": 8, "accumulator_bank_rows": 64}}).simulator["accumulator_bank_rows"] == 64


def test_programs_of_another_chip_are_refused() -> None:
    programs = {}
    for name in _config.chips():
        problem = _problem(_config.load({"chip": name}).elements, 32)
        programs[name] = problem, create({"chip": name}).build(problem, _code(32))
    for name in programs:
        for other, (problem, artifact) in programs.items():
            assert not isinstance(artifact, Verdict)
            inputs = _inputs(problem.arguments[0].dtype, 32)
            verdict = create({"chip": name}).run(problem, artifact, inputs).verdict
            if name == other:
                assert verdict is None
                continue
            assert verdict is not None
            assert verdict.status is Status.BUILD_FAILED
            dims = [_config.load({"chip": chip}).dim for chip in (other, name)]
            assert "compiled for another chip" in verdict.message
            assert "dim = {} instead of {}".format(*dims) in verdict.message


def test_banks_of_another_size_are_another_chip() -> None:
    """The library lays pooled sums out by the rows of a bank, so those of the whole accumulator do not suffice."""
    rows = int(_config.load({}).simulator["accumulator_bank_rows"])
    banks = {"simulator": {"accumulator_banks": 4, "accumulator_bank_rows": rows // 2}}
    problem = _problem("int8", 32)
    artifact = create({}).build(problem, _code(32))
    assert not isinstance(artifact, Verdict)
    verdict = create(banks).run(problem, artifact, _inputs("int8", 32)).verdict
    assert verdict is not None
    assert f"accumulator_bank_rows = {rows} instead of {rows // 2})" in verdict.message


def test_floats_on_an_integer_chip() -> None:
    """The core may compute what the array cannot."""
    code = """
void solution(float A[8][8], float B[8][8], float C[8][8]) {
  for (int i = 0; i < 64; i++) C[0][i] = A[0][i] + B[0][i];
}"""
    target, problem = create({}), _problem("float32", 8)
    artifact = target.build(problem, code)
    assert not isinstance(artifact, Verdict)
    inputs = _inputs("float32", 8)
    np.testing.assert_array_equal(target.run(problem, artifact, inputs).outputs["C"], inputs["A"] + inputs["B"])


def test_time_follows_the_array() -> None:
    """Alone, a step takes as long as rows need to pass the array; in a row, as long as they need to enter it."""
    code = """
void solution(elem_t A[64][64], elem_t B[64][64], elem_t C[64][64]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(64, 1.0f, DIM, 0);
  mvin(A, 0, DIM, DIM);
  mvin(B, BANK_ROWS, DIM, DIM);
  fence();
  for (int i = 0; i < PAIRS; i++) {
    preload(BANK_ROWS, 0x80000000u, DIM, DIM, DIM, DIM);
    compute_preloaded(0, GARBAGE_ADDR, DIM, DIM, DIM, DIM);
  }
  fence();
}"""

    def cycles(settings: Mapping[str, object], pairs: int) -> float:
        target = create(settings)
        dtype = _config.load(settings).elements
        problem = _problem(dtype, 64)
        artifact = target.build(problem, f"#define PAIRS {pairs}\n{code}")
        assert not isinstance(artifact, Verdict)
        measurement = target.measure(problem, artifact, _inputs(dtype, 64)).measurement
        assert measurement is not None
        return measurement.latency

    for dim in (16, 32, 64):
        settings = {"simulator": {"dim": dim}}
        assert cycles(settings, 96) - cycles(settings, 64) == 32 * dim
    # One pass each for weights and rows, and the way through: 2 dim - 1 cells of so many registers each.
    base = cycles({"simulator": {"dim": 32}}, 1) - cycles({"simulator": {"dim": 32}}, 0)
    twice = cycles({"simulator": {"dim": 64}}, 1) - cycles({"simulator": {"dim": 64}}, 0)
    slow = {"dim": 32, "tile_latency": 2}
    deep = cycles({"simulator": slow}, 1) - cycles({"simulator": slow}, 0)
    assert twice - base == 4 * 32
    assert deep - base == 2 * 63


def test_unknown_chip() -> None:
    with pytest.raises(UsageError, match="must be one of float32-4x4, int8-16x16, int8-32x32"):
        create({"chip": "int4-16x16"})
