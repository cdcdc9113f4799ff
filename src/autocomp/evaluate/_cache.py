"""Under which key the result of an evaluation is kept."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Protocol

from autocomp.evaluate._inputs import InputPlan, InputSet
from autocomp.records import Evaluation, Problem, digest

_PROTOCOL = 3
"""Raised whenever the ladder judges differently than before, so that older results are not taken for new ones."""


class EvaluationCache(Protocol):
    """Keeps evaluations under content keys."""

    def cached(self, key: str) -> Evaluation | None:
        """The evaluation under ``key``, if any."""
        ...


def cache_key(problem: Problem, target_fingerprint: str, plan: InputPlan, code: str) -> str:
    """Equal only if problem, target configuration, toolchain, input sets and code are equal.

    Of an input set every distribution counts with its exact bounds, and its seed. Only secret seeds do not count,
    just which sets share one: they are different in every run by intention. Raises ValueError for a problem without a
    fingerprint: nothing would tell it from others.
    """
    if not problem.fingerprint:
        raise ValueError(f"problem '{problem.name}' has no fingerprint: its results cannot be kept")
    sets = (*plan.measured, *plan.checked)
    secrets = list(dict.fromkeys(inputs.seed for inputs in sets if inputs.secret))
    values = [
        _PROTOCOL,
        problem.fingerprint,
        target_fingerprint,
        len(plan.measured),
        [_set(inputs, secrets) for inputs in sets],
        digest(code),
    ]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def _set(inputs: InputSet, secrets: list[int]) -> list[Any]:
    distributions = [[item.kind, item.low, item.high] for item in inputs.distributions]
    return [distributions, inputs.secret, secrets.index(inputs.seed) if inputs.secret else inputs.seed]
