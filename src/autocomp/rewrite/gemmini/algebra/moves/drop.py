"""Leave out what changes nothing: configuration that is in force already, fences that order nothing, repeated loads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import LOADS
from autocomp.rewrite.gemmini._move import Parameters, Proposal
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._move import Move
from autocomp.rewrite.ir._tree import Body, Command, Kernel, Path, edit, walk


def drop(computation: Computation, body: Body, droppable: Callable[[Command], bool]) -> Body:
    """The statements without as many of these commands as possible, tried in large groups first."""
    paths = [s.path for s in walk(body) if isinstance(s.statement, Command) and droppable(s.statement)]
    gone: set[Path] = set()

    def attempt(group: Sequence[Path]) -> None:
        if not group:
            return
        if computation.same(edit(body, {path: () for path in gone.union(group)})):
            gone.update(group)
        elif len(group) > 1:
            attempt(group[len(group) // 2 :])
            attempt(group[: len(group) // 2])

    attempt(paths)
    return edit(body, {path: () for path in gone})


def _move(name: str, text: str, priority: float, droppable: Callable[[Command], bool]) -> Move:
    def propose(computation: Computation) -> Iterable[Proposal]:
        if any(isinstance(s.statement, Command) and droppable(s.statement) for s in walk(computation.kernel.body)):
            yield Proposal(name, {}, text, priority)

    def perform(computation: Computation, parameters: Parameters) -> Kernel:
        if parameters:
            raise IllegalMoveError("the move has no parameters")
        return computation.kernel.with_body(drop(computation, computation.kernel.body, droppable))

    return Move(name, propose, perform)


CONFIGURATION = _move(
    "drop_configuration",
    "Leave out configuration that sets what is set already.",
    4.0,
    lambda command: "config" in command.name,
)
FENCES = _move("drop_fences", "Leave out fences that order nothing.", 3.0, lambda command: command.name == "fence")
LOADED = _move("drop_loads", "Leave out loads of what is there already.", 3.5, lambda command: command.name in LOADS)
