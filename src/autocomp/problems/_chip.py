"""Sizes of the default chip (int8-16x16) that packaged kernels and Exo's are written for, in its own units.

Tests hold them to the chip's description, which problems cannot read: the target stands above them.
"""

from __future__ import annotations

TILE = 16
"""Rows and columns of the array; values in a row of scratchpad or accumulator."""
GROUP = 64
"""Columns of int8 in one load: four tiles."""
SCRATCHPAD_ROWS = 16384
"""In four banks."""
ACCUMULATOR_ROWS = 1024
"""In two banks."""
ACCUMULATOR_BANK_ROWS = 512
ACCUMULATOR = 0x80000000
"""Address of the accumulator's first row."""
