"""Files that are not good programs are refused, never read past their end."""

from __future__ import annotations

import contextlib

import numpy as np
import programs
import pytest

from autocomp.targets.gemmini._simulator import Simulator

_SOURCE = "int32_t table[3] = {1, 2, 3}; static int64_t zero[100]; const int32_t k[2] = {7, 8};\n" + (
    "void solution(int64_t *out) { table[0] += 4; zero[99] += 5; out[0] = table[0]; out[1] = zero[99] + zero[0];"
    " out[2] = k[out[3]]; }"
)


def _run(elf: bytes, entry: str = "solution"):
    arguments = [programs.array("out", np.array([0, 0, 0, 1], np.int64))]
    return Simulator({}).run(elf, entry, arguments, timing=False, instruction_limit=10_000, cycle_limit=10_000)


@pytest.mark.parametrize("compiler", programs.COMPILERS)
def test_sections_are_loaded(compiler: str) -> None:
    programs.skip_unless_installed(compiler)
    result = _run(programs.program(_SOURCE, compiler))
    assert result["fault"] is None
    assert np.frombuffer(result["outputs"]["out"], np.int64).tolist() == [5, 5, 8, 1]


def test_a_run_starts_from_fresh_memory() -> None:
    elf = programs.program(_SOURCE)
    assert _run(elf) == _run(elf)


def test_missing_entry() -> None:
    with pytest.raises(ValueError, match="no function other"):
        _run(programs.program(_SOURCE), "other")


@pytest.mark.parametrize(
    ("offset", "value", "message"),
    [
        (0, 0, "not a 64-bit"),
        (4, 1, "not a 64-bit"),
        (0x12, 62, "not for RISC-V"),
        (0x10, 1, "not a statically linked"),
    ],
)
def test_wrong_kind_of_file(offset: int, value: int, message: str) -> None:
    elf = bytearray(programs.program(_SOURCE))
    elf[offset] = value
    with pytest.raises(ValueError, match=message):
        _run(bytes(elf))


def test_damaged_files_do_no_harm() -> None:
    elf = programs.program(_SOURCE)
    random = np.random.default_rng(5)
    for length in random.integers(0, len(elf), 40):
        with contextlib.suppress(ValueError):
            _run(elf[:length])
    for _ in range(300):
        damaged = bytearray(elf)
        for at in random.integers(0, len(elf), 3):
            damaged[at] = random.integers(256)
        with contextlib.suppress(ValueError):
            _run(bytes(damaged))
    headers = bytearray(elf)
    for at in range(64, 64 + 3 * 56):  # program headers, where the sizes stand
        for value in (0xFF, 0x80):
            damaged = bytearray(headers)
            damaged[at] = value
            with contextlib.suppress(ValueError):
                _run(bytes(damaged))


def test_static_memory_is_bounded() -> None:
    source = "int8_t huge[600 << 20]; void solution(int64_t *out) { out[0] = huge[out[0]]; }"
    with pytest.raises(ValueError, match="static memory"):
        _run(programs.program(source))
