"""Writes ``recorded.json``, what the worker says about the procedures here: ``python tests/problems/exo/record.py``.

Needs the extra ``exo``. Tests without it use the recording; one test with it makes sure that it is up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autocomp.problems.exo._locator import ExoSpec
from autocomp.problems.exo._run import facts

FOLDER = Path(__file__).parent
RECORDED = FOLDER / "recorded.json"
SPECS = {
    "product": ExoSpec(FOLDER / "plain.py", "product", {"N": 5, "M": 8}),
    "rows": ExoSpec(FOLDER / "plain.py", "rows", {"m": 3, "n": 7, "bounded": True}),
    "triangle": ExoSpec(FOLDER / "plain.py", "triangle", {"N": 9}),
    "gather": ExoSpec(FOLDER / "plain.py", "gather", {"N": 64}),
    "solution": ExoSpec(FOLDER / "plain.py", "solution", {"N": 4}),
    "scheduled": ExoSpec(
        FOLDER / "scheduled.py", "product", {"N": 32, "M": 48, "K": 64}, start="tiled", rivals=("tiled",)
    ),
    "scaled": ExoSpec(FOLDER / "scheduled.py", "scaled", {}, start="scaled_tile"),
}


def recording(name: str) -> dict[str, Any]:
    """The worker's answer, apart from where the files were and what was in them."""
    return {key: value for key, value in facts(SPECS[name]).items() if key != "files"}


if __name__ == "__main__":
    answers = {name: recording(name) for name in SPECS}
    RECORDED.write_text(json.dumps(answers, indent=1) + "\n", encoding="utf-8")
