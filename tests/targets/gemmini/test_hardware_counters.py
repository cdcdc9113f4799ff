"""COUNTER_OP: what programs read is what the run itself counts; kernels that are judged may not read it."""

from __future__ import annotations

import numpy as np
import programs
import pytest

_WORK = """
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(64, 1.0f, 16, 0);
  config_st(64);
  for (int i = 0; i < 8; i++) mvin(in + 64 * i, 64 * i, 64, 1);
  fence();
  mvin(in, 0, 64, 8);
  for (int i = 0; i < 20; i++) {
    preload(0, 0x80000000u, 16, 8, 16, 8);
    compute_preloaded(0, GARBAGE_ADDR, 8, 8, 16, 8);
  }
  mvout(out + 64, 0x80000000u, 16, 8);
  fence();
"""
_PROGRAM = f"""
void solution(int8_t *in, int8_t *out, uint32_t *read) {{
  counter_configure(0, COUNTER_RDMA_BYTES_REC);
  counter_configure(1, COUNTER_WDMA_BYTES_SENT);
  counter_configure(2, COUNTER_EXE_ACTIVE_CYCLE);
  counter_configure(3, COUNTER_LOAD_ACTIVE_CYCLE);
  counter_configure(4, COUNTER_STORE_ACTIVE_CYCLE);
  counter_configure(5, COUNTER_RESERVATION_STATION_FULL_CYCLES);
  {_WORK}
  for (int i = 0; i < 8; i++) read[i] = 0;
  read[0] = counter_read(0); read[1] = counter_read(1); read[2] = counter_read(2);
  read[3] = counter_read(3); read[4] = counter_read(4); read[5] = counter_read(5); read[6] = counter_read(6);
}}
"""


def _run(source: str, **options: object) -> dict[str, object]:
    arrays = [
        programs.array("in", np.ones(8192, np.int8)),
        programs.array("out", np.zeros(8192, np.int8)),
        programs.array("read", np.zeros(16, np.uint32)),
    ]
    return programs.simulate(source, *arrays, **options)


def _read(result: dict) -> list[int]:
    assert result["fault"] is None, result["fault"]
    return np.frombuffer(result["outputs"]["read"], np.uint32).tolist()


def test_they_count_what_the_run_counts() -> None:
    result = _run(_PROGRAM, timing=True)
    counters = result["counters"]
    full = sum(counters[f"front_end_blocked_{pool}_pool"] for pool in ("load", "store", "execute"))
    names = ("bytes_loaded", "bytes_stored", "execute_busy", "load_busy", "store_busy")
    assert _read(result)[:7] == [*(counters[name] for name in names), full, 0]
    assert counters["bytes_loaded"] == 64 * 16
    assert counters["bytes_stored"] == 16 * 8
    assert counters["execute_busy"] >= 20 * 16


def test_reset_configuration_and_snapshot() -> None:
    source = f"""
void solution(int8_t *in, int8_t *out, uint32_t *read) {{
  counter_configure(7, COUNTER_RDMA_BYTES_REC);
  {_WORK}
  read[0] = counter_configure(7, COUNTER_WDMA_BYTES_SENT);  /* the old value comes back */
  read[1] = counter_read(7);
  {_WORK}
  counter_snapshot_take();
  {_WORK}
  read[2] = counter_read(7);
  counter_snapshot_reset();
  read[3] = counter_read(7);
  read[4] = counter_reset();
  read[5] = counter_read(7);
  {_WORK}
  read[6] = counter_read(7);
}}"""
    assert _read(_run(source))[:7] == [1024, 0, 128, 256, 0, 0, 128]


@pytest.mark.parametrize(
    "call", ["counter_read(0)", "counter_reset()", "counter_configure(0, COUNTER_EXE_ACTIVE_CYCLE)"]
)
def test_judged_kernels_may_not_ask(call: str) -> None:
    source = f"void solution(int8_t *in, int8_t *out, uint32_t *read) {{ read[0] = {call}; }}"
    fault = _run(source, may_read_clock=False)["fault"]
    assert "may not depend on whether it is timed" in fault["message"]


def test_events_without_a_counter() -> None:
    source = "void solution(int8_t *in, int8_t *out, uint32_t *read) { counter_configure(0, GEMMINI_FIELD(38, 12)); }"
    assert "counter event 38 is not modelled" in _run(source)["fault"]["message"]


def test_other_commands_of_the_table() -> None:
    arrays = "int8_t *in, int8_t *out, uint32_t *read"
    gate = f"void solution({arrays}) {{ ROCC_INSTRUCTION_RS1_RS2(3, 1, 0, 22); fence(); }}"
    assert _run(gate)["fault"] is None
    for funct in (23, 24, 25):
        source = f"void solution({arrays}) {{ ROCC_INSTRUCTION_RS1_RS2(3, 1, 0, {funct}); }}"
        assert "belongs to a later revision" in _run(source)["fault"]["message"]
