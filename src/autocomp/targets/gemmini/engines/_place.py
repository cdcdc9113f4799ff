"""Where a candidate and its arrays lie in the memory of a real system, and how the candidate is linked to lie there.

::

    0x80000000  the harness's code          0x80800000  the harness's data
    0x80008000  code of candidates          0x80810000  the table of what to run (see _harness.py)
                                            0x81000000  per candidate: constants | stack, static data, outputs | inputs
                                                        | what only the harness may see

Every part begins on a page, so that physical memory protection can tell them apart.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from autocomp.records import Diagnostic, Role, Status, TensorSpec, Verdict
from autocomp.targets._target import POISON_BYTE
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines import _elf
from autocomp.targets.gemmini.engines._case import Case, is_value

MEMORY_BASE = 0x80000000
CODE_BASE = 0x80008000
CODE_END = 0x80800000
TABLE = 0x80810000
DATA_BASE = 0x81000000
STACK_BYTES = 256 << 10

_PAGE_BYTES = 4096
_LINE_BYTES = 64
_MOST_STATIC_BYTES = 64 << 20
_REGISTERS = 8

_SCRIPT = """\
ENTRY(_start)
PHDRS
{{
  code PT_LOAD FLAGS(5);
  constants PT_LOAD FLAGS(4);
  data PT_LOAD FLAGS(6);
}}
SECTIONS
{{
  . = {code:#x};
  _start = .;
  .text : {{ KEEP(*(.text .text.*)) }} :code
  . = {constants:#x};
  .rodata : {{ *(.rodata .rodata.* .srodata .srodata.*) }} :constants
  . = ALIGN(4096) + {stack};
  .data : {{ KEEP(*(.data .data.* .sdata .sdata.*)) }} :data
  .bss (NOLOAD) : {{ *(.sbss .sbss.* .bss .bss.* COMMON) }} :data
  /DISCARD/ : {{ *(.note .note.* .comment .riscv.attributes .eh_frame .eh_frame.* .eh_frame_hdr) }}
}}
"""


class Array(NamedTuple):
    """An array argument in memory."""

    spec: TensorSpec
    address: int


@dataclass
class Blob:
    """Bytes that grow from an address on; every piece begins on a cache line."""

    address: int
    flags: int
    content: bytearray = field(default_factory=bytearray)

    def add(self, piece: bytes) -> int:
        """Append; returns the address of the piece."""
        self.content += bytes(-len(self.content) % _LINE_BYTES)
        place = self.address + len(self.content)
        self.content += piece
        return place

    @property
    def end(self) -> int:
        """First page behind it."""
        return page(self.address + len(self.content))

    def segment(self) -> _elf.Segment:
        """As part of a program; whole pages."""
        return _elf.Segment(self.address, self.flags, bytes(self.content), self.end - self.address)


@dataclass(frozen=True)
class Placed:
    """A linked candidate with its arrays."""

    case: Case
    elf: bytes
    """The candidate alone, with its line table."""
    function: int
    stack_top: int
    regions: tuple[int, int, int, int, int, int]
    """What the candidate may touch: code and its end; constants, the end of these and start of what may be written, the
    end of that and start of inputs, the end of inputs."""
    segments: tuple[_elf.Segment, ...]
    arrays: tuple[Array, ...]
    integers: tuple[int, ...]
    floats: tuple[int, ...]
    on_stack: tuple[int, ...]


def place(tools: Toolchain, case: Case, code_base: int, data_base: int) -> Placed | Verdict:
    """Link ``case`` with its code and its data at these addresses. Raises ToolchainError."""
    build = tools.compile(case.source, _SCRIPT.format(code=code_base, constants=data_base, stack=STACK_BYTES))
    if build.program is None:
        status = Status.BUILD_FAILED if build.repeatable else Status.TIMED_OUT
        return Verdict(status, build.errors[0].message, build.errors)
    image = _elf.read(build.program)
    code, constants, data = (
        [s for s in image.segments if s.flags == flags]
        for flags in (_elf.READ | _elf.EXECUTE, _elf.READ, _elf.READ | _elf.WRITE)
    )
    code_end = page(max((s.end for s in code), default=code_base))
    constants_end = page(max((s.end for s in constants), default=data_base))
    stack_top = constants_end + STACK_BYTES
    static_end = max((s.end for s in data), default=stack_top)
    if code_end > CODE_END or static_end - data_base > _MOST_STATIC_BYTES:
        size = (code_end - code_base) + (static_end - data_base)
        message = f"the program cannot be run: code, constants and static data of {size:,} bytes do not fit"
        return Verdict(Status.BUILD_FAILED, message, (Diagnostic(message),))
    written = Blob(page(static_end), _elf.READ | _elf.WRITE)
    address = _lay_out(case, written, inputs=False)
    read = Blob(written.end, _elf.READ | _elf.WRITE)
    address |= _lay_out(case, read, inputs=True)
    arrays = tuple(Array(spec, address[spec.name]) for spec in case.arguments if spec.name in address)
    integers, floats, on_stack = _pass(case, address)
    pointer = stack_top - -(-len(on_stack) * 8 // 16) * 16 - 64
    stack = _elf.Segment(constants_end, _elf.READ | _elf.WRITE, b"", STACK_BYTES)
    blobs = [blob.segment() for blob in (written, read) if blob.content]
    return Placed(
        case, build.program, image.symbols[case.entry], pointer,
        (code_base, code_end, data_base, constants_end, read.address, read.end),
        (*code, *constants, stack, *data, *blobs), arrays, integers, floats, on_stack,
    )  # fmt: skip


def page(address: int) -> int:
    """The next start of a page, or ``address`` if it is one."""
    return -(-address // _PAGE_BYTES) * _PAGE_BYTES


def _lay_out(case: Case, blob: Blob, *, inputs: bool) -> dict[str, int]:
    """Addresses of inputs, or else of outputs: one behind the other in the order of the parameters."""
    address = {}
    for spec in case.arguments:
        if is_value(spec) or (spec.role is Role.INPUT) != inputs:
            continue
        content = bytes([POISON_BYTE]) * spec.nbytes
        if spec.role is Role.OUTPUT:
            content = case.contents.get(spec.name, content)
        address[spec.name] = blob.add(content)
    return address


def _pass(case: Case, address: dict[str, int]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """By the standard calling convention: integer registers, floating-point registers, stack."""
    integers: list[int] = []
    floats: list[int] = []
    on_stack: list[int] = []
    for spec in case.arguments:
        value = _value(spec, case.contents[spec.name]) if is_value(spec) else address[spec.name]
        if is_value(spec) and spec.dtype.startswith("float") and len(floats) < _REGISTERS:
            floats.append(value)
        elif len(integers) < _REGISTERS:
            integers.append(value)
        else:
            on_stack.append(value)
    pad = [0] * _REGISTERS
    return tuple((integers + pad)[:_REGISTERS]), tuple((floats + pad)[:_REGISTERS]), tuple(on_stack)


def _value(spec: TensorSpec, content: bytes) -> int:
    """A scalar as it stands in a 64-bit register: floats boxed, 32-bit values sign-extended, unsigned ones too."""
    if spec.dtype == "float32":
        return 0xFFFFFFFF00000000 | int(struct.unpack("<I", content)[0])
    if spec.dtype == "float64":
        return int(struct.unpack("<Q", content)[0])
    value = int(np.frombuffer(content, spec.dtype)[0])
    if spec.dtype == "uint32" and value >> 31:
        value -= 1 << 32
    return value & ((1 << 64) - 1)
