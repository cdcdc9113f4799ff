"""LOOP_WS: against the model and NumPy for data, against itself and the manual for what it refuses and when it runs."""

from __future__ import annotations

import random
from dataclasses import asdict, replace

import numpy as np
import pytest
from command_programs import SCALES, Command, config_ex, config_ld, config_st, float_bits
from isa_model import IsaModel, Parameters
from loop_model import LoopModel, MatmulLoop

from autocomp.targets.gemmini import _simulator

INPUT, OUTPUT, BYTES = 0x1_0000, 0x10_0000, 0x8_0000
SMALL = {
    "int8-4x4": Parameters(4, 20, 2, 128, 2, 32, 16),
    "int8-8x8": Parameters(8, 20, 4, 64, 1, 128, 64),
    "int8-16x16": Parameters(16, 20, 4, 256, 2, 128, 64),
    "int8-32x32": Parameters(32, 20, 4, 256, 2, 256, 64),
    "float32-4x4": Parameters(4, 20, 4, 64, 1, 64, 64, float_elements=1),
}


class Pair:
    """The simulator and the model, given the same commands."""

    def __init__(self, parameters: Parameters, seed: int, *, timing: bool, **settings: int) -> None:
        self.machine = _simulator.CommandMachine({**asdict(parameters), **settings}, "ideal", timing)
        self.isa = IsaModel(parameters)
        self.loops = LoopModel(self.isa)
        generator = np.random.default_rng(seed)
        data = generator.integers(-128, 128, BYTES, np.int8).tobytes()
        if parameters.float_elements:
            data = generator.normal(size=BYTES // 4).astype(np.float32).tobytes()
        for name, base, writable in (("input", INPUT, False), ("output", OUTPUT, True)):
            for memory in (self.machine, self.isa):
                memory.add_region(name, base, BYTES, writable)
                memory.write(base, data)

    def command(self, command: Command) -> None:
        self.machine.issue(*command)
        self.isa.issue(*command)

    def loop(self, loop: MatmulLoop) -> None:
        for command in loop.commands():
            self.machine.issue(*command)
        self.loops.matmul(loop)

    def assert_same(self) -> None:
        self.machine.fence()
        np.testing.assert_array_equal(self.machine.accumulator(), self.isa.accumulator)
        np.testing.assert_array_equal(self.machine.scratchpad(), self.isa.scratchpad)
        assert self.machine.read(OUTPUT, BYTES) == self.isa.read(OUTPUT, BYTES)


def _fitting_tiles(draw: random.Random, parameters: Parameters) -> tuple[int, int, int]:
    while True:
        i, j, k = (draw.randint(1, 6) for _ in range(3))
        operands = (i * k + k * j) * parameters.dim
        results = i * j * parameters.dim
        if operands <= parameters.scratchpad_rows // 2 and results <= parameters.accumulator_rows // 2:
            return i, j, k


def _random_loops(parameters: Parameters, seed: int, *, timing: bool) -> None:
    draw = random.Random(seed)
    pair = Pair(parameters, seed, timing=timing)
    dim = parameters.dim
    output = OUTPUT
    for _ in range(4):
        i, j, k = _fitting_tiles(draw, parameters)
        pads = [draw.choice((0, 0, draw.randrange(dim))) for _ in range(3)]
        a_transpose, b_transpose = draw.choice(((False, False), (True, False), (False, True)))
        low_d, full_c, d = draw.random() < 0.5, draw.random() < 0.4, draw.random() < 0.5
        steps = draw.choice((1, 1, 2))  # the second goes on where the first stopped: no C in between
        strides = [
            dim * tiles + draw.randrange(24) for tiles in (i if a_transpose else k, k if b_transpose else j, j, j)
        ]
        repeats_d = draw.random() < 0.3
        scales = [float_bits(draw.choice(SCALES)) for _ in range(4)]
        size = parameters.element_bytes
        d_bytes, c_bytes = size if low_d else 4, 4 if full_c else size
        pair.command(config_ex(a_transpose=a_transpose, b_transpose=b_transpose))
        for load, (stride, shrunk) in enumerate(
            ((strides[0] * size, False), (strides[1] * size, False), (0 if repeats_d else strides[2] * d_bytes, low_d))
        ):
            pair.command(config_ld(stride, load, scale_bits=scales[load], block_stride=dim, shrunk=shrunk))
        pair.command(config_st(strides[3] * c_bytes, activation=draw.randrange(2), scale_bits=scales[3]))
        for step in range(steps):
            pair.loop(
                MatmulLoop(
                    i, j, k, *pads,
                    a=INPUT + size * draw.randrange(4096), b=INPUT + size * draw.randrange(4096),
                    d=INPUT + 4 * draw.randrange(1024) if d and step == 0 else 0,
                    c=output if step == steps - 1 else 0,
                    a_stride=strides[0], b_stride=strides[1], d_stride=0 if repeats_d else strides[2],
                    c_stride=strides[3], a_transpose=a_transpose, b_transpose=b_transpose,
                    full_c=full_c, low_d=low_d, accumulate=d or step > 0,
                )
            )  # fmt: skip
        output += (i * dim * strides[3] + 64) * 4
        if draw.random() < 0.3:
            pair.machine.fence()
    pair.assert_same()


@pytest.mark.parametrize("chip", SMALL)
@pytest.mark.parametrize("seed", range(12))
def test_random_loops_agree_with_the_model(chip: str, seed: int) -> None:
    _random_loops(SMALL[chip], seed, timing=seed % 3 == 0)


@pytest.mark.parametrize("seed", range(12))
def test_random_residual_sums_agree_with_the_model(seed: int) -> None:
    draw = random.Random(seed)
    parameters = SMALL[draw.choice(sorted(SMALL))]
    dim, size = parameters.dim, parameters.element_bytes
    pair = Pair(parameters, seed, timing=seed % 2 == 0)
    stride = 6 * dim + 3
    for load in range(2):
        scale = float_bits(draw.choice(SCALES))
        pair.command(config_ld(stride * size, load, scale_bits=scale, block_stride=dim, shrunk=True))
    pair.command(config_st(stride * size, activation=draw.randrange(2)))
    for turn in range(3):
        i, j, _ = _fitting_tiles(draw, parameters)
        pads = draw.randrange(dim), draw.randrange(dim)
        pair.loop(
            MatmulLoop(
                i, j, 0, *pads, a=INPUT + size * draw.randrange(999), b=INPUT + size * draw.randrange(999),
                c=OUTPUT + turn * 0x8000, a_stride=stride, b_stride=stride, c_stride=stride, residual=True,
            )
        )  # fmt: skip
    pair.assert_same()


def _product(parameters: Parameters, i: int, j: int, k: int, **settings: int) -> Pair:
    """Ready for a product of whole tiles, dense in memory."""
    pair = Pair(parameters, 1, timing=True, **settings)
    dim = parameters.dim
    pair.command(config_ex())
    for load, columns in enumerate((k, j, 4 * j)):
        pair.command(config_ld(columns * dim, load, block_stride=dim))
    pair.command(config_st(4 * j * dim))
    return pair


def _loop(i: int, j: int, k: int, dim: int) -> MatmulLoop:
    return MatmulLoop(
        i, j, k, a=INPUT, b=INPUT + 0x1_0000, c=OUTPUT, a_stride=k * dim, b_stride=j * dim, d_stride=j * dim,
        c_stride=j * dim, full_c=True,
    )  # fmt: skip


def test_product_is_that_of_numpy() -> None:
    pair = _product(Parameters(), 3, 5, 7)
    pair.loop(_loop(3, 5, 7, 16))
    pair.assert_same()
    a = np.frombuffer(pair.machine.read(INPUT, 48 * 112), np.int8).reshape(48, 112).astype(np.int32)
    b = np.frombuffer(pair.machine.read(INPUT + 0x1_0000, 112 * 80), np.int8).reshape(112, 80).astype(np.int32)
    c = np.frombuffer(pair.machine.read(OUTPUT, 48 * 80 * 4), np.int32).reshape(48, 80)
    np.testing.assert_array_equal(c, a @ b)


def test_operands_stay_in_a_pinned_half() -> None:
    pair = _product(Parameters(), 2, 2, 2, has_pinned_loop_halves=1)
    pinned = replace(_loop(2, 2, 2, 16), a_half=1, b_half=2)
    pair.loop(pinned)
    pair.loop(replace(pinned, a=0, b=0, c=OUTPUT + 0x8000))
    pair.assert_same()
    assert pair.machine.read(OUTPUT, 4096) == pair.machine.read(OUTPUT + 0x8000, 4096)


def _refuses(loops: list[MatmulLoop | None], reason: str, kind: str = "illegal_command", **settings: int) -> None:
    """The last of ``loops`` (None is a fence) faults; those before it do not."""
    pair = _product(Parameters(), 2, 2, 2, **settings)
    for loop in loops[:-1]:
        for command in loop.commands() if loop else ():
            pair.machine.issue(*command)
        if loop is None:
            pair.machine.fence()
    last = loops[-1]
    assert last is not None
    with pytest.raises(_simulator.SimulatorFault, match=reason) as caught:
        for command in last.commands():
            pair.machine.issue(*command)
    assert caught.value.kind == kind


PLAIN = _loop(2, 2, 2, 16)
ILLEGAL = {
    "no rows": (replace(PLAIN, i=0), "bound of zero"),
    "no columns": (replace(PLAIN, j=0), "bound of zero"),
    "no depth": (replace(PLAIN, k=0), "bound of zero"),
    "padding of a tile": (replace(PLAIN, pad_j=16), "padding of 16"),
    "operands beyond a half": (replace(PLAIN, i=5, j=6, k=47), "need 8272 scratchpad rows.*half of them, 8192"),
    "results beyond a half": (replace(PLAIN, i=3, j=11, k=1), "need 528 accumulator rows.*half of them, 512"),
    "both transposed": (replace(PLAIN, a_transpose=True, b_transpose=True), "one transposer"),
    "pinned halves": (replace(PLAIN, a_half=1), "has_pinned_loop_halves"),
    "fourth half": (replace(PLAIN, b_half=3), "3 does not exist"),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_loops(name: str) -> None:
    loop, reason = ILLEGAL[name]
    _refuses([loop], reason)


def test_outside_of_memory() -> None:
    _refuses([replace(PLAIN, c=OUTPUT + BYTES - 1024)], r"LOOP_WS, tile i=.*mvout", "bad_address")


def test_operand_that_was_never_loaded() -> None:
    _refuses([replace(PLAIN, a=0)], "LOOP_WS, tile i=0 j=0 k=0", "local_address")


HAZARDS: dict[str, tuple[list[MatmulLoop | None], str]] = {
    "reads what the loop before stores": (
        [PLAIN, replace(PLAIN, a=OUTPUT, c=OUTPUT + 0x8000)],
        "mvout since the last fence",
    ),
    "D over unfinished sums": (
        [replace(PLAIN, c=0), replace(PLAIN, d=INPUT, accumulate=True)],
        "loads D over results of the loop before",
    ),
    "sum after product": ([PLAIN, replace(PLAIN, residual=True, k=0)], "between product and sum"),
    "pinned half in use": (
        [replace(PLAIN, a_half=1, b_half=1), replace(PLAIN, a_half=1, b_half=1)],
        "loads A over operands",
    ),
}


@pytest.mark.parametrize("name", HAZARDS)
def test_hazards_between_loops(name: str) -> None:
    loops, reason = HAZARDS[name]
    _refuses(loops, reason, "hazard", has_pinned_loop_halves=1)
    pair = _product(Parameters(), 2, 2, 2, has_pinned_loop_halves=1)
    for load in range(2):  # of sums
        pair.command(config_ld(32, load, shrunk=True))
    for loop in loops:  # with a fence after each, all of them are allowed
        assert loop is not None
        for command in loop.commands():
            pair.machine.issue(*command)
        pair.machine.fence()


OVERLAPS = {
    "C over A": replace(PLAIN, a=OUTPUT, full_c=False),
    "C over the end of B": replace(PLAIN, b=OUTPUT, c=OUTPUT + 32 * 31, full_c=False),
}


@pytest.mark.parametrize("name", OVERLAPS)
def test_results_over_operands(name: str) -> None:
    loop = OVERLAPS[name]
    machine = _product(Parameters(), 2, 2, 2).machine
    machine.issue(*config_st(32))
    with pytest.raises(_simulator.SimulatorFault, match="C lies over A or B") as caught:
        for command in loop.commands():
            machine.issue(*command)
    assert caught.value.kind == "hazard"


def test_results_between_the_rows_of_an_operand() -> None:
    """A and C interleave in one array: no byte is both."""
    pair = _product(Parameters(), 2, 2, 2)
    pair.command(config_ld(64))
    pair.command(config_st(64))
    pair.loop(replace(PLAIN, a=OUTPUT, c=OUTPUT + 32, a_stride=64, c_stride=64, full_c=False))
    pair.assert_same()


def test_residual_sum_in_place() -> None:
    pair = _product(Parameters(), 2, 2, 2)
    for load in range(2):
        pair.command(config_ld(32, load, shrunk=True))
    pair.command(config_st(32))
    pair.loop(replace(PLAIN, a=OUTPUT, k=0, residual=True, full_c=False))
    pair.assert_same()


def test_registers_belong_to_one_of_two_loops() -> None:
    machine = _product(Parameters(), 2, 2, 2).machine
    for command in PLAIN.commands():
        machine.issue(*command)
    with pytest.raises(_simulator.SimulatorFault, match="configured for the loop before only"):
        machine.issue(*PLAIN.commands()[-1])


@pytest.mark.parametrize("missing", range(5))
def test_unconfigured_loop(missing: int) -> None:
    machine = _product(Parameters(), 2, 2, 2).machine
    commands = PLAIN.commands()
    del commands[missing]
    with pytest.raises(_simulator.SimulatorFault, match="never configured"):
        for command in commands:
            machine.issue(*command)


@pytest.mark.parametrize("bit", range(3, 10))
def test_newer_flags_are_refused_by_name(bit: int) -> None:
    machine = _product(Parameters(), 2, 2, 2).machine
    *configuration, (funct, rs1, rs2) = PLAIN.commands()
    for command in configuration:
        machine.issue(*command)
    with pytest.raises(_simulator.SimulatorFault, match="this version of the loop unit does not have them"):
        machine.issue(funct, rs1, rs2 | 1 << bit)


def _timed(loops: list[MatmulLoop], after: list[Command], *, fence: bool) -> tuple[int, list[tuple[object, ...]]]:
    machine = _product(Parameters(), 2, 2, 2).machine
    for loop in loops:
        for command in loop.commands():
            machine.issue(*command)
        if fence:
            machine.fence()
    for command in after:
        machine.issue(*command)
    return machine.fence(), machine.timeline()


def test_loops_overlap_and_fences_cost() -> None:
    loops = [replace(_loop(4, 4, 8, 16), c=OUTPUT + turn * 0x8000) for turn in range(4)]
    together, _ = _timed(loops, [], fence=False)
    apart, _ = _timed(loops, [], fence=True)
    ideal = 4 * 4 * 4 * 8 * 16
    assert ideal < together < apart
    assert together < 1.35 * ideal


def test_same_cycles_and_timeline_every_time() -> None:
    loops = [replace(_loop(4, 4, 8, 16), c=OUTPUT + turn * 0x8000) for turn in range(3)]
    assert _timed(loops, [], fence=False) == _timed(loops, [], fence=False)


def test_timeline_names_the_loop_command() -> None:
    cycles, spans = _timed([PLAIN], [Command(2, INPUT, 16 << 48 | 16 << 32)], fence=False)
    configuration, loop = 5, 6  # commands of _product, of one loop
    by_index: dict[object, list[tuple[object, ...]]] = {}
    for span in spans:
        by_index.setdefault(span[4], []).append(span)
    assert set(by_index) == {configuration + loop - 1, configuration + loop}
    unrolled = [span[3] for span in by_index[configuration + loop - 1]]
    assert [unrolled.count(funct) for funct in (2, 1, 6, 4, 5, 3)] == [2, 2, 8, 4, 4, 4]
    ordinary = by_index[configuration + loop]
    assert len(ordinary) == 1
    # Commands of the program wait until the loop has sent all of its own.
    last_load = max(int(str(span[1])) for span in by_index[configuration + loop - 1] if span[0] == "load")
    assert last_load < int(str(ordinary[0][1])) < cycles
