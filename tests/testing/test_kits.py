"""The kits pass on what we ship, and notice what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from autocomp.evaluate import InlineExecutor, LocalExecutor
from autocomp.problems import load
from autocomp.records import Array, Evaluation, Measurement, Problem, Status, Verdict
from autocomp.store import Store
from autocomp.targets import Artifact, Execution
from autocomp.targets.null import NullTarget
from autocomp.testing import ScriptedProposer, check_executor, check_proposer, check_store, check_target

EVALUATION = Evaluation(Verdict(Status.PASSED), Measurement(1000.0, "cycles", "by hand"))


@pytest.fixture(scope="module")
def problem() -> Problem:
    return load("gemm:16x16x16")


def test_null_target(problem: Problem) -> None:
    check_target(NullTarget, problem, broken="// null: broken\n")


def test_a_target_that_lies_is_noticed(problem: Problem) -> None:
    class Lying(NullTarget):
        def run(self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array]) -> Execution:
            execution = super().run(problem, artifact, inputs)
            return Execution({name: array.T[::1] + 1 for name, array in execution.outputs.items()})

        def measure(
            self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array], *, timeline: bool = False
        ) -> Execution:
            return NullTarget().measure(problem, artifact, inputs, timeline=timeline)

    with pytest.raises(AssertionError, match="same outputs"):
        check_target(Lying, problem, broken="// null: broken\n")


def test_scripted_proposer(problem: Problem) -> None:
    assert check_proposer(ScriptedProposer(), problem, NullTarget(), EVALUATION) >= 3


def test_inline_executor() -> None:
    check_executor(InlineExecutor, protects=False)


def test_local_executor() -> None:
    check_executor(lambda: LocalExecutor(1))


def test_store(tmp_path: Path) -> None:
    check_store(lambda: Store(tmp_path / "store.sqlite"))
