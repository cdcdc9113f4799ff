"""The tutorial names only commands and options that exist."""

import re
import shlex
from pathlib import Path

import typer.main

from autocomp.cli._app import app

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")


def test_every_command_exists_with_its_options() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    lines = re.findall(r"^\$ autocomp (.+)$", PAGE, re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        name, *words = shlex.split(line)
        known = {option for parameter in commands[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known, line


def test_the_python_example_compiles() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    compile(code, "tutorial", "exec")
