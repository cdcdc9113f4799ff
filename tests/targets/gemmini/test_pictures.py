"""Stores of pictures: max pooling and picture rows with a pitch, against NumPy, and what they make others wait for."""

from __future__ import annotations

import numpy as np
import pytest
from command_programs import (
    ACCUMULATOR,
    FULL,
    INPUT_BASE,
    OUTPUT_BASE,
    Command,
    config_ld,
    config_st,
    extent,
    float_bits,
    picture_fields,
)
from isa_comparison import new_machine
from isa_model import MVIN, MVOUT, Parameters

from autocomp.targets.gemmini import _simulator

DIM = 16
DEFAULT = Parameters()


def machine(values: np.ndarray, *, timing: bool = False) -> _simulator.CommandMachine:
    """With ``values`` (rows of 16 int32) in the accumulator from its first row on."""
    out = new_machine(DEFAULT, 0, timing=timing)
    out.write(INPUT_BASE, np.ascontiguousarray(values, dtype=np.int32).tobytes())
    run(out, config_ld(4 * DIM, 0))
    for row in range(0, len(values), DIM):
        rows = min(DIM, len(values) - row)
        run(out, Command(MVIN, INPUT_BASE + row * 4 * DIM, extent(ACCUMULATOR + row, DIM, rows)))
    return out


def run(target: _simulator.CommandMachine, command: Command) -> None:
    target.issue(command.funct, command.rs1, command.rs2)


def pooled(
    picture: np.ndarray, window: int, stride: int, up: int, left: int, out_rows: int, out_columns: int
) -> np.ndarray:
    """By definition; ``picture`` is (rows, columns, channels)."""
    rows, columns, channels = picture.shape
    out = np.zeros((out_rows, out_columns, channels), picture.dtype)
    for row in range(out_rows):
        for column in range(out_columns):
            values = []
            for i in range(row * stride - up, row * stride - up + window):
                for j in range(column * stride - left, column * stride - left + window):
                    inside = 0 <= i < rows and 0 <= j < columns
                    values.append(picture[i, j] if inside else np.zeros(channels, picture.dtype))
            out[row, column] = np.max(values, axis=0)
    return out


@pytest.mark.parametrize(
    ("size", "window", "stride", "up", "left", "out"),
    [
        ((8, 8), 2, 2, 0, 0, (4, 4)),
        ((8, 8), 3, 2, 1, 1, (4, 4)),
        ((7, 9), 3, 1, 1, 0, (7, 7)),
        ((3, 5), 3, 3, 2, 3, (2, 3)),
        ((5, 4), 1, 2, 0, 0, (3, 2)),
        ((4, 4), 2, 1, 0, 0, (4, 4)),  # windows beyond the last row and column
    ],
)
@pytest.mark.parametrize("relu", [False, True])
def test_pooling(
    size: tuple[int, int], window: int, stride: int, up: int, left: int, out: tuple[int, int], *, relu: bool
) -> None:
    values = np.random.default_rng(3).integers(-500, 300, (size[0] * size[1], DIM))
    target = machine(values)
    pitch = out[1] + 1
    fields = picture_fields(
        *size, pitch, out_rows=out[0], out_columns=out[1], stride=stride, window=window, up=up, left=left
    )
    run(target, config_st(10, activation=int(relu), scale_bits=float_bits(0.5), picture=fields))
    run(target, Command(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR, 10, 0)))
    target.fence()
    elements = np.clip(np.rint((np.maximum(values, 0) if relu else values) * 0.5), -128, 127).astype(np.int8)
    expected = pooled(elements.reshape(*size, DIM)[:, :, :10], window, stride, up, left, *out)
    found = np.frombuffer(target.read(OUTPUT_BASE, out[0] * pitch * 10), np.int8).reshape(out[0], pitch, 10)
    np.testing.assert_array_equal(found[:, : out[1]], expected)


def test_picture_rows_with_a_pitch() -> None:
    """Pixels one after the other in the accumulator become the left part of a wider picture."""
    values = np.random.default_rng(4).integers(-(2**31), 2**31, (15, DIM), dtype=np.int64).astype(np.int32)
    target = machine(values)
    before = np.frombuffer(target.read(OUTPUT_BASE, 5 * 8 * 64), np.int32).reshape(5, 8, DIM).copy()
    run(target, config_st(64, picture=picture_fields(5, 3, 8)))
    run(target, Command(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR | FULL, DIM, 15)))
    target.fence()
    found = np.frombuffer(target.read(OUTPUT_BASE, 5 * 8 * 64), np.int32).reshape(5, 8, DIM)
    np.testing.assert_array_equal(found[:, :3], values.reshape(5, 3, DIM))
    np.testing.assert_array_equal(found[:, 3:], before[:, 3:])


@pytest.mark.parametrize(
    ("picture", "source", "rows", "message"),
    [
        (picture_fields(4, 4, 2, out_rows=2, out_columns=2, stride=2, window=2), 0, 0, "from the scratchpad"),
        (picture_fields(4, 4, 2, out_rows=2, out_columns=2, stride=2, window=2), ACCUMULATOR | FULL, 0, "full width"),
        (picture_fields(4, 4, 2, out_rows=2, out_columns=2, stride=2, window=2), ACCUMULATOR + 500, 0, "waits only"),
        (picture_fields(9, 9, 4, out_rows=4, out_columns=4, stride=2, window=2), ACCUMULATOR, 0, "nothing has written"),
        (picture_fields(4, 4, 4), ACCUMULATOR, 15, "as its rows field says"),
        (picture_fields(4, 8, 8), ACCUMULATOR, 32, "holds at most 31"),
    ],
)
def test_undefined(picture: int, source: int, rows: int, message: str) -> None:
    target = machine(np.ones((64, DIM)))
    run(target, config_st(16, picture=picture))
    with pytest.raises(_simulator.SimulatorFault, match=message):
        run(target, Command(MVOUT, OUTPUT_BASE, extent(source, DIM, rows)))


def test_no_pixels() -> None:
    target = machine(np.ones((16, DIM)))
    for picture in (picture_fields(4, 4, 2, stride=2, window=2), picture_fields(0, 4, 2)):
        with pytest.raises(_simulator.SimulatorFault, match="would never complete"):
            run(target, config_st(16, picture=picture))


def cycles(picture: int, then: Command | None = None) -> int:
    """From the store to idle, with another command behind it."""
    target = machine(np.ones((256, DIM)), timing=True)
    run(target, config_st(16, picture=picture))
    start = target.fence()
    run(target, Command(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR, DIM, 0 if picture else DIM)))
    if then is not None:
        run(target, then)
    return target.fence() - start


def test_time_of_pooling() -> None:
    """The rows that are read count, not those written: as for any narrow store, five every eight cycles.

    So many fit into the queue behind the scaling pipeline, which is eight stages deep.
    """

    def square(window: int, out: int) -> int:
        return picture_fields(14, 14, out, out_rows=out, out_columns=out, stride=1, window=window)

    for window in (2, 3):
        more = cycles(square(window, 12)) - cycles(square(window, 6))
        assert more == pytest.approx(window**2 * (144 - 36) * 8 / 5, rel=0.02)
    assert cycles(square(1, 4)) == pytest.approx(cycles(0), abs=2)  # 16 rows, one after the other


def test_pooling_holds_the_rest_of_its_bank() -> None:
    """Loads into the same bank wait for it, even into rows that it does not read; those of the other bank do not."""
    picture = picture_fields(14, 14, 12, out_rows=12, out_columns=12, stride=1, window=3)
    alone = cycles(picture)
    same = cycles(picture, Command(MVIN, INPUT_BASE, extent(ACCUMULATOR + 400, DIM, DIM)))
    other = cycles(picture, Command(MVIN, INPUT_BASE, extent(ACCUMULATOR + 600, DIM, DIM)))
    assert other <= alone + 10
    assert same >= alone + 40
