"""What runs kernels for Gemmini: the embedded simulator, Spike, a Verilator binary, FireSim."""

from autocomp.targets.gemmini.engines._embedded import EmbeddedEngine
from autocomp.targets.gemmini.engines._engine import Engine, Program

__all__ = ["EmbeddedEngine", "Engine", "Program"]
