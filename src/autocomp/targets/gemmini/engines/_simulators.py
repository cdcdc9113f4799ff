"""The engines that run one candidate in one process: Spike and a simulator made by Verilator."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from autocomp.errors import InfrastructureError, SetupError
from autocomp.records import Array, Problem
from autocomp.targets._target import Execution, Finding
from autocomp.targets.gemmini._engine_settings import SpikeSettings, VerilatorSettings
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines import _result, _transcript
from autocomp.targets.gemmini.engines._case import make_case
from autocomp.targets.gemmini.engines._engine import Program
from autocomp.targets.gemmini.engines._harness import RUNTIME, Board, Harnessed, assemble
from autocomp.targets.gemmini.engines._process import Finished, run_tool
from autocomp.targets.gemmini.engines._result import CaseResult, Measure

_RUNS_OF_AN_EVALUATION = 16
"""More than the ladder makes for one candidate, confirmation included."""
_HERE = Path(__file__).parent
_OWN_FILES = (
    *(RUNTIME / name for name in ("harness.c", "harness.ld", "start.S")),
    *(_HERE / f"{name}.py" for name in ("_case", "_digest", "_elf", "_harness", "_place", "_result", "_transcript")),
)
"""What makes the program that a tool runs, and what reads its reports."""
_CYCLE_LIMIT = re.compile(rb"\*\*\* FAILED \*\*\*[^\n]*(?:timeout|max-cycles)", re.IGNORECASE)
# What simulators print when the program does what the accelerator's model or its RTL does not allow.
_ASSERTION = re.compile(
    rb"[^\n]*(?:Assertion .*failed|Assertion failed|throwing an instance of 'std::(?:out_of_range|\w+_error)'|%Error: )"
    rb"[^\n]*"
)


class _Simulator(ABC):
    """One run per process; what differs is the command and what counts."""

    name: str
    unit: str

    def __init__(self, tools: Callable[[], Toolchain], board: Board, seconds: float) -> None:
        self._tools = tools
        self._board = board
        self._seconds = seconds
        self.time_limit_s: float | None = _RUNS_OF_AN_EVALUATION * seconds

    def execute(
        self, problem: Problem, program: Program, inputs: Mapping[str, Array], *, timing: bool, timeline: bool
    ) -> Execution:
        """Link the candidate with harness and inputs, run that, and judge what it reports."""
        case = make_case(problem, program.source, inputs)
        harnessed, failed = assemble(self._tools(), (case,), self._board)
        if failed:
            return Execution(verdict=failed[0])
        with tempfile.TemporaryDirectory(prefix="autocomp-") as folder:
            elf = Path(folder) / "autocomp-baremetal"
            elf.write_bytes(harnessed.elf)
            finished = self._run(self._command(elf), Path(folder))
        result = self._judge(harnessed, finished)
        measure = Measure(self.unit, self._method(), program.compiler) if timing else None
        return result.execution(case.outputs, measure)

    def _run(self, command: Sequence[str], folder: Path) -> Finished:
        try:
            return run_tool(command, seconds=self._seconds, directory=folder)
        except SetupError as error:
            fixes = [finding.fix for finding in self.findings() if finding.fix]
            raise SetupError("; ".join([str(error), *fixes])) from error

    @abstractmethod
    def findings(self) -> Sequence[Finding]:
        """What is there and what is missing."""

    def _judge(self, harnessed: Harnessed, finished: Finished) -> CaseResult:
        transcript = _transcript.read(finished.output, harnessed.nonce, harnessed.key, 1)
        report = transcript.reports[0]
        result = _result.conclude(harnessed, 0, report)
        if result is not None:
            return result
        if report.begun:
            if finished.status is None:
                return _result.hung(f"{self._seconds:g} s of {self.name}")
            if _CYCLE_LIMIT.search(finished.output):
                return _result.hung(f"the cycles that {self.name} was given")
            if refused := _ASSERTION.search(finished.output):
                return _result.stopped(refused[0].decode(errors="replace").strip())
        if finished.status is None:
            what = f"did not come to the kernel within {self._seconds:g} s"
        else:
            what = f"ended with status {finished.status} {'during' if report.begun else 'before'} the run of the kernel"
        raise InfrastructureError(f"{self._command(Path('ELF'))[0]} {what}: {finished.tail()}")

    @abstractmethod
    def _command(self, elf: Path) -> Sequence[str]:
        """Program and arguments that run ``elf``."""

    @abstractmethod
    def _method(self) -> str:
        """How it is measured, in words."""


class SpikeEngine(_Simulator):
    """Function and instruction count, on the functional simulator with Gemmini's extension."""

    name = "spike"
    unit = "instructions"

    def __init__(self, settings: SpikeSettings, tools: Callable[[], Toolchain]) -> None:
        super().__init__(tools, Board(settings.memory_mb << 20, settings.protect), settings.seconds)
        self._settings = settings

    def fingerprint(self) -> str:
        """Digest of the command, of Spike itself, of the library with the extension, and of the harness."""
        return digest_of(self._settings, _spike_files(self._settings.command[0]))

    def findings(self) -> Sequence[Finding]:
        """Spike and its extension."""
        subject = "gemmini: spike"
        program = shutil.which(self._settings.command[0])
        fix = "source env.sh in your Chipyard, or set targets.gemmini.engines.spike.command in autocomp.toml"
        if program is None:
            return (Finding(subject, False, f"'{self._settings.command[0]}' is not found", fix),)
        libraries = _spike_files(program)[1:]
        if "--extension=gemmini" in self._settings.command and not libraries:
            fix = "make -C chipyard/generators/gemmini/software/libgemmini install"
            return (Finding(subject, False, f"{program} has no libgemmini.so beside it", fix),)
        return (Finding(subject, True, ", ".join(map(str, (program, *libraries)))),)

    def _command(self, elf: Path) -> Sequence[str]:
        return tuple(word.replace("{elf}", str(elf)) for word in self._settings.command)

    def _method(self) -> str:
        return "instructions retired in Spike"


class VerilatorEngine(_Simulator):
    """Cycles of the user's own system on chip, simulated from its RTL."""

    name = "verilator"
    unit = "cycles"

    def __init__(self, settings: VerilatorSettings, tools: Callable[[], Toolchain]) -> None:
        super().__init__(tools, Board(settings.memory_mb << 20, settings.protect), settings.seconds)
        self._settings = settings
        self._path = Path(settings.simulator).expanduser()

    def fingerprint(self) -> str:
        """Digest of the simulator, of how it is called, and of the harness."""
        return digest_of(self._settings, (self._path,))

    def findings(self) -> Sequence[Finding]:
        """The simulator's binary."""
        subject = "gemmini: verilator"
        name = "targets.gemmini.engines.verilator.simulator"
        make = "make -C chipyard/sims/verilator CONFIG=GemminiRocketConfig"
        if not self._settings.simulator:
            return (Finding(subject, False, f"{name} is not set", f"{make}, then set {name} to its path"),)
        if shutil.which(str(self._path)) is None:
            return (Finding(subject, False, f"{name} = {self._path}: is no program that can be run", make),)
        return (Finding(subject, True, str(self._path)),)

    def _command(self, elf: Path) -> Sequence[str]:
        if not self._settings.simulator:
            finding = self.findings()[0]
            raise SetupError(f"{finding.detail}; {finding.fix}")
        limit = str(self._settings.max_cycles)
        words = (word.replace("{elf}", str(elf)).replace("{max_cycles}", limit) for word in self._settings.arguments)
        return (str(self._path), *words)

    def _method(self) -> str:
        return f"cycles of {self._path.name}, read on the core"


def digest_of(settings: object, files: Sequence[Path]) -> str:
    """Digest of settings, of the contents of files, and of the harness; a file that is missing counts as empty."""
    digest = hashlib.sha256(repr(settings).encode())
    for own in _OWN_FILES:
        digest.update(own.name.encode() + b"\0" + hashlib.sha256(own.read_bytes()).digest())
    for path in files:
        digest.update(str(path).encode() + b"\0")
        if path.is_file():
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _spike_files(command: str) -> tuple[Path, ...]:
    """The program, and the extension's library where its installation puts it."""
    found = shutil.which(command)
    if found is None:
        return (Path(command),)
    program = Path(found).resolve()
    library = program.parent.parent / "lib" / "libgemmini.so"
    return (program, library) if library.exists() else (program,)
