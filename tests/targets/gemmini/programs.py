"""Compiles C and runs it on the simulated core, without a Target around it."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from autocomp.errors import ToolchainError
from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._compilers import find
from autocomp.targets.gemmini._simulator import Simulator
from autocomp.targets.gemmini._toolchain import Toolchain

LIMIT = 1_000_000_000
COMPILERS = ("gcc", "clang", "zig")


def installed() -> list[str]:
    out = []
    for name in COMPILERS:
        try:
            find(name)
        except ToolchainError:
            continue
        out.append(name)
    return out


def skip_unless_installed(compiler: str) -> None:
    if compiler not in installed():
        pytest.skip(f"no RISC-V {compiler} on this machine")


@functools.cache
def toolchain(compiler: str = "auto") -> Toolchain:
    return Toolchain(compiler, _config.load().parameters_header())


@functools.cache
def program(source: str, compiler: str = "auto") -> bytes:
    build = toolchain(compiler).compile(source)
    assert build.program is not None, build.errors
    return build.program


def array(name: str, values: np.ndarray, role: str = "inout") -> dict[str, object]:
    return {"name": name, "bytes": np.ascontiguousarray(values).tobytes(), "role": role}


def simulate(source: str, *arguments: dict[str, object], compiler: str = "auto", entry: str = "solution", **options):
    """The raw result of the simulator."""
    settings = options.pop("settings", {})
    defaults = {"timing": False, "may_read_clock": True, "instruction_limit": LIMIT, "cycle_limit": LIMIT}
    options = {**defaults, **options}
    return Simulator(settings).run(program(source, compiler), entry, list(arguments), **options)


def run(source: str, *arrays: np.ndarray, compiler: str = "auto", **options) -> list[np.ndarray]:
    """Calls ``solution`` with writable arrays and returns them as it left them."""
    names = [f"x{index}" for index in range(len(arrays))]
    given = [array(name, values) for name, values in zip(names, arrays, strict=True)]
    result = simulate(source, *given, compiler=compiler, **options)
    assert result["fault"] is None, result["fault"]
    return [
        np.frombuffer(result["outputs"][name], dtype=values.dtype).reshape(values.shape)
        for name, values in zip(names, arrays, strict=True)
    ]
