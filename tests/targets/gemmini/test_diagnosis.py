"""What the counters of a kernel say in words."""

from __future__ import annotations

import numpy as np
import pytest

from autocomp.records import Kernel, Measurement, Problem, Role, TensorSpec, Verdict, Work
from autocomp.targets.gemmini import create

SHAPE = {"A": (64, 64), "B": (64, 64), "C": (64, 64)}


def problem() -> Problem:
    arguments = tuple(
        TensorSpec(name, "int8", shape, Role.OUTPUT if name == "C" else Role.INPUT) for name, shape in SHAPE.items()
    )
    start, work = Kernel("start", ""), Work(64**3, 3 * 4096)
    return Problem("p", "matmul", {}, "solution", arguments, lambda inputs: {}, start, {}, (), {}, work)


def diagnosis(counters: dict[str, float], latency: float = 1000.0) -> tuple[str, ...]:
    return create({}).feedback(problem(), Measurement(latency, "cycles", "", counters))


def test_the_costliest_comes_first() -> None:
    found = diagnosis(
        {
            "execute_busy": 600.0,
            "execute_stall_bank_conflict": 300.0,
            "execute_starved": 50.0,
            "store_stall_bank": 900.0,
            "fences": 2.0,
            "core_fence_stall": 500.0,
        }
    )
    assert "60 % of the time" in found[0]
    assert "accumulator bank" in found[1], "900 cycles of waiting stores weigh more than 300 lost ones"
    assert "same scratchpad bank" in found[2]
    assert "nothing to do" in found[3]
    assert not any("fences;" in sentence for sentence in found), "the last fence always waits"


def test_lines_are_named_if_they_explain_most() -> None:
    counter = "execute_stall_dependency"
    one = diagnosis({counter: 400.0, f"{counter}.line7": 300.0, f"{counter}.line9": 100.0})
    assert "400 cycles (40 %, most at line 7)" in one[1]
    two = diagnosis({counter: 400.0, f"{counter}.line7": 150.0, f"{counter}.line9": 120.0, f"{counter}.line8": 50.0})
    assert "most at lines 7 and 9" in two[1]
    scattered = diagnosis({counter: 400.0, **{f"{counter}.line{n}": 40.0 for n in range(10)}})
    assert "line" not in scattered[1]


def test_fences_in_the_middle_are_named() -> None:
    assert any("at 12 fences" in sentence for sentence in diagnosis({"fences": 12.0, "core_fence_stall": 500.0}))


def test_arrays_that_are_loaded_again() -> None:
    found = diagnosis(
        {"bytes_loaded": 5 * 4096.0, "bytes_loaded.A": 4096.0, "bytes_loaded.B": 4 * 4096.0, "commands_load": 20.0}
    )
    (sentence,) = (text for text in found if "moved by" in text)
    assert "B 4.0 times" in sentence
    assert "A 1.0" not in sentence
    assert "20.5 kB moved by 20 mvins against 8.19 kB" in sentence


def test_parts_are_not_totals() -> None:
    measurement = Measurement(1.0, "cycles", "", {"bytes_loaded": 3.0, "bytes_loaded.A": 3.0})
    assert measurement.totals == {"bytes_loaded": 3.0}


SHARED_BANK = """void solution(int8_t A[64][64], int8_t B[64][64], int8_t C[64][64]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(64, 1.0f, 16, 0);
  config_ld(64, 1.0f, 16, 1);
  config_st(64);
  for (int i = 0; i < 64; i += 16) {
    for (int k = 0; k < 64; k += 16) {
      mvin(&A[i][k], 0, 16, 16);
      mvin2(&B[k][0], %d, 64, 16);
      for (int j = 0; j < 4; j++) {
        preload(%d + j * 16, (k ? 0xc0000000u : 0x80000000u) + j * 16, 16, 16, 16, 16);
        compute_preloaded(0, 0xffffffffu, 16, 16, 16, 16);
      }
    }
    for (int j = 0; j < 4; j++) mvout(&C[i][j * 16], 0x80000000u + j * 16, 16, 16);
  }
  fence();
}
"""
CONFLICT_LINE = 11  # of the preload whose B shares the bank of A, or of the compute beside it


@pytest.mark.parametrize("b_row", [64, 4096])
def test_counters_of_a_real_run(b_row: int) -> None:
    target = create({})
    artifact = target.build(problem(), SHARED_BANK % (b_row, b_row))
    assert not isinstance(artifact, Verdict)
    inputs = {name: np.ones((64, 64), np.int8) for name in "AB"}
    execution = target.measure(problem(), artifact, inputs)
    assert execution.measurement is not None
    counters = execution.measurement.counters
    assert counters["bytes_loaded.A"] == 4 * 4 * 256, "each tile once"
    assert counters["bytes_loaded.B"] == 4 * 4096, "all of it for each of four rows of tiles"
    assert counters["bytes_stored.C"] == 4096
    found = target.feedback(problem(), execution.measurement)
    assert any("B 4.0 times" in sentence for sentence in found)
    conflict = [sentence for sentence in found if "share scratchpad bank 0" in sentence]
    if b_row == 64:
        # All computes but those that start with no preload beside them.
        assert 32 <= counters["bank_conflict_steps.scratchpad0"] <= 64
        assert counters["execute_stall_bank_conflict"] == 16 * counters["bank_conflict_steps.scratchpad0"]
        assert conflict
        assert any(f"line {line}" in conflict[0] for line in (CONFLICT_LINE, CONFLICT_LINE + 1))
    else:
        assert not conflict
        assert "bank_conflict_steps.scratchpad0" not in counters


def test_lines_add_up_to_no_more_than_their_counter() -> None:
    target = create({})
    artifact = target.build(problem(), SHARED_BANK % (64, 64))
    assert not isinstance(artifact, Verdict)
    execution = target.measure(problem(), artifact, {name: np.ones((64, 64), np.int8) for name in "AB"})
    assert execution.measurement is not None
    counters = execution.measurement.counters
    lines = [name for name in counters if ".line" in name]
    assert lines
    for whole in {name.split(".")[0] for name in lines}:
        assert sum(value for name, value in counters.items() if name.startswith(f"{whole}.line")) <= counters[whole]


def test_work_of_the_core_is_named_in_a_real_run() -> None:
    """A kernel that computes on the core spends its time there: the accelerator never waits for anything."""
    target = create({})
    code = """void solution(int8_t A[64][64], int8_t B[64][64], int8_t C[64][64]) {
      for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) C[i][j] = A[i][j] * B[j][i];
      fence();
    }"""
    artifact = target.build(problem(), code)
    assert not isinstance(artifact, Verdict)
    execution = target.measure(problem(), artifact, {name: np.ones((64, 64), np.int8) for name in "AB"})
    assert execution.measurement is not None
    found = target.feedback(problem(), execution.measurement)
    assert any("core was at work of its own" in sentence for sentence in found), found


THREE_COMMANDS = """void solution(int8_t A[64][64], int8_t B[64][64], int8_t C[64][64]) {
  config_ld(64, 1.0f, 16, 0);
  config_st(64);
  mvin(&A[0][0], 0, 64, 16);
  for (int i = 0; i < 64; i++) {
    mvin(0, 256, 16, 1);
    mvin(0, 272, 16, 1);
    mvout(&C[0][0], 0, 64, 16);
  }
  fence();
}
"""
STORE_LINE = 8


def test_a_full_pool_is_blamed_on_the_command_that_waits_for_it() -> None:
    """Only stores wait for the pool of stores. With three commands per turn those behind it are of other lines."""
    target = create({})
    artifact = target.build(problem(), THREE_COMMANDS)
    assert not isinstance(artifact, Verdict)
    execution = target.measure(problem(), artifact, {name: np.ones((64, 64), np.int8) for name in "AB"})
    assert execution.measurement is not None, execution.verdict
    counters = execution.measurement.counters
    blocked = counters["front_end_blocked_store_pool"]
    assert blocked > 64
    lines = {name: value for name, value in counters.items() if name.startswith("front_end_blocked_store_pool.line")}
    assert lines == {f"front_end_blocked_store_pool.line{STORE_LINE}": blocked}
