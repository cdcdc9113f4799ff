"""Changes of loop structure that need no knowledge of the commands inside. None of them checks data flow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.ir._expression import Const, Expression, Op, Range, Var, add, scale, variables
from autocomp.rewrite.ir._simplify import apply, rebuild
from autocomp.rewrite.ir._tree import (
    Body,
    Command,
    If,
    Loop,
    Opaque,
    Path,
    Statement,
    branches,
    edit,
    free_name,
    loop_names,
    rename_loops,
    substitute,
    substitute_names,
    uses,
    walk,
    with_branches,
)


def used_names(body: Body) -> set[str]:
    """Names of all loop variables."""
    return set(loop_names(body))


def find_loop(body: Body, var: str) -> tuple[Path, Loop, tuple[Loop, ...]]:
    """Path, loop and enclosing loops of the loop over ``var``. Raises IllegalMoveError if there is none."""
    for site in walk(body):
        if isinstance(site.statement, Loop) and site.statement.var == var:
            return site.path, site.statement, site.loops
    raise IllegalMoveError(f"there is no loop over '{var}'")


def has_command(body: Body, test: Callable[[Command], bool]) -> bool:
    """True if some command inside passes the test."""
    for statement in body:
        if isinstance(statement, Command):
            if test(statement):
                return True
        elif isinstance(statement, Loop):
            if has_command(statement.body, test):
                return True
        elif isinstance(statement, If) and (has_command(statement.then, test) or has_command(statement.orelse, test)):
            return True
    return False


def project(body: Body, keep: Callable[[Command], bool]) -> Body:
    """Only the commands that pass the test, with the loops and conditions around them."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Command):
            if keep(statement):
                result.append(statement)
        elif isinstance(statement, Loop | If):
            result.extend(with_branches(statement, [project((child,), keep) for child in branches(statement)]))
    return tuple(result)


def without(body: Body, drop: Callable[[Command], bool]) -> Body:
    """All but the commands that pass the test; loops and conditions left empty vanish."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Command):
            if not drop(statement):
                result.append(statement)
        elif isinstance(statement, Loop | If):
            result.extend(with_branches(statement, [without((child,), drop) for child in branches(statement)]))
        else:
            result.append(statement)
    return tuple(result)


def split_loop(body: Body, var: str, factor: int, name: str = "") -> tuple[Body, str, str]:
    """``for v < n`` becomes ``for vo < ceil(n/f)`` around ``for vi < f``; a guard covers a remainder."""
    path, loop, _ = find_loop(body, var)
    if not 1 < factor < loop.count:
        raise IllegalMoveError(f"loop '{var}' of {loop.count} turns cannot be split by {factor}")
    names = used_names(body)
    inner = free_name(names, name or var)
    count = -(-loop.count // factor)
    ranges = {var: Range(0, count - 1), inner: Range(0, factor - 1)}
    value = add(scale(Var(var), factor), Var(inner))
    inside = substitute(loop.body, {var: value}, ranges)
    if loop.count % factor:
        inside = (If(Op("<", (value, Const(loop.count))), inside),)
    return edit(body, {path: (Loop(var, count, (Loop(inner, factor, inside),)),)}), var, inner


def sink_loop(body: Body, var: str, count: int, guard: Expression | None, names: set[str]) -> Body:
    """Run ``body`` for all values of ``var``, with the loop as far inside as it goes.

    Statements that do not use the variable run once; runs of commands that do get a loop of their own.
    """
    result: list[Statement] = []
    run: list[Statement] = []

    def close() -> None:
        if run:
            fresh = free_name(names, var)
            names.add(fresh)
            inside = substitute_names(tuple(run), {var: fresh})
            if guard is not None:
                inside = (If(rebuild(guard, {}, {var: Var(fresh)}), inside),)
            result.append(Loop(fresh, count, inside))
            run.clear()

    for statement in body:
        if isinstance(statement, Command) and uses((statement,), var):
            run.append(statement)
            continue
        if isinstance(statement, If) and var in variables(statement.condition):
            run.append(statement)
            continue
        if isinstance(statement, If) and run and not has_loop((statement,)) and uses((statement,), var):
            run.append(statement)
            continue
        close()
        if isinstance(statement, Loop) and uses(statement.body, var):
            result.append(Loop(statement.var, statement.count, sink_loop(statement.body, var, count, guard, names)))
        elif isinstance(statement, If) and uses((statement,), var):
            result.append(
                If(
                    statement.condition,
                    sink_loop(statement.then, var, count, guard, names),
                    sink_loop(statement.orelse, var, count, guard, names),
                )
            )
        elif isinstance(statement, Opaque):
            raise IllegalMoveError("a statement that is not understood stands in the way")
        else:
            result.append(statement)
    close()
    return tuple(result)


def has_loop(body: Body) -> bool:
    """True if there is a loop anywhere inside."""
    return any(isinstance(item, Loop) or (isinstance(item, If) and has_loop(item.then + item.orelse)) for item in body)


def interchange(body: Body, var: str) -> Body:
    """Swap a loop with the loop that is all of its body."""
    path, loop, _ = find_loop(body, var)
    if len(loop.body) != 1 or not isinstance(loop.body[0], Loop):
        raise IllegalMoveError(f"loop '{var}' holds more than one loop")
    inner = loop.body[0]
    return edit(body, {path: (Loop(inner.var, inner.count, (Loop(loop.var, loop.count, inner.body),)),)})


def hoist_loop(body: Body, var: str, above: str) -> Body:
    """Move a loop out until it is directly around the loop over ``above``; all between must be perfectly nested."""
    while True:
        _, _, loops = find_loop(body, var)
        if not loops:
            raise IllegalMoveError(f"loop '{var}' is not inside loop '{above}'")
        body = interchange(body, loops[-1].var)
        if loops[-1].var == above:
            return body


def unroll(body: Body, var: str) -> Body:
    """One copy of the body per turn."""
    path, loop, loops = find_loop(body, var)
    ranges = {outer.var: Range(0, outer.count - 1) for outer in loops}
    names = used_names(body)
    copies: list[Statement] = []
    for turn in range(loop.count):
        copy = substitute(loop.body, {var: Const(turn)}, ranges)
        copies.extend(copy if turn == 0 else rename_loops(copy, names))
    return edit(body, {path: tuple(copies)})


def size(body: Body) -> int:
    """Number of commands in the text."""
    total = 0
    for statement in body:
        if isinstance(statement, Command):
            total += 1
        elif isinstance(statement, Loop | If):
            total += size(branches(statement))
    return total


class Nest(NamedTuple):
    """A chain of loops, each the only one in the body of the one before that leads further in."""

    path: Path
    loops: tuple[Loop, ...]


def flatten(nest: Nest, names: set[str]) -> Loop:
    """One loop over all turns of a chain; what stood before or after an inner loop runs on its first or last turn.

    The loop variables become digits of the new one: quotients and remainders of it.
    """
    name = free_name(names, "t")
    total = 1
    for loop in nest.loops:
        total *= loop.count
    ranges = {name: Range(0, total - 1)}
    digits: dict[str, Expression] = {}
    unit = total
    conditions: list[tuple[Expression, Expression]] = []
    for loop in nest.loops:
        unit //= loop.count
        quotient = apply("/", (Var(name), Const(unit)), ranges)
        digits[loop.var] = apply("%", (quotient, Const(loop.count)), ranges)
        below = apply("%", (Var(name), Const(unit)), ranges)
        first, last = (apply("==", (below, Const(value)), ranges) for value in (0, unit - 1))
        conditions.append((first, last))

    def level(index: int) -> Body:
        loop = nest.loops[index]
        if index == len(nest.loops) - 1:
            return loop.body
        child = nest.loops[index + 1]
        position = next(i for i, item in enumerate(loop.body) if isinstance(item, Loop) and item.var == child.var)
        first, last = conditions[index]
        before, after = loop.body[:position], loop.body[position + 1 :]
        return (
            *((If(first, before),) if before else ()),
            *level(index + 1),
            *((If(last, after),) if after else ()),
        )

    return Loop(name, total, substitute(level(0), digits, ranges))


def distribute(statement: Statement, index: Expression, count: int, ranges: Mapping[str, Range]) -> Body:
    """Spread the turns of a loop: what to run when ``index`` (0 to ``count`` - 1) has its present value.

    A loop hands out its turns evenly; anything else runs when the index is 0.
    """
    if isinstance(statement, If) and not statement.orelse and len(statement.then) == 1:
        inner = distribute(statement.then[0], index, count, ranges)
        return (If(statement.condition, inner),)
    if not isinstance(statement, Loop):
        return (If(apply("==", (index, Const(0)), ranges), (statement,)),)
    turns = count // statement.count
    if turns > 1 and (len(statement.body) > 1 or isinstance(statement.body[0], Loop)):
        # There is time for several steps per turn: the body is handed out as well.
        value = apply("/", (index, Const(turns)), ranges)
        step = apply("%", (index, Const(turns)), ranges)
        inside = replace_variable(statement.body, statement.var, value)
        parts = distribute_all(inside, step, turns, ranges)
        guard = apply("<", (index, Const(turns * statement.count)), ranges)
        return parts if guard == Const(1) else (If(guard, parts),)
    per = -(-statement.count // count)
    result: list[Statement] = []
    for part in range(per):
        value = add(scale(index, per), Const(part))
        guard = apply("<", (value, Const(statement.count)), ranges)
        copy = replace_variable(statement.body, statement.var, value)
        result.extend(copy if guard == Const(1) else (If(guard, copy),))
    return tuple(result)


def distribute_all(body: Body, index: Expression, count: int, ranges: Mapping[str, Range]) -> Body:
    """Spread several statements over the steps of ``index``: loops their turns, commands one after the other."""
    result: list[Statement] = []
    single = [number for number, statement in enumerate(body) if not _has_turns(statement)]
    for number, statement in enumerate(body):
        if number in single and len(single) > 1:
            step = single.index(number) * count // len(single)
            result.append(If(apply("==", (index, Const(step)), ranges), (statement,)))
        else:
            result.extend(distribute(statement, index, count, ranges))
    return tuple(result)


def _has_turns(statement: Statement) -> bool:
    if isinstance(statement, If):
        return has_loop(statement.then + statement.orelse)
    return isinstance(statement, Loop)


def place(body: Body, insertion: Body, position: str) -> Body:
    """Put statements before, in the middle of or after a body; the middle of a single loop is its middle turn."""
    if not insertion:
        return body
    if position == "front":
        return (*insertion, *body)
    if position == "back":
        return (*body, *insertion)
    if len(body) == 1 and isinstance(body[0], Loop):
        loop = body[0]
        if size(insertion) > _BURST:
            return (Loop(loop.var, loop.count, (*stagger(insertion, loop), *loop.body)),)
        turn = Op("==", (Var(loop.var), Const(loop.count // 2)))
        return (Loop(loop.var, loop.count, (If(turn, insertion), *loop.body)),)
    half = len(body) // 2
    half -= half % 2
    return (*body[:half], *insertion, *body[half:])


_BURST = 3
"""Commands that may stand together in the middle of a loop; more are shared out over its turns."""


def stagger(body: Body, loop: Loop) -> Body:
    """The statements shared out over the turns of a loop, single commands about its middle."""
    result: list[Statement] = []
    run: list[Statement] = []

    def close() -> None:
        for number, statement in enumerate(run):
            turn = (2 * number + 1) * loop.count // (2 * len(run))
            result.append(If(Op("==", (Var(loop.var), Const(turn))), (statement,)))
        run.clear()

    for statement in body:
        if isinstance(statement, If) and not statement.orelse:
            close()
            result.append(If(statement.condition, stagger(statement.then, loop)))
        else:
            run.append(statement)
    close()
    return tuple(result)


def replace_variable(body: Body, var: str, value: Expression) -> Body:
    """Replace a free variable, folding nothing but what needs no ranges."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            result.append(Loop(statement.var, statement.count, replace_variable(statement.body, var, value)))
        elif isinstance(statement, If):
            result.append(
                If(
                    rebuild(statement.condition, {}, {var: value}),
                    replace_variable(statement.then, var, value),
                    replace_variable(statement.orelse, var, value),
                )
            )
        elif isinstance(statement, Command):
            result.append(Command(statement.name, tuple(rebuild(arg, {}, {var: value}) for arg in statement.args)))
        else:
            result.append(statement)
    return tuple(result)
