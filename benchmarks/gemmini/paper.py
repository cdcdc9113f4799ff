"""What the papers report for Gemmini, and the bars that our results are held to.

Source: "Autocomp: A Powerful and Portable Code Optimizer for Tensor Accelerators" (arXiv 2505.18574), bar charts of the
Gemmini section, read off to two digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LIBRARY, START, HAND, LOOP, TUNED_LOOP = "library", "start", "hand-tuned", "hardware-loop", "hardware-loop-tuned"
FOUND = "found"


@dataclass(frozen=True)
class Bar:
    """The geometric mean of ``baseline`` cycles over found cycles must reach ``least``, over the named problems."""

    baseline: str
    least: float
    problems: tuple[str, ...] = ()
    """Empty: all of the family."""


@dataclass(frozen=True)
class Family:
    """One table of the papers."""

    name: str
    title: str
    problems: tuple[str, ...]
    baseline: str
    """What speed-ups are given over."""
    columns: tuple[str, ...]
    """Kernels beside the found one, in the order of the table."""
    bars: tuple[Bar, ...]
    never_behind: tuple[str, ...] = ()
    """Rivals that the found kernel must beat on every problem."""
    reported: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Speed-ups over the baseline in the papers, by column, in the order of ``problems``."""


GEMM = Family(
    name="gemm",
    title="GEMM, int8 16x16",
    problems=(
        "gemm:512x512x512",
        "gemm:12544x256x64",
        "gemm:12544x64x256",
        "gemm:3136x512x128",
        "gemm:3136x128x512",
        "gemm:784x1024x256",
    ),
    baseline=LIBRARY,
    columns=(LIBRARY, START, HAND, LOOP),
    bars=(Bar(LIBRARY, 5.6),),
    never_behind=(HAND, LOOP),
    reported={
        START: (2.6, 1.9, 1.7, 1.9, 1.9, 1.8),
        HAND: (5.2, 4.2, 2.5, 4.5, 4.3, 4.0),
        LOOP: (6.0, 6.5, 5.9, 6.3, 5.9, 6.2),
        FOUND: (5.2, 5.6, 5.5, 5.7, 5.5, 5.8),
    },
)
CONVOLUTION = Family(
    name="conv",
    title="Convolution 3x3, batch 4, int8 16x16",
    problems=("conv:4x56x56x64x64", "conv:4x28x28x128x128", "conv:4x14x14x256x256"),
    baseline=LIBRARY,
    columns=(LIBRARY, START, HAND, LOOP),
    bars=(Bar(LIBRARY, 2.6), Bar(HAND, 1.1)),
)
TINYMPC = Family(
    name="tinympc",
    title="TinyMPC, float32 4x4",
    problems=("tinympc:forward", "tinympc:backward"),
    baseline=START,
    columns=(START, HAND, LOOP, TUNED_LOOP),
    # The expert's version with hardware loops is the one that leaves nothing to the core.
    bars=(Bar(START, 2.7), Bar(TUNED_LOOP, 1.6, ("tinympc:forward",))),
)
FAMILIES = {family.name: family for family in (GEMM, CONVOLUTION, TINYMPC)}
RATIO_TOLERANCE = 0.15
"""How far the geometric mean of a rival's speed-up over the baseline may be from the reported one."""
