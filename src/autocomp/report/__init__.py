"""Reports and pictures of a run: pure functions from a RunView or a timeline to text, SVG or HTML."""

from autocomp.report._comparison import Row, compare, improved
from autocomp.report._counters import CounterRow, counter_rows
from autocomp.report._diff import DiffLine, unified
from autocomp.report._export import export_source
from autocomp.report._facts import checked, ended, evaluated, facts, flat, inputs, method, tally, tool_version
from autocomp.report._html import ProfilePage, profile_html, report_html
from autocomp.report._lanes import Lane, busy_shares, lanes
from autocomp.report._progress import Point, progress, progress_svg
from autocomp.report._svg import standalone
from autocomp.report._timeline import WIDTH, detail_svg, height, timeline_svg
from autocomp.report._timeline_text import timeline_text
from autocomp.report._tree import Node, lineage, steps, tree
from autocomp.report._words import (
    change_text,
    date_text,
    duration_text,
    latency_text,
    number_text,
    plural,
    share_text,
    speedup_text,
    status_text,
)

__all__ = [
    "WIDTH",
    "CounterRow",
    "DiffLine",
    "Lane",
    "Node",
    "Point",
    "ProfilePage",
    "Row",
    "busy_shares",
    "change_text",
    "checked",
    "compare",
    "counter_rows",
    "date_text",
    "detail_svg",
    "duration_text",
    "ended",
    "evaluated",
    "export_source",
    "facts",
    "flat",
    "height",
    "improved",
    "inputs",
    "lanes",
    "latency_text",
    "lineage",
    "method",
    "number_text",
    "plural",
    "profile_html",
    "progress",
    "progress_svg",
    "report_html",
    "share_text",
    "speedup_text",
    "standalone",
    "status_text",
    "steps",
    "tally",
    "timeline_svg",
    "timeline_text",
    "tool_version",
    "tree",
    "unified",
]
