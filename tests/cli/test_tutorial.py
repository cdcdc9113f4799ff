"""The tutorial and the README name only commands and options that exist, and their tables are consistent."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
import typer.main

from autocomp.cli._app import app
from autocomp.problems import load
from autocomp.report import change_text, share_text, speedup_text
from autocomp.targets import create

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
PAGES = {"docs/tutorial.md": PAGE, "README.md": (ROOT / "README.md").read_text(encoding="utf-8")}

ROW = re.compile(r"^([a-z-]+) +([\d,]+) cycles +(\S+×) +(\S+ %)$", re.MULTILINE)
STEP = re.compile(r"^(\d+) +([\d.]+) +(start kernel|\w+) +([\d,]+) cycles(?: +(\S+ %))?$", re.MULTILINE)


def number(words: str) -> int:
    return int(words.replace(",", ""))


def test_every_command_exists_with_its_options() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    lines = re.findall(r"^\$ autocomp (.+)$", PAGE, re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        name, *words = shlex.split(line)
        known = {option for parameter in commands[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known, line


@pytest.mark.parametrize("page", PAGES)
def test_the_comparison_is_one_that_can_be(page: str) -> None:
    (name,) = re.findall(r"^(gemm:\S+) on gemmini$", PAGES[page], re.MULTILINE)
    rows = {kind: (number(cycles), speedup, share) for kind, cycles, speedup, share in ROW.findall(PAGES[page])}
    first, *rivals, found, roof = rows
    assert (first, found, roof) == ("start", "found", "ideal")
    assert rivals == sorted(load(name).rivals)
    start, ideal = rows["start"][0], rows["ideal"][0]
    assert ideal == create("gemmini").ideal(load(name)).latency
    assert ideal < rows["found"][0] < start
    for cycles, speedup, share in rows.values():
        assert (speedup, share) == (speedup_text(start / cycles), share_text(ideal / cycles))


def test_the_steps_lead_from_start_to_found() -> None:
    rows = {kind: number(cycles) for kind, cycles, *_ in ROW.findall(PAGE)}
    steps = [(number(cycles), change) for _, _, _, cycles, change in STEP.findall(PAGE)]
    assert (steps[0][0], steps[-1][0]) == (rows["start"], rows["found"])
    for (before, _), (after, change) in pairwise(steps):
        assert change == change_text(before, after)


def test_the_python_example_compiles() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    compile(code, "tutorial", "exec")
