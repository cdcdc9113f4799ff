"""Programs as files: what the linker made is read, and written anew with more beside it."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

READ, WRITE, EXECUTE = 4, 2, 1

_PAGE_BYTES = 4096
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
_SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_LOAD, _SYMBOL_TABLE, _STRING_TABLE = 1, 2, 3
_NAMES = b"\0.symtab\0.strtab\0.shstrtab\0"


class Segment(NamedTuple):
    """A stretch of memory that is there when the program starts."""

    address: int
    flags: int
    """Sum of READ, WRITE, EXECUTE."""
    content: bytes
    size: int
    """Bytes in memory; what lies behind the content is zero."""

    @property
    def end(self) -> int:
        """Address behind it."""
        return self.address + self.size


class Image(NamedTuple):
    """A linked program."""

    segments: tuple[Segment, ...]
    symbols: Mapping[str, int]


def read(elf: bytes) -> Image:
    """Segments and defined symbols of a 64-bit little-endian program that our own linker made."""
    _, _, _, _, _, headers, sections, _, _, header_size, count, section_size, section_count, _ = _HEADER.unpack_from(
        elf
    )
    segments = []
    for number in range(count):
        kind, flags, offset, address, _, size, memory, _ = _PROGRAM_HEADER.unpack_from(
            elf, headers + number * header_size
        )
        if kind == _LOAD and memory:
            segments.append(Segment(address, flags, elf[offset : offset + size], memory))
    table = [_SECTION_HEADER.unpack_from(elf, sections + number * section_size) for number in range(section_count)]
    symbols = {}
    for _, kind, _, _, offset, size, link, _, _, _ in table:
        if kind != _SYMBOL_TABLE:
            continue
        strings = table[link][4]
        for name, _, _, section, value, _ in _SYMBOL.iter_unpack(elf[offset : offset + size]):
            if section and name:
                end = elf.index(b"\0", strings + name)
                symbols[elf[strings + name : end].decode(errors="replace")] = value
    return Image(tuple(segments), symbols)


def write(entry: int, segments: Sequence[Segment], symbols: Mapping[str, int]) -> bytes:
    """A program that starts at ``entry``; loaders find ``symbols`` in its table."""
    out = bytearray(_HEADER.size + _PROGRAM_HEADER.size * len(segments))
    headers = []
    for segment in segments:
        # A place in the file has the same offset within its page as in memory.
        out += bytes((segment.address - len(out)) % _PAGE_BYTES)
        place, size = segment.address, len(segment.content)
        headers.append(
            _PROGRAM_HEADER.pack(_LOAD, segment.flags, len(out), place, place, size, segment.size, _PAGE_BYTES)
        )
        out += segment.content
    strings, entries = bytearray(b"\0"), bytearray(_SYMBOL.size)
    for name, address in symbols.items():
        entries += _SYMBOL.pack(len(strings), 0x10, 0, 0xFFF1, address, 8)  # global, absolute
        strings += name.encode() + b"\0"
    sections = [_SECTION_HEADER.pack(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)]
    for label, kind, content, link, information, size in (
        (b".symtab", _SYMBOL_TABLE, entries, 2, 1, _SYMBOL.size),
        (b".strtab", _STRING_TABLE, strings, 0, 0, 0),
        (b".shstrtab", _STRING_TABLE, _NAMES, 0, 0, 0),
    ):
        out += bytes(-len(out) % 8)
        place = _NAMES.index(b"\0" + label + b"\0") + 1
        sections.append(_SECTION_HEADER.pack(place, kind, 0, 0, len(out), len(content), link, information, 8, size))
        out += content
    out += bytes(-len(out) % 8)
    section_table = len(out)
    out += b"".join(sections)
    _HEADER.pack_into(
        out, 0, b"\x7fELF\2\1\1" + bytes(9), 2, 243, 1, entry, _HEADER.size, section_table, 0x5, _HEADER.size,
        _PROGRAM_HEADER.size, len(segments), _SECTION_HEADER.size, len(sections), len(sections) - 1,
    )  # fmt: skip
    out[_HEADER.size : _HEADER.size + _PROGRAM_HEADER.size * len(segments)] = b"".join(headers)
    return bytes(out)
