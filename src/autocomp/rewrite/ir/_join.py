"""Put the remainder that stands behind a loop back into it: one more turn, whose sizes differ."""

from __future__ import annotations

from autocomp.rewrite.ir._expression import Const, Expression, Op, Var, variables
from autocomp.rewrite.ir._simplify import rebuild
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, Statement, rename_loops, substitute_names


class _DifferentError(Exception):
    """Two statements have different shapes."""


def join_remainders(body: Body) -> Body:
    """Every loop that is followed by what would be its next turn, but for sizes, takes it in."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            result.append(Loop(statement.var, statement.count, join_remainders(statement.body)))
        elif isinstance(statement, If):
            result.append(If(statement.condition, join_remainders(statement.then), join_remainders(statement.orelse)))
        else:
            result.append(statement)
    index = 0
    while index < len(result):
        loop = result[index]
        rest = tuple(result[index + 1 : index + 1 + len(loop.body)]) if isinstance(loop, Loop) else ()
        if isinstance(loop, Loop) and rest and len(rest) == len(loop.body):
            try:
                inside = tuple(_merged(a, b, loop) for a, b in zip(loop.body, rest, strict=True))
            except _DifferentError:
                index += 1
                continue
            result[index : index + 1 + len(rest)] = [Loop(loop.var, loop.count + 1, inside)]
            continue
        index += 1
    return tuple(result)


def _merged(one: Statement, two: Statement, loop: Loop) -> Statement:
    """A statement that is ``one`` on the turns of the loop and ``two`` on the turn after them."""
    if isinstance(one, Command) and isinstance(two, Command) and one.name == two.name:
        if not one.args or len(one.args) != len(two.args):
            raise _DifferentError
        return Command(one.name, tuple(_either(a, b, loop) for a, b in zip(one.args, two.args, strict=True)))
    if isinstance(one, Loop) and isinstance(two, Loop) and one.count == two.count and len(one.body) == len(two.body):
        renamed = substitute_names(rename_loops(two.body, {one.var, loop.var}), {two.var: one.var})
        return Loop(one.var, one.count, tuple(_merged(a, b, loop) for a, b in zip(one.body, renamed, strict=True)))
    if isinstance(one, If) and isinstance(two, If):
        if _at_end(one.condition, loop) != two.condition:
            raise _DifferentError
        if len(one.then) != len(two.then) or len(one.orelse) != len(two.orelse):
            raise _DifferentError
        return If(
            one.condition,
            tuple(_merged(a, b, loop) for a, b in zip(one.then, two.then, strict=True)),
            tuple(_merged(a, b, loop) for a, b in zip(one.orelse, two.orelse, strict=True)),
        )
    raise _DifferentError


def _at_end(expression: Expression, loop: Loop) -> Expression:
    return rebuild(expression, {}, {loop.var: Const(loop.count)})


def _either(one: Expression, two: Expression, loop: Loop) -> Expression:
    if _at_end(one, loop) == two:
        return one
    if variables(one) or variables(two):
        raise _DifferentError
    return Op("?:", (Op("<", (Var(loop.var), Const(loop.count))), one, two))
