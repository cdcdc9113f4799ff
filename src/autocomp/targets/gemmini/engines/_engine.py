"""The contract of an engine: what runs a compiled kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from autocomp.records import Array, Problem
from autocomp.targets._target import Execution, Finding


@dataclass(frozen=True)
class Program:
    """Payload of an artifact: a kernel that compiles."""

    elf: bytes
    """Linked for the embedded simulator."""
    compiler: str
    """Name and version of what compiled it."""
    source: str
    """Other engines link it again, where they want it to lie."""


class Engine(Protocol):
    """Runs kernels of one configured chip; used by one thread."""

    name: str
    unit: str
    """Unit of its latencies: ``cycles`` or ``instructions``."""
    time_limit_s: float | None
    """Wall time that one whole evaluation may need; None: seconds at most."""

    def fingerprint(self) -> str:
        """Digest of its settings and of the tool that it runs. Raises SetupError."""
        ...

    def execute(
        self, problem: Problem, program: Program, inputs: Mapping[str, Array], *, timing: bool, timeline: bool
    ) -> Execution:
        """Run once. Outputs start as the array that ``inputs`` holds under their name, or else as poison.

        What the kernel does wrong is in the result. Raises SetupError, InfrastructureError.
        """
        ...

    def findings(self) -> Sequence[Finding]:
        """What it needs on this machine. Never raises."""
        ...
