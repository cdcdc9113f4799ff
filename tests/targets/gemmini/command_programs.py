"""Random programs of accelerator commands, and a machine pair to run them on.

A program is a list of raw instructions drawn from one seed. Most commands are legal for the state that the ones before
left (a small shadow of the configuration sees to that), so that a program gets somewhere; ``corrupt`` then flips bits.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from isa_model import (
    COMPUTE_ACCUMULATED,
    COMPUTE_PRELOADED,
    CONFIG,
    FLUSH,
    GARBAGE,
    MVIN,
    MVIN2,
    MVIN3,
    MVOUT,
    PRELOAD,
    Parameters,
)

ACCUMULATOR, ACCUMULATE, FULL = 1 << 31, 1 << 30, 1 << 29
INPUT_BASE, OUTPUT_BASE, REGION_BYTES = 0x1_0000, 0x4_0000, 0x6000
LOADS = (MVIN, MVIN2, MVIN3)
SCALES = (
    1.0,
    1.0,
    1.0,
    0.5,
    0.25,
    -1.0,
    0.3,
    1.5,
    2.0,
    -0.75,
    1e-3,
    3e-9,
    0.0,
    -0.0,
    127 / 3,
    1e30,
    1e-42,
    float("inf"),
)


class Command(NamedTuple):
    funct: int
    rs1: int
    rs2: int


def float_bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


def extent(address: int, columns: int, rows: int) -> int:
    return rows << 48 | columns << 32 | address


def config_ex(
    *,
    weight_stationary: bool = True,
    activation: int = 0,
    only_strides: bool = False,
    a_transpose: bool = False,
    b_transpose: bool = False,
    a_stride: int = 1,
    c_stride: int = 1,
    scale_bits: int = 0x3F800000,
    shift: int = 0,
) -> Command:
    rs1 = scale_bits << 32 | a_stride << 16 | b_transpose << 9 | a_transpose << 8 | only_strides << 7
    return Command(CONFIG, rs1 | activation << 3 | weight_stationary << 2, c_stride << 48 | shift)


def config_ld(
    stride: int,
    load_id: int = 0,
    *,
    scale_bits: int = 0x3F800000,
    block_stride: int = 16,
    shrunk: bool = False,
    repeats: int = 0,
) -> Command:
    rs1 = scale_bits << 32 | block_stride << 16 | repeats << 8 | load_id << 3 | shrunk << 2 | 1
    return Command(CONFIG, rs1, stride)


def config_st(stride: int, *, activation: int = 0, scale_bits: int = 0x3F800000, picture: int = 0) -> Command:
    return Command(CONFIG, picture | activation << 2 | 2, scale_bits << 32 | stride)


def picture_fields(
    rows: int,
    columns: int,
    pitch: int,
    *,
    out_rows: int = 0,
    out_columns: int = 0,
    stride: int = 0,
    window: int = 1,
    up: int = 0,
    left: int = 0,
) -> int:
    """Fields of config_st for an mvout of a picture, pooled if there is a stride."""
    sizes = columns << 56 | rows << 48 | out_columns << 40 | out_rows << 32 | pitch << 24
    return sizes | left << 10 | up << 8 | window << 6 | stride << 4


def config_norm(
    constant: int = 0, *, inverse: bool = False, only_id: bool = False, softmax: bool = False, statistics: int = 0,
    b: int = 0, c: int = 0,
) -> Command:  # fmt: skip
    rs1 = (constant & 0xFFFFFFFF) << 32 | inverse << 18 | only_id << 17 | softmax << 16 | statistics << 8 | 3
    return Command(CONFIG, rs1, (c & 0xFFFFFFFF) << 32 | b & 0xFFFFFFFF)


def memory_image(seed: int, parameters: Parameters) -> bytes:
    """Input bytes: stretches of any, extreme and small values, as bytes and as words."""
    if parameters.float_elements:
        return _float_image(seed)
    generator = np.random.default_rng(seed)
    words = REGION_BYTES // 4
    image = np.empty(words, np.int32)
    length = words // 8
    for index in range(8):
        piece = image[index * length : (index + 1) * length]
        match index % 4:
            case 0:
                piece[:] = generator.integers(-(2**31), 2**31, length)
            case 1:
                piece[:] = generator.choice(np.array([-128, 127, 0, 1, -1, 2], np.int8), 4 * length).view(np.int32)
            case 2:
                piece[:] = generator.integers(-3000, 3000, length)
            case _:
                piece[:] = generator.choice(
                    np.array([-(2**31), 2**31 - 1, 0, -1, 1 << 24, (1 << 24) + 1], np.int32), length
                )
    return image.tobytes()


def _float_image(seed: int) -> bytes:
    """Mostly numbers of like size, whose sums round and cancel; some subnormal, infinite or no number."""
    generator = np.random.default_rng(seed)
    words = REGION_BYTES // 4
    image = generator.normal(size=words).astype(np.float32)
    few = generator.random(words)
    odd = generator.integers(0, 2**32, words, np.uint32).view(np.float32)
    special = generator.choice(
        np.array([0.0, -0.0, 1.0, -1.0, 2.0**-149, -(2.0**-126), 3.4e38, np.inf, -np.inf, np.nan], np.float32), words
    )
    image = np.where(few < 0.05, special, np.where(few < 0.1, odd, image))
    near = few > 0.8
    image[near] = (1 + generator.integers(-4, 5, words) * 2.0**-23).astype(np.float32)[near]
    # Whole stretches without the odd ones, so that not everything ends as no number.
    calm = (np.arange(words) // 256) % 4 != 0
    quiet = generator.normal(size=words).astype(np.float32) * np.float32(2.0) ** generator.integers(-3, 4, words)
    return np.where(calm & (few < 0.1), quiet, image).astype(np.float32).tobytes()


@dataclass(frozen=True)
class Mix:
    """What a program is made of."""

    length: int = 24
    weight_stationary: float = 0.5
    """Share of weight-stationary configurations."""
    plain: float = 0.4
    """Share of sizes and strides that take the usual value."""
    filled: bool = True
    """Local memories are written before the rest begins."""


class ProgramWriter:
    """Writes one random program; holds just enough of the configuration to keep commands mostly legal."""

    def __init__(self, parameters: Parameters, mix: Mix, seed: int) -> None:
        self.parameters = parameters
        self.mix = mix
        self.random = random.Random(seed)
        self.commands: list[Command] = []
        self.weight_stationary = True
        self.a_transpose = self.b_transpose = False
        self.a_stride = self.c_stride = 1
        self.resident: bool | None = None  # dataflow of what is in the array
        self.load_stride = [0, 0, 0]
        self.block_stride = [parameters.dim] * 3
        self.shrunk = [False] * 3
        self.repeats = [1] * 3
        self.store_stride = 0
        self.pixels = self.pixel_rows = 0  # of the picture that mvouts move
        self.pools = False
        self.windows = {
            False: _windows(parameters.scratchpad_rows, parameters.scratchpad_bank_rows),
            True: _windows(parameters.accumulator_rows, parameters.accumulator_bank_rows),
        }

    def write(self) -> list[Command]:
        self._fill()
        self._configure_execute()
        for load_id in range(3):
            self._configure_load(load_id)
        self._configure_store()
        steps = (self._configure_execute, self._configure_store, self._move_in, self._move_out, self._product)
        while len(self.commands) < self.mix.length:
            step = self.random.choices(steps, (2, 2, 6, 5, 9))[0]
            step()
            if self.random.random() < 0.12:
                self._configure_load(self.random.randrange(3))
            if self.random.random() < 0.02:
                self._emit(FLUSH, 0, 0)
        return self.commands

    def _emit(self, funct: int, rs1: int, rs2: int) -> None:
        self.commands.append(Command(funct, rs1, rs2))

    # --- small choices

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _size(self, limit: int) -> int:
        if self._chance(self.mix.plain):
            return self.random.choice((min(limit, self.parameters.dim), limit))
        return self.random.choice((1, limit, self.random.randint(1, limit), self.random.randint(1, limit)))

    def _scale_bits(self) -> int:
        if self._chance(0.75):
            return float_bits(self.random.choice(SCALES))
        return float_bits(self.random.uniform(-1, 1) * 2.0 ** self.random.randint(-12, 3))

    def _row(self, accumulator: bool, span: int) -> int:
        """First row of a stretch of ``span`` rows, most often inside one of the windows."""
        first, last = self.random.choice(self.windows[accumulator])
        if last - first >= span:
            return self.random.randint(first, last - span)
        rows = self.parameters.accumulator_rows if accumulator else self.parameters.scratchpad_rows
        return max(0, rows - span)

    def _address(self, accumulator: bool, span: int, *, accumulate: float = 0.1, full: float = 0.05) -> int:
        bits = self._row(accumulator, span)
        if accumulator:
            bits |= ACCUMULATOR
        elif self._chance(0.9):
            return bits  # flags mean nothing without bit 31, which a few commands check
        if self._chance(accumulate):
            bits |= ACCUMULATE
        if self._chance(full):
            bits |= FULL
        return bits

    def _guest(self, base: int, stride: int, rows: int, row_bytes: int) -> int:
        """Address of a matrix that fits its region, if one can; otherwise any (it will be refused)."""
        room = REGION_BYTES - (rows - 1) * stride - row_bytes
        offset = self.random.randint(0, room) if room >= 0 else 0
        if self.parameters.float_elements and self._chance(0.95):
            offset &= ~3
        return base + (offset & ~15 if self._chance(0.5) else offset)

    def _memory_stride(self) -> int:
        """Bytes from row to row: none, dense, spread, any."""
        dim, size = self.parameters.dim, self.parameters.element_bytes
        return size * self.random.choice(
            (0, dim, 4 * dim, 64 // size, 100 // size, self.random.randint(1, 200 // size))
        )

    # --- configuration

    def _fill(self) -> None:
        dim = self.parameters.dim
        size = self.parameters.element_bytes
        self._emit(*config_ld(size * self.random.choice((dim, 3 * dim, 7)), 0, block_stride=dim))
        if not self.mix.filled:
            return
        stride = self.commands[-1].rs2
        for accumulator, windows in self.windows.items():
            size = 4 if accumulator else self.parameters.element_bytes
            widest = self.parameters.block_columns(size)
            for first, last in windows:
                row = first
                while row < last:
                    blocks = max(1, min(widest // dim, (last - row) // dim))
                    count = min(dim, last - row)
                    source = self._guest(INPUT_BASE, stride, count, blocks * dim * size)
                    flag = ACCUMULATOR if accumulator else 0
                    self._emit(MVIN, source, extent(row | flag, blocks * dim, count))
                    row += blocks * dim if blocks > 1 else count
        self.mix = Mix(self.mix.length + len(self.commands), self.mix.weight_stationary, self.mix.plain, True)

    def _configure_execute(self) -> None:
        only_strides = self._chance(0.15)
        weight_stationary = self._chance(self.mix.weight_stationary)
        a_transpose, b_transpose = self.random.choice(
            ((False, False), (False, False), (True, False), (False, True))
            if weight_stationary
            else ((False, False), (False, False), (True, False), (True, True))
        )
        plain = self._chance(0.7)
        self.a_stride = 1 if plain else self.random.choice((1, 2, 3))
        flow = self.weight_stationary if only_strides else weight_stationary
        self.c_stride = 1 if plain or (not flow and self._chance(0.95)) else self.random.choice((1, 2, 3))
        if not only_strides:
            self.weight_stationary, self.a_transpose, self.b_transpose = weight_stationary, a_transpose, b_transpose
        self._emit(
            *config_ex(
                weight_stationary=weight_stationary,
                activation=self.random.choice((0, 0, 1)),
                only_strides=only_strides,
                a_transpose=a_transpose,
                b_transpose=b_transpose,
                a_stride=self.a_stride,
                c_stride=self.c_stride,
                scale_bits=self._scale_bits(),
                shift=self.random.choice((0, 0, 1, 2, 4, 7, 10, 31, self.random.randint(0, 31))),
            )
        )

    def _configure_load(self, load_id: int) -> None:
        dim = self.parameters.dim
        self.load_stride[load_id] = self._memory_stride()
        self.block_stride[load_id] = (
            dim if self._chance(0.7) else self.random.choice((dim - 1, dim + 1, 2 * dim, dim // 2))
        )
        self.shrunk[load_id] = self._chance(0.3)
        self.repeats[load_id] = self.random.choice((0, 0, 0, 0, 0, 1, 2, 3, 4))
        self._emit(
            *config_ld(
                self.load_stride[load_id],
                load_id,
                scale_bits=self._scale_bits(),
                block_stride=self.block_stride[load_id],
                shrunk=self.shrunk[load_id],
                repeats=self.repeats[load_id],
            )
        )

    def _configure_store(self) -> None:
        self.store_stride = self._memory_stride()
        bits = 0xFFFFFFFF if self._chance(0.1) else self._scale_bits()
        self.pixels = self.pixel_rows = 0
        self.pools = False
        picture = self._picture() if self._chance(0.4) else 0
        activation = self.random.choice((0, 0, 1))
        if self.parameters.has_normalizations and self._chance(0.5):
            activation = self.random.choice((0, 2, 3))
        self._emit(*config_st(self.store_stride, activation=activation, scale_bits=bits, picture=picture))
        if self.parameters.has_normalizations:
            self._configure_norm(softmax=activation == 0 and self._chance(0.5))

    def _configure_norm(self, *, softmax: bool) -> None:
        """Constants of a size that fits the values, sometimes; any, otherwise."""
        b, c = self.random.choice(((-3000, 10_000), (1353, 344_000), (self.random.randint(-(2**31), 2**31), 5)))
        ln2 = self.random.choice((693, 70, 1))
        statistics = self.random.choice((0, 0, 1)) if self._chance(0.98) else 7
        for inverse in (False, True):
            constant = 65_536 // ln2 if inverse else ln2
            self._emit(*config_norm(constant, inverse=inverse, softmax=softmax, statistics=statistics, b=b, c=c))
        if self._chance(0.2):
            self._emit(*config_norm(only_id=True, statistics=1 - statistics % 2))

    def _picture(self) -> int:
        """A picture that fits where pictures can be, most often."""
        self.pools = self._chance(0.7)
        most = self.parameters.accumulator_bank_rows if self.pools else self.parameters.dim
        rows = self.random.randint(1, min(8, most))
        columns = self.random.randint(1, max(1, min(8, most // rows)))
        self.pixels = rows * columns
        if not self.pools:
            self.pixel_rows = rows
            return picture_fields(rows, columns, self.random.choice((columns, columns + 1, 0)))
        window, stride = self.random.randint(1, 3), self.random.randint(1, 3)
        up, left = (self.random.choice((0, 0, 1, 2, 3)) for _ in range(2))
        out_rows = max(1, (rows + 2 * up - window) // stride + 1) if self._chance(0.7) else self.random.randint(1, 5)
        out_columns = max(1, (columns + 2 * left - window) // stride + 1)
        self.pixel_rows = out_rows
        return picture_fields(
            rows, columns, out_columns + self.random.choice((0, 0, 2)),
            out_rows=out_rows, out_columns=out_columns, stride=stride, window=window, up=up, left=left,
        )  # fmt: skip

    # --- moves

    def _move_in(self) -> None:
        dim = self.parameters.dim
        load_id = self.random.randrange(3)
        repeats = max(1, self.repeats[load_id])
        accumulator = self._chance(0.4) and (repeats == 1 or self._chance(0.02))
        size = 4 if accumulator and not self.shrunk[load_id] else self.parameters.element_bytes
        columns = self._size(self.parameters.block_columns(size))
        if repeats > 1 and self._chance(0.97):
            columns = self._size(max(1, dim // repeats))
        rows = self._size(min(dim, self.block_stride[load_id]) if self._chance(0.97) else dim)
        stride = self.load_stride[load_id]
        source = 0 if self._chance(0.1) else self._guest(INPUT_BASE, stride, rows, columns * size)
        if self._chance(0.1) and source:
            source += OUTPUT_BASE - INPUT_BASE
        span = (columns - 1) // dim * self.block_stride[load_id] + rows
        address = self._address(accumulator, span, accumulate=0.4)
        self._emit(LOADS[load_id], source, extent(address, columns, rows))

    def _move_out(self) -> None:
        dim = self.parameters.dim
        if self.pixels and self._chance(0.97):
            self._move_picture_out()
            return
        accumulator = self._chance(0.7)
        full = accumulator and self._chance(0.3)
        size = 4 if full else self.parameters.element_bytes
        columns = self._size(dim if full else self.parameters.block_columns(size))
        rows = self._size(dim)
        span = (columns - 1) // dim * dim + rows
        address = self._address(accumulator, span, full=0) | (FULL if full else 0)
        if self._chance(0.03):
            address = GARBAGE
            rows, columns = (1, min(columns, dim)) if self._chance(0.8) else (rows, columns)
        target = self._guest(OUTPUT_BASE, self.store_stride, rows, columns * size)
        if self.parameters.has_normalizations and accumulator and not full and address != GARBAGE:
            # Two passes over the same rows, or any one.
            passes = self.random.choice(((2, 4), (1, 2, 4), (5, 7), (5, 6), (self.random.randint(1, 7),), ()))
            for norm in passes:
                self._emit(MVOUT, target, extent(address | norm << 26, columns, rows))
        self._emit(MVOUT, target, extent(address, columns, rows))

    def _move_picture_out(self) -> None:
        accumulator = self._chance(0.97 if self.pools else 0.7)
        full = accumulator and self._chance(0.02 if self.pools else 0.3)
        columns = self._size(self.parameters.dim)
        bank = self.parameters.accumulator_bank_rows
        row = self._row(accumulator, self.pixels)
        if self.pools and row % bank + self.pixels > bank and self._chance(0.95):
            row = row // bank * bank
        address = row | (ACCUMULATOR if accumulator else 0) | (FULL if full else 0)
        row_bytes = columns * (4 if full else self.parameters.element_bytes)
        # Somewhere in the first part of the region: enough for most pictures.
        target = self._guest(OUTPUT_BASE, self.store_stride, 16 * self.pixel_rows, row_bytes)
        rows = (
            min(self.pixels, 2 * self.parameters.dim - 1) if self._chance(0.95) else self.random.randint(0, self.pixels)
        )
        self._emit(MVOUT, target, extent(address, columns, rows))

    # --- matrix product

    def _product(self) -> None:
        for _ in range(self.random.randint(1, 4)):
            self._pair()

    def _operand(self, *, garbage: float, transpose: bool = False, stride: int = 1) -> int:
        dim = self.parameters.dim
        rows, columns = self._size(dim), self._size(dim)
        if self._chance(0.02):
            rows = 0
        if self._chance(garbage):
            return extent(GARBAGE, columns, rows)
        span = max(0, (columns if transpose else rows) - 1) * stride + 1
        return extent(self._address(self._chance(0.2), span), columns, rows)

    def _pair(self) -> None:
        dim = self.parameters.dim
        a = self._operand(garbage=0.003, transpose=self.a_transpose, stride=self.a_stride)
        loaded = self._operand(garbage=0.3, transpose=self.weight_stationary and self.b_transpose)
        streamed = self._operand(
            garbage=0.5 if self.weight_stationary else 0.1,
            transpose=not self.weight_stationary and self.b_transpose,
        )
        rows = self._size(dim)
        if self.weight_stationary and not (self.a_transpose or self.b_transpose) and self._chance(0.98):
            d_rows = 1 if streamed & GARBAGE == GARBAGE else streamed >> 48
            rows = min(rows, max(a >> 48, d_rows, 4))
        columns = self._size(dim)
        span = (rows - 1) * self.c_stride + 1
        c = extent(self._address(self._chance(0.7), span, accumulate=0.5), columns, rows)
        if self._chance(0.15):
            c = extent(GARBAGE, columns, rows)
        self._emit(PRELOAD, loaded, c)
        if self._chance(0.05):
            self._move_in()
        flip = self._chance(0.6) or (self.resident != self.weight_stationary and self._chance(0.99))
        self.resident = self.weight_stationary
        self._emit(COMPUTE_PRELOADED if flip else COMPUTE_ACCUMULATED, a, streamed)


def _windows(rows: int, bank_rows: int) -> list[tuple[int, int]]:
    """Stretches that programs use: everything if that is little, else the start, a bank's edge and the end."""
    if rows <= 512:
        return [(0, rows)]
    return [(0, 160), (bank_rows - 80, bank_rows + 80), (rows - 96, rows)]


def random_program(parameters: Parameters, mix: Mix, seed: int) -> list[Command]:
    return ProgramWriter(parameters, mix, seed).write()


def corrupt(program: Sequence[Command], seed: int) -> list[Command]:
    """Flip one bit, change one field to an extreme, drop, repeat or swap: one or two commands of the program."""
    generator = random.Random(seed)
    out = list(program)
    for _ in range(generator.randint(1, 2)):
        position = generator.randrange(len(out))
        command = out[position]
        match generator.randrange(8):
            case 0 | 1:
                out[position] = command._replace(rs1=command.rs1 ^ 1 << generator.randrange(64))
            case 2 | 3:
                out[position] = command._replace(rs2=command.rs2 ^ 1 << generator.randrange(64))
            case 4:
                field = generator.choice((32, 48))
                value = generator.choice((0, 1, 4, 16, 17, 64, 65, 0xFFFF))
                name = generator.choice(("rs1", "rs2"))
                old = getattr(command, name)
                out[position] = command._replace(**{name: old & ~(0xFFFF << field) | value << field})
            case 5:
                out[position] = command._replace(funct=generator.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 22, 99)))
            case 6:
                del out[position]
            case _:
                out.insert(position, generator.choice(out))
    return out
