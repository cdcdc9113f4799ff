"""LOOP_CONV_WS against convolutions in NumPy, for all of its options; and what it refuses."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt
import pytest
from command_programs import Command, config_ex, config_ld, config_st, float_bits
from isa_model import Parameters
from loop_model import MatmulLoop

from autocomp.targets.gemmini import _simulator

BASE, BYTES = 0x1_0000, 0x10_0000
SMALL = {
    "int8-4x4": Parameters(4, 20, 4, 1024, 2, 128, 16),
    "int8-16x16": Parameters(16, 20, 4, 1024, 2, 512, 64),
    "int8-32x32": Parameters(32, 20, 4, 1024, 2, 512, 64),
    "float32-4x4": Parameters(4, 20, 4, 1024, 2, 128, 64, float_elements=1),
}


@dataclass(frozen=True)
class Convolution:
    """Sizes and options; pictures are square. ``dilation`` is 2 if the input has gaps of one pixel."""

    batches: int
    size: int
    inputs: int
    outputs: int
    kernel: int
    stride: int = 1
    padding: int = 0
    kernel_dilation: int = 1
    dilation: int = 1
    pool: tuple[int, int, int] | None = None
    """Size, stride, padding."""
    rotate: bool = False
    out_1203: bool = False
    weights_1203: bool = False
    weights_0132: bool = False
    in_3120: bool = False
    downsample: bool = False
    pixels_per_row: int = 1
    bias: bool = True
    relu: bool = False
    scale: float = 1.0

    @property
    def reach(self) -> int:
        return (self.kernel - 1) * self.kernel_dilation + 1

    @property
    def out(self) -> int:
        spread = (self.size - 1) * self.dilation + 1
        return (spread + 2 * self.padding - self.reach) // self.stride + 1

    @property
    def pooled(self) -> int:
        if self.pool is None:
            return self.out
        size, stride, padding = self.pool
        return (self.out + 2 * padding - size) // stride + 1

    def numpy(
        self, pictures: npt.NDArray[np.int64], weights: npt.NDArray[np.int64], bias: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """Pictures (batch, row, column, channel), weights (row, column, in, out): sums (batch, row, column, out)."""
        spread = (self.size - 1) * self.dilation + 1
        padded = np.zeros((self.batches, spread + 2 * self.padding, spread + 2 * self.padding, self.inputs), np.int64)
        inside = slice(self.padding, self.padding + spread, self.dilation)
        padded[:, inside, inside] = pictures
        taps = weights[::-1, ::-1] if self.rotate else weights
        total = np.zeros((self.batches, self.out, self.out, self.outputs), np.int64) + (bias if self.bias else 0)
        for row in range(self.kernel):
            for column in range(self.kernel):
                r, c = row * self.kernel_dilation, column * self.kernel_dilation
                last_r, last_c = r + (self.out - 1) * self.stride + 1, c + (self.out - 1) * self.stride + 1
                window = padded[:, r : last_r : self.stride, c : last_c : self.stride]
                total += window @ taps[row, column]
        return total

    def finished(self, sums: npt.NDArray[np.int64], *, floats: bool) -> npt.NDArray[np.generic]:
        """Activation, scale, of integers rounding and saturation, then pooling, whose padding counts as zero."""
        values = np.maximum(sums, 0) if self.relu else sums
        elements: npt.NDArray[np.generic] = values.astype(np.float32) * np.float32(self.scale)
        if not floats:
            elements = np.clip(np.rint(elements), -128, 127).astype(np.int8)
        if self.pool is None:
            return elements
        size, stride, padding = self.pool
        wide = np.pad(elements, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
        out = np.full((self.batches, self.pooled, self.pooled, self.outputs), -128, elements.dtype)
        for row in range(size):
            for column in range(size):
                rows = slice(row, row + (self.pooled - 1) * stride + 1, stride)
                columns = slice(column, column + (self.pooled - 1) * stride + 1, stride)
                out = np.maximum(out, wide[:, rows, columns])
        return out


@dataclass(frozen=True)
class Part:
    """What one loop does: a range of output rows, output channels and input channels."""

    first_row: int
    rows: int
    first_out: int
    out: int
    first_in: int
    inputs: int
    starts: bool = True
    """Loads the bias, or zeros."""
    ends: bool = True
    """Stores."""


class Machine:
    def __init__(self, parameters: Parameters, seed: int, *, timing: bool, **settings: int) -> None:
        self.parameters = parameters
        self.simulator = _simulator.CommandMachine({**asdict(parameters), **settings}, "ideal", timing)
        self.simulator.add_region("arrays", BASE, BYTES)
        self.random = np.random.default_rng(seed)
        self.next = BASE

    def place(self, array: npt.NDArray[np.generic]) -> int:
        """Address of a copy in memory; rows past the end may be read, as the unit does."""
        address, self.next = self.next, self.next + array.nbytes + 0x4000 & ~63
        self.simulator.write(address, np.ascontiguousarray(array).tobytes())
        return address

    def run(self, conv: Convolution, parts: list[Part]) -> None:
        """Does it and compares."""
        floats = bool(self.parameters.float_elements)  # of small whole numbers: sums are exact in any order
        element, most = (np.float32, 4) if floats else (np.int8, 128)
        number = lambda *shape: self.random.integers(-most, most, shape).astype(element)  # noqa: E731
        pictures = number(conv.batches, conv.size, conv.size, conv.inputs)
        weights = number(conv.kernel, conv.kernel, conv.inputs, conv.outputs)
        bias = self.random.integers(-5000, 5000, conv.outputs).astype(np.float32 if floats else np.int32)
        pictures_at = self.place(pictures.transpose(3, 1, 2, 0) if conv.in_3120 else pictures)
        order = (2, 0, 1, 3) if conv.weights_1203 else (0, 1, 3, 2) if conv.weights_0132 else (0, 1, 2, 3)
        weights_at, bias_at = self.place(weights.transpose(order)), self.place(bias)
        shape = (conv.batches, conv.pooled, conv.pooled, conv.outputs)
        output_at = self.place(np.full(shape, 77, element))
        out_row_bytes = (conv.batches if conv.out_1203 else 1) * conv.outputs * self.parameters.element_bytes
        a_stride = 1 if conv.downsample else conv.stride
        for command in (
            config_ex(
                a_stride=a_stride, c_stride=conv.dilation, a_transpose=conv.in_3120, b_transpose=conv.weights_0132
            ),
            config_st(out_row_bytes, activation=conv.relu, scale_bits=float_bits(conv.scale)),
        ):
            self.simulator.issue(*command)
        for part in parts:
            for command in self.commands(conv, part, pictures_at, weights_at, bias_at, output_at):
                self.simulator.issue(*command)
        self.simulator.fence()
        exact = conv.numpy(pictures.astype(np.int64), weights.astype(np.int64), bias.astype(np.int64))
        expected = conv.finished(exact, floats=floats)
        found = np.frombuffer(self.simulator.read(output_at, expected.nbytes), element)
        if conv.out_1203:
            expected = expected.transpose(1, 2, 0, 3)
        np.testing.assert_array_equal(found.reshape(expected.shape), expected)

    def commands(
        self, conv: Convolution, part: Part, pictures: int, weights: int, bias: int, output: int
    ) -> list[Command]:
        # Rows of the spread-out input from the first that the part sees; the unit counts one more than it needs.
        top = part.first_row * conv.stride - conv.padding
        spread = (conv.size - 1) * conv.dilation + 1
        height = part.rows * conv.stride + conv.reach - 1
        width = conv.out * conv.stride + conv.reach - 1
        up, left = max(0, -top), conv.padding
        down, right = max(0, top + height - spread), max(0, width - conv.padding - spread)
        first_row = max(0, top) // conv.dilation
        pool_size, pool_stride, pool_padding = conv.pool or (1, 1, 0)
        pool_rows = conv.pooled if conv.pool else part.rows
        row_bytes = conv.batches if conv.in_3120 else conv.inputs
        size = self.parameters.element_bytes
        pictures += (first_row * conv.size * row_bytes + part.first_in) * size
        weights += (part.first_in * conv.outputs + part.first_out) * size
        output += (
            part.first_row * conv.out * conv.outputs * (conv.batches if conv.out_1203 else 1) + part.first_out
        ) * size
        rs1 = conv.pixels_per_row << 8 | conv.in_3120 << 5 | conv.weights_0132 << 4 | conv.weights_1203 << 3
        rs1 |= conv.out_1203 << 2 | conv.rotate << 1 | (not conv.bias)
        rs2 = conv.relu << 3 | (conv.dilation == 2) << 2 | conv.downsample << 1 | (conv.pool is None)
        return [
            Command(
                16,
                conv.outputs << 48 | conv.inputs << 32 | conv.size << 16 | conv.batches,
                conv.padding << 56 | conv.stride << 48 | conv.out << 32 | conv.pooled << 16 | conv.out,
            ),
            Command(
                17,
                conv.kernel << 48 | conv.pooled << 32 | pool_size << 16 | pool_stride << 8 | pool_padding,
                conv.batches << 48 | pool_rows << 32 | conv.pooled << 16 | part.out,
            ),
            Command(
                18,
                conv.kernel << 48 | conv.kernel << 32 | part.inputs << 16 | left,
                right << 48 | up << 32 | down << 24 | pool_padding << 16 | conv.size,
            ),
            Command(
                19,
                part.rows << 48 | pool_padding << 21 | conv.kernel_dilation,
                conv.inputs << 48 | conv.outputs << 32 | conv.outputs << 16 | conv.out,
            ),
            Command(20, weights, output if part.ends else 0),
            Command(21, (bias + 4 * part.first_out) if part.starts else 0, pictures),
            Command(15, rs1, rs2),
        ]


def whole(conv: Convolution) -> list[Part]:
    return [Part(0, conv.out, 0, conv.outputs, 0, conv.inputs)]


def _fits(conv: Convolution, parameters: Parameters) -> bool:
    """Everything in one loop."""
    dim = parameters.dim
    blocks = lambda channels: -(-channels // dim)  # noqa: E731
    side = conv.out * conv.stride + conv.reach
    across = (conv.inputs, conv.batches) if conv.in_3120 else (conv.batches, conv.inputs)
    operands = across[0] * blocks(across[1]) * side * side
    operands += conv.kernel**2 * max(blocks(conv.outputs) * conv.inputs, blocks(conv.inputs) * conv.outputs)
    results = conv.batches * conv.out**2 * blocks(conv.outputs)
    if conv.pool is not None:  # within one bank
        results *= 2
    return operands <= parameters.scratchpad_rows // 2 and results <= parameters.accumulator_rows // 2


def _draw(draw: random.Random, parameters: Parameters, **fixed: object) -> Convolution:
    while True:
        conv = Convolution(
            batches=draw.randint(1, 3),
            size=draw.randint(2, 9),
            inputs=draw.randint(1, parameters.dim * 2 + 3),
            outputs=draw.randint(1, parameters.dim * 2 + 3),
            kernel=draw.randint(1, 3),
            stride=draw.randint(1, 3),
            padding=draw.randint(0, 2),
            bias=draw.random() < 0.7,
            relu=draw.random() < 0.5,
            scale=draw.choice((1.0, 0.01, 0.003)),
        )
        conv = replace(conv, **fixed)  # type: ignore[arg-type]
        even = conv.size % 2 == 0 or not conv.downsample  # half a pair of pixels never ends
        if even and conv.padding < conv.reach and conv.out >= 1 and conv.pooled >= 1 and _fits(conv, parameters):
            return conv


OPTIONS: dict[str, dict[str, object]] = {
    "plain": {},
    "dilated kernel": {"kernel": 3, "kernel_dilation": 2, "stride": 1, "padding": 2},
    "dilated input": {"dilation": 2, "stride": 1, "kernel": 3, "padding": 1},
    "dilated input, rotated": {"dilation": 2, "stride": 1, "kernel": 3, "padding": 2, "rotate": True},
    "rotated kernel": {"rotate": True, "kernel": 3},
    "weights 1203": {"weights_1203": True},
    "weights 0132": {"weights_0132": True},
    "input 3120": {"in_3120": True},
    "input 3120, output 1203": {"in_3120": True, "out_1203": True},
    "downsampled": {"kernel": 1, "stride": 2, "padding": 0, "downsample": True},
    "pixels in a row": {"inputs": 1, "kernel": 3, "stride": 1, "pixels_per_row": 3, "padding": 1},
    "fewer pixels in a row": {"inputs": 2, "kernel": 3, "stride": 2, "pixels_per_row": 2, "padding": 1},
    "pooled": {"pool": (2, 2, 0), "stride": 1},
    "pooled with padding": {"pool": (3, 2, 1), "stride": 1, "batches": 1},
}


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("chip", SMALL)
def test_random_convolutions_agree_with_numpy(chip: str, option: str) -> None:
    parameters = SMALL[chip]
    draw = random.Random(f"{chip} {option}")
    for turn in range(3):
        conv = _draw(draw, parameters, **OPTIONS[option])
        Machine(parameters, turn, timing=turn == 0).run(conv, whole(conv))


@pytest.mark.parametrize("seed", range(4))
def test_parts_make_up_a_whole(seed: int) -> None:
    draw = random.Random(seed)
    parameters = SMALL["int8-16x16"]
    conv = _draw(draw, parameters, batches=1, size=9, inputs=40, outputs=35, kernel=3, stride=draw.choice((1, 2)))
    half = conv.out // 2
    parts = [
        Part(row, rows, out, count, first, inputs, starts=first == 0, ends=first != 0)
        for row, rows in ((0, half), (half, conv.out - half))
        for out, count in ((0, 16), (16, 19))
        for first, inputs in ((0, 32), (32, 8))
    ]
    Machine(parameters, seed, timing=True).run(conv, parts)


SIMPLE = Convolution(1, 6, 8, 8, 3, padding=1)


def _refused(
    commands: list[Command], reason: str, kind: str = "illegal_command", *, a_stride: int = 1, **settings: int
) -> None:
    machine = Machine(SMALL["int8-16x16"], 0, timing=True, **settings).simulator
    machine.issue(*config_ex(a_stride=a_stride))
    machine.issue(*config_st(8))
    with pytest.raises(_simulator.SimulatorFault, match=reason) as caught:
        for command in commands:
            machine.issue(*command)
    assert caught.value.kind == kind


def _commands(conv: Convolution, **part: int) -> list[Command]:
    machine = Machine(SMALL["int8-16x16"], 0, timing=False)
    return machine.commands(conv, replace(whole(conv)[0], **part), BASE, BASE + 0x4000, BASE + 0x8000, BASE + 0xC000)


ILLEGAL = {
    "no rows": (_commands(SIMPLE, rows=0), "0 output rows"),
    "no channels": (_commands(SIMPLE, out=0), "0 output channels"),
    "too much input": (_commands(Convolution(2, 40, 8, 1, 3)), "scratchpad rows; a loop has half of them, 2048"),
    "too much output": (_commands(Convolution(3, 16, 8, 8, 1)), "accumulator rows; a loop has half of them, 512"),
    "too many pixels in a row": (_commands(replace(SIMPLE, pixels_per_row=3)), "3 pixels of 8 channels"),
    "pinned": ([*_commands(SIMPLE)[:-1], Command(15, 1 << 18, 1)], "has_pinned_loop_halves"),
    "activation": ([*_commands(SIMPLE)[:-1], Command(15, 0, 2 << 3 | 1)], "activation 2"),
    "some of the images, images innermost": (
        [
            *_commands(replace(SIMPLE, batches=4, in_3120=True))[:1],
            *_commands(replace(SIMPLE, batches=2, in_3120=True))[1:],
        ],
        "2 of 4 images with images innermost",
    ),
    "never configured": ([Command(15, 0, 1)], "never configured"),
    "configured once": ([*_commands(SIMPLE), Command(15, 0, 1)], "configured for the loop before only"),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_loops(name: str) -> None:
    commands, reason = ILLEGAL[name]
    _refused(commands, reason)


def _with_halves(commands: list[Command], a: int, b: int) -> list[Command]:
    """The same loop with its operands pinned; 0 leaves them free."""
    start = commands[-1]
    return [*commands[:-1], start._replace(rs1=start.rs1 | a << 18 | b << 16)]


def _without(commands: list[Command], *, weights: bool = False, pictures: bool = False) -> list[Command]:
    """The same loop, some operands of which are in the scratchpad already."""
    out = list(commands)
    if weights:
        out[4] = out[4]._replace(rs1=0)
    if pictures:
        out[5] = out[5]._replace(rs2=0)
    return out


PINNED = _with_halves(_commands(SIMPLE), 1, 1)
HAZARDS = {
    "bias over unfinished sums": (_commands(SIMPLE, ends=False), _commands(SIMPLE), "loads the bias over results"),
    "input over operands": (PINNED, _without(PINNED, weights=True), "loads the input over operands"),
    "weights over operands": (PINNED, _without(PINNED, pictures=True), "loads weights over operands"),
}


@pytest.mark.parametrize("name", HAZARDS)
def test_hazards_between_loops(name: str) -> None:
    before, loop, reason = HAZARDS[name]
    _refused([*before, *loop], reason, "hazard", has_pinned_loop_halves=1)
    machine = Machine(SMALL["int8-16x16"], 0, timing=True, has_pinned_loop_halves=1).simulator
    for command in (config_ex(), config_st(8)):
        machine.issue(*command)
    for commands in (before, loop):  # with a fence between them they are allowed
        for command in commands:
            machine.issue(*command)
        machine.fence()


def test_operands_stay_in_a_pinned_half() -> None:
    """The loop behind uses them again, and stores the same."""
    machine = Machine(SMALL["int8-16x16"], 0, timing=True, has_pinned_loop_halves=1).simulator
    machine.write(BASE, np.random.default_rng(0).integers(-9, 9, 0x9000).astype(np.int8).tobytes())
    again = _without(PINNED, weights=True, pictures=True)
    again[4] = again[4]._replace(rs2=BASE + 0xE000)
    for command in (config_ex(), config_st(8), *PINNED, *again):
        machine.issue(*command)
    machine.fence()
    stored = machine.read(BASE + 0xC000, 6 * 6 * 8)
    assert any(stored)
    assert machine.read(BASE + 0xE000, 6 * 6 * 8) == stored


SQUARE = Convolution(1, 6, 8, 8, 1)
STRIDED = Convolution(1, 6, 8, 8, 1, stride=3)
POOLED = Convolution(1, 6, 8, 8, 3, padding=1, pool=(2, 2, 0))


def _overlapping(conv: Convolution, output: int, **part: int) -> list[Command]:
    """Pictures at 0, weights at 0x4000, both from BASE."""
    machine = Machine(SMALL["int8-16x16"], 0, timing=False)
    part_of_it = replace(whole(conv)[0], **part)
    return machine.commands(conv, part_of_it, BASE, BASE + 0x4000, BASE + 0x8000, BASE + output)


def _stride(commands: list[Command]) -> int:
    """Of the convolution, as its first command says."""
    return commands[0].rs2 >> 48 & 0xFF


OVERLAPS = {
    "output over the input": _overlapping(SIMPLE, 0),
    "one by one over its own input": _overlapping(SQUARE, 0),
    "output over the weights": _overlapping(SIMPLE, 0x4000),
    "over the last weight": _overlapping(SIMPLE, 0x4000 + 9 * 64 - 1),
    "over the last pixel": _overlapping(SIMPLE, 36 * 8 - 1),
    "over the last pixel that is used": _overlapping(STRIDED, (3 * 6 + 3) * 8 + 7),
    "pooled pixels over the input": _overlapping(POOLED, 36 * 8 - 1),
    "the end of pooled pixels over the weights": _overlapping(POOLED, 0x4000 - 9 * 8 + 1),
}
APART = {
    "behind the weights": _overlapping(SIMPLE, 0x4000 + 9 * 64),
    "behind the input": _overlapping(SIMPLE, 36 * 8),
    "behind the last pixel that is used": _overlapping(STRIDED, (3 * 6 + 3) * 8 + 8),
    "pooled, before the weights": _overlapping(POOLED, 0x4000 - 9 * 8),
    "the part above, of which the unit loads two rows of another": _overlapping(STRIDED, 6 * 8, rows=1),
}


@pytest.mark.parametrize("name", OVERLAPS)
def test_output_over_operands(name: str) -> None:
    loop = OVERLAPS[name]
    _refused(loop, "the output lies over input or weights", "hazard", a_stride=_stride(loop))


@pytest.mark.parametrize("name", APART)
def test_output_beside_operands(name: str) -> None:
    """The unit loads pixels past the last that is used where the stride is more than one: nothing reads them."""
    machine = Machine(SMALL["int8-16x16"], 0, timing=False).simulator
    for command in (config_ex(a_stride=_stride(APART[name])), config_st(8), *APART[name]):
        machine.issue(*command)


def test_timeline_names_the_loop_command() -> None:
    machine = Machine(SMALL["int8-16x16"], 3, timing=True)
    machine.run(SIMPLE, whole(SIMPLE))
    spans = machine.simulator.timeline()
    assert {span[4] for span in spans} == {2 + 6}  # after two configurations, the seventh command of the loop
    functs = [span[3] for span in spans]
    taps, rows = SIMPLE.kernel**2, SIMPLE.batches * SIMPLE.out
    assert functs.count(6) == functs.count(4) + functs.count(5) == taps * rows
    assert functs.count(4) == taps  # weights are brought once each
    assert functs.count(3) == rows


def test_loops_of_both_kinds_follow_each_other() -> None:
    """A product takes the output of a convolution as D after a fence, and a convolution goes before and after it."""
    machine = Machine(SMALL["int8-16x16"], 5, timing=True)
    machine.run(SIMPLE, whole(SIMPLE))
    a = machine.random.integers(-128, 128, (16, 16)).astype(np.int8)
    a_at, c_at = machine.place(a), machine.place(np.zeros((16, 16), np.int32))
    convolution = machine.commands(SIMPLE, whole(SIMPLE)[0], BASE, BASE + 0x4000, BASE + 0x8000, BASE + 0xC000)
    product = MatmulLoop(
        1, 1, 1, a=a_at, b=a_at, c=c_at, a_stride=16, b_stride=16, c_stride=16, full_c=True
    )  # fmt: skip
    loads = [config_ld(16, load) for load in range(2)]
    for command in (*convolution, *loads, config_st(64), *product.commands(), config_st(8), *convolution):
        machine.simulator.issue(*command)
    machine.simulator.fence()
    found = np.frombuffer(machine.simulator.read(c_at, 1024), np.int32).reshape(16, 16)
    np.testing.assert_array_equal(found, a.astype(np.int32) @ a.astype(np.int32))
    order = [span[4] for span in sorted(machine.simulator.timeline(), key=lambda span: int(str(span[1])))]
    loops = [index for position, index in enumerate(order) if index not in order[:position]]
    assert loops == sorted(loops)
