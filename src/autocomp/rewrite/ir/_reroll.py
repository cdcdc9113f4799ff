"""Find straight-line repetition and put it back into a loop."""

from __future__ import annotations

from autocomp.rewrite.ir._expression import Const, Element, Expression, Op, Sum, Var, add, make_sum, scale, split_sum
from autocomp.rewrite.ir._transform import replace_variable
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, Opaque, Statement, free_name


class _DifferentError(Exception):
    """Two statements have different shapes."""


def _slope(one: Expression, two: Expression) -> Expression:
    """``one`` + variable * (constant difference to ``two``), the variable called ``?``."""
    if one == two:
        return one
    if isinstance(one, Element) and isinstance(two, Element):
        if one.array != two.array or len(one.indices) != len(two.indices):
            raise _DifferentError
        return Element(one.array, tuple(_slope(a, b) for a, b in zip(one.indices, two.indices, strict=True)))
    if isinstance(one, Const | Sum) or isinstance(two, Const | Sum):
        constant, terms = split_sum(one)
        other, other_terms = split_sum(two)
        if terms == other_terms:
            return add(one, scale(Var("?"), other - constant))
        if len(terms) == len(other_terms) and constant == other:
            parts = [(_slope(a, b), c) for (a, c), (b, d) in zip(terms, other_terms, strict=True) if c == d]
            if len(parts) == len(terms):
                return make_sum(constant, tuple(parts))
    if isinstance(one, Op) and isinstance(two, Op) and one.name == two.name and len(one.args) == len(two.args):
        return Op(one.name, tuple(_slope(a, b) for a, b in zip(one.args, two.args, strict=True)))
    raise _DifferentError


def _template(one: Statement, two: Statement) -> Statement:
    """A statement with the variable ``?`` that gives ``one`` at 0 and ``two`` at 1."""
    if isinstance(one, Command) and isinstance(two, Command) and one.name == two.name:
        return Command(one.name, tuple(_slope(a, b) for a, b in zip(one.args, two.args, strict=True)))
    if isinstance(one, Loop) and isinstance(two, Loop) and one.count == two.count and len(one.body) == len(two.body):
        renamed = _rename(two.body, two.var, Var(one.var))
        return Loop(one.var, one.count, tuple(_template(a, b) for a, b in zip(one.body, renamed, strict=True)))
    if isinstance(one, If) and isinstance(two, If):
        if len(one.then) != len(two.then) or len(one.orelse) != len(two.orelse):
            raise _DifferentError
        return If(
            _slope(one.condition, two.condition),
            tuple(_template(a, b) for a, b in zip(one.then, two.then, strict=True)),
            tuple(_template(a, b) for a, b in zip(one.orelse, two.orelse, strict=True)),
        )
    raise _DifferentError


def _rename(body: Body, var: str, value: Expression) -> Body:
    return replace_variable(body, var, value)


def _instance(template: Body, turn: int) -> Body:
    return _rename(template, "?", Const(turn))


def reroll(body: Body, names: set[str]) -> Body:
    """Turn the longest repetitions of straight-line statements into loops, innermost bodies first."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            result.append(Loop(statement.var, statement.count, reroll(statement.body, names)))
        elif isinstance(statement, If):
            result.append(If(statement.condition, reroll(statement.then, names), reroll(statement.orelse, names)))
        else:
            result.append(statement)
    changed = True
    while changed:
        changed = False
        start = 0
        while start < len(result):
            found = _repetition(result, start)
            if found:
                template, period, turns = found
                name = free_name(names, "u")
                names.add(name)
                inside = reroll(_rename(template, "?", Var(name)), names)
                result[start : start + period * turns] = [Loop(name, turns, inside)]
                changed = True
            start += 1
    return tuple(result)


def _repetition(items: list[Statement], start: int) -> tuple[Body, int, int] | None:
    """Template, period and number of turns of the best repetition that begins here."""
    best: tuple[Body, int, int] | None = None
    for period in range(1, min(32, (len(items) - start) // 2) + 1):
        block = items[start : start + period]
        if any(isinstance(item, Opaque) or (isinstance(item, Command) and not item.args) for item in block):
            break
        if any(isinstance(item, Command) and "config" in item.name for item in block):
            break
        try:
            template = tuple(
                _template(a, b) for a, b in zip(block, items[start + period : start + 2 * period], strict=True)
            )
        except _DifferentError:
            continue
        turns = 2
        while _same(items[start + turns * period : start + (turns + 1) * period], _instance(template, turns)):
            turns += 1
        if best is None or period * turns > best[1] * best[2]:
            best = (template, period, turns)
    return best


def _same(items: list[Statement], wanted: Body) -> bool:
    if len(items) != len(wanted):
        return False
    return all(_equal(a, b) for a, b in zip(items, wanted, strict=True))


def _equal(one: Statement, two: Statement) -> bool:
    if isinstance(one, Loop) and isinstance(two, Loop):
        return one.count == two.count and _same(list(_rename(one.body, one.var, Var(two.var))), two.body)
    return one == two
