"""The packaged GEMM of any size: its parametric name, and the numbers its kernels are written with."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from autocomp.errors import ProblemError

TILE = 16
GROUP = 64
"""Columns in one load: four tiles."""
_PANEL_TILES = 512
"""Tiles of B kept at a time: the upper two of the four scratchpad banks."""
_A_ROWS = 4096
"""Scratchpad rows of one bank: holds the tiles of one row of A."""
_MAX_CHUNK = 2048
"""Largest extent of K that is kept: four columns of tiles of it fill the two banks of B."""
_MAX_BLOCK_ROWS = 256
"""Rows of C whose partial sums for one group of columns fill the accumulator."""
_MAX_SIZE = 1 << 20
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
        return self.locator.replace(":", "-").replace("=", "-")

    @property
    def scale_literal(self) -> str:
        """The shortest decimal that is this scale in float32."""
        # Never with an exponent: a minus sign would divide the name at another place.
        return np.format_float_positional(np.float32(self.scale), unique=True, trim="0")


def parse_gemm(text: str) -> GemmSpec:
    """Read a parametric name. Raises ProblemError with the syntax if it is none."""
    _, *parts = text.split(":")
    sizes = re.fullmatch(r"(\d+)[x×](\d+)[x×](\d+)", parts[0].strip()) if parts else None
    if sizes is None:
        raise ProblemError(f"{text!r}: is not a size; write {_SYNTAX}")
    m, n, k = (int(size) for size in sizes.groups())
    for letter, size in (("M", m), ("N", n), ("K", k)):
        if not 1 <= size <= _MAX_SIZE:
            raise ProblemError(f"{text!r}: {letter} is {size}; it must be from 1 to {_MAX_SIZE}")
    options: dict[str, float] = {}
    for part in parts[1:]:
        option, _, value = part.partition("=")
        if option in options:
            raise ProblemError(f"{text!r}: {option!r} is given twice")
        if part in ("bias", "relu"):
            options[option] = 1.0
        elif option == "scale":
            options[option] = _scale(text, value)
        else:
            raise ProblemError(f"{text!r}: unknown option {part!r}; write {_SYNTAX}")
    return GemmSpec(m, n, k, "bias" in options, "relu" in options, options.get("scale", 1.0))


def _scale(text: str, value: str) -> float:
    try:
        scale = float(np.float32(float(value)))
    except ValueError as error:
        raise ProblemError(f"{text!r}: scale {value!r} is not a number; write for example scale=0.05") from error
    if not 1e-30 <= scale <= 1e30:
        raise ProblemError(f"{text!r}: scale {value} must be positive, from 1e-30 to 1e30")
    return scale


def template_values(spec: GemmSpec) -> Mapping[str, object]:
    """What the templates are filled with."""
    ragged_m, ragged_n, ragged_k = (
        _ragged(spec.m, TILE),
        _ragged(spec.n, GROUP),
        _ragged(spec.k, GROUP),
    )
    ragged_cols, ragged_depth = _ragged(spec.n, TILE), _ragged(spec.k, TILE)
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
        "spread": spread(spec),
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
        "cols_value": _last_tile(width, "c"),
        "depth_value": _last_tile(span, "p"),
        "ragged_cols": ragged_cols,
        "ragged_depth": ragged_depth,
        "blocking": Blocking.of(spec),
    }


def spread(spec: GemmSpec) -> int:
    """Half width of the narrow input range: most outputs then lie within int8, and differ."""
    # The sum of K products of two uniform integers in -r..r has the standard deviation sqrt(K) r (r + 1) / 3.
    wanted = 45 / spec.scale
    best = min(range(1, 128), key=lambda r: abs(math.sqrt(spec.k) * r * (r + 1) / 3 - wanted))
    return int(best)


@dataclass(frozen=True)
class Blocking:
    """How the hand-tuned kernel divides the problem so that what it keeps fits the scratchpad."""

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
            block = min(_MAX_BLOCK_ROWS, _round_up(spec.m, TILE))
            return Blocking(GROUP, chunk, block, math.ceil(spec.n / GROUP), True)
        most = _PANEL_TILES // (_round_up(spec.k, TILE) // TILE) * TILE // GROUP * GROUP
        panel = _divide(spec.n, most)
        return Blocking(panel, chunk, _round_up(spec.m, TILE), math.ceil(spec.n / panel), False)


def _divide(size: int, most: int) -> int:
    parts = math.ceil(size / most)
    return _round_up(math.ceil(size / parts), GROUP)


def _round_up(size: int, step: int) -> int:
    return math.ceil(size / step) * step


def _ragged(size: int, step: int) -> bool:
    """True if not all groups of ``step`` are alike."""
    return size > step and size % step != 0


def _last_tile(group: str | int, tile: str) -> str:
    """Size of tile number ``tile`` of a group, in C; the last one may be smaller than 16."""
    return f"{group} - {tile} * 16 < 16 ? {group} - {tile} * 16 : 16"
