"""The simulator stays as close to the hardware as its benchmark claims."""

from __future__ import annotations

from itertools import chain

from benchmarks.fidelity.__main__ import Bench, hardware_loops, kernels, memory_streams, micro_benchmarks, verdicts


def test_simulated_cycles_agree_with_measured_ones() -> None:
    bench = Bench("auto", from_c=False)
    rows = list(chain(micro_benchmarks(bench), memory_streams(bench), kernels(bench), hardware_loops(bench)))
    assert len(rows) == 35 + 2 * 14 + 2 * 11 + 7
    missed = [claim for claim, holds in verdicts(rows).items() if not holds]
    assert not missed
