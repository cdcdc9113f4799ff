"""Statements of a kernel: loops with constant trip counts, conditions, commands, and text that is kept as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from autocomp.rewrite.ir._expression import Const, Expression, Op, Range, Var, children, variables
from autocomp.rewrite.ir._simplify import both, rebuild

ASSIGN = "="
"""Name of the command by which the core writes an array element: ``Command(ASSIGN, (element, value))``.

Values are real numbers in the same normal form as addresses; ``Op("load", (element,))`` is the content of an element.
"""


@dataclass(frozen=True)
class Loop:
    """``for (int var = 0; var < count; var++)``; variable names are unique in a kernel."""

    var: str
    count: int
    body: Body

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Variables that come from outside, sorted."""
        return tuple(sorted({name for item in self.body for name in free(item)} - {self.var}))

    @cached_property
    def _hash(self) -> int:
        return hash((self.var, self.count, self.body))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class If:
    """A condition; ``orelse`` may be empty."""

    condition: Expression
    then: Body
    orelse: Body = ()

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Variables that come from outside, sorted."""
        inside = {name for item in self.then + self.orelse for name in free(item)}
        return tuple(sorted(inside | variables(self.condition)))

    @cached_property
    def _hash(self) -> int:
        return hash((self.condition, self.then, self.orelse))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class Command:
    """A call of the accelerator's (or any other understood) function with evaluated arguments."""

    name: str
    args: tuple[Expression, ...]

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Variables in the arguments, sorted."""
        return tuple(sorted({name for argument in self.args for name in variables(argument)}))

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.args))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class Opaque:
    """Source text that is not understood; nothing moves across it."""

    text: str


Statement = Loop | If | Command | Opaque
Body = tuple[Statement, ...]
Path = tuple[int, ...]
"""Position of a statement: indices from the top; in an If, the branches count on from ``then`` to ``orelse``."""


@dataclass(frozen=True)
class ArrayType:
    """An array argument: size of an element in bytes and the extents known from the declaration."""

    element_bytes: int
    extents: tuple[int, ...]
    """The first extent is 0 if only a pointer was declared."""


@dataclass(frozen=True)
class LocalArray:
    """An array that the function declares itself; numbers that change are arrays of one element."""

    kind: str
    """Name of the type of its elements."""
    static: bool = True
    values: tuple[int, ...] = ()
    """Whole numbers it starts with, in memory order; none if it is not initialised."""


@dataclass(frozen=True)
class Kernel:
    """One function with everything around it."""

    preamble: str
    """Text before the function: includes, declarations, other functions."""
    header: str
    """``void name(parameters)``."""
    arrays: Mapping[str, ArrayType] = field(hash=False)
    body: Body
    dialect: str = "short"
    locals: Mapping[str, LocalArray] = field(default_factory=dict, hash=False)
    """Those of the arrays that are the function's own."""

    def with_body(self, body: Body) -> Kernel:
        """The same function with other statements."""
        return replace(self, body=body)


class Site(NamedTuple):
    """A statement and where it stands."""

    path: Path
    statement: Statement
    loops: tuple[Loop, ...]
    """Enclosing loops, outermost first."""
    guards: tuple[Expression, ...]
    """Conditions that hold here, outermost first."""


def free(statement: Statement) -> tuple[str, ...]:
    """Variables that a statement uses and does not declare."""
    return () if isinstance(statement, Opaque) else statement.free


def branches(statement: Statement) -> Body:
    """Statements directly inside a loop or condition."""
    if isinstance(statement, Loop):
        return statement.body
    if isinstance(statement, If):
        return statement.then + statement.orelse
    return ()


def with_branches(statement: Statement, parts: list[Body]) -> Body:
    """The statement with each statement of ``branches`` replaced by a list; empty ones vanish."""
    if isinstance(statement, Loop):
        body = tuple(item for part in parts for item in part)
        return (Loop(statement.var, statement.count, body),) if body else ()
    if isinstance(statement, If):
        cut = len(statement.then)
        then = tuple(item for part in parts[:cut] for item in part)
        orelse = tuple(item for part in parts[cut:] for item in part)
        if not then and not orelse:
            return ()
        if not then:
            return (If(rebuild(Op("!", (statement.condition,)), {}), orelse),)
        return (If(statement.condition, then, orelse),)
    return (statement,)


def walk(
    body: Body, path: Path = (), loops: tuple[Loop, ...] = (), guards: tuple[Expression, ...] = ()
) -> Iterator[Site]:
    """Every statement in program order, outer ones first."""
    for index, statement in enumerate(body):
        here = (*path, index)
        yield Site(here, statement, loops, guards)
        if isinstance(statement, Loop):
            yield from walk(statement.body, here, (*loops, statement), guards)
        elif isinstance(statement, If):
            cut = len(statement.then)
            yield from walk(statement.then, here, loops, (*guards, statement.condition))
            if not statement.orelse:
                continue
            negated = rebuild(Op("!", (statement.condition,)), {})
            for site in walk(statement.orelse, here, loops, (*guards, negated)):
                shifted = (*here, site.path[len(here)] + cut, *site.path[len(here) + 1 :])
                yield site._replace(path=shifted)


def edit(body: Body, changes: Mapping[Path, Body], path: Path = ()) -> Body:
    """Replace the statements at the given paths; the paths must not contain one another."""
    if not changes:
        return body
    result: list[Statement] = []
    touched = {change[len(path)] for change in changes if change[: len(path)] == path and len(change) > len(path)}
    for index, statement in enumerate(body):
        here = (*path, index)
        if here in changes:
            result.extend(changes[here])
        elif index in touched and branches(statement):
            inside = {key: value for key, value in changes.items() if key[: len(here)] == here}
            parts = [
                edit(
                    (child,),
                    {_below(key, here, position): value for key, value in inside.items() if key[len(here)] == position},
                )
                for position, child in enumerate(branches(statement))
            ]
            result.extend(with_branches(statement, parts))
        else:
            result.append(statement)
    return tuple(result)


def _below(key: Path, here: Path, position: int) -> Path:
    del position
    return (0, *key[len(here) + 1 :])


def at(body: Body, path: Path) -> Statement:
    """The statement at a path."""
    statement = body[path[0]]
    for index in path[1:]:
        statement = branches(statement)[index]
    return statement


def rewrite(body: Body, function: Callable[[Command], Body]) -> Body:
    """Every command replaced by what ``function`` makes of it."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Command):
            result.extend(function(statement))
        elif isinstance(statement, Loop | If):
            result.extend(with_branches(statement, [rewrite((child,), function) for child in branches(statement)]))
        else:
            result.append(statement)
    return tuple(result)


def ranges_of(loops: tuple[Loop, ...]) -> dict[str, Range]:
    """Ranges of the loop variables."""
    return {loop.var: Range(0, loop.count - 1) for loop in loops}


_Known = dict[tuple[object, ...], Body]
_substituted: _Known = {}
_REMEMBERED = 1 << 15


def substitute(
    body: Body, replacement: Mapping[str, Expression] | None = None, ranges: Mapping[str, Range] | None = None
) -> Body:
    """Replace loop variables by expressions, fold constants, drop branches never taken and loops of one turn.

    Remembered statement by statement: most of a child is as in its parent.
    """
    replacement, ranges = replacement or {}, ranges or {}
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Opaque):
            result.append(statement)
            continue
        names = statement.free
        key: tuple[object, ...] = (statement, tuple(map(ranges.get, names)))
        if replacement:
            replaced = tuple(map(replacement.get, names))
            others = sorted({other for value in replaced if value is not None for other in variables(value)})
            key = (*key, replaced, tuple((other, ranges.get(other)) for other in others))
        found = _substituted.get(key)
        if found is None:
            if len(_substituted) > _REMEMBERED:
                _substituted.clear()
            found = _substituted[key] = _substitute(statement, replacement, ranges)
        for item in found:
            joined = _joined(result[-1], item) if result else None
            if joined is not None:
                result[-1] = joined
            else:
                result.append(item)
    return tuple(result)


def _joined(one: Statement, two: Statement) -> Statement | None:
    """Two conditions that are the same as one, unless the first branch might change what they depend on."""
    if not isinstance(one, If) or not isinstance(two, If) or one.condition != two.condition:
        return None
    if one.orelse or two.orelse or _reads(one.condition):
        return None
    return If(one.condition, one.then + two.then)


def _reads(expression: Expression) -> bool:
    """True if a value in an array is part of the expression."""
    if isinstance(expression, Op) and expression.name == "load":
        return True
    return any(_reads(part) for part in children(expression))


def _substitute(
    statement: Loop | If | Command, replacement: Mapping[str, Expression], ranges: Mapping[str, Range]
) -> Body:
    if isinstance(statement, Command):
        return (Command(statement.name, tuple(rebuild(arg, ranges, replacement) for arg in statement.args)),)
    if isinstance(statement, Loop):
        if statement.count == 1:
            return substitute(statement.body, {**replacement, statement.var: Const(0)}, ranges)
        inside = substitute(statement.body, replacement, {**ranges, statement.var: Range(0, statement.count - 1)})
        return _loop(statement.var, statement.count, inside, ranges)
    condition = rebuild(statement.condition, ranges, replacement)
    if isinstance(condition, Const):
        return substitute(statement.then if condition.value else statement.orelse, replacement, ranges)
    yes = substitute(statement.then, replacement, _narrow(ranges, condition))
    no = substitute(statement.orelse, replacement, ranges)
    if yes and not no and len(yes) == 1 and isinstance(yes[0], If) and not yes[0].orelse:
        return (If(conjunction((*conjuncts(condition), *conjuncts(yes[0].condition))), yes[0].then),)
    if yes:
        return (If(condition, yes, no),)
    return (If(rebuild(Op("!", (condition,)), ranges), no),) if no else ()


def _loop(var: str, count: int, inside: Body, ranges: Mapping[str, Range]) -> Body:
    """A loop; a condition on all of its body that does not change from turn to turn goes around it."""
    only = inside[0] if len(inside) == 1 else None
    if isinstance(only, If) and not only.orelse:
        outer = tuple(part for part in conjuncts(only.condition) if var not in variables(part))
        inner = tuple(part for part in conjuncts(only.condition) if var in variables(part))
        if outer:
            body = inside if not inner else (If(conjunction(inner), only.then),)
            body = only.then if not inner else body
            return (If(conjunction(outer), _loop(var, count, body, ranges)),)
        chosen = inner[0] if len(inner) == 1 else None
        if isinstance(chosen, Op) and chosen.name == "==" and chosen.args[0] == Var(var):
            value = chosen.args[1]
            if isinstance(value, Const):
                return substitute(only.then, {var: value}, ranges)
    return (Loop(var, count, inside),) if inside else ()


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The parts that a condition joins by ``&&``."""
    if isinstance(condition, Op) and condition.name == "&&":
        return conjuncts(condition.args[0]) + conjuncts(condition.args[1])
    return (condition,)


def conjunction(parts: tuple[Expression, ...]) -> Expression:
    """Parts joined by ``&&``, as the parser reads them: from left to right."""
    result = parts[0]
    for part in parts[1:]:
        result = both(result, part)
    return result


def _narrow(ranges: Mapping[str, Range], condition: Expression) -> Mapping[str, Range]:
    """Use ``var >= c``, ``var > c``, ``var < c`` and ``var == c`` inside the branch they guard."""
    if isinstance(condition, Op) and condition.name == "&&":
        return _narrow(_narrow(ranges, condition.args[0]), condition.args[1])
    if not (isinstance(condition, Op) and len(condition.args) == 2):
        return ranges
    left, right = condition.args
    if not (isinstance(left, Var) and isinstance(right, Const) and left.name in ranges):
        return ranges
    low, high = ranges[left.name]
    value = right.value
    bounds = {
        ">=": (max(low, value), high),
        ">": (max(low, value + 1), high),
        "<": (low, min(high, value - 1)),
        "<=": (low, min(high, value)),
        "==": (value, value),
    }.get(condition.name)
    return {**ranges, left.name: Range(*bounds)} if bounds else ranges


def free_name(used: set[str], wanted: str) -> str:
    """``wanted``, or its stem with the first number behind it that is free."""
    if wanted not in used:
        return wanted
    wanted = wanted.rstrip("0123456789_") or wanted
    number = 1
    while f"{wanted}{number}" in used:
        number += 1
    return f"{wanted}{number}"


def loop_names(body: Body) -> list[str]:
    """The variables of all loops, in program order."""
    names: list[str] = []
    for statement in body:
        if isinstance(statement, Loop):
            names.append(statement.var)
            names.extend(loop_names(statement.body))
        elif isinstance(statement, If):
            names.extend(loop_names(statement.then + statement.orelse))
    return names


def unique_names(body: Body, reserved: frozenset[str] = frozenset()) -> Body:
    """The same statements, every loop variable used by one loop only."""
    names = loop_names(body)
    if len(set(names)) == len(names) and not reserved & set(names):
        return body
    return _unique(body, set(reserved), set(names) | reserved)


def _unique(body: Body, used: set[str], taken: set[str]) -> Body:
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            name, inner = statement.var, statement.body
            if name in used:
                name = free_name(taken, name.rstrip("0123456789") or "x")
                inner = substitute_names(inner, {statement.var: name})
            used.add(name)
            taken.add(name)
            result.append(Loop(name, statement.count, _unique(inner, used, taken)))
        elif isinstance(statement, If):
            then = _unique(statement.then, used, taken)
            result.append(If(statement.condition, then, _unique(statement.orelse, used, taken)))
        else:
            result.append(statement)
    return tuple(result)


def rename_loops(body: Body, used: set[str]) -> Body:
    """The same statements with loop variables that are not in ``used`` (which grows)."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            name = free_name(used, statement.var.rstrip("0123456789") or "x")
            used.add(name)
            inner = rename_loops(statement.body, used)
            result.append(Loop(name, statement.count, substitute_names(inner, {statement.var: name})))
        elif isinstance(statement, If):
            result.append(
                If(statement.condition, rename_loops(statement.then, used), rename_loops(statement.orelse, used))
            )
        else:
            result.append(statement)
    return tuple(result)


def substitute_names(body: Body, names: Mapping[str, str]) -> Body:
    """Replace free variables by other variables, nothing folded."""
    replacement = {old: Var(new) for old, new in names.items()}
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            result.append(Loop(statement.var, statement.count, substitute_names(statement.body, names)))
        elif isinstance(statement, If):
            result.append(
                If(
                    rebuild(statement.condition, {}, replacement),
                    substitute_names(statement.then, names),
                    substitute_names(statement.orelse, names),
                )
            )
        elif isinstance(statement, Command):
            result.append(Command(statement.name, tuple(rebuild(arg, {}, replacement) for arg in statement.args)))
        else:
            result.append(statement)
    return tuple(result)


def uses(body: Body, name: str) -> bool:
    """True if a variable occurs anywhere in the statements."""
    for statement in body:
        if isinstance(statement, Command):
            if any(name in variables(arg) for arg in statement.args):
                return True
        elif isinstance(statement, If):
            if name in variables(statement.condition) or uses(statement.then + statement.orelse, name):
                return True
        elif isinstance(statement, Loop) and uses(statement.body, name):
            return True
    return False
