"""Start, rivals, found kernel and ideal side by side; only numbers that were measured."""

from __future__ import annotations

from dataclasses import dataclass

from autocomp.records import Evaluation
from autocomp.report._words import status_text
from autocomp.store import RunView


@dataclass(frozen=True)
class Row:
    """One line of the comparison."""

    kind: str
    """``start``, ``rival``, ``found`` or ``ideal``."""
    name: str
    latency: float | None
    """None if the kernel did not pass, so nothing was measured that counts."""
    unit: str
    speedup: float | None
    """Over the start kernel."""
    share: float | None
    """Ideal latency as a fraction of this one."""
    note: str = ""
    """Why there is no latency."""


def improved(view: RunView) -> bool:
    """True if the run found a kernel that is faster than its start."""
    return view.best.candidate.id != view.start.candidate.id


def compare(view: RunView) -> tuple[Row, ...]:
    """The comparison of one run: start, each rival, found kernel, ideal."""
    rows = [_row(view, "start", "start", view.start.evaluation)]
    rows += [_row(view, "rival", rival.name, rival.evaluation) for rival in view.rivals]
    if improved(view):
        rows.append(_row(view, "found", "found", view.best.evaluation))
    else:
        rows.append(Row("found", "found", None, view.ideal.unit, None, None, "nothing faster than the start"))
    start = _latency(view.start.evaluation)
    ideal = view.ideal.latency
    rows.append(Row("ideal", "ideal", ideal, view.ideal.unit, start / ideal if start and ideal else None, 1.0))
    return tuple(rows)


def _row(view: RunView, kind: str, name: str, evaluation: Evaluation | None) -> Row:
    latency = _latency(evaluation)
    if latency is None:
        return Row(kind, name, None, view.ideal.unit, None, None, status_text(evaluation))
    start = _latency(view.start.evaluation)
    return Row(
        kind,
        name,
        latency,
        view.ideal.unit,
        start / latency if start and latency else None,
        view.ideal.latency / latency if latency else None,
    )


def _latency(evaluation: Evaluation | None) -> float | None:
    return None if evaluation is None else evaluation.latency
