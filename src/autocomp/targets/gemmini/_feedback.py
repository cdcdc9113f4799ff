"""Counters in words: what held the kernel up, the costliest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from autocomp.records import Ideal, Problem

_WORTH_SAYING = 0.01
_IDLE_WORTH_EXPLAINING = 0.02


class _Cause(NamedTuple):
    counter: str
    sentence: str
    """``{cycles}`` and ``{share}`` are filled in."""


# Cycles in which the array did not stream rows: lost for certain.
_LOST = (
    _Cause("execute_stall_bank_conflict", "A and B lie in the same scratchpad bank: reading them one after the other "
           "cost {cycles} cycles ({share}); put them in different banks"),
    _Cause("execute_stall_write_conflict", "a scratchpad or accumulator bank was written while the array read it: "
           "{cycles} cycles ({share}); fill the bank that is not being read"),
    _Cause("execute_stall_dependency", "the array waited {cycles} cycles ({share}) for data still being loaded or "
           "results not yet stored; load further ahead or use other rows"),
    _Cause("execute_stall_hazard", "the array waited {cycles} cycles ({share}) for its own results or for a "
           "reconfiguration"),
    _Cause("execute_starved", "the array had nothing to do for {cycles} cycles ({share}): compute commands arrived "
           "too late (start-up, bursts of loads or stores before them, fences, or slow scalar code)"),
)  # fmt: skip
# Why that may have been: waiting in other units, which costs nothing as long as the array is fed.
_REASONS = (
    _Cause("front_end_blocked_load_pool", "the front end stood still for {cycles} cycles ({share}) because its pool "
           "of pending loads was full; spread the mvins between compute commands"),
    _Cause("front_end_blocked_store_pool", "the front end stood still for {cycles} cycles ({share}) because its pool "
           "of pending stores was full; spread the mvouts over the next block"),
    _Cause("store_stall_bank", "stores waited {cycles} cycles ({share}) for the accumulator bank that was being "
           "accumulated into; alternate between the banks"),
    _Cause("store_stall_memory", "stores waited {cycles} cycles ({share}) for memory to take their data"),
    _Cause("load_stall_requests", "loads waited {cycles} cycles ({share}) for memory to answer"),
    _Cause("load_stall_dependency", "loads waited {cycles} cycles ({share}) until the rows they overwrite had been "
           "used; load into other rows"),
    _Cause("core_fence_stall", "the core waited {cycles} cycles ({share}) at fences; keep only the last one"),
    _Cause("core_fetch_stall", "the core waited {cycles} cycles ({share}) for code it had not run before; keep loop "
           "bodies small instead of unrolling further"),
    _Cause("core_data_stall", "the core waited {cycles} cycles ({share}) for its own loads and stores"),
)  # fmt: skip


def sentences(
    problem: Problem, latency: float, counters: Mapping[str, float], ideal: Ideal, rows: Mapping[str, int]
) -> tuple[str, ...]:
    """At most about eight sentences. ``rows`` holds the sizes of ``scratchpad`` and ``accumulator``."""
    if latency <= 0:
        return ()
    out = [
        f"{latency:,.0f} cycles, {ideal.latency / latency:.1%} of the {ideal.bound} roof of {ideal.latency:,.0f} "
        f"cycles; the array was busy for {counters.get('execute_busy', 0) / latency:.0%} of the time"
    ]
    idle = latency - counters.get("execute_busy", 0.0)
    out += _worth_saying(_LOST, counters, latency, 3)
    if idle > _IDLE_WORTH_EXPLAINING * latency:
        # The last fence always waits for the last stores: that alone is not worth a sentence.
        reasons = [c for c in _REASONS if c.counter != "core_fence_stall" or counters.get("fences", 0.0) > 2]
        out += _worth_saying(reasons, counters, latency, 3)
    out += _traffic(problem, counters)
    out += _capacity(counters, rows)
    return tuple(out)


def _worth_saying(causes: Iterable[_Cause], counters: Mapping[str, float], latency: float, most: int) -> list[str]:
    found = sorted(((counters.get(cause.counter, 0.0), cause.sentence) for cause in causes), key=lambda pair: -pair[0])
    return [
        sentence.format(cycles=f"{cycles:,.0f}", share=f"{cycles / latency:.0%}")
        for cycles, sentence in found[:most]
        if cycles >= _WORTH_SAYING * latency
    ]


def _traffic(problem: Problem, counters: Mapping[str, float]) -> list[str]:
    needed = sum(spec.nbytes for spec in problem.inputs)
    loaded = counters.get("bytes_loaded", 0.0)
    if not needed or loaded < 1.25 * needed:
        return []
    return [
        f"mvins moved {loaded:,.0f} bytes, {loaded / needed:.1f} times the {needed:,} bytes of the inputs, in "
        f"{counters.get('commands_load', 0):,.0f} commands; data that stays in the scratchpad is loaded once"
    ]


def _capacity(counters: Mapping[str, float], rows: Mapping[str, int]) -> list[str]:
    parts = []
    for name, total in rows.items():
        used = counters.get(f"{name}_rows_used", 0.0)
        parts.append(f"{used:,.0f} of {total:,} {name} rows ({used / total:.0%})")
    return [f"used {' and '.join(parts)}"]
