import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from autocomp.cli._app import app
from autocomp.cli._reference import reference

COMMANDS = list(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_docs_are_what_the_help_says() -> None:
    page = Path(__file__).parents[2] / "docs" / "cli.md"
    assert page.read_text(encoding="utf-8") == reference(), "run: make docs"


def test_all_commands_are_there() -> None:
    assert COMMANDS == [
        "optimize",
        "resume",
        "evaluate",
        "profile",
        "problems",
        "targets",
        "runs",
        "show",
        "export",
        "report",
        "init",
        "doctor",
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_help(cli: Any, command: str) -> None:
    result = cli(command, "--help")
    assert result.code == 0
    assert "Usage" in result.out


def test_every_option_has_a_sentence() -> None:
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        for parameter in command.params:
            assert parameter.help and parameter.help.endswith("."), (name, parameter.name)


def promised(command: str) -> set[str]:
    (row,) = re.findall(rf"^\| {command} \| (.*) \|$", reference(), re.MULTILINE)
    return set(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", row)))


def test_json_has_the_keys_that_are_promised(cli: Any, recorded: dict[str, Any], stored: object, kernel: Path) -> None:
    documents = {
        "`evaluate`": cli("evaluate", "gemm:64x64x64", kernel, "--json"),
        "`optimize`, `resume`": cli("optimize", "gemm:64x64x64", "--json"),
        "`runs`": cli("runs", "--json"),
        "`doctor`": cli("doctor", "null", "--json"),
    }
    for command, result in documents.items():
        value = json.loads(result.out)
        keys = set(value[0] if isinstance(value, list) else value)
        assert promised(command) <= keys, command
