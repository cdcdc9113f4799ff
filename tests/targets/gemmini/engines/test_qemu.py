"""What the stand-ins leave out, on an emulator that is not ours: start code, user mode behind physical memory
protection, traps, and the host-target interface. QEMU's `spike` machine has no Gemmini, so the kernels use the core
alone.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from engine_kernels import ON_CORE, expected, inputs, matmul

from autocomp.records import Status
from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines import _result, _transcript
from autocomp.targets.gemmini.engines._case import make_case
from autocomp.targets.gemmini.engines._harness import Board, assemble
from autocomp.targets.gemmini.engines._result import CaseResult

_QEMU = shutil.which("qemu-system-riscv64")

pytestmark = pytest.mark.skipif(_QEMU is None, reason="qemu-system-riscv64 is not installed (Debian: qemu-system-misc)")


def _run(
    folder: Path, codes: Sequence[str], *, protect: bool = True, compiler: str = "auto", seconds: float = 30.0
) -> list[CaseResult | None]:
    """What comes of each kernel; all in one program, which QEMU must end by itself unless something hangs."""
    tools = Toolchain(compiler, _config.load().parameters_header())
    cases = [make_case(matmul(), code, inputs()) for code in codes]
    # This machine's host takes single characters, and there is no accelerator that could be flushed.
    board = Board(256 << 20, protect, accelerator=False, console_writes=False)
    harnessed, failed = assemble(tools, cases, board)
    assert not failed
    program = folder / "program"
    program.write_bytes(harnessed.elf)
    command = [str(_QEMU), "-M", "spike", "-m", "256", "-nographic", "-bios", "none", "-kernel", str(program)]
    try:
        output = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=seconds, check=True
        ).stdout
    except subprocess.TimeoutExpired as error:
        output = error.stdout or b""
    transcript = _transcript.read(output, harnessed.nonce, harnessed.key, len(codes))
    return [_result.conclude(harnessed, place, report) for place, report in enumerate(transcript.reports)]


def _one(folder: Path, ending: str, *, protect: bool = True) -> CaseResult:
    (result,) = _run(folder, [ON_CORE % ending], protect=protect)
    assert result is not None
    return result


@pytest.mark.parametrize("protect", [True, False])
@pytest.mark.parametrize("compiler", ["auto", "zig"])
def test_a_right_kernel(tmp_path: Path, protect: bool, compiler: str) -> None:
    (result,) = _run(tmp_path, [ON_CORE % ""], protect=protect, compiler=compiler)
    assert result is not None
    assert result.verdict is None
    assert result.outputs["C"] == expected().tobytes()
    assert result.protected is protect
    # Every product takes a few instructions; QEMU counts time, not instructions, so no exact number can be known.
    assert result.instructions > 64 * 48 * 32


def test_several_kernels_in_one_program(tmp_path: Path) -> None:
    results = _run(tmp_path, [ON_CORE % "", ON_CORE % "C[0][0] ^= 1;", ON_CORE % ""])
    found = [result.outputs["C"] for result in results if result is not None]
    wrong = bytearray(expected().tobytes())
    wrong[0] ^= 1
    assert found == [expected().tobytes(), bytes(wrong), expected().tobytes()]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("A[3][5] += 1;", "writes memory that is not its own, or an input: 0x"),
        ("*(volatile int *)0x80810000 = 1;", "writes memory that is not its own, or an input: 0x80810000"),
        ("C[0][0] = *(volatile char *)0x80810000;", "reads memory that is not its own: 0x80810000"),
        ("C[0][0] = *(volatile char *)((uintptr_t)C + 8192);", "reads memory that is not its own: 0x"),
        ("((void (*)(void))0x80000000)();", "executes memory that is not its code"),
        ("uint64_t c; __asm__ volatile(\"rdcycle %0\" : \"=r\"(c)); C[0][0] = c;", "reads the clock"),
        ("__asm__ volatile(\"csrw pmpcfg0, zero\");", "executes what is no instruction for it"),
        ("abort();", "stops at a breakpoint, as abort() does"),
        ("__asm__ volatile(\"ecall\");", "calls an operating system that is not there"),
        ("*(volatile int *)0x02004000 = 1;", "writes memory that is not its own"),
    ],
)  # fmt: skip
def test_what_a_kernel_may_not_do(tmp_path: Path, statement: str, words: str) -> None:
    verdict = _one(tmp_path, statement).verdict
    assert verdict is not None and verdict.status is Status.TRAPPED
    assert words in verdict.message
    if "0x80000000" not in statement and "abort" not in statement:
        assert verdict.diagnostics[0].line == 9, verdict.message


def test_a_stack_without_end(tmp_path: Path) -> None:
    deep = "int deep(volatile int *n) { volatile int here[64] = {*n}; return deep(here) + here[1]; }" + ON_CORE
    (result,) = _run(tmp_path, [deep % "volatile int n = 1; C[0][0] = deep(&n);"])
    assert result is not None and result.verdict is not None
    assert result.verdict.status is Status.TRAPPED
    assert "(below the stack)" in result.verdict.message


def test_a_trap_ends_the_program_and_what_came_before_counts(tmp_path: Path) -> None:
    first, second, third = _run(tmp_path, [ON_CORE % "", ON_CORE % "abort();", ON_CORE % ""])
    assert first is not None and first.verdict is None
    assert second is not None and second.verdict is not None
    assert third is None, "not reached: it has to run again"


def test_a_kernel_that_never_ends(tmp_path: Path) -> None:
    first, second = _run(tmp_path, [ON_CORE % "", ON_CORE % 'for (;;) __asm__ volatile("");'], seconds=6.0)
    assert first is not None and first.verdict is None
    assert second is None


def test_without_protection_changed_inputs_are_found_afterwards(tmp_path: Path) -> None:
    verdict = _one(tmp_path, "A[3][5] += 1;", protect=False).verdict
    assert verdict is not None
    assert verdict.message == "writes to the input A"
