"""Take loads that are the same in every turn out of a loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import LOADS
from autocomp.rewrite.gemmini._move import Parameters, Proposal, text
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._move import Move
from autocomp.rewrite.ir._transform import find_loop
from autocomp.rewrite.ir._tree import Body, Command, Kernel, Loop, Statement, edit, free, walk


def _commands(statement: Statement) -> Iterator[Command]:
    if isinstance(statement, Command):
        yield statement
    elif isinstance(statement, Loop):
        for item in statement.body:
            yield from _commands(item)


def _invariant(loop: Loop) -> list[int]:
    """Positions of statements in a loop that only load, and always the same."""
    found = []
    for position, statement in enumerate(loop.body):
        commands = list(_commands(statement))
        if commands and all(command.name in LOADS for command in commands) and loop.var not in free(statement):
            found.append(position)
    return found


def _hoisted(loop: Loop, positions: Sequence[int]) -> Body:
    """The loop without these loads, and in front of it the loads, each with the configuration it had."""
    front: list[Statement] = []
    for position in positions:
        for earlier in loop.body[:position]:
            if isinstance(earlier, Command) and "config" in earlier.name:
                front.append(earlier)
        front.append(loop.body[position])
    inside = tuple(item for position, item in enumerate(loop.body) if position not in positions)
    return (*front, Loop(loop.var, loop.count, inside))


def _proposals(computation: Computation) -> Iterable[Proposal]:
    for site in walk(computation.kernel.body):
        if isinstance(site.statement, Loop) and _invariant(site.statement):
            var = site.statement.var
            yield Proposal(
                "hoist_loads", {"loop": var}, f"Load before the loop over {var} what does not change in it.", 2.0
            )


def _apply(computation: Computation, parameters: Parameters) -> Kernel:
    body = computation.kernel.body
    path, loop, _ = find_loop(body, text(parameters, "loop"))
    chosen: list[int] = []

    def attempt(group: Sequence[int]) -> None:
        if not group:
            return
        if computation.same(edit(body, {path: _hoisted(loop, sorted([*chosen, *group]))})):
            chosen.extend(group)
        elif len(group) > 1:
            attempt(group[: len(group) // 2])
            attempt(group[len(group) // 2 :])

    attempt(_invariant(loop))
    if not chosen:
        raise IllegalMoveError("no load can leave the loop")
    return computation.kernel.with_body(edit(body, {path: _hoisted(loop, sorted(chosen))}))


MOVE = Move("hoist_loads", _proposals, _apply)
