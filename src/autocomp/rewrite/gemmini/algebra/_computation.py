"""A kernel together with what it computes, and the test that another one computes the same."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini.algebra._lift import Algebra, lift
from autocomp.rewrite.gemmini.algebra._machine import Machine
from autocomp.rewrite.gemmini.algebra._ring import Field
from autocomp.rewrite.gemmini.algebra._trace import Trace
from autocomp.rewrite.ir._tree import Body, Kernel, substitute, unique_names


class Computation:
    """What moves ask about one kernel. Raises IllegalMoveError if the kernel itself cannot be followed."""

    def __init__(self, kernel: Kernel, geometry: Geometry) -> None:
        self.kernel = kernel
        self.geometry = geometry
        self._results = _results(kernel, geometry)
        self._trace: Trace | None = None

    @property
    def algebra(self) -> Algebra:
        """The vectors that are computed. Raises IllegalMoveError if they are not sums of products."""
        if isinstance(self._lifted, IllegalMoveError):
            raise IllegalMoveError(str(self._lifted))
        return self._lifted

    @cached_property
    def _lifted(self) -> Algebra | IllegalMoveError:
        try:
            return lift(self.kernel, self.geometry)
        except IllegalMoveError as error:
            return error

    def same(self, body: Body) -> bool:
        """True if these statements, in the place of the kernel's own, are defined and compute the same."""
        if self._trace is None:
            self._trace = Trace(self.kernel, self.geometry)
        return self._trace.same(body)

    def forget(self) -> None:
        """Free what makes a series of questions fast; it takes some MiB."""
        self._trace = None

    def child(self, kernel: Kernel) -> Kernel:
        """The kernel with everything folded. Raises IllegalMoveError unless it computes the same as this one."""
        body = unique_names(substitute(kernel.body), frozenset(kernel.arrays))
        if body == self.kernel.body:
            raise IllegalMoveError("the move changes nothing")
        made = kernel.with_body(body)
        if _results(made, self.geometry) != self._results:
            raise IllegalMoveError("the result would change")
        return made


def _results(kernel: Kernel, geometry: Geometry) -> dict[str, list[Any]]:
    """What the arguments hold at the end, for random contents at the start."""
    machine = Machine(kernel, geometry, Field())
    machine.run(kernel.body)
    return machine.results()
