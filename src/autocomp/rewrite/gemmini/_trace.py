"""Every command instance of a kernel in program order, as columns of integers.

The position of an instance is a sum over its loops (index times events per turn), so each statement's values are
written through one strided view of the final column; an address that depends on two of five loops is evaluated for
those two only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import LOADS
from autocomp.rewrite.ir._expression import Const, Element, Expression, Sum, Text, Var
from autocomp.rewrite.ir._tree import Body, Command, If, Kernel, Loop, Opaque

Ints = npt.NDArray[np.int64]

PRELOAD, COMPUTE, COMPUTE_AGAIN, LOAD, STORE = 1, 2, 3, 4, 7
"""Kinds; a load's kind is LOAD plus its state (0-2)."""
KINDS = {
    "preload": PRELOAD,
    "compute_preloaded": COMPUTE,
    "compute_accumulated": COMPUTE_AGAIN,
    **{name: LOAD + state for state, name in enumerate(LOADS)},
    "mvout": STORE,
}
ARRAY_SHIFT = 40
LIMIT = 1 << 20


SEE_COLUMN = np.iinfo(np.int64).min


@dataclass(frozen=True)
class Trace:
    """Which command ran when, with its operands.

    Operands 0 and 1 are the addresses (array addresses as array number << 40 plus bytes), operand 2 packs the
    remaining arguments, eight bits each, first argument lowest. An operand that is the same in every instance of a
    statement stands in ``constants``; where that says SEE_COLUMN, the value stands in the column.
    """

    statement: npt.NDArray[np.int32]
    """Per executed command: its number in the order of the text, data commands only."""
    columns: tuple[Ints, Ints, Ints]
    constants: Ints
    """Three rows, one column per statement."""
    kinds: npt.NDArray[np.int8]
    """Per statement."""


class _Writer:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.numbers = {name: number + 1 for number, name in enumerate(kernel.arrays)}
        self.commands: list[Command] = []
        total = _count(kernel.body)
        if total > LIMIT:
            raise IllegalMoveError(f"{total} commands are too many to analyse")
        self.constants: list[list[int]] = []
        self.statement = np.zeros(total, np.int32)
        self.columns = tuple(np.empty(total, np.int64) for _ in range(3))
        self.valid = np.ones(total, np.bool_)
        self.guarded = False

    def body(self, body: Body, offset: int, loops: tuple[tuple[int, int], ...], env: dict[str, Ints],
             guard: Ints | None) -> int:  # fmt: skip
        """Write the statements from position ``offset`` on; the position behind them."""
        for statement in body:
            if isinstance(statement, Command):
                if statement.name in KINDS:
                    self.command(statement, offset, loops, env, guard)
                    offset += 1
            elif isinstance(statement, Loop):
                size = _count(statement.body)
                if size:
                    shape = (1,) * len(loops) + (statement.count,)
                    inner = {name: value[..., None] for name, value in env.items()}
                    inner[statement.var] = np.arange(statement.count).reshape(shape)
                    self.body(statement.body, offset, (*loops, (statement.count, size)), inner,
                              None if guard is None else guard[..., None])  # fmt: skip
                    offset += size * statement.count
            elif isinstance(statement, If):
                condition = np.asarray(evaluate(statement.condition, env) != 0)
                self.guarded = True
                yes = condition if guard is None else condition & guard
                offset = self.body(statement.then, offset, loops, env, yes)
                if statement.orelse:
                    no = ~condition if guard is None else ~condition & guard
                    offset = self.body(statement.orelse, offset, loops, env, no)
            elif isinstance(statement, Opaque):
                raise IllegalMoveError(f"'{statement.text.splitlines()[0]}' is not understood")
        return offset

    def command(self, command: Command, offset: int, loops: tuple[tuple[int, int], ...], env: dict[str, Ints],
                guard: Ints | None) -> None:  # fmt: skip
        shape = tuple(count for count, _ in loops)
        steps = tuple(size for _, size in loops)

        def put(column: npt.NDArray[Any], value: Any) -> None:
            size = column.itemsize
            view: npt.NDArray[Any] = np.ndarray(
                shape, column.dtype, column.data, offset * size, tuple(step * size for step in steps)
            )
            view[...] = value

        put(self.statement, len(self.commands))
        self.commands.append(command)
        sizes: Ints | int = 0
        for index, argument in enumerate(command.args[2:]):
            sizes = sizes + evaluate(argument, env) * (1 << 8 * index)
        constants = []
        for column, value in zip(
            self.columns, (self.address(command.args[0], env), self.address(command.args[1], env), sizes), strict=True
        ):
            if isinstance(value, int):
                constants.append(value)
            else:
                constants.append(SEE_COLUMN)
                put(column, value)
        self.constants.append(constants)
        if guard is not None:
            put(self.valid, guard)

    def address(self, expression: Expression, env: dict[str, Ints]) -> Ints | int:
        if not isinstance(expression, Element):
            return evaluate(expression, env) & 0xFFFFFFFF
        array = self.kernel.arrays[expression.array]
        linear: Ints | int = 0
        extents = array.extents
        flat = len(expression.indices) < len(extents)
        for position, index in enumerate(expression.indices):
            if position and not flat:
                linear = linear * extents[position]
            linear = linear + evaluate(index, env)
        return linear * array.element_bytes + (self.numbers[expression.array] << ARRAY_SHIFT)


def _count(body: Body) -> int:
    total = 0
    for statement in body:
        if isinstance(statement, Command):
            total += statement.name in KINDS
        elif isinstance(statement, Loop):
            total += statement.count * _count(statement.body)
        elif isinstance(statement, If):
            total += _count(statement.then) + _count(statement.orelse)
    return total


def evaluate(expression: Expression, env: dict[str, Ints]) -> Ints | int:
    """Value of an expression for all combinations of the loop variables it uses, as C computes it."""
    if isinstance(expression, Const):
        return expression.value
    if isinstance(expression, Var):
        return env[expression.name]
    if isinstance(expression, Sum):
        # Small parts first: only the last additions then run over all combinations.
        terms = [evaluate(atom, env) * coefficient for atom, coefficient in expression.terms]
        return sum(sorted(terms, key=np.size), start=expression.constant)
    if isinstance(expression, Text | Element):
        raise IllegalMoveError("an argument is not understood")
    parts = [evaluate(part, env) for part in expression.args]
    name = expression.name
    if name == "?:":
        return np.where(parts[0], parts[1], parts[2])
    if name == "!":
        negated: Any = np.asarray(parts[0]) == 0
        return negated  # type: ignore[no-any-return]
    if name == "~":
        return ~parts[0] & 0xFFFFFFFF
    left, right = parts
    if name in ("/", "%"):
        divisor = np.where(np.asarray(right) == 0, 1, right)
        quotient = np.floor_divide(left, divisor)
        if np.any(np.asarray(left) < 0) or np.any(np.asarray(right) < 0):
            quotient = quotient + ((left - quotient * divisor != 0) & ((left < 0) != (divisor < 0)))
        return quotient if name == "/" else left - quotient * divisor
    result: Ints = _SIMPLE[name](left, right)
    return result


_SIMPLE: dict[str, Any] = {
    "*": np.multiply, "|": np.bitwise_or, "&": np.bitwise_and, "^": np.bitwise_xor, "<<": np.left_shift,
    ">>": np.right_shift, "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
    ">=": np.greater_equal, "&&": np.logical_and, "||": np.logical_or,
}  # fmt: skip


def trace(kernel: Kernel) -> Trace:
    """Run through all loops. Raises IllegalMoveError if something in the kernel is not understood."""
    writer = _Writer(kernel)
    writer.body(kernel.body, 0, (), {}, None)
    statement, (first, second, sizes) = writer.statement, writer.columns
    if writer.guarded:
        kept = np.flatnonzero(writer.valid)
        statement, first, second, sizes = statement[kept], first[kept], second[kept], sizes[kept]
    constants = np.array(writer.constants, np.int64).reshape(-1, 3).T
    kinds = np.array([KINDS[command.name] for command in writer.commands], np.int8)
    return Trace(statement, (first, second, sizes), np.ascontiguousarray(constants), kinds)


def is_data(command: Command) -> bool:
    """True for the commands that a trace records."""
    return command.name in KINDS
