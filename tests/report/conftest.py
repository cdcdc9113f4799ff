"""Runs made by hand: small ones to assert on, and a long one to see that pages stay small."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from autocomp.records import Candidate, Diagnostic, Evaluation, Ideal, Measurement, Move, Status, Verdict
from autocomp.store import Entry, RivalResult, RunView
from autocomp.targets import Span

START = "void kernel(void) {\n  config_ex(1);\n  for (int i = 0; i < 32; i++)\n    mvin(A, i);\n  fence();\n}\n"


def passed(latency: float, **counters: float) -> Evaluation:
    return Evaluation(
        Verdict(Status.PASSED),
        Measurement(latency, "cycles", "simulated cycles (ideal memory)", counters),
        ("Loads wait for the array.",),
    )


def failed(status: Status = Status.WRONG_VALUE, message: str = "C[3, 4] is 7, expected 9") -> Evaluation:
    return Evaluation(Verdict(status, message, (Diagnostic("here", 4),), "extremes/seed 3"))


def entry(
    name: str, evaluation: Evaluation | None, parent: str | None = None, code: str | None = None, plan: str = "a plan"
) -> Entry:
    iteration = 0 if parent is None else int(name.split(".", maxsplit=1)[0])
    move = None if parent is None else Move(f"item-{name}", plan, "rewrite", {"loop": "i"})
    return Entry(Candidate(name, code or f"{START}// {name}\n", parent, move, iteration), evaluation, 1.0)


@pytest.fixture
def make_entry() -> Callable[..., Entry]:
    return entry


@pytest.fixture
def make_passed() -> Callable[..., Evaluation]:
    return passed


@pytest.fixture
def make_failed() -> Callable[..., Evaluation]:
    return failed


@pytest.fixture
def make_view() -> Callable[..., RunView]:
    """Start 1000, best 400 by way of 700, one failure, one slower; a rival at 500; ideal 320."""

    def build(entries: Sequence[Entry] | None = None, best: str = "2.0.0.0", **changes: object) -> RunView:
        found = tuple(
            entries
            or (
                entry("0", passed(1000, loads=64, stall_cycles=600)),
                entry("1.0.0.0", passed(700), "0"),
                entry("1.0.1.0", failed(), "0"),
                entry("1.0.2.0", passed(1500), "0"),
                entry("2.0.0.0", passed(400, loads=8, stall_cycles=20), "1.0.0.0"),
                entry("2.0.1.0", None, "1.0.0.0"),
            )
        )
        values: dict[str, object] = {
            "id": "20250101-120000-ab12",
            "problem": "gemm:64x64x64",
            "target": "gemmini",
            "status": "finished",
            "started_s": 1_750_000_000.0,
            "duration_s": 134.0,
            "configuration": {"search": {"beam": 6}, "targets": {"gemmini": {"memory": "ideal"}}},
            "ideal": Ideal(320.0, "cycles", "compute", "64 x 64 x 64 products at 256 per cycle."),
            "start": found[0],
            "entries": found,
            "rivals": (RivalResult("hand-tuned", "void rival(void) {}\n", passed(500)),),
            "best": next(one for one in found if one.candidate.id == best),
            "confirmed": True,
            "beams": (("0", "1.0.0.0"), ("2.0.0.0",)),
            "stop_reason": "iterations used up",
        }
        return RunView(**(values | changes))  # type: ignore[arg-type]

    return build


@pytest.fixture
def make_spans() -> Callable[[int], tuple[Span, ...]]:
    """So many spans on three units, loads ahead of the array, stores behind."""

    def build(count: int) -> tuple[Span, ...]:
        draw = random.Random(1)
        labels = {"load": "mvin", "execute": "compute", "store": "mvout"}
        spans, clock = [], 0.0
        for index in range(count):
            unit = ("load", "execute", "execute", "store")[index % 4]
            spans.append(Span(unit, clock, clock + draw.randint(4, 30), labels[unit], 1 + index % 40))
            clock += draw.randint(1, 12)
        return tuple(spans)

    return build
