"""Settings of the engines: which one measures, and how the tools outside this process are called."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from autocomp.errors import UsageError

ENGINES = ("embedded", "spike", "verilator", "firesim")
_FILE = Path(__file__).parent / "engines.toml"
CHECKS = ("embedded", "spike", "same")
LARGEST = 10**9
"""No number in the settings means anything beyond this: seconds, bytes in MB and cycles alike fit."""


@dataclass(frozen=True)
class SpikeSettings:
    """``[targets.gemmini.engines.spike]``."""

    command: tuple[str, ...]
    """Program and arguments; ``{elf}`` stands for the program to run."""
    seconds: float
    memory_mb: int
    protect: bool


@dataclass(frozen=True)
class VerilatorSettings:
    """``[targets.gemmini.engines.verilator]``."""

    simulator: str
    """Path of the simulator that Chipyard made."""
    arguments: tuple[str, ...]
    """``{elf}`` and ``{max_cycles}`` stand for the program and the limit."""
    max_cycles: int
    seconds: float
    memory_mb: int
    protect: bool
    check: str


@dataclass(frozen=True)
class FireSimSettings:
    """``[targets.gemmini.engines.firesim]``; commands run in ``directory``, ``{elf}`` stands for the program."""

    directory: str
    program: str
    """Where the workload takes the program from, relative to ``directory``."""
    launch: tuple[str, ...]
    setup: tuple[str, ...]
    run: tuple[str, ...]
    kill: tuple[str, ...]
    terminate: tuple[str, ...]
    uartlog: str
    """Pattern of the logs that a run leaves behind."""
    live_uartlog: str
    """The log while the simulation runs; empty: what ``run`` prints is all that can be watched."""
    batch: int
    """Most candidates in one run."""
    gather_seconds: float
    """How long a run waits for more candidates."""
    silence_seconds: float
    """A candidate from which nothing is heard for so long hangs."""
    setup_seconds: float
    """For each command but ``run``."""
    seconds: float
    """For one run."""
    memory_mb: int
    protect: bool
    check: str


@dataclass(frozen=True)
class EngineSettings:
    """Which engine measures, and the settings of those that are outside."""

    engine: str
    named: tuple[str, ...]
    """Engines that the user has settings for, whether one of them measures or not."""
    spike: SpikeSettings
    verilator: VerilatorSettings
    firesim: FireSimSettings

    @property
    def check(self) -> str:
        """Which engine runs what is not timed; ``same``: the one that measures."""
        return {"verilator": self.verilator.check, "firesim": self.firesim.check}.get(self.engine, "same")


_Kind = TypeVar("_Kind", SpikeSettings, VerilatorSettings, FireSimSettings)


def load_engines(engine: object | None, given: object) -> EngineSettings:
    """The user's ``engine`` and table over the defaults.

    Raises UsageError that names the key, the value and what would be right.
    """
    defaults = tomllib.loads(_FILE.read_text())
    engine = defaults["engine"] if engine is None else engine
    if engine not in ENGINES:
        raise UsageError(f"targets.gemmini.engine = {engine!r}: must be one of {', '.join(ENGINES)}")
    tables = _mapping("targets.gemmini.engines", given)
    for name in tables:
        if name not in ENGINES[1:]:
            known = ", ".join(ENGINES[1:])
            raise UsageError(f"targets.gemmini.engines has no engine '{name}' with settings; there are: {known}")
    firesim = _settings(FireSimSettings, "firesim", defaults, tables)
    for key in ("program", "uartlog"):
        _below(f"targets.gemmini.engines.firesim.{key}", getattr(firesim, key))
    if firesim.silence_seconds >= firesim.seconds:
        raise UsageError(
            f"targets.gemmini.engines.firesim.silence_seconds = {firesim.silence_seconds:g}: must be less than "
            f"seconds = {firesim.seconds:g}, the time of a run"
        )
    return EngineSettings(
        str(engine),
        tuple(tables),
        _settings(SpikeSettings, "spike", defaults, tables),
        _settings(VerilatorSettings, "verilator", defaults, tables),
        firesim,
    )


def _mapping(where: str, given: object) -> Mapping[str, object]:
    if not isinstance(given, Mapping):
        raise UsageError(f"{where} = {given!r}: must be a table")
    return given


def _settings(
    kind: type[_Kind], name: str, defaults: Mapping[str, Mapping[str, Any]], tables: Mapping[str, object]
) -> _Kind:
    where = f"targets.gemmini.engines.{name}"
    values: dict[str, Any] = dict(defaults[name])
    for key, value in _mapping(where, tables.get(name, {})).items():
        if key not in values:
            close = difflib.get_close_matches(key, values, 1)
            hint = f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(values)}"
            raise UsageError(f"{where} has no setting '{key}'; {hint}")
        values[key] = _checked(f"{where}.{key}", values[key], value)
    if "check" in values and values["check"] not in CHECKS:
        raise UsageError(f"{where}.check = {values['check']!r}: must be one of {', '.join(CHECKS)}")
    frozen: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return kind(**frozen)


def _checked(where: str, default: object, value: object) -> object:
    """``value`` if it is of the type of ``default``."""
    if isinstance(default, list):
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise UsageError(f"{where} = {value!r}: must be a list of strings, one for each word of the command")
        if default and not value:
            raise UsageError(f"{where} = []: must name a command, such as {default!r}")
        _plain(where, *value)
        return value
    expected = type(default)
    accepted: tuple[type, ...] = (int, float) if expected is float else (expected,)
    if (isinstance(value, bool) and expected is not bool) or not isinstance(value, accepted):
        raise UsageError(f"{where} = {value!r}: must be of type {expected.__name__}")
    if isinstance(value, str):
        _plain(where, value)
    if isinstance(value, int | float) and not isinstance(value, bool) and not 0 < value <= LARGEST:
        raise UsageError(f"{where} = {value!r}: must be greater than zero and at most {LARGEST:,}")
    return float(value) if isinstance(value, int) and expected is float else value


def _plain(where: str, *texts: str) -> None:
    if any("\0" in text for text in texts):
        raise UsageError(f"{where}: holds a NUL character, which no path and no argument can")


def _below(where: str, path: str) -> None:
    """A path or pattern that stays inside the directory it is relative to."""
    if not path or Path(path).is_absolute() or ".." in Path(path).parts:
        raise UsageError(f"{where} = {path!r}: must be a path below `directory`, without '..'")
