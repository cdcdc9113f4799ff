"""Numbers as people read them: one place decides on digits, units and separators."""

from __future__ import annotations

import math
import re
from datetime import datetime

from autocomp.records import Distribution, Evaluation

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """``text`` without the control characters that neither XML nor a terminal should be given."""
    return _CONTROL.sub("�", text)


def number_text(value: float) -> str:
    """A count or counter: thousands separated, digits after the point only where they tell something."""
    if not math.isfinite(value):
        return "–"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.4g}"


def latency_text(latency: float | None, unit: str) -> str:
    """A latency with its unit; seconds are scaled to a readable prefix, None is a dash."""
    if latency is None:
        return "–"
    if unit == "s":
        for factor, prefix in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
            if latency >= factor:
                return f"{latency / factor:,.3f} {prefix}"
        return f"{latency * 1e9:,.1f} ns"
    return f"{number_text(round(latency, 2))} {unit}"


def short_text(value: float) -> str:
    """A value for an axis: three digits and a magnitude, such as ``1.25M``."""
    for factor, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= factor:
            return f"{value / factor:.4g}{suffix}"
    return f"{value:.4g}"


def speedup_text(speedup: float | None) -> str:
    """A ratio of latencies, such as ``2.31×``."""
    return "–" if speedup is None else f"{speedup:.2f}×"


def share_text(share: float | None) -> str:
    """A fraction in per cent, such as ``97.1 %``."""
    return "–" if share is None else f"{100 * share:.1f} %"


def change_text(before: float | None, after: float | None) -> str:
    """How much ``after`` differs from ``before``, with its sign."""
    if before is None or after is None or before == 0:
        return ""
    words = f"{100 * (after / before - 1):+,.1f} %"
    return "±0.0 %" if words[1:] == "0.0 %" else words.replace("-", "−")


def duration_text(seconds: float) -> str:
    """Wall time, such as ``2 min 14 s``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def date_text(seconds: float) -> str:
    """Seconds since the epoch as local date and time with its offset from UTC."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M %z")


def status_text(evaluation: Evaluation | None) -> str:
    """What checking found, in words."""
    return "not evaluated" if evaluation is None else evaluation.verdict.status.value.replace("_", " ")


def distribution_text(distribution: Distribution) -> str:
    """How inputs were drawn, such as ``uniform -4..4``."""
    low, high = ("" if value is None else f"{value:g}" for value in (distribution.low, distribution.high))
    return f"{distribution.kind} {low}..{high}" if low or high else distribution.kind


def plural(count: int, noun: str) -> str:
    """``1 candidate``, ``2 candidates``."""
    return f"{number_text(count)} {noun}" if count == 1 else f"{number_text(count)} {noun}s"
