"""``autocomp optimize`` and ``autocomp resume``."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from autocomp import session
from autocomp.cli import _options as options
from autocomp.cli._codes import INTERRUPTED
from autocomp.cli._console import err, fail, out, print_json
from autocomp.cli._live import Latest, shown
from autocomp.cli._options import configure, existing_store
from autocomp.cli._report_file import report_path, write_report
from autocomp.cli._tables import comparison_table
from autocomp.cli._values import view_json
from autocomp.configuration import Configuration
from autocomp.errors import AutocompError, UsageError
from autocomp.problems import load
from autocomp.report import checked, compare, duration_text, ended, evaluated, plural
from autocomp.store import RunView

ReportPath = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Where the report goes; default beside the store.")
]
NoReport = Annotated[bool, typer.Option("--no-report", help="Write no report.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="N", help="Processes that evaluate; default one per core.")
]


@dataclass(frozen=True)
class _Ending:
    """What to do once the run has ended."""

    json: bool
    report: Path | None
    no_report: bool
    quiet: bool
    store_flag: Path | None


def optimize(  # noqa: PLR0913, PLR0917 - one parameter per flag
    problem: Annotated[
        str | None,
        typer.Argument(metavar="PROBLEM", help=options.PROBLEM_HELP),
    ] = None,
    beam: Annotated[int | None, typer.Option("--beam", metavar="B", help="Candidates kept per iteration.")] = None,
    plans: Annotated[int | None, typer.Option("--plans", metavar="N", help="Plans per kept candidate.")] = None,
    implementations: Annotated[
        int | None, typer.Option("--implementations", metavar="K", help="Implementations per plan.")
    ] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", metavar="T", help="Iterations at most.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Seed of everything the search draws.")
    ] = None,
    max_evaluations: Annotated[
        int | None, typer.Option("--max-evaluations", metavar="N", help="Stop after so many different candidates.")
    ] = None,
    max_minutes: Annotated[
        float | None, typer.Option("--max-minutes", metavar="MINUTES", help="Stop after so much time.")
    ] = None,
    target: options.TargetName = None,
    memory: options.Memory = None,
    engine: options.Engine = None,
    proposer: Annotated[
        str | None, typer.Option("--proposer", metavar="NAME", help="Who plans and implements; default `rewrite`.")
    ] = None,
    workers: Workers = None,
    resume_run: Annotated[
        str | None,
        typer.Option("--resume", metavar="RUN", help="Go on with this run instead; it keeps its own settings."),
    ] = None,
    report: ReportPath = None,
    no_report: NoReport = False,
    store: options.StorePath = None,
    config: options.Config = None,
    json: options.Json = False,
    quiet: Quiet = False,
) -> None:
    """Search for faster code that computes the same, and prove it.

    Every result is on disk before the next step: stop it at any time, `autocomp resume` goes on.
    """
    ending = _Ending(json, report, no_report, quiet, store)
    search: dict[str, object] = {
        "search.beam": beam,
        "search.plans": plans,
        "search.implementations": implementations,
        "search.iterations": iterations,
        "search.max_evaluations": max_evaluations,
        "search.max_minutes": max_minutes,
        "run.seed": seed,
        "run.target": target,
        "run.proposer": proposer,
    }
    machine: dict[str, object] = {"run.store": store, "evaluate.workers": workers}
    if resume_run is not None:
        given = [
            key.split(".")[1]
            for key, value in (search | {"targets.memory": memory, "targets.engine": engine}).items()
            if value is not None
        ]
        if given:
            raise UsageError(f"a resumed run keeps its settings; leave out --{given[0].replace('_', '-')}")
        _resume(resume_run, config, machine, ending, problem)
        return
    if problem is None:
        raise UsageError("name the problem to optimise; `autocomp problems` lists those that come with Autocomp")
    settings = configure(config, search | machine, problem=problem, memory=memory, engine=engine)
    _check_writable(ending)
    latest = Latest()
    try:
        with shown(err(), problem, latest, quiet=quiet) as listener:
            view = session.optimize(problem, config=settings, listener=listener)
    except KeyboardInterrupt:
        raise _stopped(latest, ending) from None
    _finish(view, settings, ending)


def resume(
    run: options.Run = "last",
    workers: Workers = None,
    report: ReportPath = None,
    no_report: NoReport = False,
    store: options.StorePath = None,
    config: options.Config = None,
    json: options.Json = False,
    quiet: Quiet = False,
) -> None:
    """Go on with a run that was stopped or killed; it ends where an undisturbed run would have ended."""
    machine: dict[str, object] = {"run.store": store, "evaluate.workers": workers}
    _resume(run, config, machine, _Ending(json, report, no_report, quiet, store), None)


def _resume(run: str, config: Path | None, machine: dict[str, object], ending: _Ending, problem: str | None) -> None:
    settings = configure(config, machine)
    with existing_store(config, ending.store_flag) as opened:
        full = opened.resolve(run)
        summary = next((one for one in opened.runs() if one.id == full), None)
    title = summary.problem if summary else full
    if problem is not None and summary is not None and load(problem).locator != summary.problem:
        raise UsageError(f"run {full} is about {summary.problem}, not {problem}; leave the problem out")
    _check_writable(ending)
    latest = Latest()
    try:
        with shown(err(), title, latest, quiet=ending.quiet) as listener:
            view = session.resume(full, config=settings, listener=listener)
    except KeyboardInterrupt:
        raise _stopped(latest, ending) from None
    _finish(view, settings, ending)


def _check_writable(ending: _Ending) -> None:
    """Refuse a report path that cannot work before hours are spent, not after."""
    if ending.report is not None and (ending.report.is_dir() or not ending.report.absolute().parent.is_dir()):
        raise UsageError(f"--report {ending.report}: give a file in a folder that exists")


def _stopped(latest: Latest, ending: _Ending) -> typer.Exit:
    run = latest.progress.run if latest.progress else None
    if run:
        fail(f"everything so far is kept; go on with: autocomp resume {run}{_store_flag(ending)}", "stopped")
    else:
        fail("before the run began; nothing was started", "stopped")
    return typer.Exit(INTERRUPTED)


def _finish(view: RunView, settings: Configuration, ending: _Ending) -> None:
    """Write the report, then print the result as a table or as JSON."""
    path = None if ending.no_report else ending.report or report_path(view, settings)
    trouble = ""
    if path is not None:
        try:
            if not ending.quiet:
                err().print("writing the report", style="dim")
            write_report(view, settings, path)
        except AutocompError as error:
            # The run is safe in the store; a report that cannot be written must not hide its result.
            path, trouble = None, str(error)
    if ending.json:
        print_json(view_json(view) | {"report": str(path) if path else None})
    else:
        _print_result(view, path, ending)
    if trouble:
        fail(f"{trouble}; the run itself is complete, see `autocomp report {view.id}`", "no report")


def _print_result(view: RunView, path: Path | None, ending: _Ending) -> None:
    console = out()
    console.print(Text(f"{view.problem} on {view.target}", style="bold"))
    console.print()
    console.print(comparison_table(compare(view)))
    console.print()
    flag = _store_flag(ending)
    lines = {
        "run": f"{view.id}, {ended(view)}; {plural(evaluated(view), 'evaluation')} in {duration_text(view.duration_s)}",
        "checked": checked(view),
        "report": str(path) if path else "",
        "export": f"autocomp export {view.id} -o kernel.c{flag}",
    }
    for name, value in lines.items():
        if value:
            console.print(Text(f"{name:<8}", style="bold").append(value, style="not bold"), soft_wrap=True)


def _store_flag(ending: _Ending) -> str:
    return f" --store {shlex.quote(str(ending.store_flag))}" if ending.store_flag else ""
