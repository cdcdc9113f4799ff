"""Loop structure: unroll the loop over time, or a part of it."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.rewrite.gemmini._move import TEXT_LIMIT, Parameters, Proposal, text
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._move import Move
from autocomp.rewrite.ir._transform import size, unroll
from autocomp.rewrite.ir._tree import Kernel, Loop, walk


def _proposals(computation: Computation) -> Iterable[Proposal]:
    for site in walk(computation.kernel.body):
        loop = site.statement
        if isinstance(loop, Loop) and size(loop.body) * loop.count <= TEXT_LIMIT:
            how = f"Write out the {loop.count} turns of the loop over {loop.var}: addresses become constants."
            yield Proposal("unroll_steps", {"loop": loop.var}, how, 2.5)


def _apply(computation: Computation, parameters: Parameters) -> Kernel:
    return computation.kernel.with_body(unroll(computation.kernel.body, text(parameters, "loop")))


UNROLL = Move("unroll_steps", _proposals, _apply)
