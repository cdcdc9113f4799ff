"""Checks and measures candidates: the ladder, its inputs, and where it runs."""

from autocomp.evaluate._cache import EvaluationCache, cache_key
from autocomp.evaluate._compare import compare
from autocomp.evaluate._executor import Executor, InlineExecutor
from autocomp.evaluate._inputs import InputPlan, InputSet, draw_inputs, plan_confirmation, plan_evaluation
from autocomp.evaluate._job import Job, Limits, Outcome
from autocomp.evaluate._ladder import LARGEST_CODE_BYTES, CaseCache, Ladder
from autocomp.evaluate._local import LocalExecutor

__all__ = [
    "LARGEST_CODE_BYTES",
    "CaseCache",
    "EvaluationCache",
    "Executor",
    "InlineExecutor",
    "InputPlan",
    "InputSet",
    "Job",
    "Ladder",
    "Limits",
    "LocalExecutor",
    "Outcome",
    "cache_key",
    "compare",
    "draw_inputs",
    "plan_confirmation",
    "plan_evaluation",
]
