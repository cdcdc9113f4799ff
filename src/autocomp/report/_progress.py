"""The progress curve: best latency so far against the number of evaluations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from autocomp.report._comparison import compare
from autocomp.report._svg import chart, element, line, number, text, ticks
from autocomp.report._words import latency_text, short_text
from autocomp.store import RunView

WIDTH, HEIGHT = 920, 340
LEFT, RIGHT, TOP, BOTTOM = 62, 150, 28, 46

Map = Callable[[float], float]
"""From a value to its coordinate."""


@dataclass(frozen=True)
class Point:
    """One evaluated candidate."""

    index: int
    """How many were evaluated up to and including it; the start kernel is 0."""
    latency: float | None
    """None if it failed."""
    best: float | None
    """Lowest latency so far."""
    id: str
    iteration: int


def progress(view: RunView) -> tuple[Point, ...]:
    """Every evaluated candidate in the order of the search, with the best so far."""
    points: list[Point] = []
    best: float | None = None
    for entry in view.entries:
        if entry.evaluation is None:
            continue
        latency = entry.evaluation.latency
        if latency is not None and (best is None or latency < best):
            best = latency
        points.append(Point(len(points), latency, best, entry.candidate.id, entry.candidate.iteration))
    return tuple(points)


def progress_svg(view: RunView) -> Markup:
    """The curve, with a dot per passing candidate, a tick per failing one, and lines for rivals and ideal."""
    points = progress(view)
    marks = [row for row in compare(view) if row.latency is not None and row.kind != "found"]
    levels = [row.latency for row in marks if row.latency is not None]
    levels += [point.best for point in points if point.best is not None]
    if not levels:
        return chart(WIDTH, 60, "Progress", [text(LEFT, 34, "No candidate was measured.", "muted")])
    low, high = min(levels), max(levels)
    margin = (high - low) * 0.07 or high * 0.05
    low, high = max(0.0, low - margin), high + margin
    last = max(points[-1].index if points else 0, 1)

    def x_of(index: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * index / last

    def y_of(latency: float) -> float:
        share = (min(latency, high) - low) / (high - low)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    parts: list[Markup] = []
    for value in ticks(low, high):
        parts.append(line(LEFT, y_of(value), WIDTH - RIGHT, y_of(value), "grid"))
        parts.append(text(LEFT - 8, y_of(value) + 4, short_text(value), "muted end"))
    for value in ticks(0, last, 8):
        if value == int(value):
            parts.append(text(x_of(value), HEIGHT - BOTTOM + 18, short_text(value), "muted mid"))
    parts.append(line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "candidates evaluated", "muted mid"))
    parts += _iterations(points, x_of)
    for point in points:
        if point.latency is None:
            x = x_of(point.index)
            parts.append(line(x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM - 7, "failed"))
        else:
            words = f"{point.id}: {latency_text(point.latency, view.ideal.unit)}"
            place = {"cx": x_of(point.index), "cy": y_of(point.latency), "r": 2.6, "class": "dot"}
            parts.append(element("circle", place, element("title", {}, words)))
    parts.append(_curve(points, x_of, y_of))
    labels = [(y_of(row.latency), row.kind, row.name) for row in marks if row.latency is not None]
    for y, kind, _ in labels:
        parts.append(line(LEFT, y, WIDTH - RIGHT, y, f"mark {kind}"))
    if points and points[-1].best is not None:
        labels.append((y_of(points[-1].best), "found", f"best {short_text(points[-1].best)}"))
    parts += _labels(labels)
    return chart(WIDTH, HEIGHT, "Best latency so far against candidates evaluated", parts)


def _curve(points: tuple[Point, ...], x_of: Map, y_of: Map) -> Markup:
    path = ""
    for point in points:
        if point.best is None:
            continue
        x, y = number(x_of(point.index)), number(y_of(point.best))
        path += f"H{x}V{y}" if path else f"M{x},{y}"
    return element("path", {"d": path, "class": "best"})


def _iterations(points: tuple[Point, ...], x_of: Map) -> list[Markup]:
    """A faint line where an iteration begins, as long as there are not too many to tell apart."""
    firsts = [
        (point.iteration, x_of(point.index - 0.5))
        for before, point in pairwise(points)
        if point.iteration != before.iteration
    ]
    every = len(firsts) // 24 + 1
    parts: list[Markup] = []
    for iteration, x in firsts:
        if (iteration - 1) % every == 0:
            parts.append(line(x, TOP, x, HEIGHT - BOTTOM, "grid"))
            parts.append(text(x, TOP - 10, str(iteration), "muted mid"))
    return parts


def _labels(labels: list[tuple[float, str, str]]) -> list[Markup]:
    """Names at the right edge, pushed apart so that they stay readable."""
    parts: list[Markup] = []
    floor = TOP
    for y, kind, name in sorted(labels):
        place = max(y + 4, floor)
        floor = int(place) + 14
        parts.append(text(WIDTH - RIGHT + 8, place, name, f"{kind} strong"))
    return parts
