"""What runs kernels for Gemmini: the embedded simulator, Spike, a simulator made by Verilator, FireSim."""

from __future__ import annotations

from collections.abc import Callable

from autocomp.targets.gemmini._config import GemminiConfig
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines._embedded import EmbeddedEngine
from autocomp.targets.gemmini.engines._engine import Engine, Program
from autocomp.targets.gemmini.engines._firesim import FireSimEngine
from autocomp.targets.gemmini.engines._simulators import SpikeEngine, VerilatorEngine

__all__ = ["EmbeddedEngine", "Engine", "FireSimEngine", "Program", "SpikeEngine", "VerilatorEngine", "create"]


def create(name: str, config: GemminiConfig, tools: Callable[[], Toolchain]) -> Engine:
    """The engine called ``name``; ``tools`` gives the compiler when it is first needed."""
    settings = config.engines
    match name:
        case "spike":
            return SpikeEngine(settings.spike, tools)
        case "verilator":
            return VerilatorEngine(settings.verilator, tools)
        case "firesim":
            return FireSimEngine(settings.firesim, tools)
    return EmbeddedEngine(config)
