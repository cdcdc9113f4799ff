"""Puts the harness, candidates and their arrays into one program that a simulator or an FPGA starts by itself."""

from __future__ import annotations

import secrets
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autocomp.errors import SetupError
from autocomp.records import Role, Verdict
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines import _elf
from autocomp.targets.gemmini.engines._case import Case
from autocomp.targets.gemmini.engines._digest import chunk_digests
from autocomp.targets.gemmini.engines._place import (
    CODE_BASE,
    DATA_BASE,
    MEMORY_BASE,
    TABLE,
    Blob,
    Placed,
    place,
)

RUNTIME = Path(__file__).parent / "runtime"
SOURCES = (RUNTIME / "start.S", RUNTIME / "harness.c")
SCRIPT = RUNTIME / "harness.ld"


@dataclass(frozen=True)
class Board:
    """The system that a program is made for."""

    memory_bytes: int
    """From 0x80000000 on."""
    protect: bool = True
    """Run candidates in user mode behind physical memory protection, where the core has both."""
    accelerator: bool = True
    """False: no Gemmini, so that none is flushed. For emulators of the core alone, which tests run the harness on; the
    engines always have one, and no setting says otherwise."""
    console_writes: bool = True
    """False: the host takes single characters only. For emulators as well: the hosts of all engines serve writes."""
    sent_bytes: int = 4096
    """Most bytes of an output that are sent if they differ from what is expected."""


@dataclass(frozen=True)
class Harnessed:
    """A program that runs some cases, and what its reports are known by."""

    elf: bytes
    nonce: int
    key: int
    placed: tuple[Placed, ...]


def assemble(tools: Toolchain, cases: Sequence[Case], board: Board) -> tuple[Harnessed, dict[int, Verdict]]:
    """The program for ``cases``. Those that cannot be linked are left out; their verdicts are given by their number.

    Raises ToolchainError, SetupError if the system is too small.
    """
    placed: list[Placed] = []
    failed: dict[int, Verdict] = {}
    private: list[Blob] = []
    rows: list[bytes] = []
    key, nonce = secrets.randbits(64), secrets.randbits(64)
    code_base, data_base = CODE_BASE, DATA_BASE
    for number, case in enumerate(cases):
        one = place(tools, case, code_base, data_base)
        if isinstance(one, Verdict):
            failed[number] = one
            continue
        blob = Blob(one.regions[5], _elf.READ | _elf.WRITE)
        rows.append(_row(one, blob, key, len(placed), board))
        placed.append(one)
        private.append(blob)
        code_base, data_base = one.regions[1], blob.end
        if data_base - MEMORY_BASE > board.memory_bytes:
            raise SetupError(
                f"{len(placed)} kernel(s) with their arrays need {(data_base - MEMORY_BASE) >> 20} MiB of memory; the "
                f"system has memory_mb = {board.memory_bytes >> 20}: raise it if that is wrong, or lower `batch`"
            )
    head = struct.pack("<6Q", nonce, key, board.console_writes, board.accelerator, board.protect, len(placed))
    table = Blob(TABLE, _elf.READ | _elf.WRITE, bytearray(head + b"".join(rows)))
    if table.end > DATA_BASE:
        raise SetupError(f"the table of {len(placed)} kernels does not fit before their data; lower `batch`")
    image = _elf.read(tools.link(SOURCES, SCRIPT))
    segments = [*image.segments, table.segment()]
    for one, blob in zip(placed, private, strict=True):
        segments += [*one.segments, blob.segment()]
    symbols = {name: image.symbols[name] for name in ("_start", "tohost", "fromhost", "harness_main")}
    elf = _elf.write(image.symbols["_start"], sorted(segments), symbols)
    return Harnessed(elf, nonce, key, tuple(placed)), failed


def _row(one: Placed, private: Blob, key: int, number: int, board: Board) -> bytes:
    """The case's row of the table; what it points to goes into ``private``."""
    copies = [
        struct.pack(
            "<5Q", array.address, private.add(one.case.contents[array.spec.name]), array.spec.nbytes,
            one.case.arguments.index(array.spec), array.spec.role is Role.INPUT,
        )
        for array in one.arrays
        if array.spec.role is not Role.OUTPUT
    ]  # fmt: skip
    address = {array.spec.name: array.address for array in one.arrays}
    outputs = []
    for place_of_output, spec in enumerate(one.case.outputs):
        expected = one.case.expected.get(spec.name)
        digests = 0
        if expected is not None:
            digests = private.add(chunk_digests(expected, key, number, place_of_output).tobytes())
        outputs.append(struct.pack("<4Q", address[spec.name], spec.nbytes, digests, board.sent_bytes // 256))
    stack = private.add(struct.pack(f"<{len(one.on_stack)}Q", *one.on_stack))
    return struct.pack(
        "<30Q", one.function, one.stack_top, *one.regions, *one.integers, *one.floats, len(one.on_stack), stack,
        len(copies), private.add(b"".join(copies)), len(outputs), private.add(b"".join(outputs)),
    )  # fmt: skip
