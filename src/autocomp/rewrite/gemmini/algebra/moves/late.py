"""Load a little before the first use instead of in front of everything."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import LOADS
from autocomp.rewrite.gemmini._move import Parameters, Proposal, integer
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._move import Move
from autocomp.rewrite.ir._tree import Body, Command, Kernel, Loop, Statement

_DISTANCES = (4, 0, 12)


def _is_load(statement: Statement) -> bool:
    return isinstance(statement, Command) and statement.name in LOADS


def _is_place(statement: Statement) -> bool:
    return isinstance(statement, Loop) or (isinstance(statement, Command) and statement.name == "preload")


def _groups(body: Body) -> list[Body]:
    """Loads with the configuration right in front of them, in order."""
    found: list[Body] = []
    for position, statement in enumerate(body):
        if _is_load(statement):
            before = body[position - 1] if position else None
            configured = isinstance(before, Command) and before.name.endswith("config_ld")
            found.append((body[position - 1], statement) if configured else (statement,))
    return found


def _moved(items: list[Statement], start: int, size: int, place: int) -> list[Statement]:
    return [*items[:start], *items[start + size : place], *items[start : start + size], *items[place:]]


def _sink(computation: Computation, items: list[Statement], start: int, size: int, distance: int) -> list[Statement]:
    """One group of statements as late as it may be, less some commands."""
    places = [place for place in range(start + size, len(items)) if _is_place(items[place])]
    low, high = 0, len(places)  # the first `low` places are legal, the first illegal one is at `high` or before
    while low < high:
        middle = (low + high) // 2
        if computation.same(tuple(_moved(items, start, size, places[middle]))):
            low = middle + 1
        else:
            high = middle
    if not low:
        return items
    wanted = places[low - 1] - distance
    earlier = [place for place in places[:low] if place <= wanted]
    if not earlier:
        return items
    moved = _moved(items, start, size, earlier[-1])
    return moved if computation.same(tuple(moved)) else items


def _proposals(computation: Computation) -> Iterable[Proposal]:
    body = computation.kernel.body
    first = next((position for position, item in enumerate(body) if _is_place(item)), len(body))
    if sum(map(_is_load, body[:first])) > 2:
        for rank, distance in enumerate(_DISTANCES):
            how = f"Load data {distance} commands before its first use; computing starts while later data is loaded."
            yield Proposal("load_late", {"distance": distance}, how, 1.5 + 0.5 * rank)


def _apply(computation: Computation, parameters: Parameters) -> Kernel:
    distance = integer(parameters, "distance")
    if distance < 0:
        raise IllegalMoveError("the distance must not be negative")
    items = list(computation.kernel.body)
    for group in reversed(_groups(computation.kernel.body)):
        start = next(at for at in range(len(items)) if tuple(items[at : at + len(group)]) == group)
        items = _sink(computation, items, start, len(group), distance)
    return computation.kernel.with_body(tuple(items))


MOVE = Move("load_late", _proposals, _apply)
