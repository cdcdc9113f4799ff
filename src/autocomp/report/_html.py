"""The report and the profile as HTML files that need nothing but themselves."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autocomp.records import Ideal, Measurement, Problem
from autocomp.report import _words as words
from autocomp.report._bars import bars_svg
from autocomp.report._comparison import compare, improved
from autocomp.report._counters import counter_rows
from autocomp.report._facts import ended, evaluated, facts, flat, method, tally, tool_version
from autocomp.report._lanes import close_up, extent
from autocomp.report._progress import progress_svg
from autocomp.report._svg import INK, SHAPES
from autocomp.report._timeline import DETAIL_LIMIT, detail_svg, timeline_svg
from autocomp.report._tree import steps, tree
from autocomp.store import RunView
from autocomp.targets import Span

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Timeline:
    """A timeline as the templates draw it."""

    spans: Sequence[Span]
    latency: float | None

    @property
    def closer(self) -> bool:
        """True if the whole run has too many spans to be told apart."""
        return len(self.spans) > 60

    def whole(self, unit: str, until: float | None) -> Markup:
        """The whole run: boxes if they are few, otherwise occupancy."""
        begin, end = extent(self.spans, self.latency)
        if len(self.spans) <= DETAIL_LIMIT // 4 and until in (None, end):
            return detail_svg(self.spans, unit, begin, end)
        return timeline_svg(self.spans, unit, self.latency, until)

    def detail(self, unit: str) -> Markup:
        """A stretch from the middle, span by span."""
        return detail_svg(self.spans, unit, *close_up(self.spans))


@dataclass(frozen=True)
class ProfilePage:
    """One measured kernel and who was busy when."""

    name: str
    problem: str
    target: str
    code: str
    measurement: Measurement
    ideal: Ideal
    spans: Sequence[Span]
    feedback: tuple[str, ...] = ()


def report_html(
    view: RunView,
    before: Sequence[Span] = (),
    after: Sequence[Span] = (),
    timeline_note: str = "",
    problem: Problem | None = None,
) -> str:
    """One self-contained page about a run.

    ``before`` and ``after`` are the timelines of the start and the found kernel; ``timeline_note`` says why there are
    none, or what to know about them; ``problem`` is that of the run, if it can still be had. All text that came from
    outside (code, plans, names, messages) is escaped, and the page forbids itself scripts other than its own and any
    access to the network.
    """
    start = view.start.evaluation
    found = view.best.evaluation if improved(view) else None
    values: dict[str, object] = {
        "view": view,
        "title": view.problem.rstrip("/").rpartition("/")[2],  # a folder goes by its name; the path stands below
        "rows": compare(view),
        "unit": view.ideal.unit,
        "improved": improved(view),
        "start_latency": start.latency if start else None,
        "method": method(view),
        "ended": ended(view),
        "evaluated": evaluated(view),
        "tally": tally(view),
        "bars": bars_svg(compare(view)),
        "curve": progress_svg(view),
        "steps": steps(view),
        "tree": tree(view),
        "counters": counter_rows(start, found),
        "before": Timeline(before, start.latency if start else None) if before else None,
        "after": Timeline(after, found.latency if found else None) if after else None,
        "until": max(
            extent(before, start.latency if start else None)[1], extent(after, found.latency if found else None)[1]
        ),
        "timeline_note": timeline_note,
        "facts": facts(view, problem),
        "configuration": flat(view.configuration),
    }
    return _render("report.html.j2", values)


def profile_html(profile: ProfilePage) -> str:
    """One self-contained page about one kernel: timeline, counters, what they mean."""
    return _render(
        "profile.html.j2", {"profile": profile, "timeline": Timeline(profile.spans, profile.measurement.latency)}
    )


def _render(template: str, values: Mapping[str, object]) -> str:
    script = (TEMPLATES / "script.js").read_text(encoding="utf-8")
    style = INK + SHAPES + (TEMPLATES / "style.css").read_text(encoding="utf-8")
    code = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    frame = {"script": Markup(script), "style": Markup(style), "script_hash": Markup(f"sha256-{code}")}
    return _environment().get_template(template).render(values, **frame, version=tool_version())


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "clean": words.clean,
        "number": words.number_text,
        "latency": words.latency_text,
        "speedup": words.speedup_text,
        "share": words.share_text,
        "change": words.change_text,
        "duration": words.duration_text,
        "date": words.date_text,
    }
    return environment
