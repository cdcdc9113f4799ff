"""The packaged GEMM of any size: its parametric name, and the numbers its kernels are written with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from autocomp.problems._chip import ACCUMULATOR_BANK_ROWS, ACCUMULATOR_ROWS, GROUP, SCRATCHPAD_ROWS, TILE
from autocomp.problems._parametric import (
    file_name,
    last_tile,
    parse_options,
    parse_scale,
    parse_sizes,
    ragged,
    round_up,
    scale_literal,
    spread,
)

_PANEL_TILES = SCRATCHPAD_ROWS // 2 // TILE
"""Tiles of B kept at a time: the upper two of the four scratchpad banks."""
_MAX_CHUNK = SCRATCHPAD_ROWS // 2 // (GROUP // TILE)
"""Largest extent of K that is kept: four columns of tiles of it fill the two banks of B."""
_SUM_GROUPS = ACCUMULATOR_BANK_ROWS // GROUP
"""Groups of four tiles of sums that fill one bank of the accumulator."""
_MAX_BLOCK_ROWS = ACCUMULATOR_ROWS // (GROUP // TILE)
"""Rows of C whose partial sums for one group of columns fill the accumulator."""
_SYNTAX = "gemm:MxNxK, optionally followed by :bias, :relu and :scale=X, such as gemm:96x160x48:bias:relu"


@dataclass(frozen=True)
class GemmSpec:
    """C = saturate(scale * activation(A @ B + bias)) with A[M][K], B[K][N], C[M][N] in int8 and bias[N] in int32."""

    m: int
    n: int
    k: int
    bias: bool = False
    relu: bool = False
    scale: float = 1.0

    @property
    def _suffixes(self) -> list[str]:
        scale = [f"scale={self.scale_literal}"] if self.scale != 1.0 else []
        return ["bias"] * self.bias + ["relu"] * self.relu + scale

    @property
    def locator(self) -> str:
        """The parametric name in its one canonical form."""
        return ":".join([f"gemm:{self.m}x{self.n}x{self.k}", *self._suffixes])

    @property
    def name(self) -> str:
        """The name in the form that may also be a file name."""
        return file_name(self.locator)

    @property
    def scale_literal(self) -> str:
        """The shortest decimal that is this scale in float32."""
        return scale_literal(self.scale)


def parse_gemm(text: str) -> GemmSpec:
    """Read a parametric name. Raises ProblemError with the syntax if it is none."""
    m, n, k = parse_sizes(text, "MNK", _SYNTAX)
    flags, values = parse_options(text, ("bias", "relu"), {"scale": parse_scale}, _SYNTAX)
    return GemmSpec(m, n, k, "bias" in flags, "relu" in flags, values.get("scale", 1.0))


def template_values(spec: GemmSpec) -> Mapping[str, object]:
    """What the templates are filled with."""
    ragged_m, ragged_n, ragged_k = ragged(spec.m, TILE), ragged(spec.n, GROUP), ragged(spec.k, GROUP)
    ragged_cols, ragged_depth = ragged(spec.n, TILE), ragged(spec.k, TILE)
    width: str | int = "width" if ragged_n else min(spec.n, GROUP)
    span: str | int = "span" if ragged_k else min(spec.k, GROUP)
    return {
        "name": spec.name,
        "M": spec.m,
        "N": spec.n,
        "K": spec.k,
        "bias": spec.bias,
        "relu": spec.relu,
        "scale": spec.scale,
        "scale_literal": spec.scale_literal,
        "spread": spread(spec.k, spec.scale),
        "nbytes": spec.m * spec.k + spec.k * spec.n + spec.m * spec.n + 4 * spec.n * spec.bias,
        # The greatest product of two int8 is 2**14; float32 holds every whole number up to 2**24.
        "exact_float": "float32" if spec.k <= 1 << 10 else "float64",
        "wraps": spec.bias or spec.k >= 1 << 17,
        "ragged_m": ragged_m,
        "ragged_n": ragged_n,
        "ragged_k": ragged_k,
        "rows": "rows" if ragged_m else min(spec.m, TILE),
        "width": width,
        "span": span,
        "tiles_n": "(width + 15) / 16" if ragged_n else math.ceil(min(spec.n, GROUP) / TILE),
        "tiles_k": "(span + 15) / 16" if ragged_k else math.ceil(min(spec.k, GROUP) / TILE),
        "cols": "cols" if ragged_cols else min(spec.n, TILE),
        "depth": "depth" if ragged_depth else min(spec.k, TILE),
        "cols_value": last_tile(width, "c"),
        "depth_value": last_tile(span, "p"),
        "ragged_cols": ragged_cols,
        "ragged_depth": ragged_depth,
        "blocking": Blocking.of(spec),
        "schedule": Schedule.of(spec),
    }


@dataclass(frozen=True)
class Blocking:
    """How the double-buffered kernel divides the problem so that what it keeps fits the scratchpad."""

    panel: int
    """Columns of B that stay in the scratchpad at a time, a multiple of 64."""
    chunk: int
    """Values of k that stay, a multiple of 64; below K only if four columns of tiles do not fit."""
    block: int
    """Rows of C whose partial sums stay in the accumulator while the chunks of K pass."""

    panels: int
    """Number of panels that cover N."""
    chunked: bool
    """True if K is divided."""

    @staticmethod
    def of(spec: GemmSpec) -> Blocking:
        """Divide evenly, into as few parts as fit."""
        chunk = _divide(spec.k, _MAX_CHUNK)
        if chunk < spec.k:
            block = min(_MAX_BLOCK_ROWS, round_up(spec.m, TILE))
            return Blocking(GROUP, chunk, block, math.ceil(spec.n / GROUP), True)
        most = _PANEL_TILES // (round_up(spec.k, TILE) // TILE) * TILE // GROUP * GROUP
        panel = _divide(spec.n, most)
        return Blocking(panel, chunk, round_up(spec.m, TILE), math.ceil(spec.n / panel), False)


@dataclass(frozen=True)
class Schedule:
    """How the hand-tuned kernel divides the problem: a block of A and a panel of B, one behind the other."""

    block: int
    """Rows of A that stay in the scratchpad, a multiple of 16."""
    panel: int
    """Columns of B that stay, a multiple of 64."""
    chunk: int
    """Values of k that stay: all of them if four columns of tiles of B fit half the scratchpad."""
    depth: int
    """``chunk`` as it lies in the scratchpad: a multiple of 64."""
    b_row: int
    """First row of the scratchpad that B takes."""

    sums_by_row: bool
    """True if rows of tiles, not groups of columns, have sums of their own."""

    @staticmethod
    def of(spec: GemmSpec) -> Schedule:
        """The panel takes half the scratchpad and one bank of sums at most, the block what it leaves."""
        chunk = (
            spec.k if spec.k <= _MAX_CHUNK else _divide(spec.k, SCRATCHPAD_ROWS // (_SUM_GROUPS + 4) // GROUP * GROUP)
        )
        depth = round_up(chunk, GROUP)
        groups = math.ceil(spec.n / GROUP)
        panels = math.ceil(groups / (1 if chunk < spec.k else min(_SUM_GROUPS, _MAX_CHUNK // depth)))
        in_panel = math.ceil(groups / panels)
        most = SCRATCHPAD_ROWS // depth - 4 * in_panel
        block = _share(math.ceil(spec.m / TILE), min(most, _SUM_GROUPS) if in_panel == 1 else most)
        return Schedule(block * TILE, in_panel * GROUP, chunk, depth, block * depth, in_panel == 1)


def _share(count: int, most: int) -> int:
    """Divide without a remainder if that does not make too many parts, otherwise evenly."""
    divisor = next(part for part in range(min(count, most), 0, -1) if count % part == 0)
    return divisor if 5 * divisor >= min(count, most) else math.ceil(count / math.ceil(count / most))


def _divide(size: int, most: int) -> int:
    parts = math.ceil(size / most)
    return round_up(math.ceil(size / parts), GROUP)
