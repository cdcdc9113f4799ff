"""What packaged kernels take for granted about the default chip, held to that chip's own description."""

from __future__ import annotations

from autocomp.problems import _chip, _conv, _gemm
from autocomp.targets.gemmini import _config


def test_sizes_are_those_of_the_default_chip() -> None:
    sizes = _config.load().simulator
    assert sizes["dim"] == _chip.TILE
    assert sizes["max_block_bytes"] == _chip.GROUP
    assert sizes["scratchpad_banks"] * sizes["scratchpad_bank_rows"] == _chip.SCRATCHPAD_ROWS
    assert sizes["accumulator_banks"] * sizes["accumulator_bank_rows"] == _chip.ACCUMULATOR_ROWS
    assert sizes["accumulator_bank_rows"] == _chip.ACCUMULATOR_BANK_ROWS
    assert (sizes["scratchpad_banks"], sizes["accumulator_banks"]) == (4, 2)
    assert _chip.ACCUMULATOR == 1 << 31


def test_what_schedules_make_of_them() -> None:
    """By hand, from 256 KiB in four banks of 4096 rows and 64 KiB in two banks of 512."""
    assert (_gemm._PANEL_TILES, _gemm._MAX_CHUNK, _gemm._SUM_GROUPS, _gemm._MAX_BLOCK_ROWS) == (512, 2048, 8, 256)
    assert (_conv._MAX_WEIGHT_ROWS, _conv._MAX_INPUT_ROWS) == (12288, 8192)
    assert [_conv.Pool(size, 1, 0).most_columns for size in (2, 3)] == [255, 170]
