"""Settings of the target: ``target.toml`` and one of ``chips/``, with the user's own table on top."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autocomp.errors import UsageError
from autocomp.records import Work
from autocomp.targets.gemmini._description import SUM_BYTES, describe, element_type, row_bytes
from autocomp.targets.gemmini._engine_settings import EngineSettings, load_engines
from autocomp.targets.gemmini._parameters_header import parameters_header

_FILE = Path(__file__).parent / "target.toml"
_CHIPS = Path(__file__).parent / "chips"
_MEMORIES = ("ideal", "ddr3")
_TABLES = ("toolchain", "limits", "simulator")
_LARGEST = {int: 10**15, float: 10**9}
"""Of counts and bytes, and of seconds."""
_ENGINES = ("engine", "engines")


@dataclass(frozen=True)
class Limits:
    """How long a kernel may run before it counts as endless."""

    instructions: int
    """Zero: by the work of the problem."""
    cycles: int
    """Zero: by the work of the problem."""
    per_operation: int
    least: int

    def of(self, work: Work) -> tuple[int, int]:
        """Instructions and cycles that a kernel for this much work may take."""
        by_work = max(self.least, self.per_operation * max(work.operations, work.bytes))
        return self.instructions or by_work, self.cycles or by_work


@dataclass(frozen=True)
class GemminiConfig:
    """One configured chip with its compiler and limits."""

    chip: str
    """Name of the chip that the sizes start from."""
    memory: str
    compiler: str
    compiler_seconds: float
    compiler_output_bytes: int
    limits: Limits
    simulator: Mapping[str, int]
    """Sizes and timing parameters by name; those left out keep the simulator's own values."""
    description: Mapping[str, object]
    """Memories, units, clock and peak rates of this configuration."""
    engines: EngineSettings

    @property
    def dim(self) -> int:
        """Rows and columns of the array."""
        return self.simulator["dim"]

    @property
    def elements(self) -> str:
        """Type of the array's elements, as NumPy names it."""
        return element_type(self.simulator)

    def parameters_header(self) -> str:
        """Text of ``gemmini_params.h`` for this chip."""
        return parameters_header(self.simulator)


def chips() -> tuple[str, ...]:
    """Names that the setting ``chip`` takes."""
    return tuple(sorted(file.stem for file in _CHIPS.glob("*.toml")))


def load(settings: Mapping[str, object] | None = None) -> GemminiConfig:
    """Merge the user's settings into the defaults.

    Raises UsageError that names the key, the value and what would be right.
    """
    table = tomllib.loads(_FILE.read_text())
    given = dict(settings or {})
    chip = _choice("chip", given.pop("chip", table["defaults"]["chip"]), chips())
    memory = _choice("memory", given.pop("memory", table["defaults"]["memory"]), _MEMORIES)
    table["simulator"] |= tomllib.loads((_CHIPS / f"{chip}.toml").read_text())["simulator"]
    standard = dict(table["simulator"])
    for key, value in given.items():
        if key in _TABLES:
            _merge(table[key], key, value)
        elif key not in _ENGINES:
            known = ("chip", "memory", *_TABLES, *_ENGINES)
            raise UsageError(f"targets.gemmini has no setting '{key}'{_meant(key, known)}")
    _keep_capacities(table["simulator"], standard, given.get("simulator", {}))
    _check_simulator(table["simulator"])
    return GemminiConfig(
        chip=chip,
        memory=memory,
        compiler=table["toolchain"]["compiler"],
        compiler_seconds=float(table["toolchain"]["seconds"]),
        compiler_output_bytes=table["toolchain"]["output_bytes"],
        limits=Limits(**table["limits"]),
        simulator=table["simulator"],
        description=describe(table),
        engines=load_engines((settings or {}).get("engine"), (settings or {}).get("engines", {})),
    )


def _choice(name: str, value: object, known: tuple[str, ...]) -> str:
    if isinstance(value, str) and value in known:
        return value
    raise UsageError(f"targets.gemmini.{name} = {value!r}: must be one of {', '.join(known)}")


def _keep_capacities(sizes: dict[str, int], standard: Mapping[str, int], given: object) -> None:
    """Local memories keep their bytes when rows become wider or banks more, unless their rows are given too."""
    for memory, width in (("scratchpad", row_bytes), ("accumulator", lambda s: s["dim"] * SUM_BYTES)):
        banks, rows = f"{memory}_banks", f"{memory}_bank_rows"
        if isinstance(given, Mapping) and rows not in given and sizes[banks] > 0 and width(sizes) > 0:
            sizes[rows] = standard[banks] * standard[rows] * width(standard) // (sizes[banks] * width(sizes))


def _merge(into: dict[str, Any], name: str, given: object) -> None:
    where = f"targets.gemmini.{name}"
    if not isinstance(given, Mapping):
        raise UsageError(f"{where} = {given!r}: must be a table")
    names = tuple(into) if name != "simulator" else _simulator_names(into)
    for key, value in given.items():
        if key not in names:
            raise UsageError(f"{where} has no setting '{key}'{_meant(str(key), names)}")
        expected = type(into.get(key, 0))
        if isinstance(value, bool) or not isinstance(value, (int, float) if expected is float else expected):
            raise UsageError(f"{where}.{key} = {value!r}: must be of type {expected.__name__}")
        zero = value == 0 and not into.get(key, 0)  # where it means "as the work demands"
        if expected is not str and name != "simulator" and not zero and not 0 < value <= _LARGEST[expected]:
            raise UsageError(f"{where}.{key} = {value!r}: must be greater than zero and at most {_LARGEST[expected]:,}")
        into[key] = value


def _simulator_names(fallback: Mapping[str, int]) -> tuple[str, ...]:
    try:
        from autocomp.targets.gemmini._simulator import settings
    except ImportError:  # reported by whoever runs something
        return tuple(fallback)
    return tuple(settings())


def _check_simulator(values: Mapping[str, int]) -> None:
    try:
        from autocomp.targets.gemmini._simulator import Simulator
    except ImportError:
        return
    for key, value in values.items():
        if abs(value) >= 1 << 63:
            raise UsageError(f"targets.gemmini.simulator.{key} = {value}: too large")
    try:
        Simulator(values)
    except ValueError as error:
        raise UsageError(f"targets.gemmini.simulator.{error}") from error


def _meant(key: str, names: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(key, names, 1)
    return f"; did you mean '{close[0]}'?" if close else f"; there are: {', '.join(names)}"
