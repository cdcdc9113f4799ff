"""What an executor is asked to do and what it gives back; both cross process borders as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

from autocomp.evaluate._inputs import InputPlan, InputSet
from autocomp.records import Distribution, Evaluation, Problem, evaluation_from_json, evaluation_to_json
from autocomp.targets import Span


@dataclass(frozen=True)
class Limits:
    """What one job may use."""

    time_s: float
    """Wall time, after which the worker and everything it started is killed."""
    memory_bytes: int
    """Address space of the worker and of each process it starts."""


@dataclass(frozen=True)
class Job:
    """One candidate to evaluate."""

    code: str
    problem: Problem
    """Workers in other processes load it again by its locator."""
    target: str
    settings: Mapping[str, object]
    """The target's own settings."""
    plan: InputPlan
    limits: Limits
    timeline: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of a job."""

    evaluation: Evaluation
    timeline: tuple[Span, ...] = field(default=(), repr=False)
    repeatable: bool = True
    """False if it hung on this machine's clock or memory: such a result is not cached for other runs."""


@dataclass(frozen=True)
class JobText:
    """A job as a worker process receives it."""

    code: str
    locator: str
    fingerprint: str
    target: str
    settings: Mapping[str, object]
    plan: InputPlan
    timeline: bool


def job_to_json(job: Job) -> dict[str, Any]:
    """JSON types of a job, limits excluded: those are the parent's affair."""
    return {
        "code": job.code,
        "locator": job.problem.locator,
        "fingerprint": job.problem.fingerprint,
        "target": job.target,
        "settings": dict(job.settings),
        "measured": [_set_to_json(inputs) for inputs in job.plan.measured],
        "checked": [_set_to_json(inputs) for inputs in job.plan.checked],
        "timeline": job.timeline,
    }


def job_from_json(values: Mapping[str, Any]) -> JobText:
    """What the worker makes of :func:`job_to_json`."""
    return JobText(
        code=values["code"],
        locator=values["locator"],
        fingerprint=values["fingerprint"],
        target=values["target"],
        settings=values["settings"],
        plan=InputPlan(
            tuple(_set_from_json(inputs) for inputs in values["measured"]),
            tuple(_set_from_json(inputs) for inputs in values["checked"]),
        ),
        timeline=values["timeline"],
    )


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """JSON types of an outcome."""
    return {
        "evaluation": evaluation_to_json(outcome.evaluation),
        "timeline": [list(astuple(span)) for span in outcome.timeline],
        "repeatable": outcome.repeatable,
    }


def outcome_from_json(values: Mapping[str, Any]) -> Outcome:
    """Inverse of :func:`outcome_to_json`."""
    timeline = tuple(Span(*span) for span in values["timeline"])
    return Outcome(evaluation_from_json(values["evaluation"]), timeline, values["repeatable"])


def _set_to_json(inputs: InputSet) -> list[Any]:
    return [
        [[item.kind, item.low, item.high] for item in inputs.distributions],
        inputs.seed,
        inputs.label,
        inputs.secret,
    ]


def _set_from_json(values: list[Any]) -> InputSet:
    distributions, seed, label, secret = values
    return InputSet(tuple(Distribution(*item) for item in distributions), seed, label, secret)
