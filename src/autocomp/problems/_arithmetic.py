"""Sizes written with dimension names and simple arithmetic, such as ``"2 * M + 1"``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
_MAX_BITS = 63
_MAX_CHARACTERS = 200


class ArithmeticProblem(ValueError):  # noqa: N818 - it is a finding about a text, and is always translated
    """The text is not a size; the message says why."""


def size(expression: object, dimensions: Mapping[str, int]) -> int:
    """Value of ``expression``: a whole number, or a text with dimension names, whole numbers and ``+ - * // ( )``.

    Raises ArithmeticProblem for anything else, for unknown names and for values that do not fit 63 bits.
    """
    if isinstance(expression, bool) or not isinstance(expression, int | str):
        raise ArithmeticProblem(f'{expression!r} is neither a whole number nor a text such as "M * N"')
    if isinstance(expression, int):
        return _bounded(expression)
    if len(expression) > _MAX_CHARACTERS:
        raise ArithmeticProblem(f"it is longer than {_MAX_CHARACTERS} characters")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError) as error:
        raise ArithmeticProblem(f"{expression!r} is not arithmetic with + - * // ( )") from error
    return _value(tree.body, dimensions)


def _value(node: ast.expr, dimensions: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return _bounded(number)
        case ast.Name(id=name):
            if name not in dimensions:
                known = ", ".join(dimensions) or "none"
                raise ArithmeticProblem(f"{name!r} is not a dimension (dimensions: {known})")
            return dimensions[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            first, second = _value(left, dimensions), _value(right, dimensions)
            if isinstance(op, ast.FloorDiv) and second == 0:
                raise ArithmeticProblem("it divides by zero")
            return _bounded(_OPERATORS[type(op)](first, second))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, dimensions)
        case _:
            raise ArithmeticProblem(f"{ast.unparse(node)!r} is not a name, a whole number or one of + - * // ( )")


def _bounded(value: int) -> int:
    if abs(value).bit_length() > _MAX_BITS:
        raise ArithmeticProblem(f"{value} does not fit {_MAX_BITS} bits")
    return value
