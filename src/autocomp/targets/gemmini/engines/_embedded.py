"""The engine that comes with Autocomp: core, accelerator, L2 and memory, simulated in this process."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autocomp.errors import AutocompError, SetupError
from autocomp.records import Array, Diagnostic, Measurement, Problem, Role, Status, TensorSpec, Verdict
from autocomp.targets._target import POISON_BYTE, Execution, Finding, Span
from autocomp.targets.gemmini._config import GemminiConfig
from autocomp.targets.gemmini._lines import LineTable
from autocomp.targets.gemmini._toolchain import SOURCE_NAME
from autocomp.targets.gemmini.engines._engine import Program

_COMMAND_NAMES = {
    0: "config", 1: "mvin2", 2: "mvin", 3: "mvout", 4: "compute_preloaded", 5: "compute_accumulated",
    6: "preload", 7: "flush", 8: "loop_ws", 14: "mvin3",
}  # fmt: skip


class EmbeddedEngine:
    """Function and simulated cycles, reproducible to the last one."""

    name = "embedded"
    unit = "cycles"
    time_limit_s: float | None = None

    def __init__(self, config: GemminiConfig) -> None:
        self._config = config
        self._simulator: Any = None

    def fingerprint(self) -> str:
        """Digest of the simulator and its settings."""
        config = self._config
        digest = hashlib.sha256(Path(_simulator_module().__file__).read_bytes())
        digest.update(repr((config.memory, sorted(config.simulator.items()), config.limits)).encode())
        return digest.hexdigest()

    def findings(self) -> Sequence[Finding]:
        """The simulator."""
        subject = "gemmini: simulator"
        try:
            self._machine()
        except AutocompError as error:
            return (Finding(subject, False, str(error), "pip install --force-reinstall autocomp"),)
        return (Finding(subject, True, f"{self._config.dim}x{self._config.dim}, memory '{self._config.memory}'"),)

    def _machine(self) -> Any:
        if self._simulator is None:
            self._simulator = _simulator_module().Simulator(dict(self._config.simulator))
        return self._simulator

    def execute(
        self, problem: Problem, program: Program, inputs: Mapping[str, Array], *, timing: bool, timeline: bool
    ) -> Execution:
        """Latency runs from the call to the fence after it, inputs just written, outputs untouched."""
        config = self._config
        instruction_limit, cycle_limit = config.limits.of(problem.work)
        try:
            result = self._machine().run(
                program.elf,
                problem.entry,
                [_argument(spec, inputs) for spec in problem.arguments],
                timing=timing,
                timeline=timeline,
                memory=config.memory,
                instruction_limit=instruction_limit,
                cycle_limit=cycle_limit,
            )
        except ValueError as error:  # what cannot be loaded, such as static arrays beyond all bounds
            message = f"the program cannot be run: {error}"
            return Execution(verdict=Verdict(Status.BUILD_FAILED, message, (Diagnostic(message),)))
        lines = LineTable(program.elf, SOURCE_NAME)
        if result["fault"] is not None:
            return Execution(verdict=_verdict(result["fault"], lines))
        outputs = {
            spec.name: np.frombuffer(result["outputs"][spec.name], dtype=spec.dtype).reshape(spec.shape).copy()
            for spec in problem.outputs
        }
        measurement = None
        if timing:
            method = f"simulated cycles ({config.memory} memory, {program.compiler})"
            counters = {name: float(value) for name, value in result["counters"].items()}
            counters |= _lost_by_line(result["losses"], lines, result["latency_cycles"])
            measurement = Measurement(float(result["latency_cycles"]), "cycles", method, counters)
        spans = tuple(_span(values, lines) for values in result["timeline"])
        return Execution(outputs, None, measurement, spans)


def _span(values: tuple[str, int, int, int, int, int, int], lines: LineTable) -> Span:
    unit, funct, start, end, pc, _, work = values
    label = "between waits" if unit == "core" else _COMMAND_NAMES.get(funct, f"funct {funct}")
    return Span(unit, float(start), float(end), label, lines.line(pc), float(work))


def _lost_by_line(losses: Sequence[tuple[str, int, int]], lines: LineTable, latency: int) -> dict[str, float]:
    """Cycles of waiting as counters ``COUNTER.lineN``; what is less than a hundredth of the latency is left out."""
    found: dict[str, float] = {}
    for counter, pc, cycles in losses:
        line = lines.line(pc)
        if line is not None:
            name = f"{counter}.line{line}"
            found[name] = found.get(name, 0.0) + cycles
    return {name: cycles for name, cycles in sorted(found.items()) if cycles * 100 >= latency}


def _simulator_module() -> Any:
    try:
        from autocomp.targets.gemmini import _simulator
    except ImportError as error:
        raise SetupError(
            f"the compiled simulator cannot be imported ({error}); rebuild it with: "
            "pip install --force-reinstall autocomp (needs a C++20 compiler)"
        ) from error
    return _simulator


def _argument(spec: TensorSpec, inputs: Mapping[str, Array]) -> dict[str, object]:
    given = inputs.get(spec.name)
    if spec.shape == () and spec.role is Role.INPUT:
        assert given is not None
        return {"name": spec.name, "value": given.item(), "dtype": spec.dtype}
    poison = bytes([POISON_BYTE]) * spec.nbytes
    content = poison if given is None else np.ascontiguousarray(given, dtype=spec.dtype).tobytes()
    return {"name": spec.name, "bytes": content, "role": spec.role.value}


def _verdict(fault: Mapping[str, Any], lines: LineTable) -> Verdict:
    line = lines.line(fault["pc"]) if fault["pc"] else None
    text = str(fault["message"])
    status = Status.TRAPPED
    if fault["kind"] == "limit":
        status = Status.TIMED_OUT
        name = "instructions" if "instructions" in text else "cycles"
        text += f"; if it is only slow, raise targets.gemmini.limits.{name} in autocomp.toml"
    return Verdict(status, f"line {line}: {text}" if line else text, (Diagnostic(text, line),))
