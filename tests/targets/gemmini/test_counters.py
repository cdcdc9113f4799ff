"""Every counter has a meaning, and the documentation says it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import programs

from autocomp.targets.gemmini._simulator import CommandMachine, counter_meanings

_DOCUMENT = Path(__file__).parents[3] / "docs" / "gemmini.md"


def table() -> str:
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in counter_meanings().items())
    head = (
        "<!-- counters: made by tests/targets/gemmini/test_counters.py -->\n| counter | what it counts |\n|---|---|\n"
    )
    return head + rows


def test_every_counter_of_a_run_has_a_meaning() -> None:
    result = programs.simulate("void solution(int64_t *x) { fence(); }", programs.array("x", np.zeros(1, np.int64)))
    assert list(result["counters"]) == list(counter_meanings())
    assert set(CommandMachine({}, "ideal", False).counters()) < set(counter_meanings())
    assert all(counter_meanings().values())


def test_the_document_lists_them() -> None:
    assert table() in _DOCUMENT.read_text(), f"put this into {_DOCUMENT}:\n{table()}"
