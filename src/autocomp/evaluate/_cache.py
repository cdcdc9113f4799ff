"""Under which key the result of an evaluation is kept."""

from __future__ import annotations

import hashlib
import json
from typing import Protocol

from autocomp.evaluate._inputs import InputPlan
from autocomp.records import Evaluation, Problem, digest

_PROTOCOL = 1
"""Raised whenever the ladder judges differently than before, so that older results are not taken for new ones."""


class EvaluationCache(Protocol):
    """Keeps evaluations under content keys."""

    def cached(self, key: str) -> Evaluation | None:
        """The evaluation under ``key``, if any."""
        ...


def cache_key(problem: Problem, target_fingerprint: str, plan: InputPlan, code: str) -> str:
    """Equal only if problem, target configuration, toolchain, input distributions and code are equal.

    Secret seeds do not count, only how many there are: they are different in every run by intention.
    """
    measured = plan.measured
    values = [
        _PROTOCOL,
        problem.fingerprint,
        target_fingerprint,
        [measured.label, measured.seed] if measured else None,
        [inputs.label for inputs in plan.checked],
        digest(code),
    ]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()
