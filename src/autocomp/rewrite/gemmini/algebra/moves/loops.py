"""Loop structure: write out the turns of a loop, all of them or a few at a time."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._move import TEXT_LIMIT, Parameters, Proposal, integer, text
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._move import Move
from autocomp.rewrite.ir._transform import find_loop, size, split_loop, unroll
from autocomp.rewrite.ir._tree import Kernel, Loop, walk


def _proposals(computation: Computation) -> Iterable[Proposal]:
    for site in walk(computation.kernel.body):
        loop = site.statement
        if not isinstance(loop, Loop):
            continue
        for turns in range(loop.count, 1, -1):
            if loop.count % turns == 0 and size(loop.body) * turns <= TEXT_LIMIT:
                whole = turns == loop.count
                many = "all" if whole else str(turns)
                how = f"Write out {many} turns of the loop over {loop.var}: addresses become constants."
                yield Proposal("unroll_steps", {"loop": loop.var, "turns": turns}, how, 2.5 if whole else 2.8)


def _apply(computation: Computation, parameters: Parameters) -> Kernel:
    body, var, turns = computation.kernel.body, text(parameters, "loop"), integer(parameters, "turns")
    _, loop, _ = find_loop(body, var)
    if turns < 2 or loop.count % turns:
        raise IllegalMoveError(f"{loop.count} turns are no multiple of {turns}")
    if turns < loop.count:
        body, _, var = split_loop(body, var, turns)
    return computation.kernel.with_body(unroll(body, var))


UNROLL = Move("unroll_steps", _proposals, _apply)
