"""The C header packs fields where the hardware's table says they are."""

from __future__ import annotations

import struct

import numpy as np
import programs
import pytest

from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._toolchain import Toolchain

_GARBAGE = 0xFFFFFFFF


def _fields(*pairs: tuple[int, int]) -> int:
    """Sum of value << lowest bit."""
    return sum(value << low for value, low in pairs)


def _float(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def _block(local: int, cols: int, rows: int) -> int:
    return _fields((local, 0), (cols, 32), (rows, 48))


_ONE = _float(1.0)
# Command in C, funct7, rs1, rs2; the fields by the instruction set's tables, not by the header.
_COMMANDS = [
    ("mvin(0x1000, 77, 64, 16)", 2, 0x1000, _block(77, 64, 16)),
    ("mvin2(0x1000, 77, 64, 16)", 1, 0x1000, _block(77, 64, 16)),
    ("mvin3(0, 0x80000010u, 16, 3)", 14, 0, _block(0x80000010, 16, 3)),
    ("mvout(0x2000, 0xa0000005u, 16, 4)", 3, 0x2000, _block(0xA0000005, 16, 4)),
    ("preload(GARBAGE_ADDR, 0xc0000001u, 5, 6, 7, 8)", 6, _block(_GARBAGE, 5, 6), _block(0xC0000001, 7, 8)),
    ("compute_preloaded(3, 4, 5, 6, 7, 8)", 4, _block(3, 5, 6), _block(4, 7, 8)),
    ("compute_accumulated(3, 0xffffffffu, 5, 6, 7, 8)", 5, _block(3, 5, 6), _block(_GARBAGE, 7, 8)),
    ("compute_accumulated(3, -1, 5, 6, 7, 8)", 5, _block(3, 5, 6), _block(_GARBAGE, 7, 8)),
    ("flush(1)", 7, 1, 0),
    (
        "config_ex(WEIGHT_STATIONARY, RELU, 3, true, false)",
        0, _fields((0, 0), (1, 2), (1, 3), (1, 8), (3, 16), (_ONE, 32)), _fields((0, 0), (1, 48)),
    ),
    (
        "config_ex(OUTPUT_STATIONARY, NO_ACTIVATION, 1, false, true)",
        0, _fields((0, 2), (1, 9), (1, 16), (_ONE, 32)), _fields((1, 48)),
    ),
    ("config_ld(192, 0.5f, 16, 2)", 0, _fields((1, 0), (2, 3), (1, 8), (16, 16), (_float(0.5), 32)), 192),
    ("config_st(512)", 0, 2, _fields((512, 0), (_ONE, 32))),
    ("config_st(512, RELU)", 0, _fields((2, 0), (1, 2)), _fields((512, 0), (_ONE, 32))),
    ("config_st(512, RELU, 0.25)", 0, _fields((2, 0), (1, 2)), _fields((512, 0), (_float(0.25), 32))),
    ("gemmini_extended_mvin(0x1000, 77, 64, 16)", 2, 0x1000, _block(77, 64, 16)),
    ("gemmini_extended_mvin2(0x1000, 77, 64, 16)", 1, 0x1000, _block(77, 64, 16)),
    ("gemmini_extended_mvin3(0x1000, 77, 64, 16)", 14, 0x1000, _block(77, 64, 16)),
    ("gemmini_mvin(0x1000, 77)", 2, 0x1000, _block(77, 16, 16)),
    ("gemmini_mvin2(0x1000, 77)", 1, 0x1000, _block(77, 16, 16)),
    ("gemmini_mvin3(0x1000, 77)", 14, 0x1000, _block(77, 16, 16)),
    ("gemmini_block_mvin(0x1000, 77, 3)", 2, 0x1000, _block(77, 48, 16)),
    ("gemmini_extended_mvout(0x1000, 77, 9, 8)", 3, 0x1000, _block(77, 9, 8)),
    ("gemmini_mvout(0x1000, 77)", 3, 0x1000, _block(77, 16, 16)),
    ("gemmini_extended_preload(1, 2, 3, 4, 5, 6)", 6, _block(1, 3, 4), _block(2, 5, 6)),
    ("gemmini_preload(1, 2)", 6, _block(1, 16, 16), _block(2, 16, 16)),
    ("gemmini_preload_zeros(2)", 6, _block(_GARBAGE, 16, 16), _block(2, 16, 16)),
    ("gemmini_extended_compute_preloaded(1, 2, 3, 4, 5, 6)", 4, _block(1, 3, 4), _block(2, 5, 6)),
    ("gemmini_extended_compute_accumulated(1, 2, 3, 4, 5, 6)", 5, _block(1, 3, 4), _block(2, 5, 6)),
    ("gemmini_compute_preloaded(1, 2)", 4, _block(1, 16, 16), _block(2, 16, 16)),
    ("gemmini_compute_accumulated(1, 2)", 5, _block(1, 16, 16), _block(2, 16, 16)),
    ("gemmini_flush(0)", 7, 0, 0),
    ("gemmini_config_ex(WS, NO_ACTIVATION, 5)", 0, _fields((1, 2), (1, 16), (_ONE, 32)), _fields((5, 0), (1, 48))),
    (
        "gemmini_extended_config_ex(OS, RELU, 5, 2, 1, 0)",
        0, _fields((1, 3), (1, 8), (2, 16), (_ONE, 32)), _fields((5, 0), (1, 48)),
    ),
    (
        "gemmini_extended3_config_ex(WS, RELU, 5, 2.0f, 4, 3, 0, 1, 1)",
        0, _fields((1, 2), (1, 3), (1, 7), (1, 9), (3, 16), (_float(2.0), 32)), _fields((5, 0), (4, 48)),
    ),
    ("gemmini_config_ld(64)", 0, _fields((1, 0), (1, 8), (16, 16), (_ONE, 32)), 64),
    ("gemmini_extended_config_ld(64, 2.0)", 0, _fields((1, 0), (1, 8), (16, 16), (_float(2.0), 32)), 64),
    ("gemmini_extended2_config_ld(64, 2.0, true)", 0, _fields((1, 0), (1, 2), (1, 8), (16, 16), (_float(2.0), 32)), 64),
    (
        "gemmini_extended3_config_ld(64, MVIN_SCALE_IDENTITY, false, 1)",
        0, _fields((1, 0), (1, 3), (1, 8), (16, 16), (_ONE, 32)), 64,
    ),
    (
        "gemmini_extended4_config_ld(64, 1.0, true, 20, 2)",
        0, _fields((1, 0), (1, 2), (2, 3), (1, 8), (20, 16), (_ONE, 32)), 64,
    ),
    (
        "gemmini_extended5_config_ld(64, 1.0, false, 20, 3, 2)",
        0, _fields((1, 0), (2, 3), (3, 8), (20, 16), (_ONE, 32)), 64,
    ),
    ("gemmini_config_st(64)", 0, 2, _fields((64, 0), (_ONE, 32))),
    ("gemmini_extended_config_st(64, RELU, 0.5)", 0, _fields((2, 0), (1, 2)), _fields((64, 0), (_float(0.5), 32))),
    (
        "gemmini_extended2_config_st(64, RELU, 0.5, 2, 3, 10, 11, 12, 13, 14, 1, 2)",
        0,
        _fields((2, 0), (1, 2), (2, 4), (3, 6), (1, 8), (2, 10), (10, 24), (11, 32), (12, 40), (13, 48), (14, 56)),
        _fields((64, 0), (_float(0.5), 32)),
    ),
    (
        "gemmini_config_norm(-5, 1, 0, 1, 7, 8, 9)",
        0, _fields((3, 0), (7, 8), (1, 16), (1, 18), (0xFFFFFFFB, 32)), _fields((8, 0), (9, 32)),
    ),
]  # fmt: skip

_RECORD = """
static uint64_t *record;
#undef GEMMINI_COMMAND
#define GEMMINI_COMMAND(rs1, rs2, funct) \\
  ({ *record++ = (funct); *record++ = (uint64_t)(rs1); *record++ = (uint64_t)(rs2); })
"""


@pytest.mark.parametrize("compiler", programs.COMPILERS)
def test_fields(compiler: str) -> None:
    programs.skip_unless_installed(compiler)
    lines = "".join(f"  {command};\n" for command, *_ in _COMMANDS)
    source = f"{_RECORD}void solution(uint64_t *out) {{\n  record = out;\n{lines}}}\n"
    out = programs.run(source, np.zeros((len(_COMMANDS), 3), np.uint64), compiler=compiler)[0]
    for (command, *expected), got in zip(_COMMANDS, out.tolist(), strict=True):
        assert [hex(x) for x in got] == [hex(x) for x in expected], command


def test_hardware_loop_is_six_commands() -> None:
    call = "gemmini_loop_ws(1, 2, 3, 4, 5, 6, 0x100, 0x200, 0x300, 0x400, 7, 8, 9, 10, 1, 0, 1, 0, 1, 1, 2, 1, 0)"
    source = f"{_RECORD}void solution(uint64_t *out) {{ record = out; {call}; }}"
    out = programs.run(source, np.zeros((6, 3), np.uint64))[0].tolist()
    assert out == [
        [9, _fields((4, 0), (5, 16), (6, 32)), _fields((1, 0), (2, 16), (3, 32))],
        [10, 0x100, 0x200],
        [11, 0x300, 0x400],
        [12, 7, 8],
        [13, 9, 10],
        [8, _fields((1, 0), (1, 1), (0, 2), (1, 8), (1, 16), (2, 18)), 1],
    ]


@pytest.mark.parametrize("compiler", programs.COMPILERS)
def test_instruction_word(compiler: str) -> None:
    programs.skip_unless_installed(compiler)
    elf = programs.program("void solution(void) { mvout(0, 0, 16, 16); }", compiler)
    words = [struct.unpack_from("<I", elf, at)[0] for at in range(0, len(elf) - 3, 2)]
    # opcode custom-3, no destination, both sources used, funct7 3
    assert any(w & 0x7F == 0x7B and w >> 7 & 31 == 0 and w >> 12 & 7 == 3 and w >> 25 == 3 for w in words)


def test_names_of_the_original_header() -> None:
    source = """
#include "include/gemmini_testutils.h"
#include "include/gemmini.h"
#include "gemmini_params.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <assert.h>
static elem_t tile[DIM][DIM] row_align(1);
static acc_t sums[DIM][DIM] row_align_acc(1);
void solution(uint64_t *out) {
  scale_t s = MVIN_SCALE_IDENTITY; acc_scale_t t = ACC_SCALE_IDENTITY; full_t f = elem_t_max;
  uint64_t start = read_cycles();
  assert(start < 1000000);
  printf("%d\\n", 1);
  gemmini_fence();
  out[0] = DIM; out[1] = BANK_NUM; out[2] = BANK_ROWS; out[3] = ACC_ROWS; out[4] = MAX_BLOCK_LEN;
  out[5] = MAX_BLOCK_LEN_ACC; out[6] = ADDR_LEN; out[7] = f; out[8] = s + t; out[9] = GARBAGE_ADDR;
  out[10] = ((uintptr_t)tile | (uintptr_t)sums) & 15; out[11] = MAX_BYTES; out[12] = sizeof(acc_t);
}"""
    out = programs.run(source, np.zeros(13, np.uint64))[0].tolist()
    assert out == [16, 4, 4096, 1024, 4, 1, 32, 127, 2, _GARBAGE, 0, 64, 4]


@pytest.mark.parametrize(
    ("chip", "row", "sums"), [("int8-16x16", 16, 64), ("float32-4x4", 16, 16), ("int8-32x32", 32, 128)]
)
def test_arrays_begin_at_rows_of_the_chip(chip: str, row: int, sums: int) -> None:
    source = f"""
static elem_t one[DIM][DIM] row_align(1), four[DIM] row_align(4);
static acc_t of_sums[2] row_align_acc(1), two_of_sums[1] row_align_acc(1 + 1);
_Static_assert(__alignof__(one) == {row} && __alignof__(four) == {4 * row}, "elements");
_Static_assert(__alignof__(of_sums) == {sums} && __alignof__(two_of_sums) == {2 * sums}, "sums");
void solution(void) {{ one[0][0] = four[0] = of_sums[0] = two_of_sums[0] = 1; }}
"""
    header = _config.load({"chip": chip}).parameters_header()
    assert Toolchain("auto", header).compile(source).errors == ()


def test_sizes_follow_the_configuration() -> None:
    header = _config.load(
        {"simulator": {"dim": 8, "scratchpad_banks": 2, "accumulator_bank_rows": 256}}
    ).parameters_header()
    for line in ("#define DIM 8", "#define BANK_NUM 2", "#define BANK_ROWS 16384", "#define ACC_ROWS 512"):
        assert f"{line}\n" in header


def test_commands_are_statements_anywhere() -> None:
    source = """
void solution(int8_t *a) {
  config_ld(16, 1.0f, 16, 0);
  if (a) mvin(a, 0, 16, 1); else fence();
  for (int i = 0; i < 2; i++) mvin(a + 16 * i, i, 16, 1);
  int preload = 3, mvin = preload;
  fence();
  a[0] = mvin;
}"""
    assert programs.run(source, np.zeros(64, np.int8))[0][0] == 3
