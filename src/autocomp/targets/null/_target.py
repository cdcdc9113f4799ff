"""The fake chip. A kernel is a text in TOML that says what running it gives.

::

    latency = 120.0          # in cycles
    result = "correct"       # or: wrong, unwritten, not_finite, trap, loop, crash
    seconds = 0.0            # wall time that running it takes
    message = "why"          # of a trap

A text that is not TOML does not compile; one without ``latency`` is refused by the static check.
"""

from __future__ import annotations

import os
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autocomp.records import Array, Diagnostic, Ideal, Measurement, Problem, Status, Verdict
from autocomp.targets._target import Artifact, Execution, Finding, KnowledgePack, MenuItem, Span, Target

_RESULTS = ("correct", "wrong", "unwritten", "not_finite", "trap", "loop", "crash")
_POISON_BYTE = 0xA5


@dataclass(frozen=True)
class _Kernel:
    latency: float
    result: str
    seconds: float
    message: str


class NullTarget(Target):
    """Does what the kernel says it does, the same every time."""

    name = "null"
    language = "toml"
    deterministic = True

    def __init__(self, latency_factor: float = 1.0) -> None:
        self._latency_factor = latency_factor

    def fingerprint(self) -> str:
        """Depends on the one setting."""
        return f"null-1-{self._latency_factor!r}"

    def describe(self) -> Mapping[str, object]:
        """Next to nothing."""
        return {"chip": {"name": "null", "clock_hz": 1_000_000_000}, "latency_factor": self._latency_factor}

    def knowledge(self) -> KnowledgePack:
        """One menu item, so that prompts have something to show."""
        item = MenuItem("lower_latency", "lower the latency", "Write a smaller number after `latency`.")
        return KnowledgePack("A chip that believes what its kernels say.", {}, (item,), ())

    def check(self, problem: Problem, code: str) -> Verdict | None:
        """Asks for the word ``latency``."""
        if "latency" in code:
            return None
        return Verdict(Status.CHECK_FAILED, "the kernel does not say its latency")

    def build(self, problem: Problem, code: str) -> Artifact | Verdict:
        """Parse the kernel."""
        try:
            table = tomllib.loads(code)
            kernel = _Kernel(
                float(table["latency"]),
                table.get("result", "correct"),
                float(table.get("seconds", 0.0)),
                str(table.get("message", "the kernel says so")),
            )
        except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
            line = getattr(error, "lineno", None)
            return Verdict(Status.BUILD_FAILED, str(error), (Diagnostic(str(error), line),))
        if kernel.result not in _RESULTS or kernel.latency <= 0:
            message = f"latency must be positive and result one of {', '.join(_RESULTS)}"
            return Verdict(Status.BUILD_FAILED, message, (Diagnostic(message),))
        return Artifact(kernel, len(code))

    def run(self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array]) -> Execution:
        """Give the outputs that the kernel promises."""
        kernel = artifact.payload
        assert isinstance(kernel, _Kernel)
        time.sleep(kernel.seconds)
        match kernel.result:
            case "trap":
                return Execution(verdict=Verdict(Status.TRAPPED, kernel.message, (Diagnostic(kernel.message, 1),)))
            case "loop":
                return Execution(verdict=Verdict(Status.TIMED_OUT, "the kernel says it never ends"))
            case "crash":
                os._exit(70)
        return Execution(_outputs(problem, kernel.result, inputs))

    def measure(
        self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array], *, timeline: bool = False
    ) -> Execution:
        """The same, with the latency that the kernel claims."""
        execution = self.run(problem, artifact, inputs)
        if execution.verdict is not None:
            return execution
        kernel = artifact.payload
        assert isinstance(kernel, _Kernel)
        latency = kernel.latency * self._latency_factor
        measurement = Measurement(latency, "cycles", "claimed by the kernel", {"claimed": kernel.latency})
        spans = (Span("execute", 0.0, latency, "everything", 1),) if timeline else ()
        return Execution(execution.outputs, None, measurement, spans)

    def feedback(self, problem: Problem, measurement: Measurement) -> tuple[str, ...]:
        """One sentence."""
        return (f"the kernel claims {measurement.latency:g} cycles",)

    def ideal(self, problem: Problem) -> Ideal:
        """One multiply-accumulate per cycle."""
        operations = problem.work.operations
        return Ideal(float(operations), "cycles", "compute", f"{operations:,} operations at one per cycle")

    def doctor(self) -> Sequence[Finding]:
        """Always well."""
        return (Finding("null: nothing to need", True, "a fake chip for tests"),)


def _outputs(problem: Problem, result: str, inputs: Mapping[str, Array]) -> dict[str, Array]:
    expected = problem.reference(inputs) if result != "unwritten" else {}
    outputs: dict[str, Array] = {}
    for spec in problem.outputs:
        if result == "unwritten":
            poison = np.full(spec.nbytes, _POISON_BYTE, np.uint8).view(spec.dtype).reshape(spec.shape)
            outputs[spec.name] = np.array(inputs.get(spec.name, poison))
            continue
        value = np.array(expected[spec.name]).astype(spec.dtype)
        if result == "wrong":
            value = value + np.ones((), value.dtype)
        elif result == "not_finite":
            value = np.full_like(value, np.nan) if value.dtype.kind == "f" else value
        outputs[spec.name] = value
    return outputs
