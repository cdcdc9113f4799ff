"""Just enough SVG: elements with escaped attributes, ticks, and the style of a picture that stands alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup, escape

from autocomp.report._words import clean

INK = """
:root { --paper:#fff; --panel:#f6f7f9; --ink:#16202c; --muted:#5b6876; --line:#dbe0e6; --start:#8593a3;
  --rival:#c2681a; --found:#1f66d1; --ideal:#1a7f4b; --bad:#bb2f38; --load:#2a78c4; --execute:#1d8a5b;
  --store:#b8671b; }
@media (prefers-color-scheme: dark) { :root { --paper:#11161c; --panel:#191f27; --ink:#e4e9ef; --muted:#94a1af;
  --line:#2e3843; --start:#8b99a8; --rival:#e5964c; --found:#6aa5ff; --ideal:#4fc78a; --bad:#ff7b83;
  --load:#5fa8ee; --execute:#4cc490; --store:#e69b52; } }
"""
"""Colours by role, light and dark; the report and stand-alone pictures share them."""

SHAPES = """
svg.chart { display:block; width:100%; height:auto; font:12px system-ui, sans-serif; }
.chart text { fill:var(--ink); } .chart .muted { fill:var(--muted); } .chart .grid { stroke:var(--line); }
.chart .axis { stroke:var(--muted); } .chart .end { text-anchor:end; } .chart .mid { text-anchor:middle; }
.chart .start { fill:var(--start); } .chart .rival { fill:var(--rival); } .chart .found { fill:var(--found); }
.chart .ideal { fill:var(--ideal); } .chart .strong { font-weight:600; }
.chart .best { fill:none; stroke:var(--found); stroke-width:2; stroke-linejoin:round; }
.chart .reach { fill:var(--found); opacity:.1; } .chart .dot { fill:var(--found); opacity:.4; }
.chart .failed { stroke:var(--bad); stroke-width:1; opacity:.65; }
.chart .mark { stroke-width:1.25; stroke-dasharray:5 4; fill:none; }
.chart .mark.rival { stroke:var(--rival); } .chart .mark.ideal { stroke:var(--ideal); }
.chart .mark.start { stroke:var(--start); }
.chart .lane { fill:var(--panel); } .chart .load { fill:var(--load); } .chart .execute { fill:var(--execute); }
.chart .store { fill:var(--store); } .chart .core { fill:var(--start); } .chart .other { fill:var(--muted); }
.chart .waiting { opacity:.35; }
.chart .span { stroke:var(--paper); stroke-width:.6; } .chart .tag { fill:var(--paper); font-size:9.5px; }
"""
"""How the pictures look, in terms of the roles above."""


def element(tag: str, attributes: Mapping[str, object] | None = None, *children: str) -> Markup:
    """One element; attribute values and children that are not Markup already are escaped.

    Underscores in attribute names stand for hyphens and a trailing one is dropped, so ``class_`` works.
    """
    parts = [f"<{tag}"]
    for name, value in (attributes or {}).items():
        text = number(value) if isinstance(value, float) else clean(str(value))
        parts.append(f' {name.rstrip("_").replace("_", "-")}="{escape(text)}"')
    if not children:
        return Markup("".join(parts) + "/>")
    inside = "".join(child if isinstance(child, Markup) else escape(clean(child)) for child in children)
    return Markup("".join(parts) + f">{inside}</{tag}>")


def number(value: float) -> str:
    """A coordinate with at most two digits after the point."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """A straight line of class ``kind``."""
    return element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": kind})


def text(x: float, y: float, words: str, kind: str = "") -> Markup:
    """A line of text; ``kind`` is its class."""
    return element("text", {"x": x, "y": y} | ({"class": kind} if kind else {}), words)


def chart(width: int, height: int, title: str, children: Iterable[Markup]) -> Markup:
    """The root of a picture that scales with its column; ``title`` is what a screen reader says."""
    box = {"class": "chart", "viewBox": f"0 0 {width} {height}", "role": "img", "aria-label": title}
    return element("svg", box, *children)


def standalone(picture: Markup, width: int, height: int) -> str:
    """A chart as the text of an SVG file of its own."""
    style = Markup(f"<style>{INK}{SHAPES}</style>")
    ground = Markup('<rect width="100%" height="100%" fill="var(--paper)"/>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
    opened = picture.replace(Markup("<svg "), Markup(head), 1)
    end_of_root = opened.index(">") + 1
    return str(opened[:end_of_root] + style + ground + opened[end_of_root:]) + "\n"


def ticks(low: float, high: float, count: int = 5) -> Sequence[float]:
    """Round values from ``low`` to ``high``, about ``count`` of them."""
    if not high > low:
        return (low,)
    raw = (high - low) / max(count, 1)
    magnitude = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * magnitude for factor in (1, 2, 2.5, 5, 10) if factor * magnitude >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return tuple(index * step for index in range(first, last + 1))
