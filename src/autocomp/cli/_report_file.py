"""Make the report of a run: read it, time start and best again for their timelines, write the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autocomp import session
from autocomp.cli._files import write_file
from autocomp.cli._options import as_it_was
from autocomp.configuration import Configuration
from autocomp.errors import AutocompError
from autocomp.problems import load
from autocomp.records import Problem
from autocomp.report import improved, latency_text, report_html
from autocomp.store import Entry, RunView
from autocomp.targets import Span


def report_path(view: RunView, current: Configuration) -> Path:
    """Where reports go by themselves: beside the store."""
    return current.run.store.parent / "reports" / f"{view.id}.html"


def write_report(view: RunView, current: Configuration, path: Path, *, timelines: bool = True) -> None:
    """Write the page to ``path``. A timeline that cannot be had now is left out and the page says why.

    Raises UsageError or InfrastructureError if the file cannot be written.
    """
    spans: list[tuple[Span, ...]] = []
    note = "No timeline was asked for."
    if timelines:
        shown = [view.start, view.best] if improved(view) else [view.start]
        try:
            spans, note = _timelines(view, shown, current)
        except AutocompError as error:
            note = f"No timeline: the kernels could not be measured again when this page was made: {error}"
        if not any(spans) and not note:
            note = "The target recorded no timeline."
    before, after = (*spans, (), ())[:2]
    write_file(path, report_html(view, before, after, note, problem_of(view)), make_folder=True)


def problem_of(view: RunView) -> Problem | None:
    """The problem of a run, if it can still be loaded."""
    try:
        return load(view.problem)
    except AutocompError:
        return None


def _timelines(view: RunView, entries: Sequence[Entry], current: Configuration) -> tuple[list[tuple[Span, ...]], str]:
    """The timelines of candidates, measured now, and a warning if that is not what the run had measured."""
    codes = [entry.candidate.code for entry in entries]
    profiles = session.timelines(view.problem, codes, config=as_it_was(view, current))
    for entry, found in zip(entries, profiles, strict=True):
        then = entry.evaluation.latency if entry.evaluation else None
        now = found.evaluation.latency
        if now != then:
            return [profile.timeline for profile in profiles], (
                f"The timelines were measured when this page was made, and candidate {entry.candidate.id} then took "
                f"{latency_text(now, view.ideal.unit)} instead of {latency_text(then, view.ideal.unit)}: the target "
                "or its toolchain has changed since the run, or measuring is noisy."
            )
    return [profile.timeline for profile in profiles], ""
