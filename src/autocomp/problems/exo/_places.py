"""Addresses for what Exo places in the memories of Gemmini.

Exo leaves that to functions that are called while the kernel runs. Once all sizes are numbers, what they would answer
is known: pieces of a memory are taken and returned in the order of the text, the same in every round of a loop. As
numbers, addresses cost the core nothing, and whoever optimises the kernel can see them.
"""

from __future__ import annotations

import math
import re

from autocomp.problems._chip import ACCUMULATOR, ACCUMULATOR_ROWS, SCRATCHPAD_ROWS, TILE

_TAKE = re.compile(
    r"(\w+) \*(\w+) = \(\1\*\) \(\(uint(?:64|32)_t\)gemm_(acc_)?malloc \((\d+(?: \* \d+)*) \* sizeof\(\1\)\)\);"
)
_RETURN = re.compile(r"gemm_(?:acc_)?free\(\(uint(?:64|32)_t\)\((\w+)\)\);")
_ADDRESS = re.compile(r"&\*\(\w+\*\)\(\(uint64_t\)\( \(\(uint32_t\)\(\(uint64_t\)(\w+)\)\) \+ \(")
_BEHIND = ")/16))"
_HEADER = re.compile(r'#include "gemm_(?:acc_)?malloc\.h"\n')
_CAPACITY = {0: SCRATCHPAD_ROWS, ACCUMULATOR: ACCUMULATOR_ROWS}
"""Rows of the memory that begins at an address."""


class _UnknownError(Exception):
    """Where something is placed is not known before the kernel runs, or not what the default chip has."""


def placed(code: str, procedure: str) -> str:
    """``code`` with addresses for all that is placed; unchanged, with the functions, if one is not known before."""
    if "gemm_malloc" not in code and "gemm_acc_malloc" not in code:
        return code
    try:
        return _HEADER.sub("", _with_places(code, procedure))
    except _UnknownError:
        return code


def _with_places(code: str, procedure: str) -> str:
    start = code.find(f"static void {procedure}(")
    live: dict[str, list[tuple[int, int, int]]] = {}  # by name: begin, end, depth of braces
    lines: list[str] = []
    depth = 0
    for original in code[start:].split("\n"):
        line = original
        take, give = _TAKE.search(line), _RETURN.search(line)
        if take is not None:
            name, base = take[2], ACCUMULATOR if take[3] else 0
            rows = math.ceil(math.prod(map(int, take[4].split(" * "))) / TILE)
            begin = _first_fit(rows, sorted((low, high) for found in live.values() for low, high, _ in found), base)
            live.setdefault(name, []).append((begin, begin + rows, depth))
            line = f"const uint32_t {name} = {begin:#x}u;" if base else f"const uint32_t {name} = {begin};"
        elif give is not None:
            if not live.get(give[1]) or live[give[1]].pop()[2] != depth:
                raise _UnknownError
            continue
        depth += line.count("{") - line.count("}")
        lines.append(_addresses(line, live))
    text = code[:start] + "\n".join(lines)
    # Left over: what is never returned, sizes that are no numbers, other procedures' pieces, windows of a piece.
    if any(live.values()) or re.search(r"gemm_(acc_)?(malloc|free) ?\(|\(uint64_t\)\( \(\(uint32_t\)", text):
        raise _UnknownError
    return text


def _first_fit(rows: int, taken: list[tuple[int, int]], base: int) -> int:
    begin = base
    for low, high in taken:
        if (low >= ACCUMULATOR) == (base >= ACCUMULATOR) and low < begin + rows:
            begin = max(begin, high)
    if begin + rows > base + _CAPACITY[base]:  # the functions say so when they are called, or the chip is a larger one
        raise _UnknownError
    return begin


def _addresses(line: str, live: dict[str, list[tuple[int, int, int]]]) -> str:
    """``line`` with sums of names and rows where it had pointers into the memories."""
    while match := _ADDRESS.search(line):
        end, depth = match.end(), 1
        while depth and end < len(line):
            depth += {"(": 1, ")": -1}.get(line[end], 0)
            end += 1
        if not live.get(match[1]) or not line.startswith(_BEHIND, end - 1) or line[: match.start()].endswith("{ "):
            raise _UnknownError
        offset = line[match.end() : end - 1]
        place = match[1] if offset == "0" else f"({match[1]} + ({offset}) / {TILE})"
        line = line[: match.start()] + place + line[end - 1 + len(_BEHIND) :]
    return line
