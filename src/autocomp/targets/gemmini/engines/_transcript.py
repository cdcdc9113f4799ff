"""Reads what the harness reported out of everything else that a tool prints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from autocomp.targets.gemmini.engines._digest import line_check

_LINE = re.compile(rb"@([0-9a-f]{16} [a-z]+ [0-9a-f ]*) #([0-9a-f]{8})")


class Trap(NamedTuple):
    """Why the program was stopped."""

    cause: int
    """As RISC-V numbers them."""
    address: int
    """Of the instruction."""
    value: int
    """What goes with the cause, such as the address of an access."""
    from_user_mode: bool


@dataclass
class Report:
    """What is known of one case."""

    begun: bool = False
    ended: bool = False
    cycles: int | None = None
    instructions: int | None = None
    protected: bool = False
    trap: Trap | None = None
    changed: list[int] = field(default_factory=list)
    """Numbers of input arguments that the candidate has written to."""
    chunks: dict[tuple[int, int], bytes] = field(default_factory=dict)
    """Contents that were sent, by output and place."""
    outputs: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of each output, the digest of all and how many chunks differ."""


@dataclass(frozen=True)
class Transcript:
    """All reports of one program."""

    reports: tuple[Report, ...]
    done: bool
    """True if the program came to its end."""
    lines: int
    """How many lines were read: more of them is progress."""


def read(text: bytes, nonce: int, key: int, cases: int) -> Transcript:
    """Take the lines that carry the nonce and their check; everything else may be noise, cut off or forged."""
    reports = tuple(Report() for _ in range(cases))
    done = False
    lines = 0
    for match in _LINE.finditer(text):
        if int(match[2], 16) != line_check(match[1], key):
            continue
        word, kind, *fields = match[1].decode().split()
        if int(word, 16) != nonce:
            continue
        lines += 1
        case = int(fields[0], 16)
        if kind == "done":
            done = True
        elif case < cases:
            _note(reports[case], kind, fields[1:])
    return Transcript(reports, done, lines)


def _note(report: Report, kind: str, fields: Sequence[str]) -> None:
    if kind == "chunk":
        report.chunks[int(fields[0], 16), int(fields[1], 16)] = bytes.fromhex(fields[2])
        return
    numbers = [int(value, 16) for value in fields]
    if kind == "begin":
        report.begun, report.protected = True, bool(numbers[0])
    elif kind == "end":
        report.ended = True
    elif kind == "time":
        # A difference of counters below what the empty call took wraps around: no time at all.
        report.cycles, report.instructions = (0 if value >> 63 else value for value in numbers)
    elif kind == "changed":
        report.changed.append(numbers[0])
    elif kind == "output":
        report.outputs[numbers[0]] = (numbers[1], numbers[2])
    elif kind == "trap":
        cause, address, value, privilege = numbers
        report.trap = Trap(cause, address, value, from_user_mode=privilege == 0)
