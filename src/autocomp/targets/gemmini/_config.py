"""Settings of the target: ``target.toml``, with the user's own table on top."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autocomp.errors import UsageError
from autocomp.records import Work
from autocomp.targets.gemmini._description import describe
from autocomp.targets.gemmini._engine_settings import EngineSettings, load_engines

_FILE = Path(__file__).parent / "target.toml"
_MEMORIES = ("ideal", "ddr3")
_TABLES = ("toolchain", "limits", "simulator")
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

    def parameters_header(self) -> str:
        """Text of ``gemmini_params.h`` for this chip."""
        get = self.simulator.__getitem__
        return _PARAMETERS_HEADER.format(
            dim=get("dim"),
            banks=get("scratchpad_banks"),
            bank_rows=get("scratchpad_bank_rows"),
            accumulator_rows=get("accumulator_banks") * get("accumulator_bank_rows"),
            block_bytes=get("max_block_bytes"),
        )


def load(settings: Mapping[str, object] | None = None) -> GemminiConfig:
    """Merge the user's settings into the defaults.

    Raises UsageError that names the key, the value and what would be right.
    """
    table = tomllib.loads(_FILE.read_text())
    memory = table["defaults"]["memory"]
    for key, value in (settings or {}).items():
        if key == "memory":
            if value not in _MEMORIES:
                raise UsageError(f"targets.gemmini.memory = {value!r}: must be one of {', '.join(_MEMORIES)}")
            memory = value
        elif key in _TABLES:
            _merge(table[key], key, value)
        elif key in _ENGINES:
            continue
        else:
            raise UsageError(f"targets.gemmini has no setting '{key}'{_meant(key, ('memory', *_TABLES, *_ENGINES))}")
    _check_simulator(table["simulator"])
    return GemminiConfig(
        memory=memory,
        compiler=table["toolchain"]["compiler"],
        compiler_seconds=float(table["toolchain"]["seconds"]),
        compiler_output_bytes=table["toolchain"]["output_bytes"],
        limits=Limits(**table["limits"]),
        simulator=table["simulator"],
        description=describe(table),
        engines=load_engines((settings or {}).get("engine"), (settings or {}).get("engines", {})),
    )


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
        if expected is not str and value <= 0 and name != "simulator" and (value or into[key]):
            raise UsageError(f"{where}.{key} = {value!r}: must be greater than zero")
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


_PARAMETERS_HEADER = """\
/* Sizes of the configured chip. Generated; see target.toml. */
#ifndef GEMMINI_PARAMS_H
#define GEMMINI_PARAMS_H

#include <limits.h>
#include <stdint.h>

#define DIM {dim}
#define ADDR_LEN 32
#define BANK_NUM {banks}
#define BANK_ROWS {bank_rows}
#define ACC_ROWS {accumulator_rows}
#define MAX_BYTES {block_bytes}
#define MAX_BLOCK_LEN (MAX_BYTES / (DIM * 1))
#define MAX_BLOCK_LEN_ACC (MAX_BYTES / (DIM * 4) > 0 ? MAX_BYTES / (DIM * 4) : 1)

typedef int8_t elem_t;
typedef int32_t acc_t;
typedef int64_t full_t;
static const elem_t elem_t_max __attribute__((unused)) = 127;
static const elem_t elem_t_min __attribute__((unused)) = -128;

#define HAS_MVIN_SCALE
typedef float scale_t;
typedef uint32_t scale_t_bits;
typedef int32_t scale_acc_t;
typedef uint32_t scale_acc_t_bits;
typedef float acc_scale_t;
typedef uint32_t acc_scale_t_bits;
#define MVIN_SCALE_IDENTITY 1.0f
#define ACC_SCALE_IDENTITY 1.0f
#define ACC_SCALE_T_IS_FLOAT
#define ACC_READ_SMALL_WIDTH
#define ACC_READ_FULL_WIDTH

#define row_align(blocks) __attribute__((aligned((blocks) * DIM * sizeof(elem_t))))
#define row_align_acc(blocks) __attribute__((aligned((blocks) * DIM * sizeof(acc_t))))

#endif
"""
