"""Runs a kernel command by command on exact numbers, and refuses what the hardware does not define.

Refused are, besides everything out of bounds or unwritten: the core reading or overwriting what a store that no fence
has finished writes, the core overwriting what such a load may still read, loads of what an unfinished store writes and
stores to what an unfinished load reads (transfers are ordered through local rows, never through memory), moves that
touch the destination between a preload and its compute, and an end without a fence after the last store.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from operator import mul
from typing import Any, NamedTuple, TypeVar

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import ACCUMULATE, ACCUMULATOR, COMPUTES, GARBAGE, LOADS, ROW_MASK
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini.algebra._settings import ExecuteSettings, Number, Settings, configure
from autocomp.rewrite.ir._expression import Const, Element, Expression, Op, Sum, Var, flat_index
from autocomp.rewrite.ir._simplify import apply
from autocomp.rewrite.ir._tree import ASSIGN, Body, Command, If, Kernel, Loop

_UNWRITTEN = "a local row is read before it is written"
_MOST_STEPS = 20_000
_MOST_ELEMENTS = 1 << 16
_Row = list[Any]
Environment = dict[str, int]


class _Tile(NamedTuple):
    """A local address with its extents, as preload and compute name it."""

    garbage: bool
    accumulator: bool
    accumulate: bool
    row: int
    columns: int
    rows: int


class State(NamedTuple):
    """All that the rest of a kernel can depend on; equal states go on in the same way."""

    memory: dict[str, list[Any]]
    scratchpad: dict[int, _Row]
    accumulator: dict[int, _Row]
    settings: Settings
    weights: list[_Row] | None
    next: list[_Row]
    goal: _Tile | None
    reading: set[tuple[str, int]]
    writing: set[tuple[str, int]]


_NOTHING = State({}, {}, {}, Settings(), None, [], None, set(), set())
_Part = TypeVar("_Part", list[Any], dict[int, _Row], set[tuple[str, int]])


def _kept(before: _Part, now: _Part) -> _Part:
    """A copy that is never changed; the one before if it is the same."""
    return before if before == now else now.copy()


class Machine:
    """Memory, scratchpad, accumulator and array. ``ring`` supplies the numbers: Field or Symbols."""

    def __init__(self, kernel: Kernel, geometry: Geometry, ring: Any) -> None:
        self.geometry = geometry
        self._ring = ring
        self._arrays = kernel.arrays
        self._locals = kernel.locals
        self.memory: dict[str, list[Any]] = {}
        self.version: dict[str, list[int]] = {}
        for name, array in kernel.arrays.items():
            size = prod(array.extents)
            if min(array.extents, default=1) < 1:
                raise IllegalMoveError(f"the size of '{name}' is not known")
            if size > _MOST_ELEMENTS:
                raise IllegalMoveError(f"'{name}' is too large to be followed")
            own = kernel.locals.get(name)
            if own is None:
                values: list[Any] = [ring.atom((name, index, 0)) for index in range(size)]
            else:
                values = [ring.constant(value) for value in own.values] or [None] * size
            self.memory[name], self.version[name] = values, [0] * size
        self._local: tuple[dict[int, _Row], dict[int, _Row]] = ({}, {})
        self._limits = (geometry.scratchpad_rows, geometry.accumulator_rows)
        self._settings = Settings()
        self._weights: list[_Row] | None = None
        self._next: list[_Row] = []
        self._goal: _Tile | None = None
        self._reading: set[tuple[str, int]] = set()
        self._writing: set[tuple[str, int]] = set()
        self._steps = 0

    def run(self, body: Body) -> None:
        """Everything the kernel does. Raises IllegalMoveError for what is refused or not understood."""
        self.go(body)
        self.end()

    def go(self, body: Body) -> None:
        """Some statements that are not inside a loop."""
        self._block(body, {})

    def end(self) -> None:
        """Nothing follows."""
        if self._writing or self._goal is not None:
            raise IllegalMoveError("the kernel ends before its work is done")

    def results(self) -> dict[str, list[Any]]:
        """What the arguments hold."""
        return {name: values for name, values in self.memory.items() if name not in self._locals}

    def state(self, before: State | None = None) -> State:
        """A copy of all that has come about so far; what is as it was in ``before`` is shared with that.

        Rows are never changed in place, so they need no copies.
        """
        before = before or _NOTHING
        return State(
            {name: _kept(before.memory.get(name, []), values) for name, values in self.memory.items()},
            _kept(before.scratchpad, self._local[False]),
            _kept(before.accumulator, self._local[True]),
            self._settings,
            self._weights,
            self._next,
            self._goal,
            _kept(before.reading, self._reading),
            _kept(before.writing, self._writing),
        )

    def restore(self, state: State) -> None:
        """Go on from a state. How often elements had been written is not part of it."""
        self.memory = {name: [*values] for name, values in state.memory.items()}
        self._local = (dict(state.scratchpad), dict(state.accumulator))
        self._settings, self._weights, self._next, self._goal = state[3:7]
        self._reading, self._writing = set(state.reading), set(state.writing)
        self._steps = 0

    def _block(self, body: Body, env: Environment) -> None:
        for statement in body:
            if isinstance(statement, Command):
                self._command(statement, env)
            elif isinstance(statement, Loop):
                inner = dict(env)
                for turn in range(statement.count):
                    self._count()
                    inner[statement.var] = turn
                    self._block(statement.body, inner)
            elif isinstance(statement, If):
                self._block(statement.then if whole(statement.condition, env) else statement.orelse, env)
            else:
                raise IllegalMoveError(f"'{statement.text.splitlines()[0]}' is not understood")

    def _count(self) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise IllegalMoveError("the kernel runs too many commands")

    def _command(self, command: Command, env: Environment) -> None:
        self._count()
        name, args = command.name, command.args
        if name == ASSIGN:
            self._assign(args, env)
        elif name in LOADS:
            self._load(LOADS.index(name), args[0], _numbers(args[1:], env), env)
        elif name == "mvout":
            self._store(args[0], _numbers(args[1:], env), env)
        elif name == "preload":
            self._preload(_numbers(args, env))
        elif name in COMPUTES:
            self._compute(_numbers(args, env), fresh=name == "compute_preloaded")
        elif name == "fence":
            self._reading.clear()
            self._writing.clear()
        elif "config" in name:
            if self._goal is not None:
                raise IllegalMoveError("a configuration between a preload and its compute")
            self._settings = configure(self._settings, command, self.geometry)
        elif name not in ("flush", "gemmini_flush"):
            raise IllegalMoveError(f"'{name}' is not understood")

    # The core

    def _place(self, element: Expression, env: Environment) -> tuple[str, int]:
        if not isinstance(element, Element):
            raise IllegalMoveError("an address is not understood")
        extents = self._arrays[element.array].extents
        if len(element.indices) not in (1, len(extents)):
            raise IllegalMoveError(f"'{element.array}' is indexed in an unusual way")
        return element.array, whole(flat_index(element, extents), env)

    def _bounded(self, array: str, first: int, count: int) -> range:
        if first < 0 or first + count > len(self.memory[array]):
            raise IllegalMoveError(f"an access beyond '{array}'")
        return range(first, first + count)

    def _assign(self, args: tuple[Expression, ...], env: Environment) -> None:
        array, index = self._place(args[0], env)
        value = self._ring.reduce(self._value(args[1], env))
        self._bounded(array, index, 1)
        if (array, index) in self._writing or (array, index) in self._reading:
            raise IllegalMoveError("the core writes what the accelerator may still use")
        self._write(array, index, value)

    def _value(self, expression: Expression, env: Environment) -> Any:
        if isinstance(expression, Const):
            return self._ring.constant(expression.value)
        if isinstance(expression, Sum):
            total = self._ring.constant(expression.constant)
            for atom, factor in expression.terms:
                total = total + self._value(atom, env) * factor
            return total
        if isinstance(expression, Op) and expression.name == "*":
            return self._value(expression.args[0], env) * self._value(expression.args[1], env)
        if isinstance(expression, Op) and expression.name == "load":
            array, index = self._place(expression.args[0], env)
            self._bounded(array, index, 1)
            if (array, index) in self._writing:
                raise IllegalMoveError("the core reads what an unfinished store writes")
            return self._read(array, index)
        raise IllegalMoveError("a value is not understood")

    def _read(self, array: str, index: int) -> Any:
        value = self.memory[array][index]
        if value is None:
            raise IllegalMoveError(f"'{array}' is read before it is written")
        return value

    def _write(self, array: str, index: int, value: Any) -> Any:
        """Put a value into memory; returns what whoever holds a copy should keep."""
        self.version[array][index] += 1
        self.memory[array][index] = value
        return value

    # Moves

    def _rows(
        self, local: int, columns: int, rows: int, block_stride: int
    ) -> tuple[bool, list[tuple[int, int, int, int]]]:
        """Whether a move is to the accumulator; and (local row, row, first column, width) of every row it touches."""
        accumulator, base, dim = bool(local & ACCUMULATOR), local & ROW_MASK, self.geometry.dim
        if local & 0xFFFFFFFF == GARBAGE or not (0 < rows <= dim and 0 < columns <= dim * self.geometry.widest):
            raise IllegalMoveError("a move with extents that do not exist")
        touched = [
            (base + row + first // dim * block_stride, row, first, min(dim, columns - first))
            for first in range(0, columns, dim)
            for row in range(rows)
        ]
        if max(item[0] for item in touched) >= self._limits[accumulator]:
            raise IllegalMoveError("a move beyond a local memory")
        if self._goal is not None and not self._goal.garbage and self._goal.accumulator == accumulator:
            execute = self._execute()
            goal = {self._goal.row + row * execute.c_stride for row in range(self._goal.rows)}
            if goal & {item[0] for item in touched}:
                raise IllegalMoveError("a move touches the destination between a preload and its compute")
        return accumulator, touched

    def _load(self, state: int, source: Expression, args: list[int], env: Environment) -> None:
        local, columns, rows = args
        settings = self._settings.loads[state]
        if settings is None or settings.block_stride < rows:
            raise IllegalMoveError("a load that is not configured for its extents")
        accumulator, touched = self._rows(local, columns, rows, settings.block_stride)
        array, start, stride = "", 0, 0
        if source != Const(0):
            array, start = self._place(source, env)
            stride, rest = divmod(settings.stride_bytes, self.geometry.element_bytes)
            if rest or self._arrays[array].element_bytes != self.geometry.element_bytes:
                raise IllegalMoveError("a load whose rows do not start at elements")
        accumulate = accumulator and bool(local & ACCUMULATE)
        for local_row, row, first, width in touched:
            values = [self._ring.constant(0)] * width
            if array:
                places = self._bounded(array, start + row * stride + first, width)
                if self._writing and any((array, place) in self._writing for place in places):
                    raise IllegalMoveError("a load of what an unfinished store writes")
                self._reading.update((array, place) for place in places)
                values = [self._scaled(self._read(array, place), settings.scale) for place in places]
            self._put(accumulator, local_row, values, accumulate=accumulate)

    def _store(self, target: Expression, args: list[int], env: Environment) -> None:
        local, columns, rows = args
        settings = self._settings.store
        if settings is None:
            raise IllegalMoveError("a store that is not configured")
        accumulator, touched = self._rows(local, columns, rows, self.geometry.dim)
        if local & ROW_MASK != local & (ROW_MASK >> 3) or local & 0x20000000:
            raise IllegalMoveError("a store that does more than scale")
        array, start = self._place(target, env)
        stride, rest = divmod(settings.stride_bytes, self.geometry.element_bytes)
        if rest or self._arrays[array].element_bytes != self.geometry.element_bytes:
            raise IllegalMoveError("a store whose rows do not start at elements")
        for local_row, row, first, width in touched:
            places = self._bounded(array, start + row * stride + first, width)
            held = [*self._local[accumulator].get(local_row, [])]
            for column, place in enumerate(places):
                if (array, place) in self._reading:
                    raise IllegalMoveError("a store to what an unfinished load reads")
                value = self._element(held, column)
                factor = settings.scale if accumulator else 1
                kept = self._write(array, place, self._ring.reduce(self._scaled(value, factor)))
                if factor in (1, -1):
                    held[column] = self._ring.reduce(self._scaled(kept, factor))
                self._writing.add((array, place))
            self._local[accumulator][local_row] = held

    def _scaled(self, value: Any, scale: Number) -> Any:
        return value if scale == 1 else self._ring.reduce(value * self._ring.constant(scale))

    def _element(self, row: _Row, column: int) -> Any:
        value = row[column] if column < len(row) else None
        if value is None:
            raise IllegalMoveError(_UNWRITTEN)
        return value

    def _put(self, accumulator: bool, local_row: int, values: list[Any], *, accumulate: bool) -> None:
        before = self._local[accumulator].get(local_row) or [None] * self.geometry.dim
        if accumulate:
            values = [self._ring.reduce(self._element(before, column) + value) for column, value in enumerate(values)]
        self._local[accumulator][local_row] = [*values, *before[len(values) :]]

    # Products

    def _execute(self) -> ExecuteSettings:
        if self._settings.execute is None:
            raise IllegalMoveError("a product before any config_ex")
        return self._settings.execute

    def _tile(self, address: int, columns: int, rows: int) -> _Tile:
        if not (0 <= rows <= self.geometry.dim and 0 <= columns <= self.geometry.dim):
            raise IllegalMoveError("an operand larger than the array")
        accumulator = bool(address & ACCUMULATOR)
        accumulate = accumulator and bool(address & ACCUMULATE)
        return _Tile(address & 0xFFFFFFFF == GARBAGE, accumulator, accumulate, address & ROW_MASK, columns, rows)

    def _fetch(self, tile: _Tile, *, transpose: bool, stride: int) -> list[_Row]:
        """The operand as rows of its logical extents."""
        if tile.garbage:
            return []
        stored_rows, stored_columns = (tile.columns, tile.rows) if transpose else (tile.rows, tile.columns)
        memory, scale = self._local[tile.accumulator], self._execute().operand_scale if tile.accumulator else 1
        if tile.row + max(stored_rows - 1, 0) * stride >= self._limits[tile.accumulator]:
            raise IllegalMoveError("an operand beyond a local memory")
        rows = []
        for index in range(stored_rows):
            held = memory.get(tile.row + index * stride, [])[:stored_columns]
            if len(held) < stored_columns or None in held:
                raise IllegalMoveError(_UNWRITTEN)
            rows.append(held if scale == 1 else [self._scaled(value, scale) for value in held])
        return [list(column) for column in zip(*rows, strict=True)] if transpose else rows

    def _preload(self, args: list[int]) -> None:
        if self._goal is not None:
            raise IllegalMoveError("a preload directly after a preload")
        weights, goal = self._tile(args[0], *args[2:4]), self._tile(args[1], *args[4:6])
        execute = self._execute()
        self._next = self._fetch(weights, transpose=execute.b_transpose, stride=1)
        if not goal.garbage and goal.row + max(goal.rows - 1, 0) * execute.c_stride >= self._limits[goal.accumulator]:
            raise IllegalMoveError("a destination beyond a local memory")
        self._goal = goal

    def _compute(self, args: list[int], *, fresh: bool) -> None:
        goal, execute = self._goal, self._execute()
        if goal is None:
            raise IllegalMoveError("a compute without a preload")
        self._goal = None
        if fresh:
            self._weights = self._next
        if self._weights is None:
            raise IllegalMoveError("the array holds no weights")
        first, second = self._tile(args[0], args[2], args[3]), self._tile(args[1], args[4], args[5])
        if first.garbage:
            raise IllegalMoveError("the first operand has no place")
        left = self._fetch(first, transpose=execute.a_transpose, stride=execute.a_stride)
        bias = self._fetch(second, transpose=False, stride=1)
        if goal.garbage:
            return
        columns = [*zip(*self._weights, strict=True)][: goal.columns]
        for row in range(goal.rows):
            factors = left[row] if row < len(left) else []
            sums = [sum(map(mul, factors, column)) for column in columns] + [0] * (goal.columns - len(columns))
            for column, value in enumerate(bias[row][: goal.columns] if row < len(bias) else []):
                sums[column] = sums[column] + value
            sums = [self._ring.reduce(value) for value in sums]
            self._put(goal.accumulator, goal.row + row * execute.c_stride, sums, accumulate=goal.accumulate)


def _numbers(args: tuple[Expression, ...], env: Environment) -> list[int]:
    return [arg.value if isinstance(arg, Const) else whole(arg, env) for arg in args]


def whole(expression: Expression, env: Mapping[str, int]) -> int:
    """The value of an integer expression."""
    if isinstance(expression, Const):
        return expression.value
    if isinstance(expression, Var):
        return env[expression.name]
    if isinstance(expression, Sum):
        return expression.constant + sum(whole(atom, env) * factor for atom, factor in expression.terms)
    if isinstance(expression, Op):
        if expression.name == "?:":
            return whole(expression.args[1 if whole(expression.args[0], env) else 2], env)
        found = apply(expression.name, tuple(Const(whole(part, env)) for part in expression.args), {})
        if isinstance(found, Const):
            return found.value
    raise IllegalMoveError("an argument is not understood")


__all__ = ["Machine", "whole"]
