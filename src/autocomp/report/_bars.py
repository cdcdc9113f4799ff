"""The bar chart: start, rivals, found kernel and ideal on one scale that begins at zero."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from autocomp.report._comparison import Row
from autocomp.report._svg import chart, element, line, text
from autocomp.report._words import latency_text, share_text, speedup_text

WIDTH, LEFT, RIGHT = 920, 150, 250
PITCH, THICKNESS = 34, 20


def bars_svg(rows: Sequence[Row]) -> Markup:
    """One bar per row, as long as its latency; rows without a latency say why instead."""
    longest = max((row.latency for row in rows if row.latency is not None), default=1.0) or 1.0
    ideal = next((row.latency for row in rows if row.kind == "ideal"), None)
    height = PITCH * len(rows) + 8
    parts: list[Markup] = []
    for place, row in enumerate(rows):
        top = 4 + PITCH * place
        middle = top + THICKNESS / 2 + 4
        parts.append(text(LEFT - 12, middle, row.name[:22], "end strong"))
        if row.latency is None:
            parts.append(text(LEFT, middle, row.note, "muted"))
            continue
        width = (WIDTH - LEFT - RIGHT) * row.latency / longest
        box = {"x": LEFT, "y": top, "width": width, "height": THICKNESS, "rx": 2, "class": f"bar {row.kind}"}
        parts.append(element("rect", box, element("title", {}, f"{row.name}: {latency_text(row.latency, row.unit)}")))
        words = latency_text(row.latency, row.unit)
        if row.kind != "ideal":
            words += f" · {speedup_text(row.speedup)} · {share_text(row.share)}"
        parts.append(text(LEFT + width + 8, middle, words, "muted"))
    if ideal:
        x = LEFT + (WIDTH - LEFT - RIGHT) * ideal / longest
        parts.append(line(x, 0, x, height, "mark ideal"))
    return chart(WIDTH, height, "Latency of start, rivals, found kernel and ideal", parts)
