"""Make the report of a run: read it, time start and best again for their timelines, write the page."""

from __future__ import annotations

from pathlib import Path

from autocomp import session
from autocomp.cli._files import write_file
from autocomp.cli._options import as_it_was
from autocomp.configuration import Configuration
from autocomp.errors import AutocompError
from autocomp.report import improved, report_html
from autocomp.store import RunView
from autocomp.targets import Span


def report_path(view: RunView, current: Configuration) -> Path:
    """Where reports go by themselves: beside the store."""
    return current.run.store.parent / "reports" / f"{view.id}.html"


def write_report(view: RunView, current: Configuration, path: Path, *, timelines: bool = True) -> None:
    """Write the page to ``path``. A timeline that cannot be had now is left out and the page says why.

    Raises UsageError or InfrastructureError if the file cannot be written.
    """
    before: tuple[Span, ...] = ()
    after: tuple[Span, ...] = ()
    note = "The target recorded no timeline."
    if timelines:
        try:
            settings = as_it_was(view, current)
            before = session.profile(view.problem, view.start.candidate.code, config=settings).timeline
            if improved(view):
                after = session.profile(view.problem, view.best.candidate.code, config=settings).timeline
        except AutocompError as error:
            note = f"No timeline: the kernels could not be measured again when this page was made: {error}"
    else:
        note = "No timeline was asked for."
    write_file(path, report_html(view, before, after, note), make_folder=True)
