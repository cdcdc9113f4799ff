"""What must hold of the clock whatever the program: it changes no result, repeats itself and never beats the roof."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from command_programs import (
    INPUT_BASE,
    LOADS,
    OUTPUT_BASE,
    REGION_BYTES,
    Command,
    Mix,
    config_ex,
    config_ld,
    extent,
    random_program,
)
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from isa_comparison import new_machine, refusal
from isa_model import COMPUTE_ACCUMULATED, COMPUTE_PRELOADED, GARBAGE, MVIN, PRELOAD, Parameters

from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._description import memory_cycles
from autocomp.targets.gemmini._simulator import CommandMachine, SimulatorFault

SEEDS = st.integers(0, 2**32 - 1)
GAPS = st.sampled_from([1, 3, 3, 10, 40])
MEMORIES = st.sampled_from(["ideal", "ddr3"])
MIXES = st.builds(
    Mix,
    length=st.integers(1, 60),
    weight_stationary=st.sampled_from([0.0, 0.5, 1.0, 1.0]),
    plain=st.sampled_from([0.1, 0.4, 0.9]),
)
SMALL = Parameters(scratchpad_bank_rows=64, accumulator_bank_rows=32)
ARRAY = [
    SMALL,
    Parameters(),
    Parameters(dim=4, scratchpad_bank_rows=64, accumulator_bank_rows=32),
    Parameters(dim=8),
    Parameters(dim=32, scratchpad_bank_rows=128, accumulator_bank_rows=64),
]


def legal_program(parameters: Parameters, mix: Mix, seed: int) -> list[Command]:
    """A random program up to the first command that is refused; loads inside a pair go before it.

    Between a preload and its compute they can make the accelerator wait for itself.
    """
    machine = new_machine(parameters, seed)
    commands = random_program(parameters, mix, seed)
    for index, command in enumerate(commands):
        if index and commands[index - 1].funct == PRELOAD and command.funct in LOADS:
            commands[index - 1 : index + 1] = command, commands[index - 1]
    out = []
    for command in commands:
        if refusal(machine, command) is not None:
            break
        out.append(command)
    return out[:-1] if out[-1].funct == PRELOAD else out


def run(machine: CommandMachine, program: Sequence[Command], gap: int) -> int:
    """Cycles from the first command to the end of the fence."""
    try:
        start = machine.fence()
        for command in program:
            machine.issue(*command, gap_cycles=gap)
        return machine.fence() - start
    except SimulatorFault as fault:
        # Only the clock knows that an operand is read before it is there: such a program is not legal after all.
        if "still in the array" in str(fault):
            reject()
        raise


def timed(parameters: Parameters, seed: int, memory: str = "ideal") -> CommandMachine:
    return new_machine(parameters, seed, memory=memory, timing=True)


@settings(max_examples=200)
@given(parameters=st.sampled_from(ARRAY), mix=MIXES, seed=SEEDS, gap=GAPS, memory=MEMORIES)
def test_timing_never_changes_the_function(parameters: Parameters, mix: Mix, seed: int, gap: int, memory: str) -> None:
    program = legal_program(parameters, mix, seed)
    plain, clocked = new_machine(parameters, seed), timed(parameters, seed, memory)
    run(plain, program, gap)
    run(clocked, program, gap)
    assert np.array_equal(plain.scratchpad(), clocked.scratchpad())
    assert np.array_equal(plain.accumulator(), clocked.accumulator())
    assert plain.read(OUTPUT_BASE, REGION_BYTES) == clocked.read(OUTPUT_BASE, REGION_BYTES)


@settings(max_examples=150)
@given(parameters=st.sampled_from(ARRAY), mix=MIXES, seed=SEEDS, gap=GAPS, memory=MEMORIES)
def test_the_same_program_takes_the_same_time(
    parameters: Parameters, mix: Mix, seed: int, gap: int, memory: str
) -> None:
    program = legal_program(parameters, mix, seed)
    first, second = timed(parameters, seed, memory), timed(parameters, seed, memory)
    assert run(first, program, gap) == run(second, program, gap)
    assert first.counters() == second.counters()


@settings(max_examples=100)
@given(parameters=st.sampled_from(ARRAY), mix=MIXES, seed=SEEDS, gap=GAPS)
def test_repeats_settle(parameters: Parameters, mix: Mix, seed: int, gap: int) -> None:
    """Once the L2 holds everything, a program that starts from rest takes about the same time again."""
    program = legal_program(parameters, mix, seed)
    machine = timed(parameters, seed)
    run(machine, program, gap)
    run(machine, program, gap)
    third, fourth = run(machine, program, gap), run(machine, program, gap)
    # Not to the cycle: dirty lines may leave the L2 at another time.
    assert abs(third - fourth) <= 16 + 0.01 * third


@settings(max_examples=150)
@given(parameters=st.sampled_from(ARRAY), mix=MIXES, seed=SEEDS, gap=GAPS, memory=MEMORIES)
def test_a_command_more_is_never_earlier(parameters: Parameters, mix: Mix, seed: int, gap: int, memory: str) -> None:
    program = legal_program(parameters, mix, seed)
    cut = seed % len(program)
    shorter = run(timed(parameters, seed, memory), program[:cut], gap)
    # A few cycles are allowed: what follows decides whether a compute runs alone or together with the next preload.
    assert run(timed(parameters, seed, memory), program, gap) >= shorter - 4


@settings(max_examples=150)
@given(parameters=st.sampled_from(ARRAY), mix=MIXES, seed=SEEDS, gap=GAPS)
def test_ideal_memory_is_not_slower(parameters: Parameters, mix: Mix, seed: int, gap: int) -> None:
    program = legal_program(parameters, mix, seed)
    ideal, ddr3 = (run(timed(parameters, seed, memory), program, gap) for memory in ("ideal", "ddr3"))
    assert ideal <= ddr3


@settings(max_examples=150)
@given(parameters=st.sampled_from(ARRAY), mix=MIXES, seed=SEEDS, gap=GAPS, memory=MEMORIES)
def test_no_program_beats_the_roof(parameters: Parameters, mix: Mix, seed: int, gap: int, memory: str) -> None:
    program = legal_program(parameters, mix, seed)
    machine = timed(parameters, seed, memory)
    cycles = run(machine, program, gap)
    counters = machine.counters()
    computes = sum(command.funct in (COMPUTE_PRELOADED, COMPUTE_ACCUMULATED) for command in program)
    assert cycles >= gap * len(program)
    sizes = {**_config.load().simulator, "max_block_bytes": parameters.max_block_bytes}
    assert cycles >= memory_cycles(counters["bytes_loaded"], counters["bytes_stored"], sizes)
    assert cycles >= 4 * computes  # a step streams at least four rows
    assert cycles >= counters["multiply_accumulates"] / parameters.dim**2
    for busy in ("load_busy", "store_busy", "execute_busy"):
        assert counters[busy] <= cycles
    assert counters["commands_compute"] == computes
    assert counters["commands_preload"] == sum(command.funct == PRELOAD for command in program)
    spans = machine.timeline()
    for _, start, end, _, index in spans:
        assert 0 <= start <= end
        assert index < len(program)


def test_a_deadlock_is_reported() -> None:
    """The load waits for the preload's operand, the compute for the load, and the preload for the compute."""
    machine = timed(Parameters(), 0)
    for command in (
        config_ex(),
        config_ld(16),
        Command(MVIN, INPUT_BASE, extent(0, 16, 16)),
        Command(PRELOAD, extent(0, 16, 16), extent(1 << 31, 16, 16)),
        Command(MVIN, INPUT_BASE + 256, extent(0, 16, 16)),
        Command(COMPUTE_PRELOADED, extent(0, 16, 16), extent(GARBAGE, 16, 16)),
    ):
        machine.issue(*command)
    with pytest.raises(SimulatorFault, match="waits for itself"):
        machine.fence()


def test_translation_counts_pages_and_costs_what_is_set() -> None:
    def cycles(**settings: int) -> tuple[int, dict[str, int]]:
        machine = CommandMachine(settings, "ideal", True)
        machine.add_region("input", 0x90000000, 1 << 16, False)
        program = [config_ld(4096), *[Command(MVIN, 0x90000000, extent(0, 16, 6))] * 2]
        return run(machine, program, 3), machine.counters()

    free, counters = cycles()
    assert counters["tlb_retries"] == 12  # each row lies in another page than the one before
    assert counters["tlb_misses"] == 12  # six pages go round in four entries
    assert cycles(tlb_entries=8)[1]["tlb_misses"] == 6
    assert cycles(tlb_miss_cycles=20)[0] >= free + 150
    assert free < cycles(tlb_retry_cycles=3)[0] < cycles(tlb_retry_cycles=9)[0]


def test_results_that_nobody_keeps_do_not_clog_the_array() -> None:
    """A change of dataflow waits for results that are written, not for others: two can be due at the same time."""
    machine = timed(Parameters(), 0)
    program = [config_ex(), config_ld(16), Command(MVIN, INPUT_BASE, extent(0, 16, 16))]
    for _ in range(12):
        for weight_stationary in (False, True):
            program += [
                config_ex(weight_stationary=weight_stationary),
                Command(PRELOAD, extent(GARBAGE, 16, 16), extent(GARBAGE, 16, 16)),
                Command(COMPUTE_PRELOADED, extent(0, 16, 16), extent(GARBAGE, 16, 16)),
            ]
    assert run(machine, program, 3) > 0


@pytest.mark.slow
@settings(max_examples=2000)
@given(parameters=st.sampled_from(ARRAY), mix=MIXES, seed=SEEDS, gap=GAPS, memory=MEMORIES)
def test_many(parameters: Parameters, mix: Mix, seed: int, gap: int, memory: str) -> None:
    test_a_command_more_is_never_earlier.hypothesis.inner_test(parameters, mix, seed, gap, memory)
    test_timing_never_changes_the_function.hypothesis.inner_test(parameters, mix, seed, gap, memory)
    test_no_program_beats_the_roof.hypothesis.inner_test(parameters, mix, seed, gap, memory)
