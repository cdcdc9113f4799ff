"""Timelines as pictures: occupancy of each unit over the whole run, or span by span in a close-up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from autocomp.report._lanes import ORDER, Lane, close_up, extent, lanes, units, within
from autocomp.report._svg import chart, element, line, number, text, ticks
from autocomp.report._words import latency_text, number_text, plural, share_text, short_text
from autocomp.targets import Span

WIDTH, LEFT, RIGHT, TOP = 920, 78, 62, 6
PITCH, THICKNESS = 38, 30
BUCKETS = 780
DETAIL_LIMIT = 600
"""Up to this many spans are drawn one by one."""


def timeline_svg(spans: Sequence[Span], unit: str, latency: float | None = None, until: float | None = None) -> Markup:
    """The whole run, up to its ``latency``; ``until`` lengthens the axis so that two timelines share one scale."""
    begin, end = extent(spans, latency)
    if not end > begin:
        return chart(WIDTH, 40, "Timeline", [text(LEFT, 26, "Nothing was recorded.", "muted")])
    shown = max(end, until or end)
    ratio = (end - begin) / (shown - begin)
    buckets = max(1, round(BUCKETS * ratio))
    found = lanes(spans, buckets, begin, end)
    scale = (WIDTH - LEFT - RIGHT) / (shown - begin)
    parts = _frame(found, begin, shown, unit)
    for place, lane in enumerate(found):
        parts += _occupancy(lane, TOP + PITCH * place, (end - begin) * scale)
    if shown > end:
        x = LEFT + (end - begin) * scale
        parts.append(line(x, TOP, x, TOP + PITCH * len(found), "axis"))
        parts.append(text(x + 6, TOP + PITCH * len(found) - 12, f"ends at {latency_text(end, unit)}", "muted"))
    return chart(WIDTH, height(len(found)), f"Timeline of {len(spans)} spans", parts)


def detail_svg(spans: Sequence[Span], unit: str, begin: float, end: float) -> Markup:
    """The stretch from ``begin`` to ``end``, each span a box with its label and source line."""
    shown = within(spans, begin, end)
    if not end > begin or not shown:
        return chart(WIDTH, 40, "Timeline", [text(LEFT, 26, "Nothing was recorded.", "muted")])
    if len(shown) > DETAIL_LIMIT:
        begin, end = close_up(shown, DETAIL_LIMIT)
        shown = within(shown, begin, end)
    found = lanes(shown, 1, begin, end)
    parts = _frame(found, begin, end, unit)
    scale = (WIDTH - LEFT - RIGHT) / (end - begin)
    for place, name in enumerate(units(shown)):
        own = sorted((span for span in shown if span.unit == name), key=lambda span: (span.start, span.end))
        parts += _boxes(own, TOP + PITCH * place, begin, scale, unit)
    return chart(WIDTH, height(len(found)), f"Close-up of {len(shown)} spans", parts)


def height(count: int) -> int:
    """Pixels that a timeline of ``count`` lanes takes."""
    return TOP + PITCH * count + 34


def _frame(found: Sequence[Lane], begin: float, end: float, unit: str) -> list[Markup]:
    """Lane grounds with names and shares, and the time axis."""
    bottom = TOP + PITCH * len(found)
    parts: list[Markup] = []
    for place, lane in enumerate(found):
        top = TOP + PITCH * place
        box = {"x": LEFT, "y": top, "width": WIDTH - LEFT - RIGHT, "height": THICKNESS, "class": "lane"}
        parts.append(element("rect", box))
        parts.append(text(LEFT - 10, top + THICKNESS / 2 + 4, lane.unit[:11], "end strong"))
        if lane.working is None:
            parts.append(text(WIDTH - RIGHT + 8, top + THICKNESS / 2 + 4, share_text(lane.busy), "muted"))
        else:
            parts.append(text(WIDTH - RIGHT + 8, top + THICKNESS / 2 - 3, share_text(lane.working), "strong"))
            parts.append(text(WIDTH - RIGHT + 8, top + THICKNESS / 2 + 11, share_text(lane.busy), "muted"))
    for value in ticks(begin, end, 8):
        x = LEFT + (WIDTH - LEFT - RIGHT) * (value - begin) / (end - begin)
        parts.append(line(x, TOP, x, bottom, "grid"))
        # Round values are at least a thousandth of the axis apart; in a close-up they need all their digits.
        words = short_text(value) if begin <= 0 else number_text(value)
        parts.append(text(x, bottom + 12, words, "muted mid"))
    parts.append(text(WIDTH - RIGHT + 22, bottom + 12, unit, "muted"))
    if any(lane.working is not None for lane in found):
        parts.append(text(LEFT, bottom + 27, "dark: at work; light: in progress, but waiting", "muted"))
    return parts


def _kind(unit: str) -> str:
    return unit if unit in ORDER else "other"


def _occupancy(lane: Lane, top: float, width: float) -> list[Markup]:
    """A stepped area of the time with a command in progress and, darker where that is known, of the work in it."""
    title = f"{lane.unit}: commands in progress {share_text(lane.busy)} of the time, {plural(lane.spans, 'span')}"
    kind = _kind(lane.unit)
    if lane.work is None or lane.working is None:
        return [_area(lane.occupancy, top, width, kind, title)]
    title += f"; at work {share_text(lane.working)}, the rest of it waiting"
    return [
        _area(lane.occupancy, top, width, f"{kind} waiting", title),
        _area(lane.work, top, width, kind, title),
    ]


def _area(heights: npt.NDArray[np.float64], top: float, width: float, kind: str, title: str) -> Markup:
    """Neighbouring buckets of (nearly) the same height become one step."""
    steps = np.round(heights * THICKNESS * 2) / 2
    base = top + THICKNESS
    pitch = width / len(steps)
    changes = np.flatnonzero(np.diff(steps)) + 1
    path = f"M{LEFT},{number(base)}"
    for begin, stop in zip([0, *changes], [*changes, len(steps)], strict=True):
        path += f"V{number(base - float(steps[begin]))}H{number(LEFT + pitch * float(stop))}"
    return element("path", {"d": f"{path}V{number(base)}Z", "class": kind}, element("title", {}, title))


def _boxes(spans: Sequence[Span], top: float, begin: float, scale: float, unit: str) -> list[Markup]:
    """Boxes of one lane; spans that overlap go to rows of their own."""
    ends: list[float] = []
    rows: list[int] = []
    for span in spans:
        row = next((index for index, end in enumerate(ends) if end <= span.start), len(ends))
        if row == len(ends):
            ends.append(span.end)
        else:
            ends[row] = span.end
        rows.append(row)
    thickness = THICKNESS / max(len(ends), 1)
    parts: list[Markup] = []
    for span, row in zip(spans, rows, strict=True):
        x, width = LEFT + (span.start - begin) * scale, max((span.end - span.start) * scale, 0.4)
        where = f", line {span.line}" if span.line is not None else ""
        title = f"{span.label}{where}: {number_text(span.start)} to {number_text(span.end)} {unit}"
        box = {
            "x": x,
            "y": top + thickness * row,
            "width": width,
            "height": thickness,
            "class": f"span {_kind(span.unit)}",
        }
        parts.append(element("rect", box, element("title", {}, title)))
        if thickness >= 10 and width > 6 * len(span.label) + 4:
            parts.append(text(x + 3, top + thickness * (row + 0.5) + 3.5, span.label, "tag"))
    return parts
