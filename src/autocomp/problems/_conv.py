"""The packaged convolution of any size: its parametric name, and the numbers its kernels are written with."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from autocomp.errors import ProblemError
from autocomp.problems._chip import ACCUMULATOR_BANK_ROWS, ACCUMULATOR_ROWS, GROUP, SCRATCHPAD_ROWS, TILE
from autocomp.problems._parametric import (
    file_name,
    last_tile,
    parse_number,
    parse_options,
    parse_scale,
    parse_sizes,
    ragged,
    round_up,
    scale_literal,
    spread,
)

_MAX_CHUNK = 1024
"""Input channels whose tiles are loaded before they are used."""
_MAX_WEIGHT_ROWS = SCRATCHPAD_ROWS * 3 // 4
_MAX_INPUT_ROWS = SCRATCHPAD_ROWS // 2
_MAX_KEPT_GROUP = 128
"""Output channels of which the hand-tuned kernel keeps the weights: it is unrolled over their tiles."""
_MAX_KERNEL = 16
_MAX_POOLED = 255
"""Columns that the configuration of stores can hold: a field of eight bits."""
_SYNTAX = (
    "conv:BATCHxROWSxCOLSxINxOUT, ROWS x COLS being the output before pooling, optionally followed by :k=K, :stride=S, "
    ":pad=P, :pool=SIZE/STRIDE/PAD, :relu and :scale=X, such as conv:4x56x56x64x64:pad=1:relu"
)


class Pool(NamedTuple):
    """Maximum over squares of the output; what lies outside counts as 0."""

    size: int
    stride: int
    pad: int

    @property
    def most_columns(self) -> int:
        """Columns of which one store can pool ``size`` rows."""
        # The accelerator takes a pooling store to read nothing beyond the bank where it begins: it does not wait for
        # what is still being computed there.
        return min(_MAX_POOLED, ACCUMULATOR_BANK_ROWS // self.size)


@dataclass(frozen=True)
class ConvSpec:
    """output = pool(saturate(scale * relu(input * weights + bias))), channels last, int8 with an int32 bias."""

    batch: int
    rows: int
    cols: int
    channels_in: int
    channels_out: int
    k: int = 3
    stride: int = 1
    pad: int = 0
    pool: Pool | None = None
    relu: bool = False
    scale: float = 1.0

    @property
    def locator(self) -> str:
        """The parametric name in its one canonical form."""
        numbers = {"k": (self.k, 3), "stride": (self.stride, 1), "pad": (self.pad, 0)}
        parts = [f"conv:{self.batch}x{self.rows}x{self.cols}x{self.channels_in}x{self.channels_out}"]
        parts += [f"{name}={value}" for name, (value, usual) in numbers.items() if value != usual]
        parts += [f"pool={self.pool.size}/{self.pool.stride}/{self.pool.pad}"] if self.pool else []
        parts += ["relu"] if self.relu else []
        parts += [f"scale={scale_literal(self.scale)}"] if self.scale != 1.0 else []
        return ":".join(parts)

    @property
    def name(self) -> str:
        """The name in the form that may also be a file name."""
        return file_name(self.locator)

    def extent_in(self, extent: int) -> int:
        """Rows or columns of the input for ``extent`` rows or columns of the output."""
        return (extent - 1) * self.stride + self.k - 2 * self.pad

    def extent_pooled(self, extent: int) -> int:
        """Rows or columns that are stored of ``extent`` computed ones."""
        return (extent + 2 * self.pool.pad - self.pool.size) // self.pool.stride + 1 if self.pool else extent


def parse_conv(text: str) -> ConvSpec:
    """Read a parametric name. Raises ProblemError with the syntax if it is none."""
    batch, rows, cols, channels_in, channels_out = parse_sizes(text, ("BATCH", "ROWS", "COLS", "IN", "OUT"), _SYNTAX)
    flags, values = parse_options(
        text,
        ("relu",),
        {
            "k": parse_number("k", 1, _MAX_KERNEL),
            "stride": parse_number("stride", 1, 1 << 10),
            "pad": parse_number("pad", 0, _MAX_KERNEL - 1),
            "pool": _parse_pool,
            "scale": parse_scale,
        },
        _SYNTAX,
    )
    spec = ConvSpec(batch, rows, cols, channels_in, channels_out, relu="relu" in flags, **values)
    if spec.pad >= spec.k:
        raise ProblemError(f"{text!r}: pad {spec.pad} must be below k, which is {spec.k}: windows would lie outside")
    for name, extent in (("ROWS", spec.rows), ("COLS", spec.cols)):
        if spec.extent_in(extent) < 1:
            raise ProblemError(
                f"{text!r}: {name} {extent} with k {spec.k}, stride {spec.stride} and pad {spec.pad} needs an input "
                f"of {spec.extent_in(extent)}; choose a larger size or less padding"
            )
        if spec.extent_pooled(extent) < 1:
            raise ProblemError(f"{text!r}: {name} is {extent}; a window of the pooling does not fit")
    if spec.pool and spec.cols > spec.pool.most_columns:
        raise ProblemError(
            f"{text!r}: COLS is {spec.cols}; the accelerator pools up to {spec.pool.most_columns} columns of "
            f"{spec.pool.size} rows"
        )
    return spec


def _parse_pool(text: str, value: str) -> Pool:
    numbers = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})", value)
    if numbers is None:
        raise ProblemError(f"{text!r}: pool {value!r} is not SIZE/STRIDE/PAD; write for example pool=2/2/0")
    pool = Pool(*map(int, numbers.groups()))
    if not 2 <= pool.size <= 3 or not 1 <= pool.stride <= 3 or pool.pad >= pool.size:
        raise ProblemError(
            f"{text!r}: pool {value!r} is not what the accelerator can do: SIZE 2 or 3, STRIDE 1 to 3, PAD below SIZE"
        )
    return pool


class Part(NamedTuple):
    """Neighbouring tiles of output columns that are computed in the same way."""

    first: int
    """Its first column."""
    end: int
    tiles: int
    cols: int
    """Columns of each tile."""
    left: bool
    """The windows of some columns begin left of the input."""
    right: bool
    """The windows of some columns end right of the input."""
    gaps: bool
    """For some column of the kernel, no column of the tile lies within the input."""


def parts(spec: ConvSpec) -> list[Part]:
    """All tiles of an output row, from left to right."""
    found: list[Part] = []
    width = spec.extent_in(spec.cols)
    for first in range(0, spec.cols, TILE):
        cols = min(TILE, spec.cols - first)
        left = first * spec.stride < spec.pad
        right = (first + cols - 1) * spec.stride + spec.k - 1 - spec.pad >= width
        gaps = any(
            not any(0 <= (first + x) * spec.stride + c - spec.pad < width for x in range(cols)) for c in range(spec.k)
        )
        part = Part(first, first + cols, 1, cols, left, right, gaps)
        if found and found[-1][3:] == part[3:]:
            found[-1] = found[-1]._replace(end=part.end, tiles=found[-1].tiles + 1)
        else:
            found.append(part)
    return found


class Needed(NamedTuple):
    """What of one dimension takes part in any output."""

    taps: int
    """Pairs of an output and a place of the kernel that lies within the input."""
    inputs: int


def needed(spec: ConvSpec, extent: int) -> Needed:
    """For ``extent`` rows or columns of the output."""
    outputs = set(range(extent))
    if spec.pool:
        windows = range(spec.extent_pooled(extent))
        outputs &= {w * spec.pool.stride + i - spec.pool.pad for w in windows for i in range(spec.pool.size)}
    places = [output * spec.stride + tap - spec.pad for output in outputs for tap in range(spec.k)]
    inside = [place for place in places if 0 <= place < spec.extent_in(extent)]
    return Needed(len(inside), len(set(inside)))


def template_values(spec: ConvSpec) -> Mapping[str, object]:
    """What the templates are filled with."""
    group = _group(spec)
    chunk = min(spec.channels_in, _MAX_CHUNK)
    block = round_up(chunk, TILE)
    spaced = spec.k * block + math.ceil(chunk / TILE) * GROUP <= SCRATCHPAD_ROWS
    ragged_out, ragged_in = ragged(spec.channels_out, group), ragged(spec.channels_in, GROUP)
    ragged_cols, ragged_depth = ragged(spec.channels_out, TILE), ragged(spec.channels_in, TILE)
    width: str | int = "width" if ragged_out else min(spec.channels_out, group)
    rows, cols = needed(spec, spec.rows), needed(spec, spec.cols)
    height_in, width_in = spec.extent_in(spec.rows), spec.extent_in(spec.cols)
    height_out, width_out = spec.extent_pooled(spec.rows), spec.extent_pooled(spec.cols)
    return {
        "name": spec.name,
        "B": spec.batch,
        "OH": spec.rows,
        "OW": spec.cols,
        "H": height_in,
        "W": width_in,
        "CI": spec.channels_in,
        "CO": spec.channels_out,
        "K": spec.k,
        "stride": spec.stride,
        "pad": spec.pad,
        "pool": spec.pool,
        "PH": height_out,
        "PW": width_out,
        "relu": spec.relu,
        "scale": spec.scale,
        "scale_literal": scale_literal(spec.scale),
        "spread": spread(spec.k**2 * spec.channels_in, spec.scale),
        "needed_rows": rows,
        "needed_cols": cols,
        "nbytes": spec.batch * rows.inputs * cols.inputs * spec.channels_in
        + (spec.k**2 * spec.channels_in + 4) * spec.channels_out
        + spec.batch * height_out * width_out * spec.channels_out,
        # The greatest product of two int8 is 2**14; float32 holds every whole number up to 2**24.
        "exact_float": "float32" if spec.k * spec.channels_in <= 1 << 10 else "float64",
        "parts": parts(spec),
        "group": group,
        "sums_step": _sums_step(spec),
        "chunk": chunk,
        "place_a": f"kc * {block}" if spaced else "",
        "place_w": f"{spec.k * block if spaced else block}",
        "ragged_out": ragged_out,
        "ragged_in": ragged_in,
        "ragged_cols": ragged_cols,
        "ragged_depth": ragged_depth,
        "width": width,
        "tiles_out": "(width + 15) / 16" if ragged_out else math.ceil(min(spec.channels_out, group) / TILE),
        "cols": "cols" if ragged_cols else min(spec.channels_out, TILE),
        "cols_value": last_tile(width, "c"),
        "depth": "depth" if ragged_depth else min(spec.channels_in, TILE),
        "span": "span" if ragged_in else min(spec.channels_in, GROUP),
        "kept": Kept.of(spec),
    }


def _group(spec: ConvSpec) -> int:
    """Output channels that are computed together."""
    return min(GROUP, ACCUMULATOR_ROWS // _sums_step(spec) * TILE)


def _sums_step(spec: ConvSpec) -> int:
    """Accumulator rows from one tile of output channels to the next."""
    # All rows that are pooled into one wait in the accumulator. A power of two: no tile lies in two banks.
    return TILE if spec.pool is None else 1 << (spec.pool.size * spec.cols - 1).bit_length()


@dataclass(frozen=True)
class Kept:
    """What the hand-tuned kernel keeps in the scratchpad; the weights lie behind the input."""

    group: int
    """Output channels whose weights stay."""
    band: int
    """Output rows whose input stays: all of a tile of columns, or as many rows of the whole width as pooling needs."""
    row_step: int
    """Scratchpad rows of one input row."""
    weights_first: int
    own_sums: bool
    """Every row of a band has its own place in the accumulator."""

    @staticmethod
    def of(spec: ConvSpec) -> Kept | None:
        """As many output channels as fit, then as few equal bands; None if not even the least fits."""
        depth = math.ceil(spec.channels_in / TILE)
        tiles = len(range(0, spec.cols, TILE)) if spec.pool else 1
        row_step = tiles * spec.k * depth * TILE
        sums_step = _sums_step(spec)
        for group in _even_parts(spec.channels_out, _MAX_KEPT_GROUP):
            weights = spec.k**2 * depth * group
            rows_in = (min(_MAX_INPUT_ROWS, SCRATCHPAD_ROWS - weights)) // row_step
            if weights > _MAX_WEIGHT_ROWS or rows_in < spec.k or sums_step * group // TILE > ACCUMULATOR_ROWS:
                continue
            band = 1 if spec.pool else _even(spec.rows, (rows_in - spec.k) // spec.stride + 1)
            rows_in = (band - 1) * spec.stride + spec.k
            return Kept(group, band, row_step, rows_in * row_step, band * group <= ACCUMULATOR_ROWS)
        return None


def _even(size: int, most: int) -> int:
    """Size of the parts if ``size`` is divided into as few equal ones of at most ``most`` as possible."""
    return math.ceil(size / math.ceil(size / most))


def _even_parts(size: int, most: int) -> list[int]:
    """Ways to divide ``size`` evenly into parts that are multiples of a tile, the largest first."""
    tiles = math.ceil(size / TILE)
    return [_even(tiles, count) * TILE for count in range(min(tiles, most // TILE), 0, -1)]
