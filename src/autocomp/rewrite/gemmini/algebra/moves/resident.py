"""Moves that write the whole computation anew: on the chip, in sums, step by step or for several steps at once."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._move import Parameters, Proposal, text
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._emit import LAYOUTS, Options, emit
from autocomp.rewrite.gemmini.algebra._move import Move
from autocomp.rewrite.gemmini.algebra._reassociate import reassociate
from autocomp.rewrite.gemmini.algebra._schedule import schedule
from autocomp.rewrite.ir._tree import ASSIGN, Command, Kernel, walk

_HOW = {
    "spread": "every long vector lies by itself and is stored as soon as it is there",
    "groups": "long vectors lie in groups that are stored together at the end",
    "straight": "long vectors lie in groups that are stored together, and all steps are written out",
    "segments": "the loop over time stops after every group of long vectors to store it and work on it",
}


def _move(name: str, what: str, priority: float, *, batch: bool, multiply: bool = False) -> Move:
    def propose(computation: Computation) -> Iterable[Proposal]:
        algebra = reassociate(computation.algebra) if multiply else computation.algebra
        plan = schedule(algebra, batch=batch)
        if batch and not plan.early and not plan.late:
            return
        # What was written anew before is worth small changes first; the other ways to write it have been proposed.
        last = 5.0 if _is_on_chip(computation.kernel) else 0.0
        for rank, layout in enumerate(LAYOUTS):
            for once in (False, True):
                turned = "matrices are transposed once, before" if once else "matrices are transposed on their way in"
                how = f"{what}; {_HOW[layout]}; {turned}."
                chosen = {"layout": layout, "transpose_once": once}
                yield Proposal(name, chosen, how, last + priority + 0.1 * rank + 0.05 * once)

    def perform(computation: Computation, parameters: Parameters) -> Kernel:
        layout, once = text(parameters, "layout"), parameters.get("transpose_once")
        if layout not in LAYOUTS or not isinstance(once, bool):
            raise IllegalMoveError(f"'{name}' needs a layout and 'transpose_once'")
        options = Options(batch, layout, multiply, once)
        return emit(computation.kernel, computation.algebra, computation.geometry, options)

    return Move(name, propose, perform)


def _is_on_chip(kernel: Kernel) -> bool:
    """True if the core does nothing, and waits once."""
    names = [site.statement.name for site in walk(kernel.body) if isinstance(site.statement, Command)]
    return ASSIGN not in names and names.count("fence") <= 1


FUSE = _move(
    "fuse_operations",
    "Keep matrices and vectors on the chip, as rows; make every sum in the accumulator and read it there as an operand",
    1.0,
    batch=False,
)
BATCH = _move(
    "batch_steps",
    "Keep everything on the chip, as rows, and make products that no later step waits for for several steps at once",
    0.0,
    batch=True,
)
MULTIPLY = _move(
    "multiply_matrices",
    "Keep everything on the chip, as rows; multiply matrices once, so that every step waits for one product only",
    0.02,
    batch=True,
    multiply=True,
)
