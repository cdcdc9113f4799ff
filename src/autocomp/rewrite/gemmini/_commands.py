"""Gemmini's commands: the two dialects of C kernels read as one set of names, and what the arguments mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autocomp.errors import IllegalMoveError
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
CONSTANTS = {
    "DIM": 16,
    "GARBAGE_ADDR": GARBAGE,
    "true": 1,
    "false": 0,
    "NULL": 0,
    "BANK_NUM": 4,
    "BANK_ROWS": 4096,
    "ACC_ROWS": 1024,
    "MAX_BLOCK_LEN": 4,
}

_LONG = {
    **{name: f"gemmini_extended_{name}" for name in (*LOADS, "mvout", "preload", *COMPUTES)},
    "fence": "gemmini_fence",
}
_FROM_LONG = {long: short for short, long in _LONG.items()}
_ARITY = {"mvin": 4, "mvin2": 4, "mvin3": 4, "mvout": 4, "preload": 6, "compute_preloaded": 6,
          "compute_accumulated": 6, "fence": 0}  # fmt: skip
_BRIEF = {  # commands of the long dialect that imply whole tiles
    "gemmini_mvin": "mvin", "gemmini_mvin2": "mvin2", "gemmini_mvin3": "mvin3", "gemmini_mvout": "mvout",
    "gemmini_preload": "preload", "gemmini_compute_preloaded": "compute_preloaded",
    "gemmini_compute_accumulated": "compute_accumulated",
}  # fmt: skip
_TILE = Const(16)


def normalise(name: str, args: tuple[Expression, ...]) -> Command | None:
    """The command a call means, with all its arguments; None if it is none of Gemmini's."""
    if name in _BRIEF and len(args) == 2:
        extra = 2 if _BRIEF[name] in (*LOADS, "mvout") else 4
        return Command(_BRIEF[name], (*args, *([_TILE] * extra)))
    if name == "gemmini_preload_zeros" and len(args) == 1:
        return Command("preload", (Const(GARBAGE), *args, *([_TILE] * 4)))
    short = _FROM_LONG.get(name, name)
    if short in _ARITY:
        if short in (*LOADS, "mvout") and len(args) == 4 and isinstance(args[0], Text) and "NULL" not in args[0].text:
            return None
        return Command(short, args) if len(args) == _ARITY[short] else None
    return Command(name, args) if "config" in name or name in ("flush", "gemmini_flush") else None


def parse(source: str, entry: str) -> Kernel:
    """Read a kernel in either dialect. Raises IllegalMoveError if it cannot be read at all."""
    kernel = Parser(entry, normalise, CONSTANTS).parse(source)
    long = any(name in source for name in ("gemmini_extended_mvin", "gemmini_mvin", "gemmini_extended_preload"))
    return Kernel(kernel.preamble, kernel.header, kernel.arrays, kernel.body, "long" if long else "short")


def to_source(kernel: Kernel) -> str:
    """The kernel as C in its own dialect."""
    return print_kernel(kernel, _LONG if kernel.dialect == "long" else {})


@dataclass(frozen=True)
class Configuration:
    """What the config commands set; one setting for the whole kernel."""

    load_strides: tuple[int, ...] = (0, 0, 0)
    weight_stationary: bool = True
    key: tuple[Command, ...] = ()
    """All config commands, to tell configurations apart."""


def configuration(kernel: Kernel) -> Configuration:
    """Collect the config commands. Raises IllegalMoveError if the configuration changes on the way."""
    strides: dict[int, int] = {}
    dataflow = True
    commands: dict[Command, None] = {}
    for command in _configuring(kernel.body, guarded=False):
        commands[command] = None
        if command.name.endswith("config_ld"):
            state, stride = _load_state(command)
            if strides.setdefault(state, stride) != stride:
                raise IllegalMoveError(f"load state {state} is configured in two ways")
        elif command.name.endswith("config_ex"):
            dataflow = dataflow and _weight_stationary(command)
    stores = {command for command in commands if command.name.endswith("config_st")}
    if len(stores) > 1:
        raise IllegalMoveError("stores are configured in two ways")
    return Configuration(tuple(strides.get(state, 0) for state in range(3)), dataflow, tuple(commands))


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
    if index >= len(command.args):
        return default
    argument = command.args[index]
    if isinstance(argument, Const):
        return argument.value
    raise IllegalMoveError(f"argument {index + 1} of {command.name} is not a constant")


def _load_state(command: Command) -> tuple[int, int]:
    """Load state and stride; refuses block strides and pixel repeats other than the usual ones."""
    state_at = {"config_ld": 3, "gemmini_extended3_config_ld": 3, "gemmini_extended4_config_ld": 4,
                "gemmini_extended5_config_ld": 5}  # fmt: skip
    block_at = {"config_ld": 2, "gemmini_extended4_config_ld": 3, "gemmini_extended5_config_ld": 3}
    if command.name in block_at and _value(command, block_at[command.name], 16) != 16:
        raise IllegalMoveError("a load spaces its blocks in an unusual way")
    if command.name == "gemmini_extended5_config_ld" and _value(command, 4, 1) > 1:
        raise IllegalMoveError("a load repeats pixels")
    state = _value(command, state_at[command.name], 0) if command.name in state_at else 0
    if not 0 <= state < 3:
        raise IllegalMoveError(f"there is no load state {state}")
    return state, _value(command, 0, 0)


def _weight_stationary(command: Command) -> bool:
    argument = command.args[0] if command.args else Const(1)
    if isinstance(argument, Const):
        return argument.value == 1
    return (isinstance(argument, Text) and "WEIGHT" in argument.text.upper()) or argument == Text("WS")
