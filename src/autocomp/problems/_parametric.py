"""What the parametric names of all packaged families have in common: sizes, options, and the output scale."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autocomp.errors import ProblemError
from autocomp.problems._chip import TILE

MAX_SIZE = 1 << 20
_WHOLE = "[0-9]{1,9}"


def parse_sizes(text: str, names: Sequence[str], syntax: str) -> list[int]:
    """The numbers in the first part of a parametric name, one for each of ``names``."""
    _, *parts = text.split(":")
    sizes = re.split("[x×]", parts[0].strip()) if parts else []
    if len(sizes) != len(names) or not all(re.fullmatch("[0-9]+", size) for size in sizes):
        raise ProblemError(f"{text!r}: is not a size; write {syntax}")
    for name, size in zip(names, sizes, strict=True):
        if not re.fullmatch(_WHOLE, size) or not 1 <= int(size) <= MAX_SIZE:
            raise ProblemError(f"{text!r}: {name} is {size}; it must be from 1 to {MAX_SIZE}")
    return [int(size) for size in sizes]


def parse_options(
    text: str, flags: Sequence[str], values: Mapping[str, Callable[[str, str], Any]], syntax: str
) -> tuple[set[str], dict[str, Any]]:
    """Which of ``flags`` stand after the sizes, and the values of the options ``NAME=VALUE``.

    ``values`` has a function for each option that takes the parametric name and the value.
    """
    given: set[str] = set()
    found: dict[str, Any] = {}
    for part in text.split(":")[2:]:
        option, separator, value = part.partition("=")
        if option in given or option in found:
            raise ProblemError(f"{text!r}: {option!r} is given twice")
        if option in flags and not separator:
            given.add(option)
        elif option in values and separator:
            found[option] = values[option](text, value)
        else:
            raise ProblemError(f"{text!r}: unknown option {part!r}; write {syntax}")
    return given, found


def parse_number(name: str, least: int, most: int, step: int = 1) -> Callable[[str, str], int]:
    """Reads the option ``name``: a whole number, ``least`` or a number of steps above it."""
    allowed = range(least, most + 1, step)
    right = f"a whole number from {least} to {most}" if step == 1 else f"one of {', '.join(map(str, allowed))}"

    def parse(text: str, value: str) -> int:
        if not re.fullmatch(_WHOLE, value) or int(value) not in allowed:
            raise ProblemError(f"{text!r}: {name} is {value!r}; it must be {right}")
        return int(value)

    return parse


def parse_scale(text: str, value: str) -> float:
    """Reads ``scale=X``: a positive number, as float32 holds it."""
    try:
        scale = float(np.float32(float(value)))
    except ValueError as error:
        raise ProblemError(f"{text!r}: scale {value!r} is not a number; write for example scale=0.05") from error
    if not 1e-30 <= scale <= 1e30:
        raise ProblemError(f"{text!r}: scale {value} must be positive, from 1e-30 to 1e30")
    return scale


def scale_literal(scale: float) -> str:
    """The shortest decimal that is this scale in float32."""
    # Never with an exponent: a minus sign would divide the name at another place.
    return np.format_float_positional(np.float32(scale), unique=True, trim="0")


def file_name(locator: str) -> str:
    """The parametric name in the form that may also be a file name."""
    return re.sub("[:=/]", "-", locator)


def spread(length: int, scale: float) -> int:
    """Half width of a narrow input range with which most sums of ``length`` products lie within int8, and differ."""
    # The sum of N products of two uniform integers in -r..r has the standard deviation sqrt(N) r (r + 1) / 3.
    wanted = 45 / scale
    best = min(range(1, 128), key=lambda r: abs(math.sqrt(length) * r * (r + 1) / 3 - wanted))
    return int(best)


def round_up(size: int, step: int) -> int:
    """The multiple of ``step`` that is not below ``size``."""
    return math.ceil(size / step) * step


def ragged(size: int, step: int) -> bool:
    """True if not all groups of ``step`` are alike."""
    return size > step and size % step != 0


def last_tile(group: str | int, tile: str) -> str:
    """Size of tile number ``tile`` of a group, in C; the last one may be smaller than the others."""
    rest = f"{group} - {tile} * {TILE}"
    return f"{rest} < {TILE} ? {rest} : {TILE}"
