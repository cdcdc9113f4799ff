"""How the proposer and the sets of moves meet: who understands a kernel lists its moves and applies them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from autocomp.rewrite import gemmini
from autocomp.rewrite.gemmini import Kernel, Proposal, algebra


class Understanding(Protocol):
    """One kernel in the eyes of one set of moves. Any method may raise IllegalMoveError."""

    def proposals(self) -> list[Proposal]:
        """Everything that might be done, best guess first."""
        ...

    def apply(self, move: str, parameters: Mapping[str, object]) -> Kernel:
        """The child after one move, if it computes the same."""
        ...

    def source(self, kernel: Kernel) -> str:
        """A child as C."""
        ...


Understand = Callable[[str, str, Kernel | None], Understanding]
"""Reads a kernel from (code, entry, the parsed kernel if it is a child made before); raises IllegalMoveError."""


class _LoopNest:
    """Products and convolutions: loops of commands on tiles."""

    def __init__(self, code: str, entry: str, kernel: Kernel | None, geometry: gemmini.Geometry) -> None:
        self._analysis = gemmini.Analysis(
            kernel if kernel is not None else gemmini.parse(code, entry, geometry), geometry
        )

    def proposals(self) -> list[Proposal]:
        return gemmini.proposals(self._analysis)

    def apply(self, move: str, parameters: Mapping[str, object]) -> Kernel:
        return gemmini.apply(self._analysis, move, parameters)

    def source(self, kernel: Kernel) -> str:
        return gemmini.to_source(kernel)


class _SmallAlgebra:
    """Vectors and small matrices, with the core at work between the commands."""

    def __init__(self, code: str, entry: str, kernel: Kernel | None, geometry: gemmini.Geometry) -> None:
        found = kernel if kernel is not None else gemmini.parse(code, entry, geometry)
        self._computation = algebra.Computation(found, geometry)

    def proposals(self) -> list[Proposal]:
        return algebra.proposals(self._computation)

    def apply(self, move: str, parameters: Mapping[str, object]) -> Kernel:
        return algebra.apply(self._computation, move, parameters)

    def source(self, kernel: Kernel) -> str:
        return gemmini.to_source(kernel)


def understandings(target: str, description: Mapping[str, object]) -> Sequence[Understand]:
    """The sets of moves for a target, in the order in which they are tried; none if it is not known."""
    if target != "gemmini":
        return ()
    geometry = gemmini.geometry_of(description)

    def loop_nest(code: str, entry: str, kernel: Kernel | None) -> Understanding:
        return _LoopNest(code, entry, kernel, geometry)

    def small_algebra(code: str, entry: str, kernel: Kernel | None) -> Understanding:
        return _SmallAlgebra(code, entry, kernel, geometry)

    # Small algebra compares real numbers, which is right only where nothing saturates.
    return (small_algebra, loop_nest) if geometry.element_bytes == geometry.sum_bytes else (loop_nest,)
