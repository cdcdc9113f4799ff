"""The packaged passes of model-predictive control: their parametric names, and the numbers their kernels use."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from autocomp.errors import ProblemError
from autocomp.problems._parametric import file_name, parse_number, parse_options

TILE = 4
"""Rows and columns of the array these problems are for."""
PASSES = ("forward", "backward")
SYNTAX = "tinympc:forward or tinympc:backward"
_DEFAULTS = {
    "forward": {"horizon": 5, "states": 12, "inputs": 4},
    "backward": {"horizon": 10, "states": 12, "inputs": 4},
}
_MAX_HORIZON = 32
"""Errors of float32 grow with the number of steps; the tolerance is derived up to here."""
_RADIUS = 0.75
"""Spectral radius of the recursion on drawn inputs: what one step carries over to the next, on average."""
_MAX_SIZE = 16
"""Columns that one load moves."""


@dataclass(frozen=True)
class TinympcSpec:
    """One pass over ``horizon`` steps: a state of ``states`` and a control input of ``inputs`` float32 values."""

    direction: str
    horizon: int
    states: int
    inputs: int

    @property
    def _suffixes(self) -> list[str]:
        sizes = {"horizon": self.horizon, "states": self.states, "inputs": self.inputs}
        return [f"{name}={value}" for name, value in sizes.items() if value != _DEFAULTS[self.direction][name]]

    @property
    def locator(self) -> str:
        """The parametric name in its one canonical form."""
        return ":".join(["tinympc", self.direction, *self._suffixes])

    @property
    def name(self) -> str:
        """The name in the form that may also be a file name."""
        return file_name(self.locator)


def parse_tinympc(text: str) -> TinympcSpec:
    """Read a parametric name. Raises ProblemError with the syntax if it is none."""
    syntax = f"{SYNTAX}, optionally followed by :horizon=H, :states=S and :inputs=U, such as tinympc:forward:horizon=8"
    _, *parts = text.split(":")
    if not parts or parts[0] not in PASSES:
        raise ProblemError(f"{text!r}: is not a pass; write {syntax}")
    numbers = {
        "horizon": parse_number("horizon", 1, _MAX_HORIZON),
        "states": parse_number("states", TILE, _MAX_SIZE, TILE),
        "inputs": parse_number("inputs", TILE, _MAX_SIZE, TILE),
    }
    _, sizes = parse_options(text, (), numbers, syntax)
    return TinympcSpec(parts[0], **_DEFAULTS[parts[0]] | sizes)


def template_values(spec: TinympcSpec) -> Mapping[str, object]:
    """What the templates are filled with."""
    states, inputs, horizon = spec.states, spec.inputs, spec.horizon
    forward = spec.direction == "forward"
    # Scratchpad rows: every matrix that stays has a place of its own, vectors come behind them.
    places, end = {}, 0
    square = "Adyn" if forward else "AmBKt"
    for matrix, rows, columns in (
        (square, states, states), ("Bdyn", states, inputs), ("Kinf", inputs, states), ("Quu_inv", inputs, inputs),
    ):  # fmt: skip
        if forward and matrix == "Quu_inv":
            continue
        places[matrix] = {"name": matrix, "rows": rows, "columns": columns, "at": end}
        end += rows * columns // TILE
    return {
        "name": spec.name,
        "forward": forward,
        "H": horizon,
        "S": states,
        "U": inputs,
        "matrices": places,
        "vectors": end,
        "uniform": _half_width(spec, 1 / 3),
        "extremes": _half_width(spec, 1.0),
        "negative": _half_width(spec, None),
        "sparse": _half_width(spec, 0.1 / 3, _RADIUS / 2),
        "tolerance": tolerance(spec),
    }


def tolerance(spec: TinympcSpec) -> float:
    """Largest accepted error, absolute and relative, for outputs computed in float32 in any order of summation.

    One step sums ``states + inputs`` products and a few single values, so its rounding errors are at most
    ``(states + inputs + 4) * 2**-24`` of the sum of the magnitudes, which is of the order 1. The steps after it pass
    them on by a matrix with rows of the norm ``_RADIUS``, so at most ``sqrt(states)`` times that in the sum of the
    magnitudes, and ever less of them. The factor 4 covers the spread between draws: tests compare with the bound that
    follows, step by step, from the numbers drawn.
    """
    passed_on = sum(_RADIUS**step for step in range(1, spec.horizon))
    bound = 4 * (spec.states + spec.inputs + 4) * 2.0**-24 * (1 + math.sqrt(spec.states) * passed_on)
    digits = 10.0 ** math.floor(math.log10(bound))
    return float(f"{math.ceil(bound / digits) * digits:.0e}")


def _half_width(spec: TinympcSpec, variance: float | None, radius: float = _RADIUS) -> float:
    """The range of values with which the recursion has the given spectral radius.

    ``variance`` is that of the values where the half width of the range is 1; None means values from minus the width to
    0. The matrix of the recursion has the radius sqrt(states * variance of a value), or states * mean if all values are
    alike in sign. It is AmBKt on the way back, and Adyn - Bdyn * Kinf on the way forward.
    """
    value = radius / spec.states if variance is None else radius**2 / spec.states
    if spec.direction == "forward":
        # Products of two values, ``inputs`` of them, add to each: value = v + inputs * v**2.
        value = (math.sqrt(1 + 4 * spec.inputs * value) - 1) / (2 * spec.inputs)
    width = 2 * value if variance is None else math.sqrt(value / variance)
    return math.floor(width * 100) / 100
