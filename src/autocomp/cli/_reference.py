"""The reference ``docs/cli.md``, generated from the commands: ``make docs``."""

from __future__ import annotations

import sys
from typing import Any

import typer.main

from autocomp.cli._app import app
from autocomp.cli._codes import MEANINGS

HEAD = """# Command line

Generated from the commands themselves by `make docs`; a test keeps it current.

Wherever a run is named, its id, the unique beginning of one, or `last` will do. Results go to standard output,
progress and errors to standard error; with `--json`, standard output is one JSON document, or empty if the command
failed with an error. Colours are off where there is no terminal or `NO_COLOR` is set. Settings come from the nearest
`autocomp.toml`, flags count more.

"""


JSON = """
## JSON documents

What was not found out is `null`. More keys may be added; these stay.

| command | keys |
|---|---|
| `evaluate` | `problem`, `file`, `verdict` (`passed`, `trapped`, …), `message`, `inputs`, \
`diagnostics` (`line`, `message`), `latency`, `latency_cycles`, \
`unit`, `method`, `counters`, `feedback`, `ideal` (`latency`, `bound`, `share`) |
| `profile` | those of `evaluate`; `busy` (share of the time by unit), `spans`, `output` |
| `optimize`, `resume` | `run`, `problem`, `target`, `status`, `stop_reason`, `evaluations`, `verdicts`, `comparison` \
(`kind`, `name`, `latency`, `speedup`, `share_of_ideal`, `note`), `ideal`, `best` (`id`, `move`, `evaluation`, \
`confirmed`), `steps`, `configuration`, `report` |
| `show` | those of `optimize` without `report`; `candidates`, `beams`; with `--candidate`: `id`, `parent`, `move`, \
`evaluation`, `code` |
| `runs` | a list of `run`, `problem`, `target`, `status`, `started`, `evaluations`, `start_latency`, `best_latency`, \
`unit`, `speedup` |
| `doctor` | `ok`, `findings` (by target: `subject`, `ok`, `detail`, `fix`) |
"""


def reference() -> str:
    """The whole page as Markdown."""
    group: Any = typer.main.get_command(app)
    commands = group.commands
    text = HEAD + "| command | what it does |\n|---|---|\n"
    for name, command in commands.items():
        text += f"| [`{name}`](#{name}) | {_paragraphs(command)[0].rstrip('.')} |\n"
    for name, command in commands.items():
        text += _section(name, command)
    text += JSON
    text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n"
    for code, meaning in MEANINGS.items():
        text += f"| {code} | {meaning} |\n"
    return text


def _section(name: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    flags = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join(one.metavar if one.required else f"[{one.metavar}]" for one in arguments)
    text = f"\n## {name}\n\n```\nautocomp {name} {usage}".rstrip() + (" [OPTIONS]" if flags else "") + "\n```\n\n"
    text += "\n\n".join(_paragraphs(command)) + "\n\n| argument or option | meaning |\n|---|---|\n"
    for one in arguments:
        default = f" Default `{one.default}`." if one.default is not None else ""
        text += f"| `{one.metavar}` | {one.help}{default} |\n"
    for one in flags:
        names = ", ".join([*one.opts, *one.secondary_opts])
        value = "" if one.is_flag else f" {one.metavar}"
        default = f" Default `{one.default}`." if one.default is not None and not one.is_flag else ""
        text += f"| `{names}{value}` | {one.help}{default} |\n"
    return text


def _paragraphs(command: Any) -> list[str]:
    return [" ".join(part.split()) for part in (command.help or "").split("\n\n")]


if __name__ == "__main__":
    sys.stdout.write(reference())
