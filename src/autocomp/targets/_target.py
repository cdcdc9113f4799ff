"""The contract of a target: a chip with its toolchain, its way to run code, and what is known about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from autocomp.records import Array, Diagnostic, Ideal, Measurement, Problem, TensorSpec, Verdict

POISON_BYTE = 0xA5
"""What every byte of an output buffer holds before a run; wrong elements that still hold it were not written."""


def poisoned(spec: TensorSpec) -> Array:
    """A fresh output buffer of ``spec``, filled with poison."""
    return np.full(spec.nbytes, POISON_BYTE, np.uint8).view(np.dtype(spec.dtype)).reshape(spec.shape)


@dataclass(frozen=True)
class MenuItem:
    """One item of the optimisation menu."""

    id: str
    title: str
    guidance: str = ""
    operators: tuple[str, ...] = ()
    """Operator kinds it fits; empty means all."""
    example: str = ""
    rewrite: str | None = None
    """Name of the offline rewrite that implements it, if any."""


@dataclass(frozen=True)
class KnowledgePack:
    """What a proposer may be told about the chip; data only."""

    architecture: str = ""
    isa: Mapping[str, str] = field(default_factory=dict)
    """Section text by instruction family."""
    menu: tuple[MenuItem, ...] = ()
    rules: tuple[str, ...] = ()
    examples: Mapping[str, str] = field(default_factory=dict)
    """Complete kernels that pass, by file name."""


@dataclass(frozen=True)
class Artifact:
    """A built candidate: opaque to everybody but the target that built it."""

    payload: object
    size_bytes: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    """Warnings of the compiler."""


@dataclass(frozen=True)
class Span:
    """A stretch of work of one unit, for timelines; times in the measurement's unit."""

    unit: str
    start: float
    end: float
    label: str
    line: int | None = None
    """Source line that issued it."""
    work: float | None = None
    """How much of it was work: the time it would have taken with nothing to wait for; None if that is not known."""


@dataclass(frozen=True)
class Execution:
    """What running a built candidate once gave.

    Either ``verdict`` says how it failed, or ``outputs`` holds every output array by name.
    """

    outputs: Mapping[str, Array] = field(default_factory=dict)
    verdict: Verdict | None = None
    measurement: Measurement | None = None
    timeline: tuple[Span, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Finding:
    """One line of ``autocomp doctor``."""

    subject: str
    ok: bool
    detail: str
    fix: str = ""
    """Command that mends it; empty if ``ok``."""


class Target(ABC):
    """A chip. Instances are used by one thread; any number of processes may each have their own.

    A target never raises for what a candidate does: ``check``, ``build``, ``run`` and ``measure`` report that as a
    Verdict. They raise :class:`autocomp.errors.SetupError` if the machine lacks something.
    """

    name: str
    language: str
    """Language of kernels, as the suffix of a source file: ``c``, ``py``, ``cu``."""
    deterministic: bool
    """True if measuring the same artifact twice gives the same latency."""
    time_limit_s: float | None = None
    """Wall time that one evaluation may need where the tools are slow and have limits of their own; None: what the
    user's settings allow is enough."""

    @abstractmethod
    def fingerprint(self) -> str:
        """Digest of configuration and toolchain version: part of the cache key. Raises SetupError."""

    @abstractmethod
    def describe(self) -> Mapping[str, object]:
        """Memories, units, clock and peak rates, as in ``target.toml``."""

    @abstractmethod
    def knowledge(self) -> KnowledgePack:
        """What a proposer may be told about the chip."""

    @abstractmethod
    def check(self, problem: Problem, code: str) -> Verdict | None:
        """Look at the source only; None if nothing is wrong with it."""

    @abstractmethod
    def build(self, problem: Problem, code: str) -> Artifact | Verdict:
        """Compile. A candidate that does not compile is a Verdict: ``timed_out`` if the clock stopped the compiler,
        which is not taken as its last word.
        """

    @abstractmethod
    def run(self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array]) -> Execution:
        """Run once for the outputs only. Output buffers hold :data:`POISON_BYTE` first."""

    @abstractmethod
    def measure(
        self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array], *, timeline: bool = False
    ) -> Execution:
        """Run for outputs and time."""

    @abstractmethod
    def feedback(self, problem: Problem, measurement: Measurement) -> tuple[str, ...]:
        """Counters in words, the most important first."""

    @abstractmethod
    def ideal(self, problem: Problem) -> Ideal:
        """The least latency possible on this target: the higher of its compute and memory roof."""

    @abstractmethod
    def doctor(self) -> Sequence[Finding]:
        """What is there and what is missing, with the command that mends it. Never raises."""
