"""Timelines for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from autocomp.report._lanes import extent, lanes
from autocomp.report._words import clean, share_text, short_text
from autocomp.targets import Span

BLOCKS = " ▁▂▃▄▅▆▇█"
ASCII = " .:-=+*#@"


def timeline_text(
    spans: Sequence[Span], unit: str, columns: int = 80, *, latency: float | None = None, unicode: bool = True
) -> str:
    """One line per unit, a character per stretch of time, fuller the busier it was; then the axis."""
    begin, end = extent(spans, latency)
    if not end > begin:
        return "nothing was recorded\n"
    shades = BLOCKS if unicode else ASCII
    names = max(len(span.unit) for span in spans)
    buckets = max(10, columns - names - 11)
    rows = []
    for lane in lanes(spans, buckets, begin, end):
        # Whatever happened at all is visible, and only a full bucket looks full.
        marks = (shades[min(len(shades) - 1, int(value * 8 + 0.999))] for value in lane.occupancy)
        rows.append(f"{clean(lane.unit):<{names}} │{''.join(marks)}│ {share_text(lane.busy):>7}")
    low, middle, high = short_text(begin), short_text((begin + end) / 2), f"{short_text(end)} {unit}"
    axis = low + middle.rjust(buckets // 2 + len(middle) // 2 - len(low))
    axis += high.rjust(max(buckets - len(axis), len(high) + 1))
    rows.append(f"{'':<{names}}  {axis}")
    text = "\n".join(rows) + "\n"
    return text if unicode else text.replace("│", "|")
