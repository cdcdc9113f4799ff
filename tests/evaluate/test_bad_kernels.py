"""Kernels that hang, deadlock, overflow, mix configurations or leave outputs unwritten, up the whole ladder."""

from __future__ import annotations

import functools
from typing import NamedTuple

import pytest

from autocomp.evaluate import CaseCache, Ladder, draw_inputs, plan_evaluation
from autocomp.problems import load
from autocomp.records import Problem, Status, Verdict
from autocomp.targets import POISON_BYTE
from autocomp.targets.gemmini import create

PROBLEM = "gemm:32x32x32"
SIGNATURE = "void solution(int8_t A[32][32], int8_t B[32][32], int8_t C[32][32])"
CONFIG = """
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(32, 1.0f, 16, 0);
  config_ld(32, 1.0f, 16, 1);
  config_ld(0, 1.0f, 16, 2);
  config_st(32);
"""
PRODUCT = """
  for (int i = 0; i < 32; i += 16) {
    for (int c = 0; c < 2; c++) mvin3(0, 0x80000000u + i * 2 + c * 16, 16, 16);
    mvin(&A[i][0], i * 2, 32, 16);
    for (int p = 0; p < 2; p++) mvin2(&B[p * 16][0], 4096 + p * 32, 32, 16);
    for (int p = 0; p < 2; p++)
      for (int c = 0; c < 2; c++) {
        preload(4096 + p * 32 + c * 16, 0xc0000000u + i * 2 + c * 16, 16, 16, 16, 16);
        compute_preloaded(i * 2 + p * 16, 0xffffffffu, 16, 16, 16, 16);
      }
    for (int c = 0; c < 2; c++) mvout(&C[i][c * 16], 0x80000000u + i * 2 + c * 16, 16, 16);
  }
"""
GOOD = CONFIG + PRODUCT + "  fence();\n"


class Bad(NamedTuple):
    """The body of a kernel, or an edit of the good one, and what becomes of it."""

    status: Status
    message: str
    body: str
    """A whole body; or ``old => new``: the good body with the first ``old`` replaced."""


def _edit(old: str, new: str) -> str:
    assert old in GOOD, old
    return GOOD.replace(old, new, 1)


TRAPPED, TIMED_OUT, NOT_WRITTEN = Status.TRAPPED, Status.TIMED_OUT, Status.NOT_WRITTEN
WRONG, BUILD, CHECK = Status.WRONG_VALUE, Status.BUILD_FAILED, Status.CHECK_FAILED

HANGS = {
    "endless loop": Bad(TIMED_OUT, "instructions", GOOD + "for (;;);"),
    "endless fences": Bad(TIMED_OUT, "instructions", GOOD + "for (;;) fence();"),
    "endless loads": Bad(TIMED_OUT, "", CONFIG + "for (;;) mvin(A, 0, 32, 16);"),
    "endless flushes": Bad(TIMED_OUT, "", CONFIG + "for (;;) flush(0);"),
    "endless configuration": Bad(TIMED_OUT, "", "for (;;) config_st(32);"),
    "a loop that never ends by overflow": Bad(
        TIMED_OUT, "instructions", GOOD + "for (volatile uint8_t i = 0; i < 256; i++) {}"
    ),
    "waits for a result nobody makes": Bad(
        TIMED_OUT, "instructions", "volatile int8_t *flag = &C[0][0]; while (*flag != 1) {}" + GOOD
    ),
    "endless recursion": Bad(TRAPPED, "stack", "SELF"),
}

QUEUES = {
    "load over B of a waiting preload": Bad(
        TRAPPED,
        "for ever",
        _edit(
            "        compute_preloaded",
            "mvin2(&B[p * 16][0], 4096 + p * 32, 32, 16); mvin(&A[i][0], i * 2, 32, 16); compute_preloaded",
        ),
    ),
    "load over C of a waiting preload": Bad(
        TRAPPED,
        "between a preload and its compute",
        CONFIG + "mvin(A, 0, 32, 16); preload(0, 0x80000000u, 16, 16, 16, 16); mvin3(0, 0x80000000u, 16, 16);"
        "compute_preloaded(0, 0xffffffffu, 16, 16, 16, 16); fence();",
    ),
    "two preloads": Bad(
        TRAPPED,
        "preload directly after a preload",
        CONFIG + "mvin(A, 0, 32, 16); preload(0, 0x80000000u, 16, 16, 16, 16);"
        "preload(0, 0x80000000u, 16, 16, 16, 16); fence();",
    ),
    "compute without preload": Bad(
        TRAPPED, "without a preload", CONFIG + "mvin(A, 0, 32, 16); compute_preloaded(0, 0xffffffffu, 16, 16, 16, 16);"
    ),
    "accumulated before anything is preloaded": Bad(
        TRAPPED, "holds nothing yet", _edit("compute_preloaded", "compute_accumulated")
    ),
    "configuration between preload and compute": Bad(
        TRAPPED,
        "between a preload and its compute",
        _edit("        compute_preloaded", "config_ex(WEIGHT_STATIONARY, RELU, 1, false, false); compute_preloaded"),
    ),
    "load of what a store writes": Bad(
        TRAPPED, "fence is missing", GOOD.replace("  fence();", "mvin(&C[0][0], 0, 32, 16); fence();")
    ),
    "reads results without a fence": Bad(
        TRAPPED, "fence is missing", CONFIG + PRODUCT + "C[0][0] = ((volatile int8_t *)C)[1];"
    ),
    "writes what a load still reads": Bad(
        TRAPPED, "fence is missing", CONFIG + "mvin(&C[0][0], 0, 32, 16); C[0][0] = 1; fence();"
    ),
    "a load of no rows": Bad(TRAPPED, "never completes", CONFIG + "mvin(A, 0, 32, 0); fence();"),
    "a store of no columns": Bad(
        TRAPPED, "never completes", CONFIG + "mvin3(0, 0x80000000u, 16, 16); mvout(C, 0x80000000u, 0, 16); fence();"
    ),
    "blocks closer than their rows": Bad(
        TRAPPED, "block stride", _edit("config_ld(32, 1.0f, 16, 1)", "config_ld(32, 1.0f, 8, 1)")
    ),
}

MEMORIES = {
    "scratchpad overflow": Bad(TRAPPED, "16384 rows", _edit("mvin(&A[i][0], i * 2,", "mvin(&A[i][0], 16380 + i,")),
    "accumulator overflow": Bad(TRAPPED, "1024 rows", CONFIG + "mvin3(0, 0x80000000u + 1020, 16, 16); fence();"),
    "operand beyond the scratchpad": Bad(
        TRAPPED, "scratchpad", _edit("compute_preloaded(i * 2", "compute_preloaded(16383 + i * 2")
    ),
    "operand that nothing has loaded": Bad(TRAPPED, "nothing has written", _edit("preload(4096", "preload(8192")),
    "sums that nothing has started": Bad(
        TRAPPED,
        "nothing has written",
        _edit("for (int c = 0; c < 2; c++) mvin3(0, 0x80000000u + i * 2 + c * 16, 16, 16);", ""),
    ),
    "store of rows that nothing has written": Bad(
        TRAPPED, "nothing has written", _edit("mvout(&C[i][c * 16], 0x80000000u", "mvout(&C[i][c * 16], 0x80000200u")
    ),
    "into the garbage address": Bad(TRAPPED, "garbage", CONFIG + "mvin(A, 0xffffffffu, 16, 16); fence();"),
    "loads before A": Bad(TRAPPED, "outside every array", _edit("mvin(&A[i][0]", "mvin(&A[i][0] - 64")),
    "stores behind C": Bad(TRAPPED, "outside every array", _edit("mvout(&C[i][c * 16]", "mvout(&C[i + 24][c * 16]")),
    "stores over B": Bad(TRAPPED, "read-only B", _edit("mvout(&C[i][c * 16]", "mvout(&B[i][c * 16]")),
    "writes over A": Bad(TRAPPED, "read-only A", GOOD + "((volatile int8_t *)A)[0] = 1;"),
    "seventeen rows": Bad(TRAPPED, "at most 16 rows", _edit("i * 2, 32, 16)", "i * 2, 32, 17)")),
    "too many columns": Bad(TRAPPED, "at most 64 columns", _edit("i * 2, 32, 16)", "i * 2, 80, 16)")),
    "a tile larger than the array": Bad(TRAPPED, "at most 16 x 16", _edit("16, 16, 16, 16);", "17, 16, 16, 16);")),
    "a stack as large as memory": Bad(TRAPPED, "stack", "volatile int8_t big[64 << 20]; big[A[0][0] & 1] = 1;" + GOOD),
}

CONFIGURATIONS = {
    "no configuration at all": Bad(TRAPPED, "before config_ld", PRODUCT + "fence();"),
    "load state never configured": Bad(TRAPPED, "load id 1", _edit("config_ld(32, 1.0f, 16, 1);", "")),
    "stores never configured": Bad(TRAPPED, "config_st", _edit("config_st(32);", "")),
    "array never configured": Bad(
        TRAPPED, "before any config_ex", _edit("config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);", "")
    ),
    "both operands transposed": Bad(TRAPPED, "one transposer", _edit("1, false, false)", "1, true, true)")),
    "output stationary in the middle": Bad(
        TRAPPED,
        "must be compute_preloaded",
        GOOD.replace(
            "  fence();",
            "config_ex(OUTPUT_STATIONARY, NO_ACTIVATION, 1, false, false);"
            "preload(0xffffffffu, 0x80000000u, 16, 16, 16, 16);"
            "compute_accumulated(0, 4096, 16, 16, 16, 16); fence();",
        ),
    ),
    "an activation that the chip lacks": Bad(TRAPPED, "activation", _edit("config_st(32)", "config_st(32, 2)")),
    "stride of another array": Bad(WRONG, "C[", _edit("config_ld(32, 1.0f, 16, 1)", "config_ld(16, 1.0f, 16, 1)")),
    "rows of A that are all one": Bad(
        TRAPPED, "the A stride is 0", _edit("NO_ACTIVATION, 1, false", "NO_ACTIVATION, 0, false")
    ),
    "A transposed": Bad(WRONG, "C[", _edit("1, false, false)", "1, true, false)")),
    "B transposed": Bad(WRONG, "C[", _edit("1, false, false)", "1, false, true)")),
    "activation that the problem lacks": Bad(WRONG, "C[", _edit("config_st(32)", "config_st(32, RELU)")),
    "scale that the problem lacks": Bad(WRONG, "C[", _edit("config_st(32)", "config_st(32, 0, 0.5f)")),
}

RESULTS = {
    "does nothing": Bad(NOT_WRITTEN, "C", ""),
    "stores half of C": Bad(NOT_WRITTEN, "C", _edit("c < 2; c++) mvout", "c < 1; c++) mvout")),
    "stores the first block twice": Bad(WRONG, "C[", _edit("mvout(&C[i]", "mvout(&C[0]")),
    "leaves out the last row": Bad(
        NOT_WRITTEN, "C", _edit("i * 2 + c * 16, 16, 16);\n  }", "i * 2 + c * 16, 16, 15 + !i);\n  }")
    ),
    "leaves out the last element": Bad(
        NOT_WRITTEN, "C", GOOD.replace("  fence();", f"  fence(); C[31][31] = {POISON_BYTE};")
    ),
    "all zeros": Bad(WRONG, "C[", "for (int i = 0; i < 1024; i++) (&C[0][0])[i] = 0;"),
    "a block of B left out": Bad(WRONG, "C[", _edit("for (int p = 0; p < 2; p++)\n", "for (int p = 0; p < 1; p++)\n")),
    "overwrites instead of accumulating": Bad(WRONG, "C[", _edit("0xc0000000u", "0x80000000u")),
    "accumulates on the block before": Bad(
        WRONG,
        "C",
        _edit("mvin3(0, 0x80000000u + i * 2", "if (i == 0) mvin3(0, 0x80000000u + i * 2").replace(
            "+ i * 2 + c * 16", "+ c * 16"
        ),
    ),
    "rows shifted by one": Bad(
        WRONG, "C", _edit("compute_preloaded(i * 2 + p * 16", "compute_preloaded(i * 2 + p * 15")
    ),
    "saturates too early": Bad(
        WRONG,
        "C",
        _edit("0xc0000000u + i * 2 + c * 16, 16, 16, 16, 16", "12288 + i * 2 + c * 16, 16, 16, 16, 16").replace(
            "mvout(&C[i][c * 16], 0x80000000u", "mvout(&C[i][c * 16], 12288"
        ),
    ),
    "the answer to inputs that never come": Bad(
        WRONG, "C", "if (A[0][0] == 99) {" + GOOD + "} else {for (int i = 0; i < 1024; i++) (&C[0][0])[i] = 1; }"
    ),
}

LOOP = (
    "gemmini_loop_ws(2, 2, 2, 0, 0, 0, A, B, NULL, C, 32, 32, 32, 32, false, false, false, false, false,"
    " NO_ACTIVATION, 0, 0, false);"
)
LOOP_GOOD = CONFIG + LOOP + " fence();"


def _loop(old: str, new: str) -> str:
    assert old in LOOP_GOOD, old
    return LOOP_GOOD.replace(old, new, 1)


HARDWARE_LOOPS = {
    "a loop of no tiles": Bad(TRAPPED, "never ends", _loop("(2, 2, 2", "(2, 0, 2")),
    "operands beyond half of the scratchpad": Bad(TRAPPED, "half", _loop("(2, 2, 2", "(16, 2, 64")),
    "results beyond half of the accumulator": Bad(TRAPPED, "half", _loop("(2, 2, 2", "(8, 8, 2")),
    "pinned halves": Bad(TRAPPED, "a_spad_id 1", _loop("NO_ACTIVATION, 0, 0", "NO_ACTIVATION, 1, 2")),
    "padding of a whole tile": Bad(TRAPPED, "padding of 16", _loop("2, 0, 0, 0", "2, 16, 0, 0")),
    "a loop before its configuration": Bad(TRAPPED, "LOOP_WS", LOOP + " fence();"),
    "a loop without its bounds": Bad(TRAPPED, "bounds", CONFIG + "GEMMINI_COMMAND(0, 0, k_LOOP_WS); fence();"),
    "a flag of newer hardware": Bad(TRAPPED, "does not have them", _loop("0, 0, false)", "0, 0, 2)")),
    "a loop that reads past A": Bad(TRAPPED, "outside every array", _loop("(2, 2, 2", "(4, 2, 2")),
    "a loop that stores over B": Bad(TRAPPED, "B", _loop("A, B, NULL, C", "A, B, NULL, B")),
    "a loop both of whose operands are transposed": Bad(
        TRAPPED, "transpose", _loop("false, false, false, false, false", "true, true, false, false, false")
    ),
    "results read without a fence after a loop": Bad(
        TRAPPED, "fence is missing", CONFIG + LOOP + "C[0][0] = ((volatile int8_t *)C)[1];"
    ),
    "a loop with the wrong stride": Bad(WRONG, "C[", _loop("32, 32, 32, 32", "32, 16, 32, 32")),
    "a loop over half of K": Bad(WRONG, "C[", _loop("(2, 2, 2", "(2, 2, 1")),
    "a loop that stores half of C": Bad(NOT_WRITTEN, "C", _loop("(2, 2, 2", "(1, 2, 2")),
    "endless loops of the hardware": Bad(TIMED_OUT, "", CONFIG + "for (;;) { " + LOOP + " }"),
    "pooling of rows that do not exist": Bad(
        TRAPPED, "", _edit("config_st(32);", "gemmini_extended2_config_st(32, 0, 1.0f, 2, 2, 8, 8, 8, 16, 16, 0, 0);")
    ),
    "reads a counter of the accelerator": Bad(
        TRAPPED, "counter", "volatile uint32_t t = counter_read(0); (void)t;" + GOOD
    ),
}

# The product as a convolution of one image of 32 x 1 pixels with a kernel of one place: a row of A is a pixel.
CONV = (
    "gemmini_loop_conv_ws(1, 32, 1, 32, 32, 32, 1, 32, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 32, 1, 1, 32, 0, 0, 0, 0,"
    " 0, 0, 0, 0, 32, 1, B, C, (void *)16, A, true, true, false, false, false, NO_ACTIVATION,"
    " false, false, false, false, 1, 32, 32, 32, false, 0, 0);"
)
CONV_GOOD = CONFIG + CONV + " fence();"


def _conv(old: str, new: str) -> str:
    assert old in CONV_GOOD, old
    return CONV_GOOD.replace(old, new, 1)


HARDWARE_CONVOLUTIONS = {
    "a convolution without a bound": Bad(TRAPPED, "never ends", _conv("32, 1, B, C", "0, 1, B, C")),
    "input beyond half of the scratchpad": Bad(TRAPPED, "scratchpad rows", _conv("32, 1, B, C", "9000, 1, B, C")),
    "output beyond half of the accumulator": Bad(TRAPPED, "accumulator rows", _conv("32, 1, B, C", "300, 1, B, C")),
    "a convolution before its configuration": Bad(
        TRAPPED, "never configured", CONFIG + "GEMMINI_COMMAND(0, 1, k_LOOP_CONV_WS); fence();"
    ),
    "a convolution over its own input": Bad(
        TRAPPED, "nothing makes its stores wait", _conv("B, C, (void *)16, A", "B, C, (void *)16, &C[0][0]")
    ),
    "a convolution that stores over its weights": Bad(
        TRAPPED, "nothing makes its stores wait", _conv("B, C, (void *)16, A", "C, C, (void *)16, A")
    ),
    "some of the images, images innermost": Bad(
        TRAPPED,
        "1 of 2 images",
        _conv("ws(1, 32", "ws(2, 32").replace("false, false, false, false, 1", "false, false, false, true, 1"),
    ),
    "a convolution without its sums started": Bad(TRAPPED, "nothing has written", _conv("(void *)16", "NULL")),
    "a convolution pinned to a half": Bad(TRAPPED, "a_spad_id 1", _conv("32, false, 0, 0)", "32, false, 1, 2)")),
    "a convolution with the weights of another order": Bad(
        WRONG,
        "C[",
        _conv("NO_ACTIVATION, false, false, false", "NO_ACTIVATION, false, false, true").replace(
            "1, false, false)", "1, false, true)"
        ),
    ),
    "a convolution over half of the channels": Bad(WRONG, "C[", _conv("1, 1, 32, 0, 0", "1, 1, 16, 0, 0")),
    "a convolution that stores half of the rows": Bad(NOT_WRITTEN, "C", _conv("32, 1, B, C", "16, 1, B, C")),
    "results of a convolution read without a fence": Bad(
        TRAPPED, "fence is missing", CONFIG + CONV + "C[0][0] = ((volatile int8_t *)C)[1];"
    ),
    "a store over what a load still reads": Bad(
        TRAPPED, "may still read", CONFIG + "mvin(A, 0, 32, 16); mvin(C, 64, 32, 16); mvout(C, 0, 32, 16); fence();"
    ),
}

MPC = "tinympc:forward"
MPC_EDITS = {
    "results picked up before they are there": (TRAPPED, "fence is missing", "    fence();\n    for", "    for"),
    "a sum with the sign turned": (WRONG, "", "minus_d[j] = -d[i][j]", "minus_d[j] = d[i][j]"),
    "gains not negated": (WRONG, "", "NO_ACTIVATION, -1.0f", "NO_ACTIVATION, 1.0f"),
    "not a number": (Status.NOT_FINITE, "", "minus_d[j] = -d[i][j]", 'minus_d[j] = __builtin_nanf("")'),
    "the last step left out": (WRONG, "", "i < 5", "i < 4"),
    "whole tiles of an array of sixteen": (
        TRAPPED,
        "at most 4 rows",
        "    config_st(4, NO",
        "    mvin(Adyn, 0, 12, 12); config_st(4, NO",
    ),
    "two matrices with one stride": (WRONG, "", "config_ld(16, 1.0f, 4, 0)", "config_ld(48, 1.0f, 4, 0)"),
    "rounded to half precision": (
        WRONG,
        "",
        "drift[j] + push[j]",
        "(float)((int)((drift[j] + push[j]) * 1024)) / 1024",
    ),
}

SOURCES = {
    "another name": Bad(CHECK, "solution", "WHOLE void other(int8_t A[32][32]) {}"),
    "a parameter too few": Bad(CHECK, "", "WHOLE void solution(int8_t A[32][32], int8_t B[32][32]) {}"),
    "not C": Bad(BUILD, "line", "WHOLE " + SIGNATURE + " { this is not C }"),
    "an unknown function": Bad(BUILD, "frobnicate", "frobnicate(A);" + GOOD),
    "reads the clock": Bad(TRAPPED, "counter of cycles", 'long t; asm volatile("rdcycle %0" : "=r"(t));' + GOOD),
    "a command that does not exist": Bad(TRAPPED, "no command", "GEMMINI_COMMAND(0, 0, 100);" + GOOD),
}

TABLE = {
    **HANGS,
    **QUEUES,
    **MEMORIES,
    **CONFIGURATIONS,
    **RESULTS,
    **HARDWARE_LOOPS,
    **HARDWARE_CONVOLUTIONS,
    **SOURCES,
}


@functools.cache
def ladder(name: str = PROBLEM) -> tuple[Problem, Ladder]:
    problem = load(name)
    target = create({**problem.settings, "limits": {"least": 200_000, "per_operation": 1}})
    return problem, Ladder(problem, target, CaseCache())


def judged(code: str, name: str = PROBLEM) -> Verdict:
    problem, climb = ladder(name)
    return climb.evaluate(code, plan_evaluation(problem.distributions, (1,), (2,))).evaluation.verdict


def verdict(body: str) -> Verdict:
    code = f"{SIGNATURE} {{\n{body}\n}}\n"
    if body == "SELF":
        code = f"{SIGNATURE} {{\n  volatile int8_t here[64]; here[0] = 1; solution(A, B, C); C[0][0] = here[0];\n}}\n"
    if body.startswith("WHOLE "):
        code = body.removeprefix("WHOLE ")
    return judged(code)


def test_the_kernel_they_are_made_from_is_right() -> None:
    assert verdict(GOOD).passed
    assert verdict(LOOP_GOOD).passed
    assert verdict(CONV_GOOD).passed
    assert judged(ladder(MPC)[0].rivals["hardware-loop"].code, MPC).passed


def test_there_are_enough() -> None:
    assert len(TABLE) >= 40
    assert len({bad.body for bad in TABLE.values()}) == len(TABLE)


@pytest.mark.parametrize("name", list(TABLE))
def test_verdict(name: str) -> None:
    bad = TABLE[name]
    found = verdict(bad.body)
    assert found.status is bad.status, found.message
    assert bad.message.lower() in found.message.lower() if bad.message.islower() else bad.message in found.message
    assert found.message


@pytest.mark.parametrize("name", list(MPC_EDITS))
def test_verdict_of_a_float_kernel(name: str) -> None:
    status, message, old, new = MPC_EDITS[name]
    good = ladder(MPC)[0].rivals["hardware-loop"].code
    assert old in good
    found = judged(good.replace(old, new, 1), MPC)
    assert found.status is status, found.message
    assert message.lower() in found.message.lower()


def test_a_kernel_of_another_chip_is_refused() -> None:
    problem, _ = ladder()
    small, default = create({"chip": "float32-4x4"}), create({})
    artifact = small.build(problem, f"{SIGNATURE} {{ for (int i = 0; i < 1024; i++) (&C[0][0])[i] = 0; fence(); }}")
    assert not isinstance(artifact, Verdict)
    inputs = draw_inputs(problem, plan_evaluation(problem.distributions, (1,), (2,)).measured[0])
    found = default.run(problem, artifact, inputs).verdict
    assert found is not None
    assert found.status is BUILD
    assert "another chip" in found.message
