"""``runs``, ``show``, ``export`` and ``report``: what runs found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from autocomp.cli import _options as options
from autocomp.cli._console import err, out, print_json, print_text
from autocomp.cli._files import write_file
from autocomp.cli._options import configure, existing_store, read_run
from autocomp.cli._report_file import problem_of, report_path, write_report
from autocomp.cli._tables import comparison_table, counter_table, diff_text, plain_table, print_evaluation
from autocomp.cli._values import entry_json, summary_json, view_json
from autocomp.errors import UsageError
from autocomp.report import (
    change_text,
    compare,
    counter_rows,
    date_text,
    export_source,
    facts,
    improved,
    latency_text,
    number_text,
    speedup_text,
    steps,
    unified,
)
from autocomp.store import Entry, RunSummary, RunView


def runs(
    store: options.StorePath = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """List the runs of this project, the newest last."""
    settings = configure(config, {"run.store": store})
    summaries: tuple[RunSummary, ...] = ()
    if settings.run.store.exists():
        with existing_store(config, store) as opened:
            summaries = opened.runs()
    if json:
        print_json([summary_json(one) for one in summaries])
        return
    if not summaries:
        err().print("no runs yet; `autocomp optimize PROBLEM` starts one")
        return
    numbers = ("evaluations", "start", "best", "speed-up")
    table = plain_table("run", "problem", "target", "status", "started", *numbers, right=numbers)
    for one in summaries:
        start, best = one.start_latency, one.best_latency
        table.add_row(
            one.id,
            Text(one.problem),
            one.target,
            one.status,
            date_text(one.started_s)[:16],
            number_text(one.evaluations),
            latency_text(start, one.unit),
            latency_text(best, one.unit),
            speedup_text(start / best if start and best else None),
        )
    out().print(table)


def show(
    run: options.Run = "last",
    candidate: Annotated[
        str | None, typer.Option("--candidate", metavar="ID", help="Show this candidate: verdict and difference.")
    ] = None,
    code: Annotated[bool, typer.Option("--code", help="With --candidate: its source instead.")] = False,
    store: options.StorePath = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """Show a run: the comparison, the steps to the best kernel, the counters; or one of its candidates."""
    if code and candidate is None:
        raise UsageError("--code needs --candidate ID; for the best kernel use `autocomp export`")
    view = read_run(run, config, store)
    if candidate is not None:
        _show_candidate(view, candidate, code=code, json=json)
        return
    if json:
        print_json(view_json(view, candidates=True))
        return
    console = out()
    console.print(Text(f"{view.problem} on {view.target}", style="bold"))
    console.print()
    console.print(comparison_table(compare(view)))
    console.print()
    _print_steps(console, view)
    found = view.best.evaluation if improved(view) else None
    if rows := counter_rows(view.start.evaluation, found):
        console.print(counter_table(rows))
        console.print()
    for name, value in facts(view, problem_of(view)).items():
        console.print(Text(f"{name:<20}", style="bold").append(value, style="not bold"))


def export(
    run: options.Run = "last",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write; default standard output.")
    ] = None,
    force: options.Force = False,
    store: options.StorePath = None,
    config: options.Config = None,
) -> None:
    """Give the best kernel of a run, with a header comment that says how it was measured."""
    view = read_run(run, config, store)
    problem = problem_of(view)
    # The language is that of the problem's own start file, or C where the problem is gone.
    path = problem.start.path if problem else None
    text = export_source(view, path.suffix.lstrip(".") if path else "c", problem)
    if output is None:
        print_text(text)
        return
    write_file(output, text, force=force)
    err().print(Text(f"wrote {output}"), soft_wrap=True)
    if improved(view) and not view.confirmed:
        err().print(Text("note: not confirmed with fresh secret inputs", style="yellow"))


def report(
    run: options.Run = "last",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write; default beside the store.")
    ] = None,
    timelines: Annotated[
        bool, typer.Option("--timelines/--no-timelines", help="Measure start and best again for their timelines.")
    ] = True,
    store: options.StorePath = None,
    config: options.Config = None,
) -> None:
    """Write one self-contained HTML file about a run and print its path."""
    settings = configure(config, {"run.store": store})
    view = read_run(run, config, store)
    path = output or report_path(view, settings)
    write_report(view, settings, path, timelines=timelines)
    print_text(f"{path}\n")


def _print_steps(console: Console, view: RunView) -> None:
    numbers = ("latency", "change")
    table = plain_table("step", "candidate", "move", *numbers, right=numbers)
    for node in steps(view):
        move = node.entry.candidate.move
        table.add_row(
            str(node.depth),
            node.entry.candidate.id,
            Text(move.item if move else "start kernel"),
            latency_text(node.latency, view.ideal.unit),
            change_text(node.parent_latency, node.latency),
        )
    console.print(table)
    console.print()


def _show_candidate(view: RunView, name: str, *, code: bool, json: bool) -> None:
    by_id = {entry.candidate.id: entry for entry in (view.start, *view.entries)}
    wanted = view.best if name == "best" else by_id.get(name)
    if wanted is None:
        raise UsageError(f"run {view.id} has no candidate {name!r}; `autocomp show {view.id} --json` lists them")
    if json:
        print_json(entry_json(wanted) | {"code": wanted.candidate.code})
    elif code:
        print_text(wanted.candidate.code)
    else:
        _print_candidate(view, wanted, by_id.get(wanted.candidate.parent_id or ""))


def _print_candidate(view: RunView, entry: Entry, parent: Entry | None) -> None:
    console = out()
    move = entry.candidate.move
    console.print(Text(f"candidate {entry.candidate.id}", style="bold"))
    if move is not None:
        console.print(Text(f"{move.item} (by {move.proposer}): {move.plan}"))
    console.print()
    if entry.evaluation is None:
        console.print(Text("not evaluated", style="yellow"))
    else:
        print_evaluation(console, entry.candidate.code, entry.evaluation, view.ideal)
    if parent is not None:
        console.print()
        console.print(Text(f"difference to {parent.candidate.id}", style="bold"))
        console.print(diff_text(unified(parent.candidate.code, entry.candidate.code, 10_000)), soft_wrap=True)
