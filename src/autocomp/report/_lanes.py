"""A timeline as lanes: who was busy when, however many spans there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from autocomp.targets import Span

ORDER = ("core", "load", "execute", "store")


@dataclass(frozen=True)
class Lane:
    """One unit over a stretch of time."""

    unit: str
    occupancy: npt.NDArray[np.float64]
    """Fraction of each bucket in which the unit did something, 0..1."""
    busy: float
    """Fraction of the whole stretch."""
    spans: int
    work: npt.NDArray[np.float64] | None = None
    """Fraction of each bucket that was work rather than waiting; None if the spans do not tell."""
    working: float | None = None
    """Fraction of the whole stretch that was work."""


def units(spans: Sequence[Span]) -> tuple[str, ...]:
    """The units of a timeline: core, load, execute, store, then any others in order of appearance."""
    seen = dict.fromkeys(span.unit for span in spans)
    return tuple(unit for unit in ORDER if unit in seen) + tuple(unit for unit in seen if unit not in ORDER)


def extent(spans: Sequence[Span], latency: float | None = None) -> tuple[float, float]:
    """From time zero, or the first start if that is earlier, to the last end, or the measured ``latency`` if later."""
    if not spans:
        return (0.0, 0.0)
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    return (min(0.0, first), max(last, latency or last))


def lanes(spans: Sequence[Span], buckets: int, begin: float, end: float) -> tuple[Lane, ...]:
    """Occupancy of every unit from ``begin`` to ``end``; spans of one unit that overlap count once."""
    edges = np.linspace(begin, end, buckets + 1)
    found = []
    for unit in units(spans):
        own = [span for span in spans if span.unit == unit]
        busy = _busy_until(own, edges)
        width = (end - begin) / buckets
        occupancy = np.clip(np.diff(busy) / width, 0.0, 1.0) if width > 0 else np.zeros(buckets)
        inside = sum(1 for span in own if span.end > begin and span.start < end)
        share = float(busy[-1] - busy[0]) / (end - begin) if end > begin else 0.0
        if any(span.work is None for span in own) or not width > 0:
            found.append(Lane(unit, occupancy, share, inside))
            continue
        done = _work_until(own, edges)
        # Work is spread evenly over its span; commands that overlap cannot work more than the unit can.
        work = np.minimum(np.diff(done) / width, occupancy)
        found.append(Lane(unit, occupancy, share, inside, work, float(work.mean())))
    return tuple(found)


def _busy_until(spans: Sequence[Span], edges: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Time spent busy before each edge: the measure of the union of the spans, straight between its corners."""
    starts = np.array([span.start for span in spans], dtype=np.float64)
    ends = np.array([span.end for span in spans], dtype=np.float64)
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    # A span that begins after all earlier ones have ended opens a new stretch of the union.
    opens = np.concatenate(([True], starts[1:] > ends[:-1]))
    first = starts[opens]
    last = ends[np.concatenate((np.flatnonzero(opens)[1:] - 1, [len(ends) - 1]))]
    corners = np.column_stack((first, last)).ravel()
    lengths = np.cumsum(last - first)
    heights = np.column_stack((lengths - (last - first), lengths)).ravel()
    return np.interp(edges, corners, heights)


def _work_until(spans: Sequence[Span], edges: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Work done before each edge, if every span does its work evenly."""
    starts = np.array([span.start for span in spans], dtype=np.float64)
    ends = np.array([span.end for span in spans], dtype=np.float64)
    rates = np.array([span.work or 0.0 for span in spans], dtype=np.float64) / np.maximum(ends - starts, 1e-9)
    times = np.concatenate((starts, ends))
    order = np.argsort(times, kind="stable")
    times, slopes = times[order], np.cumsum(np.concatenate((rates, -rates))[order])
    done = np.concatenate(([0.0], np.cumsum(slopes[:-1] * np.diff(times))))
    return np.interp(edges, times, done)


def close_up(spans: Sequence[Span], limit: int = 150) -> tuple[float, float]:
    """A stretch around the middle of the run with about ``limit`` spans: the steady state, span by span."""
    if len(spans) <= limit:
        return extent(spans)
    starts = sorted(span.start for span in spans)
    first = (len(starts) - limit) // 2
    return (starts[first], max(starts[first + limit], starts[first] + 1))


def within(spans: Sequence[Span], begin: float, end: float) -> tuple[Span, ...]:
    """The spans that touch the stretch, cut to it."""
    return tuple(_cut(span, begin, end) for span in spans if span.end > begin and span.start < end)


def _cut(span: Span, begin: float, end: float) -> Span:
    start, stop = max(span.start, begin), min(span.end, end)
    whole = span.end - span.start
    work = None if span.work is None else span.work * ((stop - start) / whole if whole > 0 else 1.0)
    return replace(span, start=start, end=stop, work=work)


def busy_shares(spans: Sequence[Span], latency: float | None = None) -> dict[str, float]:
    """Fraction of the whole run in which each unit was busy."""
    return {lane.unit: lane.busy for lane in lanes(spans, 1, *extent(spans, latency))}
