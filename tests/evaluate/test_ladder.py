from __future__ import annotations

from dataclasses import replace

import pytest

from autocomp.evaluate import CaseCache, InputPlan, InputSet, Ladder, plan_confirmation
from autocomp.records import Problem, Status
from autocomp.targets.null import NullTarget


@pytest.fixture
def ladder(gemm: Problem) -> Ladder:
    return Ladder(gemm, NullTarget(), CaseCache())


@pytest.mark.parametrize(
    ("directives", "status"),
    [
        ("", Status.PASSED),
        ("refuse", Status.CHECK_FAILED),
        ("broken", Status.BUILD_FAILED),
        ("trap", Status.TRAPPED),
        ("wrong=2", Status.WRONG_VALUE),
        ("unwritten", Status.NOT_WRITTEN),
        ("shape", Status.WRONG_SHAPE),
        ("dtype", Status.WRONG_DTYPE),
    ],
)
def test_each_rung(ladder: Ladder, plan: InputPlan, directives: str, status: Status) -> None:
    outcome = ladder.evaluate(f"code\n// null: latency=500\n// null: {directives or 'none'}\n", plan)
    assert outcome.evaluation.verdict.status is status
    assert outcome.evaluation.latency == (500.0 if status is Status.PASSED else None)
    assert outcome.evaluation.duration_s > 0


def test_nan(doubling: Problem) -> None:
    outcome = Ladder(doubling, NullTarget(), CaseCache()).evaluate(
        "// null: nan\n", plan_confirmation(doubling.distributions, (1,))
    )
    assert outcome.evaluation.verdict.status is Status.NOT_FINITE


@pytest.mark.parametrize("code", ["", " \n\t", "a\0b", "x" * (1 << 20) + "y"])
def test_sources_that_are_none(ladder: Ladder, plan: InputPlan, code: str) -> None:
    assert ladder.evaluate(code, plan).evaluation.verdict.status is Status.CHECK_FAILED


def test_what_is_wrong_on_one_distribution_only_is_found_at_the_latest_when_confirmed(
    ladder: Ladder, gemm: Problem
) -> None:
    code = "// null: wrong=1\n// null: wrong_on=negative\n"
    verdict = ladder.evaluate(code, plan_confirmation(gemm.distributions, (1,))).evaluation.verdict
    assert verdict.status is Status.WRONG_VALUE
    assert verdict.inputs == "negative/fresh 1"


def test_cheap_steps_come_first_and_the_measured_run_before_the_others(ladder: Ladder, plan: InputPlan) -> None:
    steps: list[str] = []
    ladder.evaluate("code\n", plan, announce=steps.append)
    assert plan.measured is not None
    label = plan.measured.label
    assert steps[:4] == ["check", "build", f"inputs {label}", f"measured run on inputs {label}"]
    assert sum("run on" in step for step in steps) == 1 + len(plan.checked)


def test_a_confirmation_measures_nothing(ladder: Ladder, gemm: Problem) -> None:
    evaluation = ladder.evaluate("code\n", plan_confirmation(gemm.distributions, (1, 2))).evaluation
    assert evaluation.verdict.passed
    assert evaluation.measurement is None


def test_the_reference_is_computed_once_per_input_set(gemm: Problem, plan: InputPlan) -> None:
    cases = CaseCache()
    assert plan.measured is not None
    assert cases.get(gemm, plan.measured) is cases.get(gemm, plan.measured)
    small = CaseCache(capacity_bytes=1)
    first = small.get(gemm, plan.measured)
    small.get(gemm, plan.checked[0])
    assert small.get(gemm, plan.measured) is not first


def test_problems_without_a_fingerprint_are_told_apart(doubling: Problem) -> None:
    """Also when one takes the place in memory of another that is gone."""
    cases = CaseCache()
    inputs = InputSet(doubling.distributions[:1], 1, "")
    for factor in range(50):
        problem = replace(doubling, fingerprint="", reference=lambda given, factor=factor: {"y": given["x"] * factor})
        case = cases.get(problem, inputs)
        assert (case.expected["y"] == case.inputs["x"] * factor).all()
        del problem


def test_a_timeline_is_given_when_asked_for(ladder: Ladder, plan: InputPlan) -> None:
    assert ladder.evaluate("code\n", plan).timeline == ()
    assert len(ladder.evaluate("code\n", plan, timeline=True).timeline) == 1
