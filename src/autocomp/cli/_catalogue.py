"""``problems``, ``targets``, ``init`` and ``doctor``: what there is, and what is missing."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from autocomp import targets as chips
from autocomp.cli import _options as options
from autocomp.cli._console import err, out, print_json
from autocomp.cli._options import configure
from autocomp.cli._tables import plain_table
from autocomp.configuration import Configuration, find_configuration
from autocomp.errors import AutocompError, SetupError
from autocomp.problems import lint, load, packaged, scaffold
from autocomp.records import Problem
from autocomp.report import flat, number_text, tool_version
from autocomp.targets import Finding


def problems(
    problem: Annotated[
        str | None, typer.Argument(metavar="PROBLEM", help="Show this one, and warn if its checks are weak.")
    ] = None,
    json: options.Json = False,
) -> None:
    """List the problems that come with Autocomp, or describe one.

    Any other size has a name, too: `gemm:128x64x256` (M x N x K), `conv:1x28x28x16x32:pad=1` (images, rows, columns,
    channels in and out).
    """
    if problem is not None:
        _describe(load(problem), json=json)
        return
    if json:
        rows = [
            {"name": one.name, "locator": one.locator, "operator": one.operator, "note": one.note} for one in packaged()
        ]
        print_json(rows)
        return
    table = plain_table("problem", "operator", "note")
    for one in packaged():
        table.add_row(Text(one.locator), Text(one.operator), Text(one.note))
    out().print(table)


def targets(
    target: Annotated[str | None, typer.Argument(metavar="TARGET", help="Describe this one.")] = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """List the installed targets, or describe one: memories, units, clock, peak rates."""
    settings = configure(config)
    if target is not None:
        described = chips.create(target, settings.targets.get(target)).describe()
        if json:
            print_json(_plain(described))
            return
        table = plain_table("property", "value")
        for name, value in flat(described).items():
            table.add_row(Text(name), Text(value))
        out().print(table)
        return
    rows = [_target_row(name, settings) for name in chips.names()]
    if json:
        print_json(rows)
        return
    table = plain_table("target", "kernels in", "measures", "note")
    for row in rows:
        measures = {True: "exactly", False: "with noise"}.get(row["deterministic"], "–")
        table.add_row(row["name"], row["language"] or "–", measures, Text(row["note"]))
    out().print(table)


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to make; existing files are kept.")],
    like: Annotated[
        str,
        typer.Option("--like", metavar="PROBLEM", help="What to begin with, such as `gemm:96x160x48:bias`."),
    ] = "gemm:64x64x64",
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Name of the problem; default that of the folder.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Make a problem folder that works as it is, to be changed into your own."""
    written = scaffold(folder, name, template=like)
    if json:
        print_json({"folder": str(folder), "files": [str(path) for path in written]})
        return
    console = out()
    for path in written:
        console.print(Text(f"wrote {path}"), soft_wrap=True)
    where = folder if "/" in str(folder) else f"./{folder}"
    console.print()
    console.print(Text(f"check it     autocomp problems {where}"), soft_wrap=True)
    console.print(Text(f"optimise it  autocomp optimize {where}"), soft_wrap=True)


def doctor(
    target: Annotated[str | None, typer.Argument(metavar="TARGET", help="Look at this target only.")] = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """Say what is there, what is missing, and the command that mends it; exit code 3 if anything is missing."""
    settings = configure(config)
    names = (target,) if target is not None else chips.names()
    found = {"autocomp": _own_findings(settings)}
    for name in names:
        try:
            found[name] = tuple(chips.create(name, settings.targets.get(name)).doctor())
        except SetupError as error:
            found[name] = (Finding(name, False, str(error)),)
    healthy = all(one.ok for group in found.values() for one in group)
    if json:
        groups = {
            name: [{"subject": one.subject, "ok": one.ok, "detail": one.detail, "fix": one.fix} for one in group]
            for name, group in found.items()
        }
        print_json({"ok": healthy, "findings": groups})
    else:
        _print_findings(found)
    if not healthy:
        raise typer.Exit(SetupError.exit_code)


def _print_findings(found: dict[str, tuple[Finding, ...]]) -> None:
    console = out()
    for name, group in found.items():
        console.print(Text(name, style="bold"))
        for one in group:
            mark = Text("  ok       ", style="green") if one.ok else Text("  missing  ", style="bold red")
            console.print(mark.append(f"{one.subject}: {one.detail}", style="not bold default"), soft_wrap=True)
            if one.fix and not one.ok:
                console.print(Text(f"           fix: {one.fix}", style="yellow"), soft_wrap=True)


def _own_findings(settings: Configuration) -> tuple[Finding, ...]:
    source = find_configuration()
    store = settings.run.store
    return (
        Finding("version", True, f"autocomp {tool_version()}, Python {platform.python_version()}"),
        Finding("settings", True, str(source) if source else "no autocomp.toml here or above; defaults apply"),
        _store_finding(store),
    )


def _store_finding(store: Path) -> Finding:
    """Whether the store could be written, without making anything."""
    import os

    place = store if store.exists() else store.absolute().parent
    while not place.exists():
        place = place.parent
    if os.access(place, os.W_OK):
        return Finding("store", True, f"{store}" + ("" if store.exists() else " (made by the first run)"))
    return Finding("store", False, f"{store} cannot be written", f"chmod u+w {place}, or give --store FILE")


def _target_row(name: str, settings: Configuration) -> dict[str, Any]:
    try:
        target = chips.create(name, settings.targets.get(name))
    except AutocompError as error:
        return {"name": name, "language": None, "deterministic": None, "note": str(error)}
    missing = [one.subject for one in target.doctor() if not one.ok]
    note = f"not usable here: {', '.join(missing)} missing; see `autocomp doctor {name}`" if missing else "ready"
    return {"name": name, "language": target.language, "deterministic": target.deterministic, "note": note}


def _describe(problem: Problem, *, json: bool) -> None:
    warnings = lint(problem)
    facts: dict[str, Any] = {
        "name": problem.name,
        "locator": problem.locator,
        "operator": problem.operator,
        "dimensions": dict(problem.dimensions),
        "target": problem.target,
        "settings": dict(problem.settings),
        "entry": problem.entry,
        "operations": problem.work.operations,
        "bytes": problem.work.bytes,
        "rivals": sorted(problem.rivals),
    }
    arguments = [
        {"name": spec.name, "dtype": spec.dtype, "shape": list(spec.shape), "role": spec.role.value}
        for spec in problem.arguments
    ]
    if json:
        print_json(facts | {"arguments": arguments, "warnings": list(warnings)})
        return
    console = out()
    table = plain_table("property", "value")
    for name, value in facts.items():
        if value == {}:
            continue
        words = ", ".join(f"{key} {size}" for key, size in value.items()) if isinstance(value, dict) else value
        words = ", ".join(words) if isinstance(words, list) else words
        table.add_row(name, Text(number_text(words) if isinstance(words, int) else str(words)))
    for spec in problem.arguments:
        table.add_row(f"{spec.role.value} {spec.name}", Text(f"{spec.dtype} {' x '.join(map(str, spec.shape))}"))
    console.print(table)
    for warning in warnings:
        err().print(Text("warning: ", style="yellow").append(warning, style="default"), soft_wrap=True)


def _plain(value: object) -> Any:
    """``value`` in JSON types."""
    from collections.abc import Mapping

    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
