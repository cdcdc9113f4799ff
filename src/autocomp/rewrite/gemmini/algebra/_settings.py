"""What config commands set, followed exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.ir._expression import Const, Expression, Text
from autocomp.rewrite.ir._tree import Command

Number = int | Fraction


@dataclass(frozen=True)
class LoadSettings:
    """What config_ld sets for one load id."""

    stride_bytes: int
    scale: Number
    block_stride: int


@dataclass(frozen=True)
class ExecuteSettings:
    """What config_ex sets."""

    operand_scale: Number = 1
    a_stride: int = 1
    c_stride: int = 1
    a_transpose: bool = False
    b_transpose: bool = False


@dataclass(frozen=True)
class StoreSettings:
    """What config_st sets."""

    stride_bytes: int
    scale: Number = 1


@dataclass(frozen=True)
class Settings:
    """All that config commands have set so far; None where they have not."""

    loads: tuple[LoadSettings | None, ...] = (None, None, None)
    """By load id."""
    execute: ExecuteSettings | None = None
    store: StoreSettings | None = None


_NAMES: Mapping[str, Number] = {
    "WEIGHT_STATIONARY": 1, "WS": 1, "OUTPUT_STATIONARY": 0, "OS": 0, "NO_ACTIVATION": 0, "RELU": 1,
    "ACC_SCALE_IDENTITY": 1, "MVIN_SCALE_IDENTITY": 1,
}  # fmt: skip
_REAL = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d\d?)?)[fF]?")
_EXECUTE = {
    "config_ex": "dataflow activation a_stride a_transpose b_transpose",
    "gemmini_config_ex": "dataflow activation shift",
    "gemmini_extended_config_ex": "dataflow activation shift a_stride a_transpose b_transpose",
    "gemmini_extended2_config_ex": "dataflow activation shift a_stride a_transpose b_transpose",
    "gemmini_extended3_config_ex": "dataflow activation shift operand_scale c_stride a_stride a_transpose b_transpose"
    " strides_only",
}
_LOAD = {
    "config_ld": "stride scale block id",
    "gemmini_config_ld": "stride",
    "gemmini_extended_config_ld": "stride scale",
    "gemmini_extended2_config_ld": "stride scale shrunk",
    "gemmini_extended3_config_ld": "stride scale shrunk id",
    "gemmini_extended4_config_ld": "stride scale shrunk block id",
    "gemmini_extended5_config_ld": "stride scale shrunk block pixels id",
}
_STORE = {
    "config_st": "stride activation scale",
    "gemmini_config_st": "stride",
    "gemmini_extended_config_st": "stride activation scale",
}


def number(expression: Expression) -> Number:
    """The exact value of a constant argument, whole or not."""
    if isinstance(expression, Const):
        return expression.value
    if isinstance(expression, Text):
        text = expression.text.strip("() ")
        if text in _NAMES:
            return _NAMES[text]
        match = _REAL.fullmatch(text)
        if match is None:
            raise IllegalMoveError(f"the setting '{text}' is not understood")
        value = Fraction(match[1])
        return value.numerator if value.denominator == 1 else value
    raise IllegalMoveError("a setting is not a constant")


def configure(settings: Settings, command: Command, geometry: Geometry) -> Settings:
    """The settings after a config command. Raises IllegalMoveError for what is not followed."""
    fields = next((group[command.name] for group in (_EXECUTE, _LOAD, _STORE) if command.name in group), None)
    most = len((fields or "").split())
    least = 1 if command.name == "config_st" else most
    if fields is None or not least <= len(command.args) <= most:
        raise IllegalMoveError(f"'{command.name}' with {len(command.args)} arguments is not understood")
    given = dict(zip(fields.split(), map(number, command.args), strict=False))
    if given.get("activation", 0) != 0 or given.get("shrunk", 0) != 0 or given.get("pixels", 1) not in (0, 1):
        raise IllegalMoveError(f"'{command.name}' asks for more than sums and products")

    def whole(field: str, default: int) -> int:
        value = given.get(field, default)
        if not isinstance(value, int):
            raise IllegalMoveError(f"'{command.name}' is given {value} as '{field}', which must be whole")
        return value

    if command.name in _EXECUTE:
        if given["dataflow"] != 1 or given.get("strides_only", 0) or given.get("shift", 0):
            raise IllegalMoveError("only weight stationary products are followed")
        strides = whole("a_stride", 1), whole("c_stride", 1)
        turned = [bool(whole(field, 0)) for field in ("a_transpose", "b_transpose")]
        execute = ExecuteSettings(given.get("operand_scale", 1), *strides, *turned)
        if execute.a_transpose and execute.b_transpose:
            raise IllegalMoveError("the array transposes one operand only")
        return replace(settings, execute=execute)
    if command.name in _LOAD:
        state = whole("id", 0)
        if not 0 <= state < 3:
            raise IllegalMoveError(f"there is no load state {state}")
        load = LoadSettings(whole("stride", 0), given.get("scale", 1), whole("block", geometry.dim))
        loads = [*settings.loads]
        loads[state] = load
        return replace(settings, loads=tuple(loads))
    return replace(settings, store=StoreSettings(whole("stride", 0), given.get("scale", 1)))
