"""Problems and kernels for the tests of engines, and what is right for them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from autocomp.records import Distribution, Kernel, Problem, Role, TensorSpec, Tolerance, Work
from autocomp.targets import Target
from autocomp.targets.gemmini import create

_HERE = Path(__file__).parent

ON_ARRAY = """
void solution(int8_t A[64][32], int8_t B[32][48], int8_t C[64][48]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(32, 1.0f, 16, 0);
  config_ld(48, 1.0f, 16, 1);
  config_st(48);
  for (int k = 0; k < 2; k++) mvin2(B[16 * k], 4096 + 48 * k, 48, 16);
  for (int i = 0; i < 4; i++) {
    mvin(A[16 * i], 32 * i, 32, 16);
    for (int j = 0; j < 3; j++) {
      uint32_t sum = 0x80000000u + 16 * (3 * i + j);
      for (int k = 0; k < 2; k++) {
        preload(4096 + 48 * k + 16 * j, k ? sum | 0x40000000u : sum, 16, 16, 16, 16);
        compute_preloaded(32 * i + 16 * k, GARBAGE_ADDR, 16, 16, 16, 16);
      }
      mvout(&C[16 * i][16 * j], sum, 16, 16);
    }
  }
  fence();
}
"""
_BEGIN, _END = ON_ARRAY.split("  fence();\n}\n", maxsplit=1)[0], "  fence();\n}\n"

ON_CORE = """
void solution(int8_t A[64][32], int8_t B[32][48], int8_t C[64][48]) {
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 48; j++) {
      int sum = 0;
      for (int k = 0; k < 32; k++) sum += A[i][k] * B[k][j];
      C[i][j] = sum > 127 ? 127 : sum < -128 ? -128 : sum;
    }
%s
}
"""


def on_array(ending: str) -> str:
    """The right kernel with something more at its end, behind a fence."""
    return f"{_BEGIN}  fence();\n{ending}\n{_END}"


HANGS = on_array("  for (volatile int i = 0; i < 1 << 30; i++) { }")
OUT_OF_BOUNDS = on_array("  mvin(A, 0x00ffffff, 16, 16);")
WRONG = on_array("  C[3][5] ^= 1;")


def matmul() -> Problem:
    """64x48x32 in int8; the sum is clipped."""
    arguments = (
        TensorSpec("A", "int8", (64, 32), Role.INPUT),
        TensorSpec("B", "int8", (32, 48), Role.INPUT),
        TensorSpec("C", "int8", (64, 48), Role.OUTPUT),
    )
    return Problem(
        "p", "matmul", {"M": 64, "N": 48, "K": 32}, "solution", arguments, _product, Kernel("start", ON_ARRAY), {},
        (Distribution("uniform"),), {}, Work(64 * 48 * 32, 64 * 32 + 32 * 48 + 64 * 48),
    )  # fmt: skip


def _product(inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {"C": np.clip(inputs["A"].astype(int) @ inputs["B"].astype(int), -128, 127)}


def inputs(seed: int = 0) -> dict[str, np.ndarray]:
    """Inputs of :func:`matmul`."""
    random = np.random.default_rng(seed)
    return {
        "A": random.integers(-128, 128, (64, 32)).astype(np.int8),
        "B": random.integers(-128, 128, (32, 48)).astype(np.int8),
    }


def expected(seed: int = 0) -> np.ndarray:
    """What C must be."""
    return _product(inputs(seed))["C"].astype(np.int8)


def axpy() -> Problem:
    """y = a x + y in float32, where the last bit may differ."""
    arguments = (
        TensorSpec("a", "float32", (), Role.INPUT),
        TensorSpec("x", "float32", (100,), Role.INPUT),
        TensorSpec("y", "float32", (100,), Role.INOUT),
    )
    return Problem(
        "axpy", "axpy", {"N": 100}, "solution", arguments,
        lambda given: {"y": given["a"].astype(float) * given["x"] + given["y"]},
        Kernel("start", AXPY), {}, (Distribution("uniform"),), {"float32": Tolerance(1e-6, 1e-6)}, Work(100, 1200),
    )  # fmt: skip


AXPY = """
void solution(float a, const float x[100], float y[100]) {
  for (int i = 0; i < 100; i++) y[i] = a * x[i] + y[i];
}
"""


def stand_in(tool: str, mishap: str = "none", *, seconds: float = 60.0, **more: object) -> dict[str, object]:
    """Settings of a target whose tool is the stand-in."""
    words = [sys.executable, str(_HERE / "stand_in.py"), tool, mishap]
    if tool == "spike":
        table: dict[str, object] = {"command": [*words, "--extension=gemmini", "{elf}"]}
    else:
        switches = ["+permissive", "+loadmem={elf}", "+max-cycles={max_cycles}", "+permissive-off", "{elf}"]
        table = {"simulator": words[0], "arguments": [*words[1:], *switches], "check": "same"}
    return {"engine": tool, "engines": {tool: table | {"seconds": seconds} | more}}


def target(tool: str, mishap: str = "none", **settings: object) -> Target:
    """A target whose tool is the stand-in."""
    return create(stand_in(tool, mishap, **settings))  # type: ignore[arg-type]
