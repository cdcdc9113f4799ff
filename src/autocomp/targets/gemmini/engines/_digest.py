"""The keyed digests with which the harness reports outputs without sending them; the same as in runtime/harness.c."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

CHUNK_BYTES = 256
"""Outputs are digested and sent in pieces of this size."""

_Words = npt.NDArray[np.uint64]
_FACTOR = np.uint64(0xFF51AFD7ED558CCD)
_SHIFT = np.uint64(32)
_MASK = (1 << 64) - 1


def _mix(state: _Words, value: _Words | np.uint64) -> _Words:
    state = (state ^ value) * _FACTOR
    return state ^ (state >> _SHIFT)


def chunk_digests(content: bytes, key: int, case: int, output: int) -> _Words:
    """One digest per chunk of ``content``; each depends on the key and on the place of the chunk."""
    count = -(-len(content) // CHUNK_BYTES)
    padded = np.zeros(count * CHUNK_BYTES, np.uint8)
    padded[: len(content)] = np.frombuffer(content, np.uint8)
    words = padded.view("<u8").reshape(count, CHUNK_BYTES // 8).astype(np.uint64)
    tags = np.arange(count, dtype=np.uint64) ^ np.uint64((case << 48 ^ output << 40) & _MASK)
    states = _mix(np.full(count, key, np.uint64), tags)
    last = -(-(len(content) - (count - 1) * CHUNK_BYTES) // 8)
    for place in range(CHUNK_BYTES // 8):
        rows = slice(None) if place < last else slice(0, count - 1)
        states[rows] = _mix(states[rows], words[rows, place])
    return states


def fold(digests: npt.NDArray[Any], key: int) -> int:
    """One digest of all."""
    state = key
    for value in digests.tolist():
        state = (state ^ value) * int(_FACTOR) & _MASK
        state ^= state >> 32
    return state


def line_check(text: bytes, key: int) -> int:
    """What a report line ends with."""
    state = (key & 0xFFFFFFFF) ^ 0x811C9DC5
    for byte in text:
        state = (state ^ byte) * 0x01000193 & 0xFFFFFFFF
    return state
