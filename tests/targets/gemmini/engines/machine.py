"""A stand-in for the systems that run harnessed programs: the embedded simulator, told to begin at the harness.

The program is the one that Spike, a Verilator simulator or an FPGA would be given, and its own code runs: it calls the
candidate, reads the counters, digests the outputs. Not run here are its start code, user mode, traps, and the writes to
the host; test_qemu.py runs those.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._simulator import Simulator
from autocomp.targets.gemmini.engines import _elf

_TABLE = 0x80810000
_LOG_BYTES = 4 << 20
_CHIP = dict(_config.load().simulator)


class Console(NamedTuple):
    text: bytes
    """What the harness reported."""
    cycles: int
    fault: str
    """Why the run ended early; empty if it did not."""
    endless: bool
    """True if that was a limit."""


def run(program: bytes, *, instructions: int = 20_000_000) -> Console:
    """Run a harnessed program without protection; this simulator has no user mode."""
    image = _elf.read(program)
    segments = [_unprotected(segment) for segment in image.segments]
    code = [segment for segment in segments if segment.flags & _elf.EXECUTE]
    base, end = min(part.address for part in code), max(part.end for part in code)
    merged = bytearray(end - base)  # the simulator takes one segment of code
    for part in code:
        merged[part.address - base : part.address - base + len(part.content)] = part.content
    rest = [segment for segment in segments if not segment.flags & _elf.EXECUTE]
    elf = _elf.write(base, [_elf.Segment(base, 5, bytes(merged), len(merged)), *rest], image.symbols)
    result = Simulator(_CHIP).run(
        elf,
        "harness_main",
        [{"name": "log", "bytes": bytes(_LOG_BYTES), "role": "output"}],
        may_read_clock=True,
        instruction_limit=instructions,
        cycle_limit=100 * instructions,
    )
    fault = result["fault"]
    text = result["outputs"]["log"].rstrip(b"\0")
    if fault is None:
        return Console(text, result["latency_cycles"], "", False)
    return Console(text, 0, fault["message"], fault["kind"] == "limit")


def _unprotected(segment: _elf.Segment) -> _elf.Segment:
    if segment.address != _TABLE:
        return segment
    head = list(struct.unpack_from("<6Q", segment.content))
    head[4] = 0
    return segment._replace(content=struct.pack("<6Q", *head) + segment.content[48:])
