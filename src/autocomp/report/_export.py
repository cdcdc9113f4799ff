"""The best kernel of a run as a source file that says how it was measured."""

from __future__ import annotations

import textwrap

from autocomp.records import Problem
from autocomp.report._comparison import compare, improved
from autocomp.report._facts import checked, inputs, method, tool_version
from autocomp.report._words import clean, date_text, latency_text, share_text, speedup_text
from autocomp.store import RunView

COMMENT = {"py": "#", "toml": "#", "sh": "#"}


def export_source(view: RunView, language: str = "c", problem: Problem | None = None) -> str:
    """The best kernel under a header of comment lines; the code itself is untouched."""
    mark = COMMENT.get(language, "//")
    rows = {row.kind: row for row in compare(view)}
    best = view.best.evaluation.latency if view.best.evaluation else None
    unit = view.ideal.unit
    start = rows["start"].latency
    facts = {
        "problem": view.problem,
        "target": view.target,
        "measured": method(view),
        "latency": latency_text(best, unit),
        "start": latency_text(start, unit),
        "speed-up": f"{speedup_text(start / best if start and best else None)} over the start kernel",
        "ideal": f"{latency_text(view.ideal.latency, unit)} ({view.ideal.bound} bound); this kernel reaches "
        f"{share_text(view.ideal.latency / best if best else None)}",
        "checked": checked(view),
        "inputs": inputs(view, problem),
        "run": f"{view.id}, candidate {view.best.candidate.id}, {date_text(view.started_s)}",
        "made by": f"autocomp {tool_version()}",
    }
    title = "Kernel found by Autocomp" if improved(view) else "Start kernel, exported by Autocomp"
    lines = [title, ""]
    for name, value in facts.items():
        lines += textwrap.wrap(
            f"{name + ':':<10}{_one_line(value)}", 108, subsequent_indent=" " * 10, break_long_words=False
        )
    header = "\n".join(f"{mark} {line}".rstrip() for line in lines)
    return f"{header}\n\n{view.best.candidate.code.rstrip()}\n"


def _one_line(text: str) -> str:
    """Text that cannot end the comment it stands in: no line breaks, and no backslash that would join two lines."""
    return " ".join(clean(text).replace("\\", "/").split())
