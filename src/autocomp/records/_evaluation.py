"""What checking and timing one candidate found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Status(StrEnum):
    """Outcome of the ladder check > build > run > compare > measure > confirm."""

    PASSED = "passed"
    CHECK_FAILED = "check_failed"
    """Refused before it was compiled: wrong signature, empty, forbidden construct."""
    BUILD_FAILED = "build_failed"
    TRAPPED = "trapped"
    """Did what would hang, trap or corrupt on hardware: bad address, illegal command, overflow, missing fence."""
    TIMED_OUT = "timed_out"
    """Reached the limit on instructions, cycles or seconds: most likely an endless loop."""
    CRASHED = "crashed"
    """The process that ran it died (native targets), or used more memory than it may."""
    NOT_WRITTEN = "not_written"
    """Some output elements still hold the poison they were filled with."""
    WRONG_SHAPE = "wrong_shape"
    WRONG_DTYPE = "wrong_dtype"
    NOT_FINITE = "not_finite"
    """NaN or infinity where the reference has none."""
    WRONG_VALUE = "wrong_value"
    IMPLAUSIBLE = "implausible"
    """Right, but measured faster than the hardware can do the problem's work."""


@dataclass(frozen=True)
class Diagnostic:
    """One message about the candidate's source; ``line`` counts from 1, ``None`` if unknown."""

    message: str
    line: int | None = None


@dataclass(frozen=True)
class Verdict:
    """What checking found. A candidate that is bad is a Verdict, never an exception."""

    status: Status
    message: str = ""
    """One sentence a person or a model can act on: the thing, the value, the limit; empty when passed."""
    diagnostics: tuple[Diagnostic, ...] = ()
    inputs: str = ""
    """Which input set it failed on, such as ``extremes/seed 3``; empty when it failed before."""

    @property
    def passed(self) -> bool:
        """True if the candidate computes the right thing."""
        return self.status is Status.PASSED


@dataclass(frozen=True)
class Measurement:
    """What timing found; ``latency`` is in ``unit``."""

    latency: float
    unit: str
    """``cycles``, ``instructions`` or ``s``."""
    method: str
    """How it was measured, in words: ``simulated cycles (ideal memory)``, ``CUDA events``, …"""
    counters: Mapping[str, float] = field(default_factory=dict)
    """What is named ``whole.part`` is part of the counter ``whole``."""
    samples: tuple[float, ...] = ()
    """Every repetition, in ``unit``. For targets that measure on noisy hardware; empty on those that
    simulate, which all that are shipped do."""

    @property
    def totals(self) -> Mapping[str, float]:
        """The counters that are not part of another."""
        return {name: value for name, value in self.counters.items() if "." not in name}


@dataclass(frozen=True)
class Evaluation:
    """All that is known of one candidate on one problem and target."""

    verdict: Verdict
    measurement: Measurement | None = None
    feedback: tuple[str, ...] = ()
    """Counters in words, the most important first; for prompts and reports."""
    cached: bool = False
    duration_s: float = 0.0
    """Wall time that evaluating took; not part of equality of results."""

    @property
    def latency(self) -> float | None:
        """Latency if the candidate passed and was timed."""
        return self.measurement.latency if self.verdict.passed and self.measurement else None

    def confirmed_by(self, confirmation: Evaluation) -> Evaluation:
        """What holds after a second evaluation on other inputs: a failure counts, and of two latencies the greater."""
        if not self.verdict.passed:
            return self
        if not confirmation.verdict.passed:
            return replace(self, verdict=confirmation.verdict)
        mine, other = self.measurement, confirmation.measurement
        if mine is None or other is None or other.latency <= mine.latency:
            return self
        return replace(self, measurement=other, feedback=confirmation.feedback)


@dataclass(frozen=True)
class Ideal:
    """The least latency that the problem can have on a target, and which roof sets it."""

    latency: float
    unit: str
    bound: str
    """``compute`` or ``memory``."""
    explanation: str
    """One sentence with the arithmetic."""
