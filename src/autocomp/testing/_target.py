"""What every target must do."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np

from autocomp.evaluate import CaseCache, InputSet, Ladder, plan_confirmation, plan_evaluation
from autocomp.records import Problem, Status, Verdict
from autocomp.targets import Artifact, Target


def check_target(make: Callable[[], Target], problem: Problem, *, broken: str) -> None:
    """Check a target on a problem whose start kernel is right.

    ``make`` makes the target anew; ``broken`` is a source that must not compile. Raises AssertionError with what the
    target does not do.
    """
    target = make()
    _check_description(target, make(), problem)
    _check_bad_sources(target, problem, broken)
    _check_runs(target, problem)
    _check_ladder(target, problem)


def _check_description(target: Target, again: Target, problem: Problem) -> None:
    assert target.name, "a target has a name"
    assert target.language, "a target states the language of its kernels"
    assert target.fingerprint() == again.fingerprint(), "the fingerprint follows from configuration and toolchain"
    json.dumps(target.describe())
    ids = [item.id for item in target.knowledge().menu]
    assert ids, "the menu has items"
    assert len(ids) == len(set(ids)), "ids of menu items differ"
    ideal = target.ideal(problem)
    assert ideal.latency > 0, "the ideal is a positive latency"
    assert ideal.bound in ("compute", "memory"), f"the ideal's bound is compute or memory, not {ideal.bound}"
    for finding in target.doctor():
        assert finding.ok or finding.fix, f"doctor says how to mend '{finding.subject}'"


def _check_bad_sources(target: Target, problem: Problem, broken: str) -> None:
    refused = target.check(problem, broken)
    verdict = refused or target.build(problem, broken)
    assert isinstance(verdict, Verdict), "a source that does not compile is a verdict"
    assert verdict.status in (Status.CHECK_FAILED, Status.BUILD_FAILED), f"… not {verdict.status}"
    assert verdict.message, "a verdict has a message"


def _check_runs(target: Target, problem: Problem) -> None:
    assert target.check(problem, problem.start.code) is None, "the start kernel passes the static check"
    artifact = target.build(problem, problem.start.code)
    assert isinstance(artifact, Artifact), f"the start kernel builds: {artifact}"
    inputs = InputSet(problem.distributions[:1], 1, "conformance")
    case = CaseCache().get(problem, inputs)
    before = {name: array.copy() for name, array in case.inputs.items()}
    run = target.run(problem, artifact, case.inputs)
    measured = target.measure(problem, artifact, case.inputs, timeline=True)
    again = target.measure(problem, artifact, case.inputs)
    for execution in (run, measured, again):
        assert execution.verdict is None, f"the start kernel runs: {execution.verdict}"
        for spec in problem.outputs:
            output = execution.outputs[spec.name]
            assert output.shape == spec.shape, f"{spec.name} has the shape of its specification"
            assert output.dtype == np.dtype(spec.dtype), f"{spec.name} has the dtype of its specification"
            assert np.array_equal(output, run.outputs[spec.name]), "running and measuring give the same outputs"
    for name, array in before.items():
        assert np.array_equal(array, case.inputs[name]), f"input {name} is left as it was"
    assert run.measurement is None or run.measurement == measured.measurement
    assert measured.measurement is not None, "measuring measures"
    assert again.measurement is not None, "measuring measures"
    if target.deterministic:
        assert measured.measurement == again.measurement, "a deterministic target measures the same twice"
    ideal = target.ideal(problem)
    assert measured.measurement.unit == ideal.unit, "latency and ideal have one unit"
    assert measured.measurement.latency >= ideal.latency, "nothing is faster than the ideal"
    assert measured.timeline, "a timeline is given when asked for"
    assert all(span.end >= span.start for span in measured.timeline), "spans end after they start"
    json.dumps(dict(measured.measurement.counters))
    assert all(target.feedback(problem, measured.measurement)), "feedback consists of sentences"


def _check_ladder(target: Target, problem: Problem) -> None:
    ladder = Ladder(problem, target, CaseCache())
    for plan in (plan_evaluation(problem.distributions, (1,), (2,)), plan_confirmation(problem.distributions, (3,))):
        verdict = ladder.evaluate(problem.start.code, plan).evaluation.verdict
        assert verdict.passed, f"the start kernel passes on all inputs: {verdict.message}"
    empty = ladder.evaluate("", plan).evaluation.verdict
    assert not empty.passed, "an empty source does not pass"
