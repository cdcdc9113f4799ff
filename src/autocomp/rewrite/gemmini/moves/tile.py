"""Work on several tiles at once: split a loop and move its inner part to the innermost position."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, Buffer, row_of
from autocomp.rewrite.gemmini._commands import COMPUTES, LOADS
from autocomp.rewrite.gemmini._layout import Digit, Spread, spread
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, finish, integer, text
from autocomp.rewrite.gemmini.moves.late import early_arrays, load_on_use
from autocomp.rewrite.gemmini.moves.weights import keep_everywhere
from autocomp.rewrite.ir._expression import Op, Var, coefficient_of, split_sum, variables
from autocomp.rewrite.ir._reroll import reroll
from autocomp.rewrite.ir._transform import find_loop, has_command, interchange, sink_loop, split_loop, used_names
from autocomp.rewrite.ir._tree import Body, Command, If, Loop, edit, substitute, walk

FACTORS = (4, 2, 7, 8, 5, 3, 6)
PREFERRED = (4, 2)
"""Blocks of two or four row tiles are enough to hide loads and leave room for a second block."""


def _repeats(body: Body) -> bool:
    """True if pairs of commands follow one another in the text, as after unrolling."""
    for statement in body:
        if isinstance(statement, Loop) and (_pairs(statement.body) > 1 or _repeats(statement.body)):
            return True
        if isinstance(statement, If) and _repeats(statement.then):
            return True
    return False


def _pairs(body: Body) -> int:
    """Statements that compute."""
    return sum(isinstance(item, Command) and item.name in COMPUTES for item in body) + sum(
        isinstance(item, Loop) and has_command(item.body, lambda c: c.name in COMPUTES) for item in body
    )


def _rerolled(analysis: Analysis) -> Analysis:
    """The kernel with unrolled code put back into loops and early loads put back to where they are used."""
    if "rerolled" not in analysis.memory:
        body = analysis.kernel.body
        current = analysis
        with contextlib.suppress(IllegalMoveError):
            current = current.of(finish(current, reroll(body, used_names(body))))
        for name in sorted(used_names(current.kernel.body)):
            if _sums_inside(current, name):
                with contextlib.suppress(IllegalMoveError):
                    current = current.of(finish(current, interchange(current.kernel.body, name)))
        for array in early_arrays(current):
            with contextlib.suppress(IllegalMoveError):
                current = current.of(finish(current, load_on_use(current, array)))
        if current is analysis:
            raise IllegalMoveError("nothing is unrolled or loaded early")
        analysis.memory["rerolled"] = current
    found = analysis.memory["rerolled"]
    assert isinstance(found, Analysis)
    return found


def _sums_inside(analysis: Analysis, var: str) -> bool:
    """True if one tile of a loop over tiles is summed up completely before the next: each row of weights waits long."""
    _, loop, _ = find_loop(analysis.kernel.body, var)
    inner = loop.body[0]
    if len(loop.body) > 1 or not isinstance(inner, Loop):
        return False
    for number in analysis.numbers("preload"):
        if inner in analysis.sites[number].loops:
            row = row_of(analysis.command(number).args[1])
            if row is None or not coefficient_of(row, var) or coefficient_of(row, inner.var) != 0:
                return False
    return has_command(inner.body, lambda c: c.name in COMPUTES)


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    repeats = _repeats(analysis.kernel.body) or early_arrays(analysis)
    for site in walk(analysis.kernel.body):
        loop = site.statement
        if not isinstance(loop, Loop) or loop.count < 2:
            continue
        if not has_command(loop.body, lambda c: c.name in COMPUTES):
            continue
        if not has_command(loop.body, lambda c: c.name == "mvout"):
            continue
        stores = [n for n in analysis.numbers("mvout") if loop.var in analysis.array_variables(n)]
        if not stores:
            continue
        for factor in FACTORS:
            if factor > loop.count:
                continue
            rank = 4 + 0.1 * FACTORS.index(factor)
            if loop.count % factor:
                rank += 20
            elif factor not in PREFERRED and any(loop.count % best == 0 for best in PREFERRED):
                rank += 6
            if repeats and factor in PREFERRED:
                yield Proposal(
                    "tile",
                    {"loop": loop.var, "factor": factor, "reroll": 1},
                    f"Put unrolled code and early loads back into the loops and compute {factor} turns of loop "
                    f"'{loop.var}' together, that loop innermost.",
                    rank - 0.05,
                )
            yield Proposal(
                "tile",
                {"loop": loop.var, "factor": factor},
                f"Compute {factor} turns of loop '{loop.var}' together, that loop innermost, so that what does not "
                f"depend on it is loaded once for all.",
                rank,
            )


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    var, factor = text(parameters, "loop"), integer(parameters, "factor")
    if "reroll" in parameters:
        analysis = _rerolled(analysis)
    return keep_everywhere(tiled(analysis, var, factor))


def tiled(analysis: Analysis, var: str, factor: int, name: str = "") -> Body:
    """The body with some turns of a loop run together, innermost; the new loops are called after ``name``."""
    if _used_outside(analysis, var):
        raise IllegalMoveError("data of the loop is also used outside")
    path, loop, _ = find_loop(analysis.kernel.body, var)
    if factor == loop.count:
        # All turns together: a loop of one turn around them keeps the paths alike.
        names = used_names(analysis.kernel.body)
        inner = name or f"{var}x"
        while inner in names:
            inner += "x"
        body = substitute(loop.body, {var: Var(inner)})
        wrapped = Loop(var, 1, (Loop(inner, factor, body),))
        split = edit(analysis.kernel.body, {path: (wrapped,)})
    else:
        split, _, inner = split_loop(analysis.kernel.body, var, factor, name)
    between = analysis.alike(split)
    buffers = [item for buffer in between.buffers if (item := _spread(between, buffer, inner, factor)) is not None]
    body = spread(between, buffers)
    path, loop, loops = find_loop(body, inner)
    inside = loop.body
    guard = None
    if len(inside) == 1 and loop.count == factor and not isinstance(inside[0], Loop):
        condition = getattr(inside[0], "condition", None)
        if isinstance(condition, Op) and condition.name == "<" and inner in variables(condition):
            guard, inside = condition, inside[0].then  # type: ignore[union-attr]
    names = used_names(body) - {inner}
    sunk = sink_loop(inside, inner, factor, guard, names)
    del loops
    return edit(body, {path: sunk})


def _used_outside(analysis: Analysis, var: str) -> bool:
    """What ``_spread`` would find, whatever the factor."""
    known = analysis.memory.setdefault("tile", {})
    assert isinstance(known, dict)
    if var not in known:
        known[var] = any(_check(analysis, buffer, var) == "outside" for buffer in analysis.buffers)
    return bool(known[var])


def _spread(analysis: Analysis, buffer: Buffer, inner: str, factor: int) -> Spread | None:
    """Give each turn of the inner loop its own copy of a buffer whose content depends on it."""
    found = _check(analysis, buffer, inner)
    if found == "alone":
        return None
    if found == "outside":
        raise IllegalMoveError("data of the loop is also used outside")
    # A dependence that is not a plain multiple (such as double buffering) is dropped together with its outer part.
    return Spread(buffer, (Digit(Var(inner), factor),), _nonlinear(analysis, buffer, inner))


def _check(analysis: Analysis, buffer: Buffer, inner: str) -> str:
    """Whether a buffer has to be copied, can stay alone or is used outside of the loop."""
    depends = False
    inside = 0
    for operand in buffer.operands:
        command = analysis.command(operand.statement)
        if any(loop.var == inner for loop in analysis.sites[operand.statement].loops):
            inside += 1
        if command.name == "mvout" or (command.name in LOADS and not buffer.accumulator):
            depends = depends or inner in variables(command.args[0])
    if not depends or not inside:
        return "alone"
    coefficients = set()
    for operand in buffer.operands:
        row = row_of(analysis.command(operand.statement).args[operand.argument])
        if row is not None:
            coefficients.add(coefficient_of(row, inner))
    if len(coefficients) == 1 and coefficients <= {c for c in coefficients if c}:
        return "alone"
    if inside != len(buffer.operands):
        return "outside"
    return "copy"


def _nonlinear(analysis: Analysis, buffer: Buffer, inner: str) -> frozenset[str]:
    found: set[str] = set()
    for operand in buffer.operands:
        row = row_of(analysis.command(operand.statement).args[operand.argument])
        if row is not None and coefficient_of(row, inner) is None:
            for atom, _ in split_sum(row)[1]:
                if inner in variables(atom) and not isinstance(atom, Var):
                    found |= variables(atom)
    return frozenset(found)


MOVE = Move("tile", _enumerate, _apply)
