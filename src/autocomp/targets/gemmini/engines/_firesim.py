"""The engine that runs candidates on an FPGA through FireSim, many in one run."""

from __future__ import annotations

import hashlib
import logging
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from autocomp.errors import InfrastructureError, SetupError
from autocomp.problems.cache import cache_folder
from autocomp.records import Array, Problem
from autocomp.targets._target import Execution, Finding
from autocomp.targets.gemmini._engine_settings import FireSimSettings
from autocomp.targets.gemmini._toolchain import CACHE, Toolchain
from autocomp.targets.gemmini.engines import _transcript
from autocomp.targets.gemmini.engines._batch import Batch, Ran
from autocomp.targets.gemmini.engines._case import Case, make_case
from autocomp.targets.gemmini.engines._engine import Program
from autocomp.targets.gemmini.engines._harness import Board, Harnessed
from autocomp.targets.gemmini.engines._process import run_tool
from autocomp.targets.gemmini.engines._result import CaseResult, Measure
from autocomp.targets.gemmini.engines._simulators import digest_of
from autocomp.targets.gemmini.engines._spool import Spool

_log = logging.getLogger("autocomp")
_RUNS_OF_AN_EVALUATION = 16
_MANAGER_FILES = ("config_runtime.yaml", "config_hwdb.yaml", "config_build_recipes.yaml")


class FireSimEngine:
    """Cycles of the system on the FPGA. Evaluations of all processes of this user share its runs."""

    name = "firesim"
    unit = "cycles"

    def __init__(self, settings: FireSimSettings, tools: Callable[[], Toolchain]) -> None:
        self._settings = settings
        self._tools = tools
        self._directory = Path(settings.directory).expanduser()
        self._board = Board(settings.memory_mb << 20, settings.protect)
        longest = settings.seconds + settings.gather_seconds + 2 * settings.setup_seconds
        self.time_limit_s: float | None = _RUNS_OF_AN_EVALUATION * longest

    def fingerprint(self) -> str:
        """Digest of the settings, of the manager's files, which name the bitstream, and of the harness."""
        return digest_of(self._settings, [self._directory / name for name in _MANAGER_FILES])

    def execute(
        self, problem: Problem, program: Program, inputs: Mapping[str, Array], *, timing: bool, timeline: bool
    ) -> Execution:
        """Wait for the FPGA and run with whatever else waits for it then."""
        self._check()
        case = make_case(problem, program.source, inputs)
        tools = self._tools()
        base = cache_folder(CACHE) / "firesim"
        place = hashlib.sha256(str(self._directory.resolve()).encode()).hexdigest()[:16]
        kind = hashlib.sha256((tools.fingerprint + self.fingerprint()).encode()).hexdigest()[:16]
        base.mkdir(parents=True, exist_ok=True)
        spool = Spool(
            base / f"{place}-{kind}",
            base / f"{place}.lock",
            most=self._settings.batch,
            gather_s=self._settings.gather_seconds,
        )
        result = spool.submit(case, self._run_batch)
        measure = Measure(self.unit, "cycles on FireSim, read on the core", program.compiler) if timing else None
        return result.execution(case.outputs, measure)

    def findings(self) -> Sequence[Finding]:
        """The folder, its commands, and the log that shows progress."""
        subject = "gemmini: firesim"
        where = "targets.gemmini.engines.firesim"
        settings = self._settings
        try:
            self._check()
        except SetupError as error:
            fix = f"set {where}.directory to firesim/deploy of a FireSim that `firesim managerinit` has prepared"
            return (Finding(subject, False, str(error), fix),)
        missing = [command[0] for command in self._commands() if self._missing(command[0])]
        if missing:
            detail = f"'{missing[0]}' is not found"
            return (Finding(subject, False, detail, "source sourceme-manager.sh in your FireSim"),)
        if not settings.live_uartlog:
            detail = f"{where}.live_uartlog is not set: a kernel that hangs cannot be told from an FPGA that does"
            return (Finding(subject, False, detail, f"set {where}.live_uartlog to …/sim_slot_0/uartlog"),)
        return (Finding(subject, True, f"{self._directory}, up to {settings.batch} kernels in one run"),)

    def _commands(self) -> list[tuple[str, ...]]:
        settings = self._settings
        every = (settings.launch, settings.setup, settings.run, settings.kill, settings.terminate)
        return [command for command in every if command]

    def _missing(self, program: str) -> bool:
        return shutil.which(program) is None and shutil.which(str(self._directory / program)) is None

    def _check(self) -> None:
        if not self._settings.directory:
            raise SetupError(
                "targets.gemmini.engines.firesim.directory is not set; set it in autocomp.toml to firesim/deploy of a "
                "FireSim that `firesim managerinit` has prepared"
            )
        if not self._directory.is_dir():
            raise SetupError(f"targets.gemmini.engines.firesim.directory = {self._directory}: is no folder")

    def _run_batch(self, cases: Sequence[Case]) -> list[CaseResult | InfrastructureError]:
        try:  # a launch that fails may have rented some of what it was asked for
            self._command(self._settings.launch, "launch")
            batch = Batch(self._tools(), self._board, self._run, sees_begin=bool(self._settings.live_uartlog))
            return batch.results(cases)
        finally:
            self._try(
                "terminate", self._settings.terminate, "FPGAs that were rented may still be: give them back by hand"
            )

    def _run(self, harnessed: Harnessed) -> Ran:
        settings = self._settings
        program = self._directory / settings.program
        program.parent.mkdir(parents=True, exist_ok=True)
        marker = program.with_name(program.name + ".running")
        if marker.exists():  # whoever ran here was killed, or could not end the simulation
            self._command(settings.kill, "kill")
        marker.touch()
        program.write_bytes(harnessed.elf)
        self._command(settings.setup, "setup")
        before = self._logs()
        watch = _Watch(harnessed, self._live, settings.silence_seconds)
        finished = run_tool(
            self._words(settings.run), seconds=settings.seconds, directory=self._directory, watch=watch.stalled
        )
        text = finished.output + self._live() + b"".join(map(_read, self._logs() - before))
        if finished.status is not None or self._try("kill", settings.kill, "the next run tries it again"):
            marker.unlink(missing_ok=True)
        return Ran(text, watch.silent_s, finished.tail())

    def _live(self) -> bytes:
        """The log of a simulation that runs, as far as it has come."""
        log = self._settings.live_uartlog
        return _read(self._directory / Path(log).expanduser()) if log else b""

    def _logs(self) -> set[Path]:
        """Logs that ended runs have left; a new one has a name of its own."""
        return set(self._directory.glob(self._settings.uartlog))

    def _words(self, command: Sequence[str]) -> list[str]:
        elf = str(self._directory / self._settings.program)
        return [word.replace("{elf}", elf) for word in command]

    def _try(self, name: str, command: Sequence[str], otherwise: str) -> bool:
        """Run a command whose failure takes nothing from what has been measured: it is a warning."""
        try:
            self._command(command, name)
        except (InfrastructureError, SetupError) as error:
            _log.warning("%s; %s", error, otherwise)
            return False
        return True

    def _command(self, command: Sequence[str], name: str) -> None:
        """Run one of the commands around a run. Raises InfrastructureError if it fails."""
        if not command:
            return
        finished = run_tool(self._words(command), seconds=self._settings.setup_seconds, directory=self._directory)
        if finished.status != 0:
            how = "took too long" if finished.status is None else f"ended with status {finished.status}"
            raise InfrastructureError(f"FireSim's {name} command ({' '.join(command)}) {how}: {finished.tail()}")


class _Watch:
    """Ends a run in which a kernel has begun and nothing has been heard for long."""

    def __init__(self, harnessed: Harnessed, live: Callable[[], bytes], patience_s: float) -> None:
        self.silent_s: float | None = None
        """Set when the run was ended for that."""
        self._harnessed = harnessed
        self._live = live
        self._patience_s = patience_s
        self._lines = 0
        self._heard_at = time.monotonic()

    def stalled(self, output: bytes) -> bool:
        """True if it is time to end the run whose commands have printed ``output``."""
        harnessed = self._harnessed
        text = output + self._live()
        transcript = _transcript.read(text, harnessed.nonce, harnessed.key, len(harnessed.placed))
        now = time.monotonic()
        if transcript.lines != self._lines:
            self._lines, self._heard_at = transcript.lines, now
        if self._lines == 0 or transcript.done or now - self._heard_at < self._patience_s:
            return False
        self.silent_s = self._patience_s
        return True


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
