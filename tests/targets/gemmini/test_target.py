"""The Gemmini target as the rest of the program sees it."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import programs
import pytest

from autocomp.errors import ToolchainError, UsageError
from autocomp.records import Kernel, Problem, Role, Status, TensorSpec, Verdict, Work
from autocomp.targets.gemmini import _config, create
from autocomp.targets.gemmini._simulator import settings

_KERNEL = """
void solution(int8_t A[64][32], int8_t B[32][48], int8_t C[64][48]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(32, 1.0f, 16, 0);
  config_ld(48, 1.0f, 16, 1);
  config_st(48);
  for (int k = 0; k < 2; k++) mvin2(B[16 * k], 4096 + 48 * k, 48, 16);
  for (int i = 0; i < 4; i++) {
    mvin(A[16 * i], 32 * i, 32, 16);
    for (int j = 0; j < 3; j++) {
      uint32_t sum = 0x80000000u + 16 * (3 * i + j);
      for (int k = 0; k < 2; k++) {
        preload(4096 + 48 * k + 16 * j, k ? sum | 0x40000000u : sum, 16, 16, 16, 16);
        compute_preloaded(32 * i + 16 * k, GARBAGE_ADDR, 16, 16, 16, 16);
      }
      mvout(&C[16 * i][16 * j], sum, 16, 16);
    }
  }
  fence();
}
"""


def _matmul(m: int = 64, n: int = 48, k: int = 32) -> Problem:
    arguments = (
        TensorSpec("A", "int8", (m, k), Role.INPUT),
        TensorSpec("B", "int8", (k, n), Role.INPUT),
        TensorSpec("C", "int8", (m, n), Role.OUTPUT),
    )
    work = Work(m * n * k, m * k + k * n + m * n)
    return Problem(
        "p", "matmul", {"M": m, "N": n, "K": k}, "solution", arguments, lambda i: {}, Kernel("start", _KERNEL), {}, (),
        {}, work,
    )  # fmt: skip


def _inputs() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    return {
        "A": random.integers(-128, 128, (64, 32)).astype(np.int8),
        "B": random.integers(-128, 128, (32, 48)).astype(np.int8),
    }


def _expected(inputs: dict[str, np.ndarray]) -> np.ndarray:
    return np.clip(inputs["A"].astype(int) @ inputs["B"].astype(int), -128, 127).astype(np.int8)


@pytest.mark.parametrize("compiler", programs.COMPILERS)
@pytest.mark.parametrize("memory", ["ideal", "ddr3"])
def test_build_run_measure(compiler: str, memory: str) -> None:
    programs.skip_unless_installed(compiler)
    target = create({"memory": memory, "toolchain": {"compiler": compiler}})
    problem, inputs = _matmul(), _inputs()
    assert target.check(problem, _KERNEL) is None
    artifact = target.build(problem, _KERNEL)
    assert not isinstance(artifact, Verdict)
    artifact = pickle.loads(pickle.dumps(artifact))
    run = target.run(problem, artifact, inputs)
    measured = target.measure(problem, artifact, inputs, timeline=True)
    for execution in (run, measured):
        assert execution.verdict is None
        np.testing.assert_array_equal(execution.outputs["C"], _expected(inputs))
    assert run.measurement is None
    measurement = measured.measurement
    assert measurement is not None
    assert measurement.unit == "cycles"
    assert memory in measurement.method
    assert target.ideal(problem).latency <= measurement.latency < 10_000
    assert measurement.counters["commands_load"] == 6
    assert measurement.counters["commands_compute"] == 24
    assert measurement.counters["bytes_loaded"] == 64 * 32 + 32 * 48
    assert measurement == target.measure(problem, artifact, inputs).measurement
    if measured.timeline:
        assert {span.unit for span in measured.timeline} <= {"core", "load", "execute", "store"}
        assert all(0 <= span.start <= span.end <= measurement.latency for span in measured.timeline)
        stores = [span.line for span in measured.timeline if span.label == "mvout"]
        assert stores == [16] * 12
    sentences = target.feedback(problem, measurement)
    assert "roof" in sentences[0]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("int x;", "does not define a function 'solution'"),
        ("void solution(int8_t A[64][32]) {}", "takes 1 parameters; the problem passes 3: A, B, C"),
        ("void solution(void)\n{}", "takes 0 parameters"),
        ("// void solution(int a, int b, int c) {}\nint y;", "does not define"),
        ('#include "/etc/passwd"\nvoid solution(int8_t *a, int8_t *b, int8_t *c) {}', "only include the headers"),
        ("#define X </etc/passwd>\n#include X\nvoid solution(int8_t *a, int8_t *b, int8_t *c) {}", "only include"),
        ('  # include "a/../../x.h"\nvoid solution(int8_t *a, int8_t *b, int8_t *c) {}', "only include"),
        ('  /* */ # /* */ include "/etc/passwd"\n', "only include"),
        ('%:include "/etc/passwd"\n', "only include"),
        ('#inc\\\nlude "/etc/passwd"\n', "only include"),
        ('#include_next "/etc/passwd"\n', "only include"),
        ('#if __has_include("/etc/passwd")\n#endif\n', "may not ask for files"),
        ('#pragma GCC dependency "/etc/passwd"\n', "may not ask for files"),
    ],
)
def test_check_refuses(code: str, message: str) -> None:
    verdict = create({}).check(_matmul(), code)
    assert verdict is not None
    assert verdict.status is Status.CHECK_FAILED
    assert message in verdict.message


@pytest.mark.parametrize(
    "code",
    [
        _KERNEL,
        '#include <stdint.h>\n#include "include/gemmini.h"\nvoid solution(int8_t (*a)[32], int8_t b[], int8_t *c) {}',
        "void solution(int8_t *, int8_t *, int8_t *);\nvoid solution(int8_t *a, int8_t *b, int8_t *c)\n{\n}",
        "#define BODY(n) void solution(int8_t *a, int8_t *b, int8_t *c)\nBODY(1) {}",
        "static void f(void (*g)(int, int)) {}\nvoid solution(int8_t *a /* , x */, int8_t *b, int8_t *c) { f(0); }",
    ],
)
def test_check_accepts(code: str) -> None:
    assert create({}).check(_matmul(), code) is None


def test_build_failures_are_verdicts() -> None:
    target = create({})
    verdict = target.build(_matmul(), "void solution(int8_t *a, int8_t *b, int8_t *c) {\n  a[0] = ;\n}\n")
    assert isinstance(verdict, Verdict)
    assert verdict.status is Status.BUILD_FAILED
    assert verdict.message.startswith("line 2: ")
    hidden = target.build(_matmul(), "static void solution(int8_t *a, int8_t *b, int8_t *c) {}\n")
    assert isinstance(hidden, Verdict)
    assert "static" in hidden.message


def test_ideal_is_the_higher_roof() -> None:
    target = create({})
    compute = target.ideal(_matmul(512, 512, 512))
    assert (compute.latency, compute.bound) == (524_288, "compute")
    memory = target.ideal(_matmul(512, 512, 16))
    assert memory.bound == "memory"
    # Stores leave on the channel that also takes one request for each line loaded.
    assert memory.latency == 512 * 512 / 16 + 512 * 16 * 2 / 64
    narrow = create({"simulator": {"dim": 8, "bus_bytes": 8}})
    assert narrow.ideal(_matmul(512, 512, 512)).latency == 524_288 * 4
    assert narrow.ideal(_matmul(512, 512, 8)).latency == 512 * 512 / 8 + 512 * 8 * 2 / 64


def test_fingerprint_tells_configurations_apart() -> None:
    settings: list[dict[str, object]] = [
        {}, {"memory": "ddr3"}, {"simulator": {"reservation_load_entries": 4}}, {"limits": {"cycles": 10}},
    ]  # fmt: skip
    settings += [{"toolchain": {"compiler": name}} for name in programs.installed()[1:]]
    fingerprints = [create(table).fingerprint() for table in settings]
    assert len(set(fingerprints)) == len(settings)
    assert fingerprints == [create(table).fingerprint() for table in settings]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"memory": "ddr5"}, "targets.gemmini.memory = 'ddr5': must be one of ideal, ddr3"),
        ({"memroy": "ddr3"}, "did you mean 'memory'"),
        ({"toolchain": {"compilr": "gcc"}}, "did you mean 'compiler'"),
        ({"toolchain": "gcc"}, "must be a table"),
        ({"simulator": {"dimm": 8}}, "did you mean 'dim'"),
        ({"simulator": {"dim": "8"}}, "must be of type int"),
        ({"limits": {"cycles": -1}}, "greater than zero"),
        ({"limits": {"least": 0}}, "greater than zero"),
        ({"limits": {"cycles": 99999999999999999999}}, "at most 1,000,000,000,000,000"),
        ({"toolchain": {"seconds": float("nan")}}, "seconds = nan: must be greater than zero"),
        ({"toolchain": {"seconds": float("inf")}}, "seconds = inf: must be greater than zero and at most"),
        ({"simulator": {"dim": 1}}, r"targets.gemmini.simulator.dim = 1: must lie in 4 to 64"),
        ({"simulator": {"dim": 12}}, r"targets.gemmini.simulator.dim = 12: must be a power of two from 4 to 64"),
        ({"simulator": {"dim": 1 << 70}}, "too large"),
        ({"simulator": {"bus_bytes": 24}}, "bus_bytes = 24: must be a power of two"),
        ({"chip": "int8-8x8"}, "targets.gemmini.chip = 'int8-8x8': must be one of float32-4x4, int8-16x16, int8-32x32"),
        ({"chip": 16}, "targets.gemmini.chip = 16: must be one of"),
        ({"simulator": {"max_block_bytes": 128}}, "may not exceed a line of l2_line_bytes = 64"),
        ({"simulator": {"core_btb_entries": 0}}, "core_btb_entries = 0: must lie in 1 to 254"),
        ({"simulator": {"scratchpad_bank_rows": 1 << 20, "dim": 64}}, "would exceed 64 MiB"),
        ({"limits": {"cycles": True}}, "must be of type int"),
    ],
)
def test_wrong_settings(settings: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        create(settings)


def test_named_sizes_are_the_simulator_s_own() -> None:
    own = settings()
    for name, value in _config.load().simulator.items():
        assert own[name][0] == value, name


def test_description_follows_the_sizes() -> None:
    small = {"dim": 8, "bus_bytes": 8, "scratchpad_banks": 2, "reservation_load_entries": 5, "l2_ways": 4}
    described = create({"simulator": small}).describe()
    chip, memories, units = described["chip"], described["memories"], described["units"]
    assert chip["name"].startswith("Gemmini, 8x8 int8")
    assert chip["peak_multiply_accumulates_per_cycle"] == 64
    assert chip["load_bytes_per_cycle"] == chip["store_bytes_per_cycle"] == 8
    assert chip["clock_hz"] == 1_000_000_000
    by_name = {memory["name"]: memory for memory in memories}
    assert (by_name["scratchpad"]["bytes"], by_name["scratchpad"]["banks"]) == (262_144, 2)
    assert (by_name["accumulator"]["bytes"], by_name["accumulator"]["row_bytes"]) == (65_536, 32)
    assert (by_name["L2"]["bytes"], by_name["L2"]["ways"]) == (262_144, 4)
    assert "5 reservation entries" in units[0]["note"]
    assert "8 rows per step" in units[1]["note"]


def test_method_names_the_compiler() -> None:
    names = {"gcc": r"riscv64-\S+-gcc \d+\.\d+", "clang": r"clang\S* \d+\.\d+", "zig": r"zig \d+\.\d+"}
    for compiler in programs.installed():
        target = create({"toolchain": {"compiler": compiler}, "memory": "ddr3"})
        artifact = target.build(_matmul(), _KERNEL)
        assert not isinstance(artifact, Verdict)
        measurement = target.measure(_matmul(), artifact, _inputs()).measurement
        assert measurement is not None
        assert re.fullmatch(rf"simulated cycles \(ddr3 memory, {names[compiler]}\S*\)", measurement.method)


def test_doctor_never_raises(tmp_path: Path) -> None:
    assert all(finding.ok for finding in create({}).doctor())
    findings = create({"toolchain": {"compiler": str(tmp_path / "gcc")}}).doctor()
    bad = [finding for finding in findings if not finding.ok]
    assert [finding.fix for finding in bad] == ["pip install ziglang"]
    with pytest.raises(ToolchainError):
        create({"toolchain": {"compiler": str(tmp_path / "gcc")}}).build(_matmul(), _KERNEL)


def test_description_and_knowledge() -> None:
    target = create({})
    assert {"chip", "memories", "units", "memory", "compiler"} <= set(target.describe())
    knowledge = target.knowledge()
    assert knowledge.architecture
    assert {"mvin", "mvout", "compute"} <= set(knowledge.isa)


def test_smaller_array() -> None:
    target = create({"simulator": {"dim": 8}})
    code = """
void solution(int8_t A[64][32], int8_t B[32][48], int8_t C[64][48]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(32, 1.0f, DIM, 0);
  config_ld(48, 1.0f, DIM, 1);
  config_st(48);
  for (int i = 0; i < 64; i += DIM) for (int j = 0; j < 48; j += DIM) {
    for (int k = 0; k < 32; k += DIM) {
      mvin(&A[i][k], k, DIM, DIM);
      mvin2(&B[k][j], BANK_ROWS + k, DIM, DIM);
      preload(BANK_ROWS + k, k ? 0xc0000000u : 0x80000000u, DIM, DIM, DIM, DIM);
      compute_preloaded(k, GARBAGE_ADDR, DIM, DIM, DIM, DIM);
    }
    mvout(&C[i][j], 0x80000000u, DIM, DIM);
  }
  fence();
}"""
    artifact = target.build(_matmul(), code)
    assert not isinstance(artifact, Verdict)
    inputs = _inputs()
    execution = target.measure(_matmul(), artifact, inputs)
    assert execution.verdict is None, execution.verdict
    np.testing.assert_array_equal(execution.outputs["C"], _expected(inputs))


def test_scalar_arguments_and_zero_filled_statics() -> None:
    arguments = (
        TensorSpec("n", "int32", (), Role.INPUT),
        TensorSpec("f", "float32", (), Role.INPUT),
        TensorSpec("out", "float64", (3,), Role.OUTPUT),
    )
    problem = Problem(
        "s", "other", {}, "solution", arguments, lambda i: {}, Kernel("start", ""), {}, (), {}, Work(3, 24)
    )
    code = """
static double kept[3];
void solution(int n, float f, double *out) { for (int i = 0; i < 3; i++) out[i] = kept[i] += n * f + i; }
"""
    target = create({})
    artifact = target.build(problem, code)
    assert not isinstance(artifact, Verdict)
    for _ in range(2):  # the second run finds fresh memory
        execution = target.run(problem, artifact, {"n": np.array(-4, np.int32), "f": np.array(0.5, np.float32)})
        assert execution.outputs["out"].tolist() == [-2.0, -1.0, 0.0]


def test_timeline_tells_work_from_waiting() -> None:
    """Four tiles of A against one of B: 16 rows each, loads of 16 bytes a cycle, and a core that waits at the fence."""
    problem = _matmul()
    code = """
void solution(int8_t A[64][32], int8_t B[32][48], int8_t C[64][48]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(32, 1.0f, 16, 0);
  config_ld(48, 1.0f, 16, 1);
  config_st(48);
  mvin2(B, 4096, 16, 16);
  for (int i = 0; i < 64; i += 16) {
    mvin(&A[i][0], i, 16, 16);
    preload(4096, 0x80000000u + i, 16, 16, 16, 16);
    compute_preloaded(i, 0xffffffffu, 16, 16, 16, 16);
    mvout(&C[i][0], 0x80000000u + i, 16, 16);
  }
  fence();
}"""
    target = create({})
    artifact = target.build(problem, code)
    assert not isinstance(artifact, Verdict)
    execution = target.measure(problem, artifact, _inputs(), timeline=True)
    assert execution.measurement is not None
    latency = execution.measurement.latency
    work = {unit: [span.work for span in execution.timeline if span.unit == unit] for unit in ("load", "store")}
    assert work == {"load": [16.0] * 5, "store": [16.0] * 4}
    array = [span.work for span in execution.timeline if span.unit == "execute"]
    # Sixteen rows for each of four products, and as many for a preload that no product overlaps: one at least.
    assert 16 * 5 <= sum(item for item in array if item is not None) <= 16 * 8
    core = [span for span in execution.timeline if span.unit == "core"]
    assert all(span.work == span.end - span.start for span in core)
    assert sum(span.end - span.start for span in core) == pytest.approx(
        latency
        - execution.measurement.counters["core_command_stall"]
        - execution.measurement.counters["core_fence_stall"],
        abs=2 + len(core),
    )
    assert max(span.end for span in execution.timeline) <= latency
