"""The kinds of events a run consists of, and how moves stand in them.

====================  ==================  ============================================================
kind                  key                 payload
====================  ==================  ============================================================
``run_started``       ``run``             problem, target, configuration, seeds, ideal, digests of kernels
``start``             ``0``               evaluation of the start kernel
``rival``             name                evaluation of a rival
``planned``           plan key            parent, move (or null)
``implemented``       candidate id        digest of the code (or null), reason
``evaluated``         digest of the code  candidate, evaluation
``confirmed``         digest of the code  candidate, evaluation on fresh secret inputs
``beam``              iteration           ids kept, latency of the best
``stopped``           ``run``             reason: the search was told to end here
``finished``          ``run``             reason, best, number of evaluations
``interrupted``       running number      reason
``resumed``           running number      –
``failed``            running number      error
====================  ==================  ============================================================

A code, a plan's text and a rival's code stand in a payload as digests of blobs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from autocomp.records import Event, Move, digest

STARTED = "run_started"
START = "start"
RIVAL = "rival"
PLANNED = "planned"
IMPLEMENTED = "implemented"
EVALUATED = "evaluated"
CONFIRMED = "confirmed"
BEAM = "beam"
STOPPED = "stopped"
FINISHED = "finished"
INTERRUPTED = "interrupted"
RESUMED = "resumed"
FAILED = "failed"


def move_to_json(move: Move) -> dict[str, Any]:
    """JSON types of a move; the plan's text becomes the digest of a blob."""
    return {
        "item": move.item,
        "plan": digest(move.plan),
        "proposer": move.proposer,
        "parameters": dict(move.parameters),
    }


def move_from_json(values: Mapping[str, Any], texts: Mapping[str, str]) -> Move:
    """Inverse of :func:`move_to_json`, given the texts of the blobs."""
    return Move(values["item"], texts[values["plan"]], values["proposer"], values["parameters"])


def named_blobs(events: Iterable[Event]) -> Iterator[str]:
    """Digests of all texts that ``events`` name."""
    for event in events:
        payload: Mapping[str, Any] = event.payload
        if event.kind == STARTED:
            yield payload["start"]
            yield from payload["rivals"].values()
        elif event.kind == PLANNED and payload["move"]:
            yield payload["move"]["plan"]
        elif event.kind == IMPLEMENTED and payload["code"]:
            yield payload["code"]
