"""Records as JSON types and back: what crosses to worker processes and stands in the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autocomp.records._evaluation import Diagnostic, Evaluation, Ideal, Measurement, Status, Verdict


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """JSON types of a verdict; what is empty is left out."""
    values: dict[str, Any] = {"status": verdict.status.value}
    if verdict.message:
        values["message"] = verdict.message
    if verdict.diagnostics:
        values["diagnostics"] = [[item.message, item.line] for item in verdict.diagnostics]
    if verdict.inputs:
        values["inputs"] = verdict.inputs
    return values


def verdict_from_json(values: Mapping[str, Any]) -> Verdict:
    """Inverse of :func:`verdict_to_json`."""
    diagnostics = tuple(Diagnostic(message, line) for message, line in values.get("diagnostics", ()))
    return Verdict(Status(values["status"]), values.get("message", ""), diagnostics, values.get("inputs", ""))


def measurement_to_json(measurement: Measurement) -> dict[str, Any]:
    """JSON types of a measurement."""
    return {
        "latency": measurement.latency,
        "unit": measurement.unit,
        "method": measurement.method,
        "counters": dict(measurement.counters),
        "samples": list(measurement.samples),
    }


def measurement_from_json(values: Mapping[str, Any]) -> Measurement:
    """Inverse of :func:`measurement_to_json`."""
    return Measurement(
        values["latency"], values["unit"], values["method"], dict(values["counters"]), tuple(values["samples"])
    )


def evaluation_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """JSON types of an evaluation."""
    return {
        "verdict": verdict_to_json(evaluation.verdict),
        "measurement": measurement_to_json(evaluation.measurement) if evaluation.measurement else None,
        "feedback": list(evaluation.feedback),
        "cached": evaluation.cached,
        "duration_s": round(evaluation.duration_s, 6),
    }


def evaluation_from_json(values: Mapping[str, Any]) -> Evaluation:
    """Inverse of :func:`evaluation_to_json`."""
    measurement = values["measurement"]
    return Evaluation(
        verdict_from_json(values["verdict"]),
        measurement_from_json(measurement) if measurement else None,
        tuple(values["feedback"]),
        values["cached"],
        values["duration_s"],
    )


def ideal_to_json(ideal: Ideal) -> dict[str, Any]:
    """JSON types of an ideal."""
    return {
        "latency": ideal.latency,
        "unit": ideal.unit,
        "bound": ideal.bound,
        "explanation": ideal.explanation,
    }


def ideal_from_json(values: Mapping[str, Any]) -> Ideal:
    """Inverse of :func:`ideal_to_json`."""
    return Ideal(values["latency"], values["unit"], values["bound"], values["explanation"])
