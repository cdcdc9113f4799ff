"""Digests, report lines and programs as files, each against something written for the test alone."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from engine_kernels import ON_ARRAY, inputs, matmul
from hypothesis import given
from hypothesis import strategies as st

from autocomp.errors import InfrastructureError, SetupError
from autocomp.records import Status
from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines import _elf, _result, _transcript
from autocomp.targets.gemmini.engines._case import make_case
from autocomp.targets.gemmini.engines._digest import CHUNK_BYTES, chunk_digests, fold, line_check
from autocomp.targets.gemmini.engines._harness import Board, Harnessed, assemble

_MASK = (1 << 64) - 1
_KEYS = st.integers(0, _MASK)


def _mix(state: int, value: int) -> int:
    state = (state ^ value) * 0xFF51AFD7ED558CCD & _MASK
    return state ^ state >> 32


def _plain_digest(piece: bytes, key: int, tag: int) -> int:
    """One number after the other, as the C program does it."""
    state = _mix(key, tag)
    for place in range(0, len(piece), 8):
        state = _mix(state, int.from_bytes(piece[place : place + 8], "little"))
    return state


@given(st.binary(min_size=1, max_size=1100), _KEYS, st.integers(0, 40), st.integers(0, 3))
def test_digests(content: bytes, key: int, case: int, output: int) -> None:
    pieces = [content[start : start + CHUNK_BYTES] for start in range(0, len(content), CHUNK_BYTES)]
    plain = [_plain_digest(piece, key, case << 48 ^ output << 40 ^ n) for n, piece in enumerate(pieces)]
    assert chunk_digests(content, key, case, output).tolist() == plain
    total = key
    for value in plain:
        total = _mix(total, value)
    assert fold(np.array(plain, np.uint64), key) == total


@given(st.binary(min_size=1, max_size=600), _KEYS, st.data())
def test_one_changed_byte_changes_its_digest_and_no_other(content: bytes, key: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(content) - 1))
    changed = bytearray(content)
    changed[place] ^= data.draw(st.integers(1, 255))
    before, after = chunk_digests(content, key, 0, 0), chunk_digests(bytes(changed), key, 0, 0)
    assert np.flatnonzero(before != after).tolist() == [place // CHUNK_BYTES]
    assert fold(before, key) != fold(after, key)


def _harnessed() -> Harnessed:
    tools = Toolchain("auto", _config.load().parameters_header())
    harnessed, failed = assemble(tools, [make_case(matmul(), ON_ARRAY, inputs())], Board(256 << 20))
    assert not failed
    return harnessed


@pytest.fixture(scope="module")
def program() -> Harnessed:
    return _harnessed()


def _line(harnessed: Harnessed, text: str, nonce: int | None = None, key: int | None = None) -> bytes:
    body = f"{harnessed.nonce if nonce is None else nonce:016x} {text}".encode()
    return b"@%s #%08x\n" % (body, line_check(body, harnessed.key if key is None else key))


def _passing(harnessed: Harnessed) -> list[str]:
    content = harnessed.placed[0].case.expected["C"]
    total = fold(chunk_digests(content, harnessed.key, 0, 0), harnessed.key)
    return ["begin 0 1", "time 0 64 32", f"output 0 0 {total:x} 0", "end 0", "done 1"]


def _conclude(harnessed: Harnessed, text: bytes) -> _result.CaseResult | None:
    transcript = _transcript.read(text, harnessed.nonce, harnessed.key, 1)
    return _result.conclude(harnessed, 0, transcript.reports[0])


def test_a_report_is_believed_only_with_nonce_and_check(program: Harnessed) -> None:
    lines = _passing(program)
    good = _conclude(program, b"".join(_line(program, line) for line in lines))
    assert good is not None and good.verdict is None
    assert (good.cycles, good.instructions, good.protected) == (100, 50, True)
    forged = [
        b"".join(_line(program, line, nonce=1) for line in lines),
        b"".join(_line(program, line, key=1) for line in lines),
        b"".join(_line(program, line)[:-3] for line in lines),
        b"PASSED 100 cycles\n*** PASSED ***\n",
    ]
    for text in forged:
        assert _conclude(program, text) is None


def test_a_passing_report_with_another_digest_is_not_believed(program: Harnessed) -> None:
    lines = _passing(program)
    lines[2] = "output 0 0 1234 0"
    with pytest.raises(InfrastructureError, match="does not fit its digest"):
        _conclude(program, b"".join(_line(program, line) for line in lines))


@pytest.mark.parametrize("missing", [1, 2])
def test_an_incomplete_report_is_nobodys_fault(program: Harnessed, missing: int) -> None:
    lines = _passing(program)
    del lines[missing]
    with pytest.raises(InfrastructureError, match="incomplete"):
        _conclude(program, b"".join(_line(program, line) for line in lines))


def test_a_trap_in_the_harness_is_not_the_kernels_if_that_was_protected(program: Harnessed) -> None:
    trap = _line(program, "trap 0 5 80000100 0 3")
    with pytest.raises(InfrastructureError, match="the harness failed"):
        _conclude(program, _line(program, "begin 0 1") + trap)
    result = _conclude(program, _line(program, "begin 0 0") + trap)
    assert result is not None and result.verdict is not None
    assert result.verdict.status is Status.TRAPPED


@given(st.binary(max_size=300))
def test_noise_is_no_report(noise: bytes) -> None:
    assert _transcript.read(noise, 1, 2, 1) == _transcript.Transcript((_transcript.Report(),), False, 0)


def test_two_programs_have_different_secrets(program: Harnessed) -> None:
    again = _harnessed()
    assert again.nonce != program.nonce
    assert again.key != program.key


def test_what_a_kernel_must_not_know_lies_outside_its_regions(program: Harnessed) -> None:
    (placed,) = program.placed
    code, code_end, constants, constants_end, written_end, inputs_end = placed.regions
    assert code < code_end <= constants <= constants_end < written_end < inputs_end
    reachable = [range(code, code_end), range(constants, inputs_end)]
    secret = program.nonce.to_bytes(8, "little")
    digests = chunk_digests(placed.case.expected["C"], program.key, 0, 0).tobytes()
    for segment in _elf.read(program.elf).segments:
        if any(segment.address in region for region in reachable):
            assert secret not in segment.content
            assert digests[:8] not in segment.content
            assert placed.case.expected["C"][:64] not in segment.content
    for array in placed.arrays:
        writable = range(constants_end, written_end)
        assert (array.address in writable) == (array.spec.name == "C")


def test_parts_of_a_program_do_not_overlap() -> None:
    tools = Toolchain("auto", _config.load().parameters_header())
    cases = [make_case(matmul(), ON_ARRAY, inputs(seed)) for seed in range(3)]
    harnessed, _ = assemble(tools, cases, Board(256 << 20))
    segments = sorted(_elf.read(harnessed.elf).segments)
    for one, following in itertools.pairwise(segments):
        assert one.end <= following.address
        assert following.address % 4096 == 0 or following.flags == one.flags


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
def test_the_file_is_a_program_that_others_can_read(program: Harnessed, tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(program.elf)
    done = subprocess.run(("readelf", "-hlsW", str(path)), capture_output=True, text=True, check=True)
    assert "Warning" not in done.stderr
    assert "RISC-V" in done.stdout
    names = {line.split()[-1] for line in done.stdout.splitlines() if " GLOBAL " in line}
    assert {"tohost", "fromhost", "_start"} <= names


def test_a_system_that_is_too_small() -> None:
    tools = Toolchain("auto", _config.load().parameters_header())
    with pytest.raises(SetupError, match=r"need \d+ MiB of memory; the system has memory_mb = 16"):
        assemble(tools, [make_case(matmul(), ON_ARRAY, inputs())], Board(16 << 20))


def test_a_kernel_too_large_for_any_system() -> None:
    tools = Toolchain("auto", _config.load().parameters_header())
    code = "char large[1 << 28];" + ON_ARRAY
    _, failed = assemble(tools, [make_case(matmul(), code, inputs())], Board(256 << 20))
    assert failed[0].status is Status.BUILD_FAILED
