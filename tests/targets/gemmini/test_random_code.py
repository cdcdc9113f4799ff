"""The simulator is the sandbox: no sequence of bytes may harm the process that runs it."""

from __future__ import annotations

import struct

import numpy as np
import programs
import pytest

from autocomp.targets.gemmini._simulator import Simulator

_SOURCE = 'void solution(uint8_t *a, uint8_t *b) { asm volatile(".rept 256; .word 0x13; .endr"); a[0] = b[0]; }'
_KINDS = {
    None, "bad_address", "misaligned", "local_address", "illegal_command", "illegal_instruction", "hazard", "limit",
    "trap",
}  # fmt: skip


def _text(elf: bytes) -> tuple[int, int]:
    """File offset and size of the first segment: the code."""
    (table,) = struct.unpack_from("<Q", elf, 0x20)
    offset, _, _, size = struct.unpack_from("<QQQQ", elf, table + 8)
    return offset, size


def _words(random: np.random.Generator, count: int) -> bytes:
    """Instructions with plausible opcodes on few registers, so that many of them do something."""
    majors = [
        0x03,
        0x07,
        0x0F,
        0x13,
        0x17,
        0x1B,
        0x23,
        0x27,
        0x2F,
        0x33,
        0x37,
        0x3B,
        0x43,
        0x53,
        0x63,
        0x67,
        0x6F,
        0x73,
    ]
    words = random.integers(0, 2**32, count, dtype=np.uint64) & 0xFFFFFF80
    words |= np.array(random.choice([*majors, 0x7B, 0x7B, 0x13, 0x33], count), np.uint64)
    keep = random.random(count) < 0.7
    words[keep] &= np.uint64(0xFFFFFFFF ^ (0x10 << 7 | 0x14 << 15 | 0x14 << 20))  # registers 0, 1, 2, 3, 8, ...
    return words.astype("<u4").tobytes()


@pytest.mark.parametrize("seed", range(6))
def test_random_instructions(seed: int) -> None:
    elf = programs.program(_SOURCE)
    offset, size = _text(elf)
    random = np.random.default_rng(seed)
    simulator = Simulator({})
    seen = set()
    for round_number in range(150):
        code = random.bytes(size) if round_number % 3 == 0 else _words(random, size // 4 + 1)[:size]
        damaged = elf[:offset] + code + elf[offset + size :]
        arguments = [
            programs.array("a", np.arange(4096, dtype=np.uint8)),
            programs.array("b", np.arange(4096, dtype=np.uint8), "input"),
        ]
        result = simulator.run(
            damaged, "solution", arguments, timing=round_number % 2 == 0, instruction_limit=2_000, cycle_limit=50_000
        )
        seen.add(result["fault"]["kind"] if result["fault"] else None)
    assert seen <= _KINDS
    assert {"illegal_instruction", "bad_address"} <= seen


@pytest.mark.parametrize("seed", range(4))
def test_random_commands(seed: int) -> None:
    """Any registers, any funct7, in a loop."""
    source = """
void solution(uint64_t *commands, int8_t *a) {
  config_ld(64, 1.0f, 16, 0); config_ld(64, 1.0f, 16, 1); config_ld(64, 1.0f, 16, 2); config_st(64);
  config_ex(WEIGHT_STATIONARY, 0, 1, 0, 0);
  for (int i = 0; i < 8; i++) {
    uint64_t x = commands[3 * i + 1], y = commands[3 * i + 2];
    switch (commands[3 * i]) {
#define CASE(n) case n: asm volatile(".insn r 0x7b, 3, " #n ", x0, %0, %1" : : "r"(x), "r"(y) : "memory"); break;
      CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
      CASE(13) CASE(14) CASE(15) CASE(16) CASE(17) CASE(18) CASE(19) CASE(20) CASE(21) CASE(22) CASE(23) CASE(126)
    }
  }
}"""
    elf = programs.program(source)
    random = np.random.default_rng(seed)
    simulator = Simulator({})
    functs = np.array([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 8, 9, 12, 14, 15, 23, 126])
    for round_number in range(400):
        commands = random.integers(0, 2**63, (8, 3), dtype=np.uint64)
        commands[:, 0] = random.choice(functs, 8)
        local = random.choice([0, 1, 16383, 0x80000000, 0xC0000000, 0xFFFFFFFF, 0x80000400, 0xA0000000], (8, 2))
        size = random.integers(0, 70, (8, 2)).astype(np.uint64) << np.uint64(32)
        rows = random.integers(0, 20, (8, 2)).astype(np.uint64) << np.uint64(48)
        tame = random.random((8, 2)) < 0.9
        commands[:, 1:][tame] = (local.astype(np.uint64) | size | rows)[tame]
        dram = np.isin(commands[:, 0], [1, 2, 3, 14]) & (random.random(8) < 0.9)
        commands[dram, 1] = 0x90000000 + 192 + random.integers(0, 5000, int(dram.sum())).astype(np.uint64)
        arguments = [programs.array("commands", commands), programs.array("a", np.zeros(4096, np.int8))]
        result = simulator.run(
            elf, "solution", arguments, timing=round_number % 2 == 0, instruction_limit=5_000, cycle_limit=10_000_000
        )
        assert (result["fault"] or {"kind": None})["kind"] in _KINDS
