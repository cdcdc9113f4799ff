"""All moves by name, and the list of what might be done to one kernel."""

from __future__ import annotations

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, finish, listed
from autocomp.rewrite.gemmini.moves import (
    banks,
    hardware,
    late,
    loops,
    overwrite,
    pack,
    pipeline,
    resident,
    stores,
    stream,
    tile,
    weights,
    widen,
)
from autocomp.rewrite.ir._tree import Kernel

MOVES: dict[str, Move] = {
    move.name: move
    for move in (
        overwrite.MOVE,
        banks.MOVE,
        resident.MOVE,
        late.MOVE,
        tile.MOVE,
        pack.MOVE,
        widen.MOVE,
        stream.MOVE,
        pipeline.MOVE,
        stores.ALTERNATE,
        stores.DELAY,
        weights.MOVE,
        loops.INTERCHANGE,
        loops.SPLIT,
        loops.UNROLL,
        loops.REROLL,
        loops.FOLD,
        hardware.LOOP,
        hardware.TILES,
    )
}


def proposals(analysis: Analysis) -> list[Proposal]:
    """Everything that might be done, best guess first; nothing has been tried yet."""
    # All other moves ask about single commands.
    moves = (hardware.TILES,) if analysis.hardware else MOVES.values()
    return listed((move.enumerate for move in moves), analysis)


def apply(analysis: Analysis, name: str, parameters: Parameters) -> Kernel:
    """The child. Raises IllegalMoveError if the move does not apply."""
    move = MOVES.get(name)
    if move is None:
        raise IllegalMoveError(f"there is no move '{name}'")
    if analysis.hardware and move is not hardware.TILES:
        raise IllegalMoveError("the kernel is made of hardware loops")
    return finish(analysis, move.apply(analysis, parameters))
