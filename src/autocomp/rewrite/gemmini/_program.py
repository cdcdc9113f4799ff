"""Kernels as the compiled pass reads them: every expression by a number, statements as one list of tokens.

The children of a kernel share most expressions and commands with it, so both are translated once and remembered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import HARDWARE_LOOP, LOADS, LOOP_ADDRESSES, Configuration
from autocomp.rewrite.gemmini._dataflow_native import OPERATORS, Expressions
from autocomp.rewrite.ir._expression import Const, Element, Expression, Op, Text, Var, split_sum
from autocomp.rewrite.ir._tree import ASSIGN, ArrayType, Body, Command, If, Kernel, Loop

KINDS = {
    "preload": 1,
    "compute_preloaded": 2,
    "compute_accumulated": 3,
    **{name: 4 + state for state, name in enumerate(LOADS)},
    "mvout": 7,
    HARDWARE_LOOP: 8,
}
"""The commands that move or use data."""
LIMIT = 1 << 20
"""Most commands that a kernel may run."""
ARRAY_SHIFT = 40
"""The address of an array element is the array's number shifted by this, plus bytes."""

_END, _LOOP, _IF, _ELSE, _COMMAND, _SETTING = range(6)
_OPERATORS = {name: number for number, name in enumerate(OPERATORS) if name}
_REMEMBERED = 1 << 16


Settings = Mapping[Command, tuple[int, int, int, int]]
"""Load state, stride, block stride and number of the scale that commands set on the way."""


class Program(NamedTuple):
    """A kernel for the compiled pass."""

    expressions: Expressions
    tokens: list[int]
    statements: int
    """Number of commands in the text."""


class _Translator:
    """Numbers for the expressions over one set of arrays."""

    def __init__(self, arrays: tuple[tuple[str, ArrayType], ...]) -> None:
        self.expressions = Expressions()
        self._arrays = {name: (number + 1, array) for number, (name, array) in enumerate(arrays)}
        self._numbers: dict[Expression, int] = {}
        self._commands: dict[Command, tuple[int, ...]] = {}

    @property
    def full(self) -> bool:
        return len(self.expressions) > _REMEMBERED or len(self._commands) > _REMEMBERED

    def body(self, body: Body, tokens: list[int], settings: Settings) -> int:
        """Add the tokens of some statements; the number of commands among them."""
        total = 0
        for statement in body:
            if isinstance(statement, Command):
                if statement.name in KINDS:
                    known = self._commands.get(statement)
                    tokens.extend(known if known is not None else self._command(statement))
                    total += 1
                elif statement in settings:
                    tokens.extend((_SETTING, *settings[statement]))
                elif statement.name == ASSIGN:
                    raise IllegalMoveError("the core takes part in the computation")
            elif isinstance(statement, Loop):
                tokens.extend((_LOOP, self.number(Var(statement.var)), statement.count))
                total += self.body(statement.body, tokens, settings)
                tokens.append(_END)
            elif isinstance(statement, If):
                tokens.extend((_IF, self.number(statement.condition)))
                total += self.body(statement.then, tokens, settings)
                if statement.orelse:
                    tokens.append(_ELSE)
                    total += self.body(statement.orelse, tokens, settings)
                tokens.append(_END)
            else:
                raise IllegalMoveError(f"'{statement.text.splitlines()[0]}' is not understood")
        return total

    def _command(self, command: Command) -> tuple[int, ...]:
        places = LOOP_ADDRESSES if command.name == HARDWARE_LOOP else range(2)
        memory = sum(1 << bit for bit, index in enumerate(places) if isinstance(command.args[index], Element))
        numbers = [
            self._address(part) if index in places and isinstance(part, Element) else self.number(part)
            for index, part in enumerate(command.args)
        ]
        if command.name == HARDWARE_LOOP:
            for index in places:
                if not isinstance(command.args[index], Element) and command.args[index] != Const(0):
                    raise IllegalMoveError("an address of a hardware loop is neither in an array nor 0")
        made = (_COMMAND, KINDS[command.name], memory, len(numbers), *numbers)
        self._commands[command] = made
        return made

    def number(self, expression: Expression) -> int:
        """The number of an expression, made when it is first seen."""
        found = self._numbers.get(expression)
        if found is None:
            found = self._numbers[expression] = self._make(expression)
        return found

    def _make(self, expression: Expression) -> int:
        if isinstance(expression, Const):
            return self.expressions.constant(_word(expression.value))
        if isinstance(expression, Var):
            return self.expressions.variable()
        if isinstance(expression, Op):
            return self.expressions.operation(
                _OPERATORS[expression.name], [self.number(part) for part in expression.args]
            )
        if isinstance(expression, Text | Element):
            raise IllegalMoveError("an argument is not understood")
        return self._sum(expression.constant, expression.terms)

    def _sum(self, constant: int, terms: tuple[tuple[Expression, int], ...]) -> int:
        parts, factors = [self.number(atom) for atom, _ in terms], [_word(factor) for _, factor in terms]
        return self.expressions.sum(_word(constant), parts, factors)

    def _address(self, element: Element) -> int:
        found = self._numbers.get(element)
        if found is None:
            number, array = self._arrays[element.array]
            count = len(element.indices)
            if count != len(array.extents) and count != 1:
                raise IllegalMoveError(f"'{element.array}' is indexed in an unusual way")
            constant, terms, step = number << ARRAY_SHIFT, (), array.element_bytes
            parts: tuple[tuple[Expression, int], ...] = terms
            for position in reversed(range(count)):
                more, inner = split_sum(element.indices[position])
                constant += more * step
                parts += tuple((atom, factor * step) for atom, factor in inner)
                step *= array.extents[position]
            found = self._numbers[element] = self._sum(constant, parts)
        return found


def _word(value: int) -> int:
    if not -(1 << 63) <= value < 1 << 63:
        raise IllegalMoveError(f"the number {value} is too large")
    return value


_translators: dict[tuple[tuple[str, ArrayType], ...], _Translator] = {}


def program(kernel: Kernel, configuration: Configuration) -> Program:
    """Translate a kernel. Raises IllegalMoveError if something in it is not understood."""
    key = tuple(kernel.arrays.items())
    translator = _translators.get(key)
    if translator is None or translator.full:
        if len(_translators) > 8:
            _translators.clear()
        translator = _translators[key] = _Translator(key)
    if kernel.locals:
        raise IllegalMoveError("arrays of the kernel's own are not followed")
    tokens: list[int] = []
    scales = configuration.scales
    settings = {
        command: (number, state.stride, state.block_stride, scales.index(state.scale))
        for command, (number, state) in configuration.settings.items()
    }
    statements = translator.body(kernel.body, tokens, settings)
    return Program(translator.expressions, tokens, statements)


def is_data(command: Command) -> bool:
    """True for the commands that move or use data."""
    return command.name in KINDS
