"""Which source line an instruction belongs to: reads the DWARF line table (versions 2 to 5) of a program."""

from __future__ import annotations

import bisect
import struct
from dataclasses import dataclass, field
from typing import NamedTuple

_MINIMUM_HEADER_VERSION = 2
_MAXIMUM_HEADER_VERSION = 5


class _Cursor:
    """Reads little-endian values one after the other."""

    def __init__(self, data: bytes, position: int = 0) -> None:
        self.data = data
        self.position = position

    def take(self, code: str) -> int:
        (value,) = struct.unpack_from("<" + code, self.data, self.position)
        self.position += struct.calcsize("<" + code)
        return int(value)

    def unsigned(self) -> int:
        result = shift = 0
        while True:
            byte = self.take("B")
            result |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return result

    def signed(self) -> int:
        result = shift = 0
        while True:
            byte = self.take("B")
            result |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return result - (1 << shift) if byte & 0x40 else result

    def text(self) -> str:
        end = self.data.index(b"\0", self.position)
        value = self.data[self.position : end].decode(errors="replace")
        self.position = end + 1
        return value


def _sections(elf: bytes) -> dict[str, bytes]:
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    names = headers[names_index][4]
    out = {}
    for name, _, _, _, offset, length in headers:
        end = elf.index(b"\0", names + name)
        out[elf[names + name : end].decode(errors="replace")] = elf[offset : offset + length]
    return out


def _file_names_old(cursor: _Cursor) -> list[str]:
    while cursor.text():  # include directories
        pass
    names = [""]  # files count from 1
    while name := cursor.text():
        for _ in range(3):
            cursor.unsigned()
        names.append(name)
    return names


def _form(cursor: _Cursor, form: int, sections: dict[str, bytes]) -> str:
    """One attribute of a version 5 file entry; the text if it is one."""
    if form == 0x08:
        return cursor.text()
    if form in {0x0E, 0x1F}:  # offset into .debug_str or .debug_line_str
        strings = sections.get(".debug_str" if form == 0x0E else ".debug_line_str", b"\0")
        return _Cursor(strings, cursor.take("I")).text()
    if form == 0x1E:
        cursor.position += 16
    elif form == 0x0F:
        cursor.unsigned()
    else:
        cursor.take({0x0B: "B", 0x05: "H", 0x06: "I", 0x07: "Q"}[form])
    return ""


def _file_names_new(cursor: _Cursor, sections: dict[str, bytes]) -> list[str]:
    names: list[str] = []
    for _ in range(2):  # directories, then files; the second result is kept
        formats = [(cursor.unsigned(), cursor.unsigned()) for _ in range(cursor.take("B"))]
        names = []
        for _ in range(cursor.unsigned()):
            values = {kind: _form(cursor, form, sections) for kind, form in formats}
            names.append(values.get(1, ""))
    return names


@dataclass
class _Rows:
    """The state machine that a line program drives, and the rows it has made."""

    names: list[str]
    address: int = 0
    file: int = 1
    line: int = 1
    rows: list[tuple[int, str, int]] = field(default_factory=list)

    def emit(self, end: bool = False) -> None:
        name = self.names[self.file] if self.file < len(self.names) else ""
        self.rows.append((self.address, "" if end else name, 0 if end else self.line))

    def reset(self) -> None:
        self.address, self.file, self.line = 0, 1, 1


class _Header(NamedTuple):
    """What a line program needs to know of its table."""

    minimum: int
    """Bytes of the shortest instruction."""
    line_base: int
    line_range: int
    opcode_base: int
    lengths: list[int]
    """Operands of each standard opcode."""


def _run(cursor: _Cursor, end: int, state: _Rows, header: _Header) -> None:
    minimum, line_base, line_range, opcode_base, lengths = header
    while cursor.position < end:
        opcode = cursor.take("B")
        if opcode >= opcode_base:
            step = opcode - opcode_base
            state.address += step // line_range * minimum
            state.line += line_base + step % line_range
            state.emit()
        elif opcode == 0:
            length = cursor.unsigned()
            after = cursor.position + length
            kind = cursor.take("B") if length else 0
            if kind == 1:
                state.emit(end=True)
                state.reset()
            elif kind == 2:
                state.address = cursor.take("Q")
            cursor.position = after
        elif opcode == 1:
            state.emit()
        elif opcode == 2:
            state.address += cursor.unsigned() * minimum
        elif opcode == 3:
            state.line += cursor.signed()
        elif opcode == 4:
            state.file = cursor.unsigned()
        elif opcode == 8:
            state.address += (255 - opcode_base) // line_range * minimum
        elif opcode == 9:
            state.address += cursor.take("H")
        else:
            for _ in range(lengths[opcode - 1]):
                cursor.unsigned()


class LineTable:
    """Source lines of one file, by instruction address.

    A program without line table, or with one that cannot be read, knows no lines.
    """

    def __init__(self, elf: bytes, file_name: str) -> None:
        try:
            rows = self._read(elf)
        except (struct.error, ValueError, IndexError, KeyError, ArithmeticError):
            rows = []
        # A stretch with line 0 belongs to the line before it.
        known: list[tuple[int, int]] = []
        for address, name, line in rows:
            if line == 0 and name == file_name:
                continue
            known.append((address, line if name == file_name else 0))
        # Where one stretch ends and another starts, the start counts; of several rows, the last.
        known.sort(key=lambda row: (row[0], row[1] != 0))
        self._addresses = [address for address, _ in known]
        self._lines = [line for _, line in known]

    def line(self, address: int) -> int | None:
        """Line that the instruction at ``address`` comes from; None if it is not of this file."""
        place = bisect.bisect_right(self._addresses, address) - 1
        return (self._lines[place] or None) if place >= 0 else None

    @staticmethod
    def _read(elf: bytes) -> list[tuple[int, str, int]]:
        sections = _sections(elf)
        data = sections.get(".debug_line", b"")
        rows: list[tuple[int, str, int]] = []
        cursor = _Cursor(data)
        while cursor.position < len(data):
            length = cursor.take("I")
            end = cursor.position + length
            version = cursor.take("H")
            if not _MINIMUM_HEADER_VERSION <= version <= _MAXIMUM_HEADER_VERSION:
                cursor.position = end
                continue
            if version >= 5:
                cursor.position += 2  # sizes of addresses and segment selectors
            program = cursor.take("I")
            program += cursor.position
            minimum = cursor.take("B")
            if version >= 4:
                cursor.position += 1  # operations per instruction: always one
            cursor.position += 1  # default of is_stmt
            line_base, line_range, opcode_base = cursor.take("b"), cursor.take("B"), cursor.take("B")
            lengths = [cursor.take("B") for _ in range(opcode_base - 1)]
            names = _file_names_new(cursor, sections) if version >= 5 else _file_names_old(cursor)
            cursor.position = program
            state = _Rows(names)
            _run(cursor, end, state, _Header(minimum, line_base, line_range, opcode_base, lengths))
            rows += state.rows
            cursor.position = end
        return rows
