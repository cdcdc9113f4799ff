"""What can be told of a procedure in Exo's loop language once its sizes are fixed: values, assertions, work.

Control in Exo never depends on data, so all of it is exact. Nodes are told apart by the names of their classes, which
keeps this module free of Exo itself.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Environment = Mapping[Any, Any]
"""Values of sizes, indices and conditions by Exo's symbols; distances of elements by pairs of symbol and dimension."""

_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "==": operator.eq,
    "and": lambda left, right: left and right, "or": lambda left, right: left or right,
}  # fmt: skip


class Unknown(Exception):  # noqa: N818 - a finding that callers handle
    """The value depends on something that is not fixed: a field of a configuration, or the stride of a window."""


def kind(node: Any) -> str:
    """Name of the node's class."""
    return type(node).__name__


def value(node: Any, known: Environment) -> Any:
    """The number or truth value of an expression without data. Raises Unknown."""
    match kind(node):
        case "Const":
            return node.val
        case "Read" if not node.idx and node.name in known:
            return known[node.name]
        case "StrideExpr" if (node.name, node.dim) in known:
            return known[node.name, node.dim]
        case "USub":
            return -value(node.arg, known)
        case "BinOp":
            return _OPERATORS[node.op](value(node.lhs, known), value(node.rhs, known))
        case _:
            raise Unknown(str(node))


def fixed(assertions: Iterable[Any]) -> dict[Any, Any]:
    """What assertions of the form ``N == 16`` fix, by symbol."""
    found: dict[Any, Any] = {}
    for assertion in assertions:
        if kind(assertion) != "BinOp" or assertion.op != "==":
            continue
        for one, other in ((assertion.lhs, assertion.rhs), (assertion.rhs, assertion.lhs)):
            if kind(one) == "Read" and not one.idx and kind(other) == "Const":
                found.setdefault(one.name, other.val)
    return found


@dataclass(frozen=True)
class Work:
    """How often numbers were added and multiplied."""

    additions: int = 0
    multiplications: int = 0

    def __add__(self, other: Work) -> Work:
        """Both after each other."""
        return Work(self.additions + other.additions, self.multiplications + other.multiplications)

    def __mul__(self, times: int) -> Work:
        """The same, again and again."""
        return Work(self.additions * times, self.multiplications * times)

    @property
    def operations(self) -> int:
        """Multiply-accumulates: one for every addition; if nothing is added up, for every multiplication; at least 1.

        An addition takes the product in front of it along, and a product that is not added to anything (a scale of the
        outputs) is no work of a machine that adds up products.
        """
        return self.additions or self.multiplications or 1


def work(statements: Iterable[Any], known: Environment) -> Work:
    """What executing ``statements`` takes; of an ``if`` whose condition is unknown, the longer branch."""
    total = Work()
    for statement in statements:
        match kind(statement):
            case "Assign":
                total += _arithmetic(statement.rhs)
            case "Reduce":
                total += _arithmetic(statement.rhs) + Work(additions=1)
            case "For":
                total += _loop(statement, known)
            case "If":
                total += _branch(statement, known)
            case "Call":
                total += _call(statement, known)
            case _:
                pass
    return total


def _arithmetic(node: Any) -> Work:
    """Operations on numbers in an expression; those on indices do not count."""
    match kind(node):
        case "BinOp":
            inner = _arithmetic(node.lhs) + _arithmetic(node.rhs)
            return inner + (Work(1) if node.op in "+-" else Work(0, 1))
        case "USub":
            return _arithmetic(node.arg)
        case "Extern":
            return _all(_arithmetic(argument) for argument in node.args)
        case _:
            return Work()


def _all(parts: Iterable[Work]) -> Work:
    return functools.reduce(operator.add, parts, Work())


def _loop(statement: Any, known: Environment) -> Work:
    low: int = value(statement.lo, known)
    high: int = value(statement.hi, known)
    if high <= low:
        return Work()
    if not _controls(statement.body, statement.iter):
        return work(statement.body, {**known, statement.iter: low}) * (high - low)
    return _all(work(statement.body, {**known, statement.iter: index}) for index in range(low, high))


def _branch(statement: Any, known: Environment) -> Work:
    try:
        return work(statement.body if value(statement.cond, known) else statement.orelse, known)
    except Unknown:
        branches = (work(statement.body, known), work(statement.orelse, known))
        return max(branches, key=lambda branch: (branch.additions, branch.multiplications))


def _call(statement: Any, known: Environment) -> Work:
    inner = {}
    for parameter, argument in zip(statement.f.args, statement.args, strict=True):
        try:
            inner[parameter.name] = value(argument, known)
        except Unknown:
            continue  # data, or not needed to count
    return work(statement.f.body, inner)


def _controls(statements: Iterable[Any], symbol: Any) -> bool:
    """True if what ``statements`` do depends on the value of an index, apart from the data they do it to."""
    for statement in statements:
        match kind(statement):
            case "For":
                if _mentions(statement.lo, symbol) or _mentions(statement.hi, symbol):
                    return True
                if _controls(statement.body, symbol):
                    return True
            case "If":
                if _mentions(statement.cond, symbol):
                    return True
                if _controls(statement.body, symbol) or _controls(statement.orelse, symbol):
                    return True
            case "Call":
                if any(_mentions(argument, symbol) for argument in statement.args):
                    return True
            case _:
                pass
    return False


def _mentions(node: Any, symbol: Any) -> bool:
    match kind(node):
        case "Read":
            return bool(node.name == symbol)
        case "USub":
            return _mentions(node.arg, symbol)
        case "BinOp":
            return _mentions(node.lhs, symbol) or _mentions(node.rhs, symbol)
        case _:
            return False  # windows: which data


def instructions(statements: Iterable[Any]) -> dict[str, str]:
    """The instructions that ``statements`` use, also in the procedures that they call: their C by their names."""
    found: dict[str, str] = {}
    for statement in statements:
        match kind(statement):
            case "For":
                found |= instructions(statement.body)
            case "If":
                found |= instructions(statement.body) | instructions(statement.orelse)
            case "Call" if statement.f.instr is not None:
                found[str(statement.f.name)] = str(statement.f.instr.c_instr)
            case "Call":
                found |= instructions(statement.f.body)
            case _:
                pass
    return dict(sorted(found.items()))


def written(statements: Iterable[Any]) -> set[Any]:
    """Symbols of the data that ``statements`` write, through windows and calls as well."""
    found: set[Any] = set()
    sources: dict[Any, Any] = {}
    _collect(statements, found, sources)
    for name in list(found):
        while name in sources:
            name = sources[name]  # noqa: PLW2901 - on to what it is a window of
            found.add(name)
    return found


def _collect(statements: Iterable[Any], found: set[Any], sources: dict[Any, Any]) -> None:
    for statement in statements:
        match kind(statement):
            case "Assign" | "Reduce":
                found.add(statement.name)
            case "WindowStmt":
                sources[statement.name] = statement.rhs.name
            case "For":
                _collect(statement.body, found, sources)
            case "If":
                _collect(statement.body, found, sources)
                _collect(statement.orelse, found, sources)
            case "Call":
                inner = written(statement.f.body)
                found |= {
                    argument.name
                    for parameter, argument in zip(statement.f.args, statement.args, strict=True)
                    if parameter.name in inner and hasattr(argument, "name")
                }
            case _:
                pass
