"""Directed cases: rounding and saturation at every tie, what each flag does, and what is refused and why."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from command_programs import (
    ACCUMULATE,
    ACCUMULATOR,
    FULL,
    INPUT_BASE,
    OUTPUT_BASE,
    Command,
    config_ex,
    config_ld,
    config_st,
    extent,
    float_bits,
)
from isa_comparison import assert_same, new_machine
from isa_model import (
    COMPUTE_ACCUMULATED,
    COMPUTE_PRELOADED,
    CONFIG,
    GARBAGE,
    MVIN,
    MVIN2,
    MVOUT,
    PRELOAD,
    Parameters,
)

from autocomp.targets.gemmini._simulator import CommandMachine, SimulatorFault

DIM = 16
PARAMETERS = Parameters()
WORD_VALUES = 16 * DIM


def issue(machine: CommandMachine, *program: Command) -> None:
    for command in program:
        machine.issue(*command)


def machine_with(data: np.ndarray) -> CommandMachine:
    machine = new_machine(PARAMETERS, 0)
    machine.write(INPUT_BASE, data.tobytes())
    return machine


SCALES = [1.0, 0.5, 0.25, 1.5, -1.0, -0.5, 1 / 3, 0.1, 127 / 128, 1.0000001, 2.0, 1e-3, 4.76837e-7, 1e30, 1e-42, 0.0]


class TestScaling:
    """Against exact rational arithmetic followed by one rounding per step, not against the model's own code."""

    @pytest.mark.parametrize("scale", SCALES)
    def test_every_byte_moves_in_scaled(self, scale: float) -> None:
        values = np.arange(-128, 128, dtype=np.int8)
        machine = machine_with(values)
        issue(machine, config_ld(DIM, scale_bits=float_bits(scale)), Command(MVIN, INPUT_BASE, extent(0, DIM, DIM)))
        expected = [scaled(int(v), scale) for v in values]
        assert machine.scratchpad()[:DIM].ravel().tolist() == expected

    @pytest.mark.parametrize("relu", [False, True])
    @pytest.mark.parametrize("scale", SCALES)
    def test_words_move_out_scaled(self, scale: float, relu: bool) -> None:
        edges = [0, 1, 2, 3, 5, 7, 125, 126, 127, 128, 129, 253, 254, 255, 256, 257, (1 << 24) - 1, (1 << 24) + 1]
        edges += [(1 << 25) + 2, (1 << 25) + 6, 2**31 - 1, 2**31 - 64, 2**31 - 65, 2**31 - 63]
        values = np.array((edges + [-e for e in edges] + [-(2**31)] + list(range(-400, 400)))[:WORD_VALUES], np.int32)
        machine = machine_with(values)
        issue(
            machine,
            config_ld(DIM * 4),
            config_st(DIM, activation=int(relu), scale_bits=float_bits(scale)),
            Command(MVIN, INPUT_BASE, extent(ACCUMULATOR, DIM, DIM)),
            Command(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR, DIM, DIM)),
        )
        stored = np.frombuffer(machine.read(OUTPUT_BASE, DIM * DIM), np.int8)
        for value, found in zip(values.tolist(), stored.tolist(), strict=True):
            kept = max(value, 0) if relu else value  # the activation comes before the scale
            assert found == scaled(kept, scale), value

    @pytest.mark.parametrize("shift", [0, 1, 2, 3, 7, 12, 19, 31])
    def test_output_stationary_shift(self, shift: int) -> None:
        generator = np.random.default_rng(shift)
        a, b = generator.integers(-128, 128, (2, DIM, DIM)).astype(np.int8)
        if shift < 4:  # sums that are ties after the shift
            a, b = a // 32, b // 32
        machine = machine_with(np.concatenate([a, b]))
        issue(
            machine,
            config_ld(DIM),
            config_ex(weight_stationary=False, shift=shift),
            Command(MVIN, INPUT_BASE, extent(0, DIM, DIM)),
            Command(MVIN, INPUT_BASE + DIM * DIM, extent(DIM, DIM, DIM)),
        )
        for target in (ACCUMULATOR, 64):
            issue(
                machine,
                Command(PRELOAD, extent(GARBAGE, DIM, DIM), extent(target, DIM, DIM)),
                Command(COMPUTE_PRELOADED, extent(0, DIM, DIM), extent(DIM, DIM, DIM)),
            )
        exact = a.astype(int) @ b.astype(int)
        expected = [[rounded_quotient(int(v), 1 << shift) for v in row] for row in exact]
        assert machine.accumulator()[:DIM].tolist() == expected
        assert machine.scratchpad()[64 : 64 + DIM].tolist() == np.clip(expected, -128, 127).tolist()


def scaled(value: int, scale: float) -> int:
    """Float product, then within eight bits, then to the nearest integer, ties to even (``round`` is exact)."""
    with np.errstate(over="ignore"):
        product = float(np.float32(value) * np.float32(scale))
    return round(max(-128.0, min(127.0, product)))


def rounded_quotient(value: int, divisor: int) -> int:
    """``value / divisor`` to the nearest integer, ties to even, without floating point."""
    quotient, rest = divmod(value, divisor)
    if 2 * rest > divisor or (2 * rest == divisor and quotient % 2):
        return quotient + 1
    return quotient


class TestMatrixProduct:
    @pytest.mark.parametrize("weight_stationary", [True, False])
    def test_product_of_three_steps(self, weight_stationary: bool) -> None:
        generator = np.random.default_rng(7)
        a = generator.integers(-128, 128, (DIM, 3 * DIM)).astype(np.int8)
        b = generator.integers(-128, 128, (3 * DIM, DIM)).astype(np.int8)
        machine = new_machine(PARAMETERS, 0)
        machine.write(INPUT_BASE, a.tobytes() + b.tobytes())
        issue(
            machine,
            config_ex(weight_stationary=weight_stationary),
            config_ld(3 * DIM, 0),
            config_ld(DIM, 1),
            config_st(4 * DIM),
            Command(MVIN, INPUT_BASE, extent(0, 3 * DIM, DIM)),
        )
        for k in range(3):
            issue(machine, Command(MVIN2, INPUT_BASE + a.size + k * DIM * DIM, extent(4096 + k * DIM, DIM, DIM)))
        for k in range(3):
            left, right = extent(k * DIM, DIM, DIM), extent(4096 + k * DIM, DIM, DIM)
            nothing = extent(GARBAGE, DIM, DIM)
            result = extent(ACCUMULATOR | (ACCUMULATE if k else 0), DIM, DIM)
            if weight_stationary:
                issue(machine, Command(PRELOAD, right, result), Command(COMPUTE_PRELOADED, left, nothing))
            else:
                funct = COMPUTE_ACCUMULATED if k else COMPUTE_PRELOADED
                target = extent(ACCUMULATOR, DIM, DIM) if k == 2 else nothing
                issue(machine, Command(PRELOAD, nothing, target), Command(funct, left, right))
        issue(machine, Command(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR | FULL, DIM, DIM)))
        stored = np.frombuffer(machine.read(OUTPUT_BASE, DIM * DIM * 4), np.int32).reshape(DIM, DIM)
        assert np.array_equal(stored, a.astype(np.int32) @ b.astype(np.int32))


READY = (
    config_ex(),
    config_ld(64),
    config_ld(64, 1, shrunk=True, block_stride=DIM),
    config_st(64),
    Command(MVIN, INPUT_BASE, extent(0, 64, DIM)),
    Command(MVIN, INPUT_BASE, extent(ACCUMULATOR, DIM, DIM)),
)
TILE = extent(0, DIM, DIM)
NOTHING = extent(GARBAGE, DIM, DIM)
RESULT = extent(ACCUMULATOR | 16, DIM, DIM)
LOADED = Command(PRELOAD, TILE, RESULT)

REFUSED = {
    "rows beyond the array": (Command(MVIN, INPUT_BASE, extent(0, DIM, DIM + 1)), "illegal_command"),
    "no rows": (Command(MVIN, INPUT_BASE, extent(0, DIM, 0)), "illegal_command"),
    "no columns": (Command(MVOUT, OUTPUT_BASE, extent(0, 0, DIM)), "illegal_command"),
    "columns beyond a block move": (Command(MVIN, INPUT_BASE, extent(0, 65, DIM)), "illegal_command"),
    "wide columns beyond one block": (Command(MVIN, INPUT_BASE, extent(ACCUMULATOR, 17, DIM)), "illegal_command"),
    "full-width columns beyond one block": (
        Command(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR | FULL, 17, DIM)),
        "illegal_command",
    ),
    "end of the scratchpad": (Command(MVIN, INPUT_BASE, extent(16384 - 15, DIM, DIM)), "local_address"),
    "end of the accumulator": (Command(MVIN, INPUT_BASE, extent(ACCUMULATOR | 1009, DIM, DIM)), "local_address"),
    "last block beyond the end": (Command(MVIN, INPUT_BASE, extent(16384 - 63, 64, DIM)), "local_address"),
    "load to garbage": (Command(MVIN, INPUT_BASE, NOTHING), "local_address"),
    "never written": (Command(MVOUT, OUTPUT_BASE, extent(100, DIM, DIM)), "local_address"),
    "accumulate on never written": (
        Command(MVIN, INPUT_BASE, extent(ACCUMULATOR | ACCUMULATE | 64, DIM, DIM)),
        "local_address",
    ),
    "normalisation": (Command(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR | 1 << 26, DIM, DIM)), "illegal_command"),
    "load outside memory": (Command(MVIN, 0x10, TILE), "bad_address"),
    "store to input": (Command(MVOUT, INPUT_BASE, TILE), "bad_address"),
    "store to address 0": (Command(MVOUT, 0, TILE), "bad_address"),
    "address wraps": (Command(MVIN, 2**64 - 8, TILE), "bad_address"),
    "load state never configured": (Command(14, INPUT_BASE, TILE), "illegal_command"),
    "load state 3": (Command(CONFIG, 3 << 3 | 1, 64), "illegal_command"),
    "both transposed, weight stationary": (config_ex(a_transpose=True, b_transpose=True), "illegal_command"),
    "B alone transposed, output stationary": (
        config_ex(weight_stationary=False, b_transpose=True),
        "illegal_command",
    ),
    "shift of 32": (config_ex(shift=32), "illegal_command"),
    "activation of a normalising chip": (config_st(64, activation=2), "illegal_command"),
    "pooling": (Command(CONFIG, 2 | 1 << 4 | 2 << 6, 64), "illegal_command"),
    "normalisation constants": (Command(CONFIG, 3, 0), "illegal_command"),
    "compute without preload": (Command(COMPUTE_PRELOADED, TILE, NOTHING), "illegal_command"),
    "hardware loop": (Command(8, 0, 0), "illegal_command"),
    "unknown command": (Command(99, 0, 0), "illegal_command"),
    "preload beyond the array": (Command(PRELOAD, extent(0, 17, DIM), RESULT), "illegal_command"),
    "result beyond the accumulator": (
        Command(PRELOAD, TILE, extent(ACCUMULATOR | 1010, DIM, DIM)),
        "local_address",
    ),
}
REFUSED_AFTER_PRELOAD = {
    "second preload": (LOADED, "illegal_command"),
    "nothing in the array": (Command(COMPUTE_ACCUMULATED, TILE, NOTHING), "illegal_command"),
    "A is garbage": (Command(COMPUTE_PRELOADED, NOTHING, NOTHING), "illegal_command"),
    "A never written": (Command(COMPUTE_PRELOADED, extent(100, DIM, DIM), NOTHING), "local_address"),
    "more rows of C than stream": (Command(COMPUTE_PRELOADED, extent(0, DIM, 8), NOTHING), "illegal_command"),
    "configuration": (config_ex(c_stride=100, only_strides=True), "illegal_command"),
}


class TestRefusals:
    @pytest.mark.parametrize("name", REFUSED)
    def test_refused(self, name: str) -> None:
        self.check((*READY,), *REFUSED[name])

    @pytest.mark.parametrize("name", REFUSED_AFTER_PRELOAD)
    def test_refused_after_preload(self, name: str) -> None:
        self.check((*READY, LOADED), *REFUSED_AFTER_PRELOAD[name])

    def test_block_stride_below_rows(self) -> None:
        self.check((*READY, config_ld(64, block_stride=8)), Command(MVIN, INPUT_BASE, TILE), "illegal_command")

    def test_output_stationary_with_a_stride_of_c(self) -> None:
        self.check((*READY, config_ex(weight_stationary=False, c_stride=2)), LOADED, "illegal_command")

    def test_second_preload_though_the_first_wants_nothing(self) -> None:
        self.check((*READY, Command(PRELOAD, NOTHING, NOTHING)), LOADED, "illegal_command")

    @staticmethod
    def check(before: tuple[Command, ...], command: Command, kind: str) -> None:
        assert_same([*before, command], PARAMETERS, 0)
        machine = new_machine(PARAMETERS, 0)
        issue(machine, *before)
        with pytest.raises(SimulatorFault) as caught:
            issue(machine, command)
        assert caught.value.kind == kind
        assert len(caught.value.message) > 20


class TestAccepted:
    """What looks wrong and is defined."""

    def test_limits(self) -> None:
        program = [
            *READY,
            Command(MVIN2, INPUT_BASE, extent(ACCUMULATOR | 960, 64, DIM)),  # shrunk: four blocks of bytes
            Command(MVIN, 0, extent(16384 - 64, 64, DIM)),
            Command(MVOUT, OUTPUT_BASE, extent(16384 - 64, 64, DIM)),
            Command(MVOUT, OUTPUT_BASE, extent(GARBAGE, DIM, 1)),
            LOADED,
            Command(COMPUTE_PRELOADED, extent(0, 0, DIM), NOTHING),
            Command(PRELOAD, NOTHING, RESULT),
            Command(COMPUTE_ACCUMULATED, TILE, extent(16, DIM, DIM)),
        ]
        machine = new_machine(PARAMETERS, 0)
        issue(machine, *program)
        assert_same(program, PARAMETERS, 0)

    def test_a_scale_of_all_ones_keeps_the_old_one(self) -> None:
        program = [*READY, config_st(64, scale_bits=float_bits(0.01)), config_st(32, scale_bits=0xFFFFFFFF)]
        assert_same([*program, Command(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR, DIM, DIM))], PARAMETERS, 0)


class TestStoresOverLoads:
    """Nothing orders moves through memory: a store over what a load reads must wait for it through local rows."""

    CONFIGURED = (config_ex(), config_ld(DIM), config_ld(DIM, 1), config_st(DIM))
    OTHER = Command(MVIN, INPUT_BASE, extent(256, DIM, DIM))
    LOAD = Command(MVIN2, OUTPUT_BASE, extent(0, DIM, DIM))

    @staticmethod
    def store(row: int, offset: int = 0) -> Command:
        return Command(MVOUT, OUTPUT_BASE + offset, extent(row, DIM, DIM))

    @staticmethod
    def product(a: int, b: int, c: int) -> tuple[Command, Command]:
        return (
            Command(PRELOAD, extent(b, DIM, DIM), extent(c, DIM, DIM)),
            Command(COMPUTE_PRELOADED, extent(a, DIM, DIM), NOTHING),
        )

    REFUSED: ClassVar = {
        "its rows come from elsewhere": (OTHER, LOAD, store(256)),
        "its last byte": (OTHER, LOAD, store(256, DIM * DIM - 1)),
        "a product of other rows, after the load": (OTHER, LOAD, *product(256, 256, ACCUMULATOR), store(ACCUMULATOR)),
        "a product with them, but into other rows": (
            OTHER,
            *product(256, 256, 512),
            LOAD,
            *product(0, 256, 768),
            store(512),
        ),
        "zeros over the rows that it stores": (LOAD, Command(MVIN, 0, extent(256, DIM, DIM)), store(256)),
    }
    ALLOWED: ClassVar = {
        "stores what was loaded": (LOAD, store(0)),
        "A of the product that is stored": (OTHER, LOAD, *product(0, 256, ACCUMULATOR), store(ACCUMULATOR)),
        "B of the product that is stored": (OTHER, LOAD, *product(256, 0, ACCUMULATOR), store(ACCUMULATOR)),
        "C onto which a product is added": (
            OTHER,
            Command(MVIN2, OUTPUT_BASE, extent(ACCUMULATOR, 4, DIM)),
            *product(256, 256, ACCUMULATOR | ACCUMULATE),
            store(ACCUMULATOR),
        ),
        "a product of a product": (
            OTHER,
            LOAD,
            *product(0, 256, 512),
            *product(512, 256, ACCUMULATOR),
            store(ACCUMULATOR),
        ),
        "a later product, since the array keeps to the order": (
            OTHER,
            LOAD,
            *product(0, 256, 512),
            *product(256, 256, ACCUMULATOR),
            store(ACCUMULATOR),
        ),
        "behind a store that waited": (OTHER, LOAD, store(0, 0x1000), store(256)),
        "beside it": (OTHER, LOAD, store(256, DIM * DIM)),
        "the next tile is on its way": (LOAD, Command(MVIN, OUTPUT_BASE + 0x400, extent(512, DIM, DIM)), store(0)),
    }

    @pytest.mark.parametrize("name", REFUSED)
    def test_refused(self, name: str) -> None:
        *before, last = self.REFUSED[name]
        TestRefusals.check((*self.CONFIGURED, *before), last, "hazard")
        machine = new_machine(PARAMETERS, 0)
        issue(machine, *self.CONFIGURED, *before)
        machine.fence()
        issue(machine, last)

    @pytest.mark.parametrize("name", ALLOWED)
    def test_allowed(self, name: str) -> None:
        machine = new_machine(PARAMETERS, 0)
        issue(machine, *self.CONFIGURED, *self.ALLOWED[name])
        assert_same([*self.CONFIGURED, *self.ALLOWED[name]], PARAMETERS, 0)
