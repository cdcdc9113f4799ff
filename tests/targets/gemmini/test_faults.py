"""What would hang, trap or corrupt on hardware ends in a verdict that names the line and the reason."""

from __future__ import annotations

import numpy as np
import programs
import pytest

from autocomp.records import Kernel, Problem, Role, Status, TensorSpec, Verdict, Work
from autocomp.targets.gemmini import _config, create

_ARGUMENTS = (
    TensorSpec("A", "int8", (16, 64), Role.INPUT),
    TensorSpec("D", "int32", (16,), Role.INOUT),
    TensorSpec("C", "int8", (16, 64), Role.OUTPUT),
)
_CONFIG = (
    "config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);"
    " config_ld(64, 1.0f, 16, 0); config_ld(64, 1.0f, 16, 1); config_ld(0, 1.0f, 16, 2); config_st(64);"
)


def problem() -> Problem:
    kernel = Kernel("start", "")
    return Problem(
        "faults", "other", {}, "solution", _ARGUMENTS, lambda inputs: {}, kernel, {}, (), {}, Work(256, 2112)
    )


def inputs() -> dict[str, np.ndarray]:
    return {"A": np.ones((16, 64), np.int8), "D": np.arange(16, dtype=np.int32)}


def verdict_of(
    statement: str, *, timing: bool = True, settings: dict[str, object] | None = None, before: str = ""
) -> Verdict:
    """The verdict on a kernel whose fourth line is ``statement``."""
    target = create(settings)
    head = "void solution(int8_t A[16][64], int32_t D[16], int8_t C[16][64])"
    code = f"{before}\n{head} {{\n  {_CONFIG}\n  {statement}\n}}\n"
    artifact = target.build(problem(), code)
    assert not isinstance(artifact, Verdict), artifact
    run = target.measure if timing else target.run
    verdict = run(problem(), artifact, inputs()).verdict
    assert verdict is not None
    return verdict


_CASES = {
    "core reads outside": ("D[0] = ((volatile int8_t *)A)[-4096];", "outside every array", "A"),
    "core reads past the end": ("D[0] = ((volatile int8_t *)C)[16 * 64];", "outside every array", "C"),
    "core writes an input": ("((volatile int8_t *)A)[3] = 1;", "read-only A", "offset 3"),
    "core reads null": ("D[0] = *(volatile int8_t *)D[0];", "outside every array", "0x0"),
    "core writes code": ("*(volatile int32_t *)0x80000000ul = 0;", "read-only code", "offset 0"),
    "mvin outside": ("mvin(&A[0][0] - 64, 0, 64, 16); fence();", "outside every array", "A"),
    "mvin past the end": ("mvin(&C[1][0], 0, 64, 16); fence();", "outside every array", "C"),
    "mvout over an input": ("mvout(&A[0][0], 0, 16, 16); fence();", "read-only A", "offset 0"),
    "mvin of what an mvout writes": (
        "mvin3(0, 0x80000000u, 16, 16); mvout(&C[0][0], 0x80000000u, 16, 16); mvin(&C[8][0], 0, 16, 4); fence();",
        "mvout since the last fence writes", "in its row 0",
    ),
    "mvout past the end": (
        "mvin3(0, 0x80000000u, 16, 16); mvout(&C[8][0], 0x80000000u, 16, 16); fence();", "outside every array", "C",
    ),
    "misaligned load": ("D[0] = *(volatile int32_t *)&A[0][2];", "not aligned", "4 bytes"),
    "misaligned store": ("*(volatile int16_t *)&C[0][1] = 1;", "not aligned", "2 bytes"),
    "scratchpad overflow": ("mvin(A, 4 * 4096 - 8, 16, 16); fence();", "scratchpad", "16384"),
    "accumulator overflow": ("mvin3(0, 0x80000000u + 1020, 16, 16); fence();", "accumulator", "1024"),
    "too many rows": ("mvin(A, 0, 16, 17); fence();", "17", "16"),
    "both transposed": ("config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, true, true); fence();", "transpose", ""),
    "unknown command": ("gemmini_config_norm(0, 0, 0, 0, 0, 0, 0);", "norm", ""),
    "illegal instruction": ('asm volatile(".word 0");', "illegal instruction", "0x0"),
    "unknown register": ('asm volatile("csrr x0, mstatus");', "control and status register", "0x300"),
    "cycle counter": ('asm volatile("rdcycle %0" : "=r"(D[0]));', "reads a counter of cycles", "timed"),
    "time counter": ('asm volatile("rdtime %0" : "=r"(D[0]));', "reads a counter of cycles", "timed"),
    "instruction counter": ('asm volatile("rdinstret %0" : "=r"(D[0]));', "reads a counter of cycles", "timed"),
    "load over C of a preload": (
        "mvin(A, 0, 16, 16); preload(0, 0x80000000u, 16, 16, 16, 16); mvin3(0, 0x80000008u, 16, 1);",
        "between a preload and its compute", "rows of C",
    ),
    "store of C of a preload": (
        "mvin(A, 0, 16, 16); mvin3(0, 0x80000000u, 16, 16); preload(0, 0x80000000u, 16, 16, 16, 16);"
        " mvout(C, 0x80000000u, 16, 16);",
        "between a preload and its compute", "rows of C",
    ),
    "ecall": ('asm volatile("ecall");', "ecall", ""),
    "abort": ("((volatile int32_t *)D)[0] = 0; __builtin_trap();", "", ""),
    "jump to data": ("((void (*)(void))D)();", "not code", ""),
    "stack overflow": (
        "volatile int8_t big[1 << 20]; big[D[0]] = 1; D[0] = big[D[1]];", "outside every array", "stack",
    ),
    "read before the store is done": (
        "mvin3(0, 0x80000000u, 16, 16); mvout(C, 0x80000000u, 16, 16); D[0] = ((volatile int8_t *)C)[0];",
        "fence is missing", "C",
    ),
    "write before the load is done": (
        "mvin(D, 0, 16, 1); ((volatile int32_t *)D)[0] = 1;", "fence is missing", "D",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(_CASES))
@pytest.mark.parametrize("timing", [False, True], ids=["function", "timing"])
def test_fault_names_line_and_reason(name: str, timing: bool) -> None:
    statement, *wanted = _CASES[name]
    verdict = verdict_of(statement, timing=timing)
    assert verdict.status is Status.TRAPPED
    for text in wanted:
        assert text.lower() in verdict.message.lower()
    if name not in {"illegal instruction", "jump to data"}:
        assert verdict.diagnostics[0].line == 4, verdict
        assert verdict.message.startswith("line 4: ")


@pytest.mark.parametrize("compiler", programs.COMPILERS)
def test_every_compiler_names_the_line(compiler: str) -> None:
    programs.skip_unless_installed(compiler)
    verdict = verdict_of("mvin(&C[1][0], 0, 64, 16); fence();", settings={"toolchain": {"compiler": compiler}})
    assert verdict.diagnostics[0].line == 4


@pytest.mark.parametrize("statement", ["for (;;);", "for (;;) fence();", "for (;;) mvin(A, 0, 64, 16);"])
@pytest.mark.parametrize("timing", [False, True])
def test_endless_loop(statement: str, timing: bool) -> None:
    verdict = verdict_of(statement, timing=timing, settings={"limits": {"instructions": 20_000}})
    assert verdict.status is Status.TIMED_OUT
    assert "20000" in verdict.message
    assert verdict.diagnostics[0].line in {3, 4}  # gcc gives an empty loop the line before


def test_cycle_limit() -> None:
    verdict = verdict_of("for (int i = 0; i < 10000; i++) D[0] /= 3;", settings={"limits": {"cycles": 5_000}})
    assert verdict.status is Status.TIMED_OUT
    assert "5000 cycles" in verdict.message


def test_limits_follow_the_work() -> None:
    limits = _config.load().limits
    assert limits.of(Work(1000, 1000)) == (limits.least, limits.least)
    assert limits.of(Work(512**3, 0))[1] == limits.per_operation * 512**3
    fixed = _config.load({"limits": {"cycles": 7, "per_operation": 1, "least": 2}}).limits
    assert fixed.of(Work(9, 3)) == (9, 7)
    verdict = verdict_of("for (;;);")
    assert verdict.status is Status.TIMED_OUT
    assert "raise targets.gemmini.limits.cycles" in verdict.message


def test_a_redefined_fence_changes_nothing_outside_the_kernel() -> None:
    target = create()
    head = "void solution(int8_t A[16][64], int32_t D[16], int8_t C[16][64])"
    body = f"{{ {_CONFIG} for (int i = 0; i < 16; i++) mvin(A, 0, 64, 16); fence(); }}"
    latencies = []
    for before in ("", "#undef fence\n#define fence()\n"):
        artifact = target.build(problem(), f"{before}{head} {body}")
        assert not isinstance(artifact, Verdict), artifact
        measurement = target.measure(problem(), artifact, inputs()).measurement
        assert measurement is not None
        latencies.append(measurement.latency)
    assert abs(latencies[0] - latencies[1]) <= 4
    assert min(latencies) > 16 * 64


def test_line_of_a_helper_is_named_when_a_helper_faults() -> None:
    helper = "static __attribute__((noinline)) int get(void *p) { return *((volatile int *)p - 100); }"
    verdict = verdict_of("D[0] = get(A);", before=helper)
    assert verdict.diagnostics[0].line == 1


def test_a_fence_makes_it_right() -> None:
    target = create({})
    code = f"""void solution(int8_t A[16][64], int32_t D[16], int8_t C[16][64]) {{
      {_CONFIG}
      mvin3(0, 0x80000000u, 16, 16);
      mvout(C, 0x80000000u, 16, 16);
      fence();
      D[0] = C[0][0] + 7;
      mvin(A, 0, 16, 16);
      D[1] = A[0][0];
    }}"""
    artifact = target.build(problem(), code)
    assert not isinstance(artifact, Verdict)
    execution = target.measure(problem(), artifact, inputs())
    assert execution.verdict is None
    assert execution.outputs["D"][:2].tolist() == [7, 1]
    assert (execution.outputs["C"][:, :16] == 0).all()
    assert (execution.outputs["C"][:, 16:].view(np.uint8) == 0xA5).all()


@pytest.mark.parametrize(("row", "refused"), [(100, False), (101, True), (96, True), (116, False)])
def test_rows_of_a_result_on_their_way_are_not_read_early(row: int, refused: bool) -> None:
    """The hardware waits for a result only if the operand starts where the result starts (ExecuteController)."""
    chain = (
        "mvin(A, 0, 64, 16); mvin(A, 96, 64, 16); mvin(A, 160, 64, 16);"
        " preload(16, 100, 16, 16, 16, 16); compute_preloaded(0, 0xffffffffu, 16, 16, 16, 16);"
        f" preload(16, 200, 16, 16, 16, 16); compute_preloaded({row}, 0xffffffffu, 16, 16, 16, 16);"
        " mvout(C, 200, 16, 16); fence();"
    )
    code = f"void solution(int8_t A[16][64], int32_t D[16], int8_t C[16][64]) {{ {_CONFIG} {chain} }}"
    target = create({})
    artifact = target.build(problem(), code)
    assert not isinstance(artifact, Verdict), artifact
    verdict = target.measure(problem(), artifact, inputs()).verdict
    assert (verdict is not None) == refused
    if verdict is not None:
        assert verdict.status is Status.TRAPPED
        assert "still in the array" in verdict.message


def test_strides_of_zero_are_refused() -> None:
    for a_stride, c_stride in ((0, 1), (1, 0)):
        found = verdict_of(
            f"gemmini_extended3_config_ex(WEIGHT_STATIONARY, 0, 0, 1.0f, {c_stride}, {a_stride}, 0, 0, 0);"
            " mvin(A, 0, 16, 1); preload(0, 0x80000000u, 16, 1, 16, 1);"
            " compute_preloaded(0, 0xffffffffu, 16, 1, 16, 1);"
        )
        assert "stride is 0" in found.message
