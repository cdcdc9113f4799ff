"""Runs and evaluations as JSON values."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from autocomp.records import Evaluation, Ideal
from autocomp.report import checked, compare, evaluated, lineage, tally, tool_version
from autocomp.store import Entry, RunSummary, RunView

Json = dict[str, Any]


def evaluation_json(evaluation: Evaluation | None) -> Json:
    """Verdict, latency and counters of one kernel; what was not found out is null."""
    if evaluation is None:
        return {"verdict": None, "latency": None}
    verdict, measurement = evaluation.verdict, evaluation.measurement
    latency = evaluation.latency
    cycles = measurement is not None and measurement.unit == "cycles"
    return {
        "verdict": verdict.status.value,
        "message": verdict.message,
        "inputs": verdict.inputs,
        "diagnostics": [{"line": item.line, "message": item.message} for item in verdict.diagnostics],
        "latency": whole(latency),
        "latency_cycles": whole(latency) if cycles else None,
        "unit": measurement.unit if measurement else None,
        "method": measurement.method if measurement else None,
        "counters": {name: whole(value) for name, value in measurement.counters.items()} if measurement else {},
        "feedback": list(evaluation.feedback),
        "cached": evaluation.cached,
        "evaluation_s": round(evaluation.duration_s, 4),
    }


def ideal_json(ideal: Ideal, latency: float | None = None) -> Json:
    """The ideal and which share of it ``latency`` reaches."""
    return {
        "latency": whole(ideal.latency),
        "unit": ideal.unit,
        "bound": ideal.bound,
        "explanation": ideal.explanation,
        "share": ideal.latency / latency if latency else None,
    }


def view_json(view: RunView, *, candidates: bool = False) -> Json:
    """A run; with ``candidates``, every one of them too."""
    value: Json = {
        "run": view.id,
        "problem": view.problem,
        "target": view.target,
        "status": view.status,
        "stop_reason": view.stop_reason,
        "started": moment(view.started_s),
        "duration_s": round(view.duration_s, 3),
        "version": tool_version(),
        "unit": view.ideal.unit,
        "evaluations": evaluated(view),
        "verdicts": tally(view),
        "comparison": [
            {
                "kind": row.kind,
                "name": row.name,
                "latency": whole(row.latency),
                "speedup": row.speedup,
                "share_of_ideal": row.share,
                "note": row.note,
            }
            for row in compare(view)
        ],
        "ideal": ideal_json(view.ideal),
        "best": entry_json(view.best) | {"confirmed": view.confirmed, "checked": checked(view)},
        "steps": [step.candidate.id for step in lineage(view)],
        "configuration": dict(view.configuration),
    }
    if candidates:
        value["candidates"] = [entry_json(entry) for entry in view.entries]
        value["beams"] = [list(beam) for beam in view.beams]
    return value


def entry_json(entry: Entry) -> Json:
    """One candidate without its code."""
    candidate = entry.candidate
    move = candidate.move
    return {
        "id": candidate.id,
        "parent": candidate.parent_id,
        "iteration": candidate.iteration,
        "digest": candidate.digest,
        "move": None
        if move is None
        else {
            "item": move.item,
            "plan": move.plan,
            "proposer": move.proposer,
            "parameters": dict(move.parameters),
        },
        "evaluation": evaluation_json(entry.evaluation),
    }


def summary_json(summary: RunSummary) -> Json:
    """One line of ``autocomp runs``."""
    start, best = summary.start_latency, summary.best_latency
    return {
        "run": summary.id,
        "problem": summary.problem,
        "target": summary.target,
        "status": summary.status,
        "started": moment(summary.started_s),
        "evaluations": summary.evaluations,
        "start_latency": whole(start),
        "best_latency": whole(best),
        "unit": summary.unit,
        "speedup": start / best if start and best else None,
    }


def moment(seconds: float) -> str:
    """Seconds since the epoch as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def whole(value: float | None) -> float | int | None:
    """A count as an integer, so that cycles do not read ``527000.0``."""
    return int(value) if value is not None and value == int(value) else value
