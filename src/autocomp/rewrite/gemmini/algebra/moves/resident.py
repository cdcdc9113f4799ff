"""Moves that write the whole computation anew: on the chip, in sums, step by step or for several steps at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._move import Parameters, Proposal
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._emit import Options, emit
from autocomp.rewrite.gemmini.algebra._move import Move
from autocomp.rewrite.gemmini.algebra._schedule import schedule
from autocomp.rewrite.ir._tree import Kernel

_CHOICES = ("segments", "transpose_once", "store_early")


def _proposals(computation: Computation, name: str, *, batch: bool, text: str) -> Iterable[Proposal]:
    plan = schedule(computation.algebra, batch=batch)
    if batch and not plan.early and not plan.late:
        return
    for flags in itertools.product((False, True), repeat=len(_CHOICES)):
        chosen = dict(zip(_CHOICES, flags, strict=True))
        how = ", ".join(key.replace("_", " ") for key, value in chosen.items() if value) or "plainly"
        yield Proposal(name, chosen, f"{text} ({how}).", (0.0 if batch else 1.0) + 0.1 * sum(flags))


def _apply(computation: Computation, parameters: Parameters, *, batch: bool) -> Kernel:
    if any(not isinstance(parameters.get(key), bool) for key in _CHOICES):
        raise IllegalMoveError("a choice is missing")
    segments, once, early = (bool(parameters[key]) for key in _CHOICES)
    options = Options(batch, segments, once, early)
    return emit(computation.kernel, computation.algebra, computation.geometry, options)


FUSE = Move(
    "fuse_operations",
    lambda computation: _proposals(
        computation,
        "fuse_operations",
        batch=False,
        text="Keep all matrices and vectors on the chip, as rows; make every sum in the accumulator and read it there"
        " as the operand of the next product",
    ),
    lambda computation, parameters: _apply(computation, parameters, batch=False),
)
BATCH = Move(
    "batch_steps",
    lambda computation: _proposals(
        computation,
        "batch_steps",
        batch=True,
        text="Keep everything on the chip, and make products that no later step waits for for several steps at once",
    ),
    lambda computation, parameters: _apply(computation, parameters, batch=True),
)
