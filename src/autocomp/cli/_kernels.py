"""``autocomp evaluate`` and ``autocomp profile``: one kernel, looked at closely."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from autocomp import session
from autocomp.cli import _options as options
from autocomp.cli._codes import BAD_CANDIDATE
from autocomp.cli._console import out, print_json, print_text, unicode_output
from autocomp.cli._files import write_file
from autocomp.cli._options import configure
from autocomp.cli._tables import print_evaluation
from autocomp.cli._values import evaluation_json, ideal_json
from autocomp.errors import UsageError
from autocomp.problems import load
from autocomp.report import (
    WIDTH,
    ProfilePage,
    busy_shares,
    height,
    profile_html,
    standalone,
    timeline_svg,
    timeline_text,
)


def evaluate(
    problem: options.ProblemName,
    file: options.Kernel,
    target: options.TargetName = None,
    memory: options.Memory = None,
    engine: options.Engine = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """Check one kernel against its problem and measure it.

    A bad kernel is told by its verdict, with line, message and source, and exit code 10.
    """
    code = _source(file)
    settings = configure(config, {"run.target": target}, problem=problem, memory=memory, engine=engine)
    found = session.profile(problem, code, config=settings, timeline=False)
    if json:
        print_json(_values(problem, file, found))
    else:
        print_evaluation(out(), code, found.evaluation, found.ideal)
    _leave(found)


def profile(  # noqa: PLR0913, PLR0917 - one parameter per flag
    problem: options.ProblemName,
    file: options.Kernel,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Draw it into this `.svg` or `.html` file instead."),
    ] = None,
    force: options.Force = False,
    target: options.TargetName = None,
    memory: options.Memory = None,
    engine: options.Engine = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """Show when each unit of the target had a command in progress.

    Without `--output` the timeline is drawn with characters. A bad kernel ends as in `autocomp evaluate`.
    """
    if output is not None and output.suffix not in (".svg", ".html"):
        raise UsageError(f"--output {output}: the name must end in .svg or .html")
    if output is not None and output.exists() and not force:
        raise UsageError(f"{output} exists; use --force to overwrite it or -o to choose another name")
    code = _source(file)
    settings = configure(config, {"run.target": target}, problem=problem, memory=memory, engine=engine)
    found = session.profile(problem, code, config=settings, timeline=True)
    evaluation = found.evaluation
    unit = found.ideal.unit
    if evaluation.verdict.passed and evaluation.measurement is not None and not found.timeline:
        raise UsageError(
            f"{evaluation.measurement.method}: shows no timeline; profile with `--engine embedded`, or see the latency "
            "with `autocomp evaluate`"
        )
    if not evaluation.verdict.passed or evaluation.measurement is None:
        if json:
            print_json(_values(problem, file, found))
        else:
            print_evaluation(out(), code, evaluation, found.ideal)
        _leave(found)
        return
    if output is not None:
        if output.suffix == ".svg":
            picture = timeline_svg(found.timeline, unit, evaluation.latency)
            text = standalone(picture, WIDTH, height(len(busy_shares(found.timeline))))
        else:
            target_name = settings.run.target or load(problem).target
            page = ProfilePage(
                file.name,
                problem,
                target_name,
                code,
                evaluation.measurement,
                found.ideal,
                found.timeline,
                evaluation.feedback,
            )
            text = profile_html(page)
        write_file(output, text, force=force)
    if json:
        value = _values(problem, file, found) | {
            "busy": busy_shares(found.timeline, evaluation.latency),
            "spans": len(found.timeline),
        }
        print_json(value | {"output": str(output) if output else None})
        return
    console = out()
    if output is None:
        print_text(_characters(found, min(console.width, 140)))
        console.print()
    print_evaluation(console, code, evaluation, found.ideal)
    if output is not None:
        console.print(Text(f"timeline: {output}"), soft_wrap=True)


def _characters(found: session.Profile, columns: int) -> str:
    latency = found.evaluation.latency
    return timeline_text(found.timeline, found.ideal.unit, columns, latency=latency, unicode=unicode_output())


def _source(file: Path) -> str:
    """The kernel's text, read once: the file may be a pipe. Raises UsageError."""
    text = session.read_kernel(None if str(file) == "-" else file)
    # The session takes a text of a single line for a path if such a file exists.
    return text if not text or text.endswith("\n") else text + "\n"


def _values(problem: str, file: Path, found: session.Profile) -> dict[str, object]:
    value = {"problem": problem, "file": str(file)} | evaluation_json(found.evaluation)
    return value | {"ideal": ideal_json(found.ideal, found.evaluation.latency)}


def _leave(found: session.Profile) -> None:
    if not found.evaluation.verdict.passed:
        raise typer.Exit(BAD_CANDIDATE)
