"""The Gemmini target: compile with a RISC-V compiler, run and time on one of its engines."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from autocomp.errors import AutocompError, SetupError
from autocomp.records import Array, Diagnostic, Ideal, Measurement, Problem, Status, Verdict
from autocomp.targets._pack import load_pack
from autocomp.targets._target import Artifact, Execution, Finding, KnowledgePack, Target
from autocomp.targets.gemmini import _compilers, _description, _diagnosis, _signature, engines
from autocomp.targets.gemmini._config import GemminiConfig
from autocomp.targets.gemmini._toolchain import BuildLimits, Toolchain
from autocomp.targets.gemmini.engines import Program

_NO_ROOF = Ideal(1.0, "instructions", "compute", "no roof is known: one command may stand for a whole loop of others")


class GemminiTarget(Target):
    """Gemmini with its Rocket core. Cheap to make: compiler and simulator are looked for when first needed."""

    name = "gemmini"
    language = "c"
    deterministic = True

    def __init__(self, config: GemminiConfig) -> None:
        self._config = config
        self._toolchain: Toolchain | None = None
        self._engine = engines.create(config.engines.engine, config, self._tools)
        check = config.engines.check
        self._checker = self._engine if check == "same" else engines.create(check, config, self._tools)
        self.time_limit_s = self._engine.time_limit_s

    def fingerprint(self) -> str:
        """Digest of toolchain and engine, with what either is configured to."""
        parts = [self._tools().fingerprint]
        for engine in (self._engine, self._checker):
            parts += [engine.name, engine.fingerprint()]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def describe(self) -> Mapping[str, object]:
        """The configured chip, the memory behind the L2, and the compiler if there is one."""
        try:
            compiler = self._tools().compiler.version
        except SetupError as error:
            compiler = f"none ({error})"
        engine = {"engine": self._engine.name, "checked by": self._checker.name}
        return {**self._config.description, **engine, "memory": self._config.memory, "compiler": compiler}

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
        program = Program(result.program, self._tools().compiler.label, code)
        return Artifact(program, len(result.program), result.warnings)

    def run(self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array]) -> Execution:
        """Run once for the outputs only.

        Outputs start as the array that ``inputs`` holds under their name, or else filled with one byte.
        """
        return self._checker.execute(problem, _program(artifact), inputs, timing=False, timeline=False)

    def measure(
        self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array], *, timeline: bool = False
    ) -> Execution:
        """Run with the clock: from the call to the fence after it, inputs just written, outputs untouched."""
        return self._engine.execute(problem, _program(artifact), inputs, timing=True, timeline=timeline)

    def feedback(self, problem: Problem, measurement: Measurement) -> tuple[str, ...]:
        """Counters in words; engines outside this process give none that would tell a cause."""
        if self._engine.name != "embedded":
            return ()
        get = self._config.simulator.__getitem__
        rows = {
            "scratchpad": get("scratchpad_banks") * get("scratchpad_bank_rows"),
            "accumulator": get("accumulator_banks") * get("accumulator_bank_rows"),
        }
        ideal = self.ideal(problem)
        return _diagnosis.sentences(problem, measurement.latency, measurement.counters, ideal, rows)

    def ideal(self, problem: Problem) -> Ideal:
        """The higher of the compute roof (every cell of the array busy) and the memory roof (the DMA never idle)."""
        if self._engine.unit == "instructions":
            return _NO_ROOF
        return _description.ideal(problem, self._config.simulator)

    def doctor(self) -> Sequence[Finding]:
        """The compiler, the engines in use, and those that the user has settings for."""
        used = {engine.name: engine for engine in (self._engine, self._checker)}
        for name in self._config.engines.named:
            used.setdefault(name, engines.create(name, self._config, self._tools))
        return (self._doctor_compiler(), *(finding for engine in used.values() for finding in engine.findings()))

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

    def _tools(self) -> Toolchain:
        if self._toolchain is None:
            config = self._config
            limits = BuildLimits(config.compiler_seconds, config.compiler_output_bytes)
            self._toolchain = Toolchain(config.compiler, config.parameters_header(), limits)
        return self._toolchain


def _program(artifact: Artifact) -> Program:
    assert isinstance(artifact.payload, Program)
    return artifact.payload
