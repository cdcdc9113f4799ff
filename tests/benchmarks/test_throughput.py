"""The claims of the throughput benchmark are judged one by one."""

from __future__ import annotations

import pytest
from benchmarks.throughput import __main__ as benchmark


def results(build: float = 0.1, measure: float = 0.1, run: float = 0.1, frame: float = 1.0) -> dict[str, object]:
    seconds = {"build": build, "measure": measure, "run": run, "rest": 0.0, "total": build + measure + run}
    kernels = {"double-buffered": {"processor_s": seconds}}
    return {"evaluation": kernels, "frame": {"scripted": {"processor_ms_per_candidate": frame}}}


def test_every_claim_has_a_line() -> None:
    held = benchmark.verdicts(results())
    assert len(held) == 3
    assert all(held.values())


@pytest.mark.parametrize(
    ("changed", "claim"),
    [({"build": 0.9}, "evaluation"), ({"measure": 0.25}, "simulator"), ({"frame": 5.1}, "frame")],
)
def test_a_miss_is_told(changed: dict[str, float], claim: str) -> None:
    (missed,) = [name for name, holds in benchmark.verdicts(results(**changed)).items() if not holds]
    assert claim in missed
