"""Gemmini's commands: the two dialects of C kernels read as one set of names, and what the arguments mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._geometry import DEFAULT, Geometry
from autocomp.rewrite.ir._expression import Const, Expression, Text
from autocomp.rewrite.ir._parse import Parser
from autocomp.rewrite.ir._print import print_kernel
from autocomp.rewrite.ir._tree import Body, Command, If, Kernel, Loop, branches

GARBAGE = 0xFFFFFFFF
ACCUMULATOR = 0x80000000
ACCUMULATE = 0x40000000
FULL_WIDTH = 0x20000000
ROW_MASK = 0x1FFFFFFF

LOADS = ("mvin", "mvin2", "mvin3")
COMPUTES = ("compute_preloaded", "compute_accumulated")
HARDWARE_LOOP = "gemmini_loop_ws"
LOOP_ADDRESSES = range(6, 10)
"""Arguments of a hardware loop that are addresses: A, B, D, C."""
CONSTANTS = {"GARBAGE_ADDR": GARBAGE, "true": 1, "false": 0, "NULL": 0}

_LONG = {
    **{name: f"gemmini_extended_{name}" for name in (*LOADS, "mvout", "preload", *COMPUTES)},
    "fence": "gemmini_fence",
}
_FROM_LONG = {long: short for short, long in _LONG.items()}
_ARITY = {"mvin": 4, "mvin2": 4, "mvin3": 4, "mvout": 4, "preload": 6, "compute_preloaded": 6,
          "compute_accumulated": 6, "fence": 0}  # fmt: skip
_ACTIVATIONS: dict[Expression, Expression] = {Text("NO_ACTIVATION"): Const(0), Text("RELU"): Const(1)}
_BRIEF = {  # commands of the long dialect that imply whole tiles
    "gemmini_mvin": "mvin", "gemmini_mvin2": "mvin2", "gemmini_mvin3": "mvin3", "gemmini_mvout": "mvout",
    "gemmini_preload": "preload", "gemmini_compute_preloaded": "compute_preloaded",
    "gemmini_compute_accumulated": "compute_accumulated",
}  # fmt: skip


def normalise(name: str, args: tuple[Expression, ...], tile: Const) -> Command | None:
    """The command a call means, with all its arguments; None if it is none of Gemmini's."""
    if name in _BRIEF and len(args) == 2:
        extra = 2 if _BRIEF[name] in (*LOADS, "mvout") else 4
        return Command(_BRIEF[name], (*args, *([tile] * extra)))
    if name == "gemmini_preload_zeros" and len(args) == 1:
        return Command("preload", (Const(GARBAGE), *args, *([tile] * 4)))
    short = _FROM_LONG.get(name, name)
    if short in _ARITY:
        if short in (*LOADS, "mvout") and len(args) == 4 and isinstance(args[0], Text) and "NULL" not in args[0].text:
            return None
        return Command(short, args) if len(args) == _ARITY[short] else None
    if name == HARDWARE_LOOP and len(args) == 23:
        return Command(name, (*args[:19], _ACTIVATIONS.get(args[19], args[19]), *args[20:]))
    return Command(name, args) if "config" in name or name in ("flush", "gemmini_flush") else None


def parse(source: str, entry: str, geometry: Geometry = DEFAULT) -> Kernel:
    """Read a kernel in either dialect. Raises IllegalMoveError if it cannot be read at all."""
    tile = Const(geometry.dim)
    constants = {**CONSTANTS, **geometry.constants}
    sizes = {"elem_t": geometry.element_bytes, "acc_t": geometry.sum_bytes}
    kernel = Parser(entry, lambda name, args: normalise(name, args, tile), constants, sizes).parse(source)
    long = any(name in source for name in ("gemmini_extended_mvin", "gemmini_mvin", "gemmini_extended_preload"))
    return replace(kernel, dialect="long" if long else "short")


def to_source(kernel: Kernel) -> str:
    """The kernel as C in its own dialect."""
    return print_kernel(kernel, _LONG if kernel.dialect == "long" else {})


class LoadState(NamedTuple):
    """What one of the three states does with loads."""

    stride: int = 0
    """Bytes from row to row in memory; 0 repeats one row."""
    block_stride: int = 16
    """Local rows from one tile of columns to the next."""
    scale: str = ""
    """What the data is multiplied by, as it is written; empty for one."""


class StoreState(NamedTuple):
    """What stores do. With pooling, one command reads ``pooled_rows`` rows and writes a rectangle of them."""

    stride: int = 0
    pooled_rows: int = 0
    out_rows: int = 0
    out_columns: int = 0
    out_width: int = 0
    result: tuple[Expression, ...] = ()
    """Activation and scale, as they are written."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """What the compiled pass needs."""
        return self.stride, self.pooled_rows, self.out_rows, self.out_columns, self.out_width


@dataclass(frozen=True)
class Configuration:
    """What the config commands set; but for loads, one setting for the whole kernel."""

    loads: tuple[LoadState, LoadState, LoadState]
    """With several settings of one state, the first one, and the greatest distance between tiles."""
    store: StoreState
    weight_stationary: bool = True
    settings: Mapping[Command, tuple[int, LoadState]] = field(default_factory=dict, hash=False)
    """What each command sets, if some load state is configured in more than one way."""

    @property
    def scales(self) -> list[str]:
        """The factors that loads multiply by, as they are written; none is one of them."""
        states = [*self.loads, *(state for _, state in self.settings.values())]
        return sorted({"", *(state.scale for state in states)})


def configuration(kernel: Kernel, geometry: Geometry = DEFAULT) -> Configuration:
    """Collect the config commands. Raises IllegalMoveError if the configuration changes on the way."""
    loads: dict[int, LoadState] = {}
    settings: dict[Command, tuple[int, LoadState]] = {}
    stores: dict[Command, None] = {}
    dataflow = True
    for command in _configuring(kernel.body, guarded=False):
        if command.name.endswith("config_ld"):
            number, state = settings[command] = _load_state(command, geometry)
            known = loads.setdefault(number, state)
            loads[number] = known._replace(block_stride=max(known.block_stride, state.block_stride))
        elif command.name.endswith("config_st"):
            stores[command] = None
        elif command.name.endswith("config_ex"):
            dataflow = dataflow and _weight_stationary(command)
        else:
            raise IllegalMoveError(f"{command.name} is not analysed")
    if len(stores) > 1:
        raise IllegalMoveError("stores are configured in two ways")
    store = next((_store_state(command) for command in stores), StoreState())
    first, second, third = (loads.get(number, LoadState(0, geometry.dim)) for number in range(3))
    constant = all(loads[number] == state for number, state in settings.values())
    return Configuration((first, second, third), store, dataflow, {} if constant else settings)


def _configuring(body: Body, *, guarded: bool) -> Iterator[Command]:
    for statement in body:
        if isinstance(statement, Command):
            if "config" in statement.name:
                if guarded:
                    raise IllegalMoveError("a configuration depends on a condition")
                yield statement
        elif isinstance(statement, Loop | If):
            yield from _configuring(branches(statement), guarded=guarded or isinstance(statement, If))


def _value(command: Command, index: int, default: int) -> int:
    if not 0 <= index < len(command.args):
        return default
    argument = command.args[index]
    if isinstance(argument, Const):
        return argument.value
    raise IllegalMoveError(f"argument {index + 1} of {command.name} is not a constant")


class _Places(NamedTuple):
    """Where a call that configures loads has its arguments; -1 where it has none."""

    scale: int = 1
    shrunk: int = -1
    block: int = -1
    repeats: int = -1
    state: int = -1


_LOAD_PLACES = {
    "config_ld": _Places(1, -1, 2, -1, 3),
    "gemmini_extended5_config_ld": _Places(1, 2, 3, 4, 5),
    "gemmini_extended4_config_ld": _Places(1, 2, 3, -1, 4),
    "gemmini_extended3_config_ld": _Places(1, 2, -1, -1, 3),
    "gemmini_extended2_config_ld": _Places(1, 2),
    "gemmini_extended_config_ld": _Places(1),
    "gemmini_config_ld": _Places(-1),
}
_UNSCALED = ("1.0f", "1.0", "1.f", "1.", "MVIN_SCALE_IDENTITY")


def _load_state(command: Command, geometry: Geometry) -> tuple[int, LoadState]:
    """Number and content of a load state; refuses what changes the shape of the data."""
    places = _LOAD_PLACES.get(command.name)
    if places is None or not command.args:
        raise IllegalMoveError(f"{command.name} is not analysed")
    if _value(command, places.shrunk, 0):
        raise IllegalMoveError("a load widens its elements")
    if _value(command, places.repeats, 1) > 1:
        raise IllegalMoveError("a load repeats pixels")
    state = _value(command, places.state, 0)
    if not 0 <= state < 3:
        raise IllegalMoveError(f"there is no load state {state}")
    scale = ""
    if 0 <= places.scale < len(command.args):
        argument = command.args[places.scale]
        plain = argument == Const(1) or (isinstance(argument, Text) and argument.text in _UNSCALED)
        scale = "" if plain else str(argument)
    return state, LoadState(_value(command, 0, 0), _value(command, places.block, geometry.dim), scale)


def _store_state(command: Command) -> StoreState:
    if command.name in ("config_st", "gemmini_config_st", "gemmini_extended_config_st"):
        return StoreState(_value(command, 0, 0), result=command.args[1:])
    if command.name != "gemmini_extended2_config_st":
        raise IllegalMoveError(f"{command.name} is not analysed")
    stride, pool_stride = _value(command, 0, 0), _value(command, 3, 0)
    if not pool_stride:
        if _value(command, 4, 0):
            raise IllegalMoveError("stores in one-dimensional mode are not analysed")
        return StoreState(stride, result=command.args[1:3])
    width, out_rows, out_columns, rows, columns = (_value(command, index, 0) for index in range(5, 10))
    if not all(0 <= value < 256 for value in (width, out_rows, out_columns, rows, columns)):
        raise IllegalMoveError("a size of the pooling does not fit its 8 bits")
    return StoreState(stride, rows * columns, out_rows, out_columns, width, command.args[1:3])


_EXECUTE_PLACES = {  # arguments that must be 1, arguments that must be 0
    "config_ex": ((2,), (3, 4)),
    "gemmini_config_ex": ((), ()),
    "gemmini_extended_config_ex": ((3,), (4, 5)),
    "gemmini_extended2_config_ex": ((3,), (4, 5)),
    "gemmini_extended3_config_ex": ((4, 5), (6, 7, 8)),
}


def _weight_stationary(command: Command) -> bool:
    if command.name not in _EXECUTE_PLACES:
        raise IllegalMoveError(f"{command.name} is not analysed")
    ones, zeros = _EXECUTE_PLACES[command.name]
    if any(_value(command, index, 1) != 1 for index in ones) or any(_value(command, index, 0) for index in zeros):
        raise IllegalMoveError("operands with strides or transposed are not analysed")
    argument = command.args[0] if command.args else Const(1)
    if isinstance(argument, Const):
        return argument.value == 1
    return (isinstance(argument, Text) and "WEIGHT" in argument.text.upper()) or argument == Text("WS")
