"""The shape of a move on a computation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from autocomp.rewrite.gemmini._move import Parameters, Proposal
from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.ir._tree import Kernel


@dataclass(frozen=True)
class Move:
    """One kind of change. ``enumerate`` lists where it might apply, ``apply`` does it or raises IllegalMoveError."""

    name: str
    enumerate: Callable[[Computation], Iterable[Proposal]]
    apply: Callable[[Computation, Parameters], Kernel]
