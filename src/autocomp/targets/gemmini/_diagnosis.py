"""Counters in words: what held the kernel up, the costliest first.

A counter named ``whole.part`` is part of the counter ``whole``: ``bytes_loaded.B`` came from the array B,
``execute_stall_dependency.line31`` was lost at line 31 of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from autocomp.records import Ideal, Problem

_WORTH_SAYING = 0.01
_IDLE_WORTH_EXPLAINING = 0.02
_MOST_LOST, _MOST_REASONS = 3, 3
_RELOADED = 1.25
"""An array counts as loaded again if this many times its size was moved."""
_MOST_OF_IT = 0.5
_LINE = "line"


class _Cause(NamedTuple):
    counter: str
    sentence: str
    """``{cycles}``, ``{share}`` and ``{where}`` are filled in."""


# Cycles in which the array did not stream rows: lost for certain.
_LOST = (
    _Cause("execute_stall_bank_conflict", "{shared}: reading them one after the other cost {cycles} cycles "
           "({share}{where}); put them in different banks"),
    _Cause("execute_stall_write_conflict", "a scratchpad or accumulator bank was written while the array read it: "
           "{cycles} cycles ({share}{where}); fill the bank that is not being read"),
    _Cause("execute_stall_dependency", "the array waited {cycles} cycles ({share}{where}) for data still being loaded "
           "or results not yet stored; load further ahead or use other rows"),
    _Cause("execute_stall_hazard", "the array waited {cycles} cycles ({share}{where}) for its own results or for a "
           "reconfiguration"),
    _Cause("execute_starved", "the array had nothing to do for {cycles} cycles ({share}): compute commands arrived "
           "too late (start-up, bursts of loads or stores before them, fences, or slow scalar code)"),
)  # fmt: skip
# Why that may have been: waiting in other units, which costs nothing as long as the array is fed.
_REASONS = (
    _Cause("front_end_blocked_load_pool", "the front end stood still for {cycles} cycles ({share}{where}) because its "
           "pool of pending loads was full; spread the mvins between compute commands"),
    _Cause("front_end_blocked_store_pool", "the front end stood still for {cycles} cycles ({share}{where}) because its "
           "pool of pending stores was full; spread the mvouts over the next block"),
    _Cause("store_stall_bank", "stores waited {cycles} cycles ({share}{where}) for the accumulator bank that was being "
           "accumulated into; alternate between the banks"),
    _Cause("store_stall_memory", "stores waited {cycles} cycles ({share}{where}) for memory to take their data"),
    _Cause("load_stall_requests", "loads had all their requests to memory under way for {cycles} cycles "
           "({share}{where}): the memory path is the limit there; move fewer bytes, or in wider rows"),
    _Cause("load_stall_dependency", "loads waited {cycles} cycles ({share}{where}) until the rows they overwrite had "
           "been used; load into other rows"),
    _Cause("core_fence_stall", "the core waited {cycles} cycles ({share}) at {fences} fences; "
           "keep those before results are read again, and the last one"),
    _Cause("core_fetch_stall", "the core waited {cycles} cycles ({share}) for code it had not run before; keep loop "
           "bodies small instead of unrolling further"),
    _Cause("core_data_stall", "the core waited {cycles} cycles ({share}) for its own loads and stores"),
    _Cause("core_own_work", "the core was at work of its own for {cycles} cycles ({share}) in which it neither waited "
           "for the accelerator nor at a fence; fewer and wider commands, less address arithmetic, and arithmetic on "
           "the accelerator instead"),
)  # fmt: skip


def sentences(
    problem: Problem, latency: float, counters: Mapping[str, float], ideal: Ideal, rows: Mapping[str, int]
) -> tuple[str, ...]:
    """At most about ten sentences. ``rows`` holds the sizes of ``scratchpad`` and ``accumulator``."""
    if latency <= 0:
        return ()
    known = {**counters, **_derived(latency, counters)}
    out = [
        f"{latency:,.0f} cycles, {_percent(ideal.latency / latency, 1)} of the {ideal.bound} roof of "
        f"{ideal.latency:,.0f} cycles; the array was busy for "
        f"{_percent(counters.get('execute_busy', 0.0) / latency)} of the time"
    ]
    idle = latency - counters.get("execute_busy", 0.0)
    causes = _worth_saying(_LOST, known, latency, _MOST_LOST)
    if idle > _IDLE_WORTH_EXPLAINING * latency:
        # The last fence always waits for the last stores: that alone is not worth a sentence.
        reasons = [c for c in _REASONS if c.counter != "core_fence_stall" or counters.get("fences", 0.0) > 2]
        # Several units may wait at the same time, and for one another: that weighs less than what the array lost.
        causes += [(weight / 2, text) for weight, text in _worth_saying(reasons, known, latency, _MOST_REASONS)]
    out += [text for _, text in sorted(causes, key=lambda cause: -cause[0])]
    out += _traffic(problem, latency, counters)
    out += _capacity(counters, rows)
    return tuple(out)


def _derived(latency: float, counters: Mapping[str, float]) -> dict[str, float]:
    waits = ("core_command_stall", "core_fence_stall", "core_fetch_stall", "core_data_stall")
    if "instructions" not in counters:
        return {}
    own = latency - sum(counters.get(name, 0.0) for name in waits)
    # A core that keeps the accelerator busy may work as much as it likes.
    return {"core_own_work": own if counters.get("execute_busy", 0.0) < _MOST_OF_IT * latency else 0.0}


def _worth_saying(
    causes: Iterable[_Cause], counters: Mapping[str, float], latency: float, most: int
) -> list[tuple[float, str]]:
    """The greatest ``most`` of them with their cycles."""
    found = sorted(((counters.get(cause.counter, 0.0), cause) for cause in causes), key=lambda pair: -pair[0])
    return [
        (cycles, _filled(cause, cycles, counters, latency))
        for cycles, cause in found[:most]
        if cycles >= _WORTH_SAYING * latency
    ]


def _filled(cause: _Cause, cycles: float, counters: Mapping[str, float], latency: float) -> str:
    return cause.sentence.format(
        cycles=f"{cycles:,.0f}",
        share=_percent(cycles / latency),
        where=_where(cause.counter, cycles, counters),
        shared=_shared(counters),
        fences=f"{counters.get('fences', 0.0):,.0f}",
    )


def _parts(counter: str, counters: Mapping[str, float]) -> list[tuple[str, float]]:
    """The parts of a counter, the greatest first."""
    found = (
        (name.removeprefix(f"{counter}."), value) for name, value in counters.items() if name.startswith(f"{counter}.")
    )
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def _where(counter: str, cycles: float, counters: Mapping[str, float]) -> str:
    """The lines that account for most of it, if few do."""
    named: list[str] = []
    explained = 0.0
    for part, value in _parts(counter, counters)[:2]:
        named.append(part.removeprefix(_LINE))
        explained += value
        if explained >= _MOST_OF_IT * cycles:
            return f", most at line{'s' if len(named) > 1 else ''} {' and '.join(named)}"
    return ""


def _shared(counters: Mapping[str, float]) -> str:
    banks = _parts("bank_conflict_steps", counters)
    if not banks:
        return "A and B lie in the same scratchpad bank"
    name = banks[0][0]
    memory = name.rstrip("0123456789")
    steps = sum(value for _, value in banks)
    return f"operands share {memory} bank {name.removeprefix(memory)} in {steps:,.0f} steps of the array"


def _traffic(problem: Problem, latency: float, counters: Mapping[str, float]) -> list[str]:
    """Which arrays are loaded again, and how much that is."""
    again = []
    for spec in problem.inputs:
        times = counters.get(f"bytes_loaded.{spec.name}", 0.0) / spec.nbytes
        if times >= _RELOADED:
            again.append((counters[f"bytes_loaded.{spec.name}"] - spec.nbytes, spec.name, times))
    loaded, needed = counters.get("bytes_loaded", 0.0), sum(spec.nbytes for spec in problem.inputs)
    if not again or loaded < _RELOADED * needed:
        return []
    each = ", ".join(f"{name} {times:.1f} times" for _, name, times in sorted(again, reverse=True))
    return [
        f"loads were under way for {_percent(counters.get('load_busy', 0.0) / latency)} of the time: {each} its own "
        f"size; {_bytes(loaded)} moved by {counters.get('commands_load', 0.0):,.0f} mvins against {_bytes(needed)} of "
        "inputs; data that stays in the scratchpad is loaded once"
    ]


def _percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"


def _bytes(count: float) -> str:
    for unit, size in (("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:,.0f} bytes"


def _capacity(counters: Mapping[str, float], rows: Mapping[str, int]) -> list[str]:
    parts = []
    for name, total in rows.items():
        used = counters.get(f"{name}_rows_used", 0.0)
        parts.append(f"{used:,.0f} of {total:,} {name} rows ({_percent(used / total)})")
    return [f"used {' and '.join(parts)}"]
