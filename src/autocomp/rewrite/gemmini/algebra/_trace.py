"""Tells whether changed statements compute the same as a kernel, running only what lies between the changes.

A run is a chain of states, one in front of every statement. Another run of the same machine has the same states up to
the first statement that differs; and where it comes to the state of the first run in front of the same rest, both end
alike. Most changes that moves try are small, so little is left to be run.
"""

from __future__ import annotations

from itertools import takewhile
from operator import eq

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini.algebra._machine import Machine, State
from autocomp.rewrite.gemmini.algebra._ring import Field
from autocomp.rewrite.ir._tree import Body, Kernel


class Trace:
    """The run of a kernel, or of the last statements in its place that were found to compute the same."""

    def __init__(self, kernel: Kernel, geometry: Geometry) -> None:
        """Raises IllegalMoveError if the kernel cannot be followed."""
        self._machine = machine = Machine(kernel, geometry, Field())
        self._states = [machine.state()]
        for statement in kernel.body:
            machine.go((statement,))
            self._states.append(machine.state(self._states[-1]))
        machine.end()
        self._body = kernel.body
        self._results = machine.results()

    def same(self, body: Body) -> bool:
        """True if these statements, in the place of the kernel's own, are defined and compute the same."""
        try:
            states = self._run(body)
        except IllegalMoveError:
            return False
        if states is None:
            return False
        self._body, self._states = body, states
        return True

    def _run(self, body: Body) -> list[State] | None:
        """The states of a run; None if it ends with other results."""
        old = self._body
        first = _alike(old, body)
        last = min(_alike(old[::-1], body[::-1]), len(body) - first, len(old) - first)
        states = self._states[: first + 1]
        machine = self._machine
        machine.restore(states[-1])
        for position in range(first, len(body) + 1):
            left = len(body) - position
            if left <= last and states[-1] == self._states[len(old) - left]:
                return states + self._states[len(old) - left + 1 :]
            if left:
                machine.go((body[position],))
                states.append(machine.state(states[-1]))
        machine.end()
        return states if machine.results() == self._results else None


def _alike(one: Body, two: Body) -> int:
    """How many statements at the start are the same."""
    return sum(1 for _ in takewhile(bool, map(eq, one, two)))
