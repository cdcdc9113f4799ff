"""The ladder check > build > run > compare > measure, over the contract of a target."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from autocomp.evaluate._compare import compare
from autocomp.evaluate._inputs import InputPlan, InputSet, draw_inputs
from autocomp.evaluate._job import Outcome
from autocomp.records import Array, Evaluation, Measurement, Problem, Status, Verdict
from autocomp.targets import Artifact, Execution, Span, Target

LARGEST_CODE_BYTES = 1 << 20

_CACHE_BYTES = 512 << 20

Announce = Callable[[str], None]
"""Called with the name of the step that begins: ``inputs`` is ours, all others run the candidate's code."""


class Case(NamedTuple):
    """One input set with what it must lead to."""

    inputs: Mapping[str, Array]
    expected: Mapping[str, Array]


class CaseCache:
    """Inputs and reference results, computed once per problem and input set; the least recently used go first."""

    def __init__(self, capacity_bytes: int = _CACHE_BYTES) -> None:
        """Keep about ``capacity_bytes`` of arrays."""
        self._capacity = capacity_bytes
        self._cases: OrderedDict[tuple[str | int, InputSet], tuple[Problem, Case]] = OrderedDict()
        self._bytes = 0

    def get(self, problem: Problem, inputs: InputSet) -> Case:
        """The case for ``inputs``. Raises whatever a broken reference raises."""
        # A problem without a fingerprint is known by its identity, which it keeps while it is held here.
        key = (problem.fingerprint or id(problem), inputs)
        if key in self._cases:
            self._cases.move_to_end(key)
            return self._cases[key][1]
        drawn = draw_inputs(problem, inputs)
        case = Case(drawn, dict(problem.reference(drawn)))
        self._cases[key] = (problem, case)
        self._bytes += _size(case)
        while self._bytes > self._capacity and len(self._cases) > 1:
            self._bytes -= _size(self._cases.popitem(last=False)[1][1])
        return case


class Ladder:
    """Evaluates candidates of one problem on one target in this process; one thread at a time."""

    def __init__(self, problem: Problem, target: Target, cases: CaseCache) -> None:
        """Evaluate for ``problem`` on ``target`` with inputs from ``cases``."""
        self._problem = problem
        self._target = target
        self._cases = cases

    def evaluate(
        self, code: str, plan: InputPlan, *, timeline: bool = False, announce: Announce = lambda step: None
    ) -> Outcome:
        """Climb until a rung fails: the source first, then the compiler, then public inputs, then the measured runs,
        whose outputs are compared too, then the other secret inputs.

        What the candidate does wrong is in the verdict. Raises SetupError, and what a broken reference raises.
        """
        began = time.perf_counter()
        outcome = self._climb(code, plan, timeline, announce)
        evaluation = replace(outcome.evaluation, duration_s=time.perf_counter() - began)
        return replace(outcome, evaluation=evaluation)

    def _climb(self, code: str, plan: InputPlan, timeline: bool, announce: Announce) -> Outcome:
        announce("check")
        refused = _refuse(code) or self._target.check(self._problem, code)
        if refused is not None:
            return Outcome(Evaluation(refused))
        announce("build")
        artifact = self._target.build(self._problem, code)
        if isinstance(artifact, Verdict):
            # A compiler that was stopped by the clock may be quicker on another day.
            return Outcome(Evaluation(artifact), repeatable=artifact.status is not Status.TIMED_OUT)
        measurement: Measurement | None = None
        spans: tuple[Span, ...] = ()
        # Public inputs first: what fails there fails with the same words in every run, before anything is timed.
        public = [inputs for inputs in plan.checked if not inputs.secret]
        secret = [inputs for inputs in plan.checked if inputs.secret]
        for inputs in (*public, *plan.measured, *secret):
            announce(f"inputs {inputs.label}")
            case = self._cases.get(self._problem, inputs)
            measured = inputs in plan.measured
            announce(f"{'measured run' if measured else 'run'} on inputs {inputs.label}")
            execution = self._execute(artifact, case, measured=measured, timeline=timeline)
            verdict = self._judge(execution, case, inputs)
            if verdict is not None:
                return Outcome(Evaluation(verdict))
            found = execution.measurement
            if found is not None and (measurement is None or found.latency > measurement.latency):
                measurement, spans = found, execution.timeline
        if measurement is not None and (impossible := self._implausible(measurement)):
            return Outcome(Evaluation(impossible))
        feedback = self._target.feedback(self._problem, measurement) if measurement else ()
        return Outcome(Evaluation(Verdict(Status.PASSED), measurement, feedback), spans)

    def _execute(self, artifact: Artifact, case: Case, *, measured: bool, timeline: bool) -> Execution:
        if measured:
            return self._target.measure(self._problem, artifact, case.inputs, timeline=timeline)
        return self._target.run(self._problem, artifact, case.inputs)

    def _implausible(self, measurement: Measurement) -> Verdict | None:
        """Where measuring is exact, nothing is faster than the roof: either the code or the problem's work is wrong."""
        ideal = self._target.ideal(self._problem)
        if not self._target.deterministic or measurement.latency >= ideal.latency:
            return None
        return Verdict(
            Status.IMPLAUSIBLE,
            f"{measurement.latency:,.10g} {measurement.unit} is less than the {ideal.bound} roof of "
            f"{ideal.latency:,.10g} {ideal.unit} ({ideal.explanation}); if the problem needs less work than its [work] "
            "says, correct that",
        )

    def _judge(self, execution: Execution, case: Case, inputs: InputSet) -> Verdict | None:
        if execution.verdict is not None and not execution.verdict.passed:
            return replace(execution.verdict, inputs=execution.verdict.inputs or inputs.label)
        return compare(self._problem, case.expected, execution.outputs, inputs.label)


def _refuse(code: str) -> Verdict | None:
    if not code.strip():
        return Verdict(Status.CHECK_FAILED, "the source is empty")
    size = len(code.encode(errors="replace"))
    if size > LARGEST_CODE_BYTES:
        return Verdict(Status.CHECK_FAILED, f"the source has {size} bytes; at most {LARGEST_CODE_BYTES} are taken")
    if "\0" in code:
        return Verdict(Status.CHECK_FAILED, "the source contains a NUL character")
    return None


def _size(case: Case) -> int:
    return sum(array.nbytes for arrays in case for array in arrays.values())
