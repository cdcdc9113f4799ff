from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from autocomp.evaluate import InputPlan, Job, Limits, LocalExecutor, plan_evaluation
from autocomp.problems import load
from autocomp.records import Array, Distribution, Kernel, Problem, Role, TensorSpec, Tolerance, Work


def double(inputs: Mapping[str, Array]) -> Mapping[str, Array]:
    return {"y": (inputs["x"].astype(np.float64) * 2).astype(inputs["x"].dtype)}


@pytest.fixture
def doubling() -> Problem:
    """y = 2 x on floats, in memory only."""
    return Problem(
        name="doubling",
        operator="scale",
        dimensions={"n": 8},
        entry="double",
        arguments=(TensorSpec("x", "float32", (8,), Role.INPUT), TensorSpec("y", "float32", (8,), Role.OUTPUT)),
        reference=double,
        start=Kernel("start", "start\n"),
        rivals={},
        distributions=(Distribution("uniform"), Distribution("negative")),
        tolerances={"float32": Tolerance(1e-3, 1e-3)},
        work=Work(8, 64),
        target="null",
        fingerprint="doubling",
    )


@pytest.fixture(scope="session")
def gemm() -> Problem:
    return load("gemm:16x16x16")


@pytest.fixture
def plan(gemm: Problem) -> InputPlan:
    return plan_evaluation(gemm.distributions, (1,), (12345,))


@pytest.fixture(scope="module")
def executor() -> Iterator[LocalExecutor]:
    executor = LocalExecutor(1)
    yield executor
    executor.close()


@pytest.fixture
def job(gemm: Problem, plan: InputPlan):  # type: ignore[no-untyped-def]
    def make(directives: str, time_s: float = 30.0, memory_bytes: int = 2048 << 20, **settings: object) -> Job:
        code = "void gemm() {}\n// null: latency=500\n" + "".join(f"// null: {line}\n" for line in directives.split())
        return Job(code, gemm, "null", settings, plan, Limits(time_s, memory_bytes))

    return make
