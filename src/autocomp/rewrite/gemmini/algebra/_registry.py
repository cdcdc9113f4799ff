"""All moves of small linear algebra by name, and the list of what might be done to one kernel."""

from __future__ import annotations

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._move import Parameters, Proposal, listed
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._move import Move
from autocomp.rewrite.gemmini.algebra.moves import drop, hoist, late, loops, resident
from autocomp.rewrite.ir._tree import Kernel

MOVES: dict[str, Move] = {
    move.name: move
    for move in (
        resident.BATCH,
        resident.FUSE,
        resident.MULTIPLY,
        hoist.MOVE,
        drop.FENCES,
        drop.LOADED,
        drop.CONFIGURATION,
        loops.UNROLL,
        late.MOVE,
    )
}


def proposals(computation: Computation) -> list[Proposal]:
    """Everything that might be done, best guess first; nothing has been tried yet."""
    return listed((move.enumerate for move in MOVES.values()), computation)


def apply(computation: Computation, name: str, parameters: Parameters) -> Kernel:
    """The child. Raises IllegalMoveError if the move does not apply."""
    move = MOVES.get(name)
    if move is None:
        raise IllegalMoveError(f"there is no move '{name}' for small linear algebra")
    try:
        return computation.child(move.apply(computation, parameters))
    finally:
        computation.forget()
