"""What happened in a run, as the store keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """One entry of the append-only log.

    ``kind`` and ``key`` say what it is about (``evaluated`` / candidate id); ``payload`` holds JSON types only, long
    texts stand in it as digests of blobs.
    """

    sequence: int
    """Position in the store; rises by insertion."""
    run: str
    kind: str
    key: str
    payload: Mapping[str, object]
    time_s: float
    """Seconds since the epoch; for people, never for decisions."""
