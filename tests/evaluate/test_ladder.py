from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from autocomp.evaluate import CaseCache, InputPlan, InputSet, Ladder, plan_confirmation
from autocomp.records import Ideal, Problem, Status
from autocomp.targets import Execution
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


def test_cheap_steps_come_first_and_public_inputs_before_secret_ones(ladder: Ladder, plan: InputPlan) -> None:
    steps: list[str] = []
    ladder.evaluate("code\n", plan, announce=steps.append)
    (measured,) = plan.measured
    public = next(inputs.label for inputs in plan.checked if not inputs.secret)
    assert steps[:4] == ["check", "build", f"inputs {public}", f"run on inputs {public}"]
    assert steps[4:6] == [f"inputs {measured.label}", f"measured run on inputs {measured.label}"]
    assert sum("run on" in step for step in steps) == 1 + len(plan.checked)


def test_the_slowest_measured_run_counts(ladder: Ladder, gemm: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A code with a fast path for some inputs is as fast as on the others."""
    plan = plan_confirmation(gemm.distributions, (1, 2))
    latencies = [7_000.0 + (position == 3) for position in range(len(plan.measured))]
    measure = ladder._target.measure

    def varying(*arguments: Any, **options: Any) -> Execution:
        execution = measure(*arguments, **options)
        assert execution.measurement is not None
        return replace(execution, measurement=replace(execution.measurement, latency=latencies.pop(0)))

    monkeypatch.setattr(ladder._target, "measure", varying)
    assert ladder.evaluate("code\n", plan).evaluation.latency == 7_001.0
    assert not latencies, "every distribution is timed"


def test_nothing_is_faster_than_the_roof(ladder: Ladder, plan: InputPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder._target, "ideal", lambda problem: Ideal(1e9, "cycles", "compute", "a billion"))
    evaluation = ladder.evaluate("code\n", plan).evaluation
    assert evaluation.verdict.status is Status.IMPLAUSIBLE
    assert evaluation.latency is None
    assert "roof of 1,000,000,000 cycles (a billion)" in evaluation.verdict.message


def test_the_reference_is_computed_once_per_input_set(gemm: Problem, plan: InputPlan) -> None:
    cases = CaseCache()
    (measured,) = plan.measured
    assert cases.get(gemm, measured) is cases.get(gemm, measured)
    small = CaseCache(capacity_bytes=1)
    first = small.get(gemm, measured)
    small.get(gemm, plan.checked[0])
    assert small.get(gemm, measured) is not first


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
