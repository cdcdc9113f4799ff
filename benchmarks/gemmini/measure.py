"""One row of a table: a search in a store of its own."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.gemmini.paper import FOUND, START

import autocomp
from autocomp.configuration import load_configuration
from autocomp.report import evaluated, lineage


@dataclass(frozen=True)
class Row:
    """One problem; latencies in simulated cycles."""

    problem: str
    memory: str
    cycles: Mapping[str, float]
    """By kernel: ``start``, every rival, ``found``."""
    ideal_cycles: float
    bound: str
    evaluations: int
    seconds: float
    confirmed: bool
    moves: tuple[str, ...]
    """Menu items from the start kernel to the found one."""
    feedback: tuple[str, ...]
    """What the counters of the found kernel say holds it back."""
    code: str

    def speedup(self, kernel: str, baseline: str) -> float:
        """Cycles of ``baseline`` over those of ``kernel``; not a number if one was not measured."""
        return self.cycles.get(baseline, math.nan) / self.cycles.get(kernel, math.nan)

    def share(self, kernel: str) -> float:
        """Of the ideal."""
        return self.ideal_cycles / self.cycles.get(kernel, math.nan)


def optimise(problem: str, memory: str, overrides: Mapping[str, object]) -> Row:
    """Run one search in a store of its own, so that nothing is taken from an earlier run."""
    with tempfile.TemporaryDirectory(prefix="autocomp-gemmini-") as folder:
        config = load_configuration(
            overrides={
                "run.store": Path(folder) / "store.sqlite",
                "targets.gemmini.memory": memory,
                **overrides,
            }
        )
        began = time.perf_counter()
        run = autocomp.optimize(problem, config=config)
        seconds = time.perf_counter() - began
    rivals = {rival.name: _latency(rival.evaluation) for rival in run.rivals}
    found = run.best.evaluation
    return Row(
        problem=problem,
        memory=memory,
        cycles={START: _latency(run.start.evaluation), **rivals, FOUND: _latency(found)},
        ideal_cycles=run.ideal.latency,
        bound=run.ideal.bound,
        evaluations=evaluated(run),
        seconds=seconds,
        confirmed=run.confirmed,
        moves=tuple(entry.candidate.move.item for entry in lineage(run) if entry.candidate.move),
        feedback=found.feedback if found else (),
        code=run.best.candidate.code,
    )


def _latency(evaluation: autocomp.Evaluation | None) -> float:
    latency = evaluation.latency if evaluation else None
    return math.nan if latency is None else latency


def geometric_mean(values: list[float]) -> float:
    """Of positive numbers; not a number if one is missing."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan
