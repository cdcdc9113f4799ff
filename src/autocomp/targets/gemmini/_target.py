"""The Gemmini target: compile with a RISC-V compiler, run and time on the embedded simulator."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autocomp.errors import AutocompError, SetupError
from autocomp.records import (
    Array,
    Diagnostic,
    Ideal,
    Measurement,
    Problem,
    Role,
    Status,
    TensorSpec,
    Verdict,
)
from autocomp.targets._pack import load_pack
from autocomp.targets._target import POISON_BYTE, Artifact, Execution, Finding, KnowledgePack, Span, Target
from autocomp.targets.gemmini import _compilers, _description, _feedback, _signature
from autocomp.targets.gemmini._config import GemminiConfig
from autocomp.targets.gemmini._lines import LineTable
from autocomp.targets.gemmini._toolchain import SOURCE_NAME, BuildLimits, Toolchain

_COMMAND_NAMES = {
    0: "config", 1: "mvin2", 2: "mvin", 3: "mvout", 4: "compute_preloaded", 5: "compute_accumulated",
    6: "preload", 7: "flush", 8: "loop_ws", 14: "mvin3",
}  # fmt: skip


@dataclass(frozen=True)
class Program:
    """Payload of an artifact: a linked program."""

    elf: bytes
    compiler: str
    """Name and version of what compiled it."""


class GemminiTarget(Target):
    """Gemmini with its Rocket core. Cheap to make: compiler and simulator are looked for when first needed."""

    name = "gemmini"
    language = "c"
    deterministic = True

    def __init__(self, config: GemminiConfig) -> None:
        self._config = config
        self._toolchain: Toolchain | None = None
        self._simulator: Any = None

    def fingerprint(self) -> str:
        """Digest of configuration, toolchain and simulator."""
        config = self._config
        module = _simulator_module()
        digest = hashlib.sha256(Path(module.__file__).read_bytes())
        parts = (self._tools().fingerprint, config.memory, sorted(config.simulator.items()), config.limits)
        digest.update(repr(parts).encode())
        return digest.hexdigest()

    def describe(self) -> Mapping[str, object]:
        """The configured chip, the memory behind the L2, and the compiler if there is one."""
        try:
            compiler = self._tools().compiler.version
        except SetupError as error:
            compiler = f"none ({error})"
        return {**self._config.description, "memory": self._config.memory, "compiler": compiler}

    def knowledge(self) -> KnowledgePack:
        """The pack in ``pack/``."""
        return load_pack(Path(__file__).parent / "pack")

    def check(self, problem: Problem, code: str) -> Verdict | None:
        """Entry function, number of parameters, includes."""
        return _signature.check(problem, code)

    def build(self, problem: Problem, code: str) -> Artifact | Verdict:
        """Compile and link."""
        result = self._tools().compile(code)
        if result.program is None:
            first = result.errors[0]
            where = f"line {first.line}: " if first.line else ""
            status = Status.BUILD_FAILED if result.repeatable else Status.TIMED_OUT
            return Verdict(status, f"{where}{first.message}", result.errors)
        if b"\0" + problem.entry.encode() + b"\0" not in result.program:
            message = f"the compiled kernel has no function '{problem.entry}' (is it static?)"
            return Verdict(Status.BUILD_FAILED, message, (Diagnostic(message),))
        return Artifact(Program(result.program, self._tools().compiler.label), len(result.program), result.warnings)

    def run(self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array]) -> Execution:
        """Run once for the outputs only.

        Outputs start as the array that ``inputs`` holds under their name, or else filled with one byte.
        """
        return self._execute(problem, artifact, inputs, timing=False, timeline=False)

    def measure(
        self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array], *, timeline: bool = False
    ) -> Execution:
        """Run with the clock: from the call to the fence after it, inputs just written, outputs untouched."""
        return self._execute(problem, artifact, inputs, timing=True, timeline=timeline)

    def feedback(self, problem: Problem, measurement: Measurement) -> tuple[str, ...]:
        """Counters in words."""
        get = self._config.simulator.__getitem__
        rows = {
            "scratchpad": get("scratchpad_banks") * get("scratchpad_bank_rows"),
            "accumulator": get("accumulator_banks") * get("accumulator_bank_rows"),
        }
        ideal = self.ideal(problem)
        return _feedback.sentences(problem, measurement.latency, measurement.counters, ideal, rows)

    def ideal(self, problem: Problem) -> Ideal:
        """The higher of the compute roof (every cell of the array busy) and the memory roof (the DMA never idle)."""
        return _description.ideal(problem, self._config.simulator)

    def doctor(self) -> Sequence[Finding]:
        """Compiler and simulator."""
        return (self._doctor_compiler(), self._doctor_simulator())

    def _doctor_compiler(self) -> Finding:
        subject = "gemmini: RISC-V compiler"
        try:
            tools = self._tools()
            build = tools.compile("void solution(void) { fence(); }\n")
        except AutocompError as error:
            return Finding(subject, False, str(error), _compilers.INSTALL_COMMAND)
        if build.program is None:
            return Finding(subject, False, build.errors[0].message, _compilers.INSTALL_COMMAND)
        return Finding(subject, True, f"{tools.compiler.version} ({tools.compiler.command[0]})")

    def _doctor_simulator(self) -> Finding:
        subject = "gemmini: simulator"
        try:
            self._machine()
        except AutocompError as error:
            return Finding(subject, False, str(error), "pip install --force-reinstall autocomp")
        return Finding(subject, True, f"{self._config.dim}x{self._config.dim}, memory '{self._config.memory}'")

    def _tools(self) -> Toolchain:
        if self._toolchain is None:
            config = self._config
            limits = BuildLimits(config.compiler_seconds, config.compiler_output_bytes)
            self._toolchain = Toolchain(config.compiler, config.parameters_header(), limits)
        return self._toolchain

    def _machine(self) -> Any:
        if self._simulator is None:
            self._simulator = _simulator_module().Simulator(dict(self._config.simulator))
        return self._simulator

    def _execute(
        self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array], *, timing: bool, timeline: bool
    ) -> Execution:
        assert isinstance(artifact.payload, Program)
        program = artifact.payload.elf
        config = self._config
        instruction_limit, cycle_limit = config.limits.of(problem.work)
        try:
            result = self._machine().run(
                program,
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
        lines = LineTable(program, SOURCE_NAME)
        if result["fault"] is not None:
            return Execution(verdict=_verdict(result["fault"], lines))
        outputs = {
            spec.name: np.frombuffer(result["outputs"][spec.name], dtype=spec.dtype).reshape(spec.shape).copy()
            for spec in problem.outputs
        }
        measurement = None
        if timing:
            method = f"simulated cycles ({config.memory} memory, {artifact.payload.compiler})"
            counters = {name: float(value) for name, value in result["counters"].items()}
            measurement = Measurement(float(result["latency_cycles"]), "cycles", method, counters)
        spans = tuple(
            Span(unit, float(start), float(end), _COMMAND_NAMES.get(funct, f"funct {funct}"), lines.line(pc))
            for unit, funct, start, end, pc, _ in result["timeline"]
        )
        return Execution(outputs, None, measurement, spans)


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
