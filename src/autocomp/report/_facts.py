"""How a run's numbers came about, in pairs of words: shared by the report, the export and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from autocomp.configuration import configuration_from_json
from autocomp.errors import AutocompError
from autocomp.records import Problem
from autocomp.report._comparison import improved
from autocomp.report._words import date_text, distribution_text, duration_text, number_text, plural, status_text
from autocomp.store import RunView

STOP_REASONS = {
    "iterations": "all iterations done",
    "patience": "no faster kernel for several iterations",
    "near_ideal": "close enough to the ideal",
    "exhausted": "nothing more to propose",
    "max_evaluations": "reached --max-evaluations",
    "max_minutes": "reached --max-minutes",
}


def ended(view: RunView) -> str:
    """How the run stands and why it stopped, in words."""
    reason = STOP_REASONS.get(view.stop_reason, view.stop_reason)
    return f"{view.status}: {reason}" if reason else view.status


def tool_version() -> str:
    """Version of the installed package."""
    try:
        return version("autocomp")
    except PackageNotFoundError:
        return "unknown"


def method(view: RunView) -> str:
    """How latency was measured, in the target's words."""
    for entry in (view.best, view.start):
        if entry.evaluation is not None and entry.evaluation.measurement is not None:
            return entry.evaluation.measurement.method
    return "not measured"


def checked(view: RunView) -> str:
    """What the best kernel was checked against."""
    if not improved(view):
        return "nothing faster than the start kernel was found"
    if view.confirmed:
        return "passed all checks, then confirmed with fresh secret inputs"
    return "passed all checks; not confirmed with fresh secret inputs (the run did not get that far)"


def inputs(view: RunView, problem: Problem | None = None) -> str:
    """Which inputs kernels were checked on: distributions, public seeds, secret seeds.

    Without ``problem``, which may be gone, its own distributions cannot be told.
    """
    try:
        settings = configuration_from_json(view.configuration).evaluate
    except AutocompError:
        return "as configured"  # by a version whose settings this one does not know
    drawn = settings.override(problem.distributions if problem else ())
    names = ", ".join(distribution_text(one) for one in drawn) or "the problem's own distributions"
    public = ", ".join(map(str, settings.public_seeds))
    words = f"{names}; public seeds {public}" if len(settings.public_seeds) > 1 else f"{names}; public seed {public}"
    words += f", {plural(settings.secret_seeds, 'secret seed')} drawn for the run"
    if view.confirmed:
        words += f", {plural(settings.confirm_seeds, 'fresh secret seed')} per distribution to confirm"
    return words


def tally(view: RunView) -> dict[str, int]:
    """How many candidates ended how, the most frequent first; the start kernel is none, as in :func:`evaluated`."""
    candidates = (entry for entry in view.entries if entry.candidate.id != view.start.candidate.id)
    return dict(Counter(status_text(entry.evaluation) for entry in candidates).most_common())


def evaluated(view: RunView) -> int:
    """Different kernels with a result, the start kernel not counted."""
    found = {entry.candidate.digest for entry in view.entries if entry.evaluation is not None}
    return len(found - {view.start.candidate.digest})


def flat(values: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    """A nested configuration as dotted names and printed values."""
    found: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = str(value)
    return found


def facts(view: RunView, problem: Problem | None = None) -> dict[str, str]:
    """What a reader must know to judge the numbers."""
    return {
        "problem": view.problem,
        "target": view.target,
        "latency measured as": method(view),
        "found kernel": checked(view),
        "checked on": inputs(view, problem),
        "ideal": f"{view.ideal.explanation} ({view.ideal.bound} bound)",
        "candidates": ", ".join(f"{number_text(count)} {status}" for status, count in tally(view).items()),
        "run": f"{view.id}, {ended(view)}",
        "started": date_text(view.started_s),
        "took": f"{duration_text(view.duration_s)} for {plural(evaluated(view), 'evaluation')}",
        "version": f"autocomp {tool_version()}",
    }
