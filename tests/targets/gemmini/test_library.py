"""The library in C against NumPy: any size, any option, on chips of several sizes.

Sizes and options are arguments of the compiled program, so that one program per chip serves all examples.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import array

from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._simulator import Simulator
from autocomp.targets.gemmini._toolchain import Toolchain

LIMIT = 100_000_000
CHIPS: dict[str, dict[str, object]] = {
    "int8-16x16": {},
    "int8-32x32": {"chip": "int8-32x32"},
    "float32-4x4": {"chip": "float32-4x4"},
    "8x8": {"simulator": {"dim": 8}},
    "small": {"simulator": {"dim": 4, "scratchpad_bank_rows": 64, "accumulator_bank_rows": 32}},
}
FLOAT = "float32-4x4"
"""There, elements are whole numbers too: every sum is exact, whatever its order."""
WS, OS, WS_LOOP = 1, 0, 3
MATMUL = """
#include "gemmini_library.h"
void solution(int32_t *p, elem_t *A, elem_t *B, char *D, char *C, float *scale) {
  void *bias = p[6] ? D : NULL;
  if (p[15])
    tiled_matmul(p[0], p[1], p[2], A, B, bias, C, p[3], p[4], p[5], p[14], MVIN_SCALE_IDENTITY, MVIN_SCALE_IDENTITY,
                 MVIN_SCALE_IDENTITY, p[7], *scale, 0, p[8], p[15], p[16], p[17], p[9], p[10], p[11], p[12], 0, p[13]);
  else
    tiled_matmul_auto(p[0], p[1], p[2], A, B, bias, C, p[3], p[4], p[5], p[14], MVIN_SCALE_IDENTITY,
                      MVIN_SCALE_IDENTITY, MVIN_SCALE_IDENTITY, p[7], *scale, 0, p[8], p[9], p[10], p[11], p[12], 0,
                      p[13]);
}
"""
CONV = """
#include "gemmini_library.h"
void solution(int32_t *p, elem_t *input, elem_t *weights, acc_t *bias, elem_t *output, float *scale) {
  if (p[23])
    tiled_conv_dw_auto(p[0], p[1], p[2], p[3], p[5], p[6], p[7], p[10], p[11], input, weights, p[17] ? bias : NULL,
                       output, p[18], *scale, p[19], p[20], p[21], p[22]);
  else if (p[24])
    tiled_conv(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[3], p[4], p[4], p[12], p[13],
               p[14], p[15], p[16], p[24], p[25], p[26], p[27], p[28], p[29], p[30], input, weights,
               p[17] ? bias : NULL, output, p[18], *scale, p[19], p[20], p[21], p[22]);
  else
    tiled_conv_auto(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14],
                    p[15], p[16], input, weights, p[17] ? bias : NULL, output, p[18], *scale, p[19], p[20], p[21],
                    p[22]);
}
"""
RESADD = """
#include "gemmini_library.h"
void solution(int32_t *p, elem_t *A, elem_t *B, elem_t *C, float *scales) {
  tiled_resadd_auto(p[0], p[1], scales[0], scales[1], scales[2], A, B, C, p[2], p[3]);
}
"""


@functools.cache
def compiled(source: str, chip: str) -> tuple[bytes, Any]:
    config = _config.load(CHIPS[chip])
    build = Toolchain("auto", config.parameters_header()).compile(source)
    assert build.program is not None, build.errors
    assert build.warnings == ()
    return build.program, Simulator(dict(config.simulator))


def call(source: str, chip: str, *arrays: np.ndarray) -> dict[str, Any]:
    program, simulator = compiled(source, chip)
    given = [array(f"x{index}", values) for index, values in enumerate(arrays)]
    limits = {"instruction_limit": LIMIT, "cycle_limit": LIMIT}
    return dict(simulator.run(program, "solution", given, timing=False, may_read_clock=True, **limits))


def output(result: dict[str, Any], index: int, like: np.ndarray) -> np.ndarray:
    assert result["fault"] is None, result["fault"]
    return np.frombuffer(result["outputs"][f"x{index}"], like.dtype).reshape(like.shape)


def elements(rng: np.random.Generator, shape: tuple[int, ...], chip: str) -> np.ndarray:
    return rng.integers(-128, 128, shape).astype(np.float32 if chip == FLOAT else np.int8)


def stored(sums: np.ndarray, relu: bool, scale: float, chip: str) -> np.ndarray:
    """As the accelerator stores sums: activation, scale in float32; for int8 half to even and saturation."""
    scaled = (np.maximum(sums, 0) if relu else sums).astype(np.float32) * np.float32(scale)
    return scaled if chip == FLOAT else np.clip(np.rint(scaled), -128, 127).astype(np.int8)


def spaced(values: np.ndarray, stride: int, fill: int) -> np.ndarray:
    """The same rows, ``stride`` elements apart."""
    wide = np.full((values.shape[0], stride), fill, values.dtype)
    wide[:, : values.shape[1]] = values
    return wide


sizes = st.integers(1, 70) | st.sampled_from([16, 32, 33, 64])
scales = st.sampled_from([1.0, 0.02, 0.5])


def check_matmul(chip: str, kind: int, seed: int, draw: Any) -> None:
    rng = np.random.default_rng(seed)
    i, j, k = draw(sizes), draw(sizes), draw(sizes)
    transpose = (False, False) if kind == OS else draw(st.sampled_from([(False, False), (True, False), (False, True)]))
    bias, repeating, low, full = (draw(st.booleans()) for _ in range(4))
    relu, scale = draw(st.booleans()), draw(scales)
    tiles = draw(st.tuples(*[st.integers(1, 2)] * 3)) if draw(st.booleans()) else (0, 0, 0)
    pad = draw(st.integers(0, 3))
    a, b = (elements(rng, shape, chip) for shape in ((i, k), (k, j)))
    wide = np.float32 if chip == FLOAT else np.int32
    d = rng.integers(-100, 100, (1 if repeating else i, j)).astype(a.dtype if low else wide)
    sums = a.astype(np.int64) @ b.astype(np.int64) + (d if bias else 0)
    stored_a, stored_b = (
        spaced(x.T if t else x, x.shape[0 if t else 1] + pad, 77) for x, t in zip((a, b), transpose, strict=True)
    )
    stored_d = spaced(d, j + pad, 55)
    c = np.full((i, j + pad), 99, wide if full else a.dtype)
    flags = (bias, relu, repeating, *transpose, full, low, kind)
    p = [i, j, k, stored_a.shape[1], stored_b.shape[1], stored_d.shape[1], *flags, c.shape[1], *tiles]
    result = call(MATMUL, chip, np.array(p, np.int32), stored_a, stored_b, stored_d, c, np.float32([scale]))
    found = output(result, 4, c)
    np.testing.assert_array_equal(found[:, :j], sums if full else stored(sums, relu, scale, chip))
    np.testing.assert_array_equal(found[:, j:], 99)


@pytest.mark.parametrize("kind", [WS, OS, WS_LOOP], ids=["WS", "OS", "WS_LOOP"])
@pytest.mark.parametrize("chip", CHIPS)
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_matmul(chip: str, kind: int, seed: int, data: Any) -> None:
    check_matmul(chip, kind, seed, data.draw)


def images(values: np.ndarray, changed_over: bool) -> np.ndarray:
    return np.ascontiguousarray(values.transpose(3, 1, 2, 0) if changed_over else values)


def convolve(x: np.ndarray, w: np.ndarray, stride: int, dilations: tuple[int, int], padding: int) -> np.ndarray:
    """Sums of products by the definition; x is NHWC, w HWIO."""
    n, h, wide, channels = x.shape
    spread = np.zeros((n, (h - 1) * dilations[0] + 1, (wide - 1) * dilations[0] + 1, channels), np.int64)
    spread[:, :: dilations[0], :: dilations[0]] = x
    spread = np.pad(spread, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    reach = (w.shape[0] - 1) * dilations[1] + 1
    rows, cols = ((spread.shape[axis] - reach) // stride + 1 for axis in (1, 2))
    sums = np.zeros((n, rows, cols, w.shape[3]), np.int64)
    for row in range(w.shape[0]):
        for col in range(w.shape[1]):
            top, left = row * dilations[1], col * dilations[1]
            part = spread[
                :, top : top + (rows - 1) * stride + 1 : stride, left : left + (cols - 1) * stride + 1 : stride
            ]
            sums += part @ w[row, col].astype(np.int64)
    return sums


def pool(y: np.ndarray, size: int, stride: int, padding: int) -> np.ndarray:
    """Maximum of every window; outside of the image are zeros."""
    padded = np.pad(y, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (1, 2))[:, ::stride, ::stride]
    return np.asarray(windows.max((-2, -1)))


def check_conv(chip: str, kind: int, pooled: bool, seed: int, draw: Any) -> None:
    rng = np.random.default_rng(seed)
    kernel, stride = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    depthwise = draw(st.integers(0, 5)) == 0
    dilations = (1, 1) if depthwise else (draw(st.integers(1, 2)) if stride == 1 else 1, draw(st.integers(1, 2)))
    reach = (kernel - 1) * dilations[1] + 1
    padding = draw(st.integers(0, min(2, reach - 1)))
    least = max(1, (reach - 2 * padding + dilations[0] - 1) // dilations[0] + 1)
    n, h, w = draw(st.integers(1, 3)), draw(st.integers(least, 12)), draw(st.integers(least, 22))
    ins, outs = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    bias, relu, scale = draw(st.booleans()), draw(st.booleans()), draw(scales)
    rotated = not depthwise and draw(st.booleans())
    # Output, input, weights 1203, weights 0132.
    orders = [not depthwise and not (pooled and index < 2) and draw(st.booleans()) for index in range(4)]
    orders[3] = orders[3] and not orders[1] and not orders[2]
    x = elements(rng, (n, h, w, ins), chip)
    weights = elements(rng, (kernel, kernel, ins, 1 if depthwise else outs), chip)
    outs = ins if depthwise else outs
    added = rng.integers(-1000, 1000, outs).astype(np.float32 if chip == FLOAT else np.int32)
    if depthwise:
        channels = [
            convolve(x[..., c : c + 1], weights[:, :, c : c + 1], stride, dilations, padding) for c in range(ins)
        ]
        sums = np.concatenate(channels, -1)
    else:
        sums = convolve(x, weights[::-1, ::-1] if rotated else weights, stride, dilations, padding)
    y = stored(sums + (added if bias else 0), relu, scale, chip)
    shape = y.shape[1:3]
    window: tuple[int, int, int] = (0, 0, 0)
    if pooled:
        window = (draw(st.integers(1, min(3, *shape))), draw(st.integers(1, 3)), 0)
        window = (*window[:2], draw(st.integers(0, min(window[0] - 1, 1))))
        y = pool(y, *window)
    if depthwise:
        given = weights[..., 0].transpose(2, 0, 1)
    elif orders[2]:
        given = weights.transpose(2, 0, 1, 3)
    else:
        given = weights.transpose(0, 1, 3, 2) if orders[3] else weights
    wanted = y.transpose(1, 2, 0, 3) if orders[0] else y
    extents = [0] * 7
    looped = kind == WS_LOOP
    if not depthwise and not (looped and dilations == (2, 2)) and draw(st.booleans()):
        few, channels = st.integers(1, 4), st.integers(8, 20)
        drawn = draw(st.tuples(st.integers(1, 2), few, st.integers(4, 9), channels, few, few, channels))
        extents = list(np.minimum(drawn, [n, *y.shape[1:3], outs, kernel, kernel, ins]))
        if looped:  # takes the kernel as a whole
            extents[4:6] = [kernel, kernel]
        if looped and orders[1]:  # and all images, if they are innermost
            extents[0] = n
    p = [n, h, w, ins, outs, *shape, stride, *dilations, padding, kernel, rotated, *orders, bias, relu, *window, kind]
    empty = np.full(wanted.shape, 99, x.dtype)
    parameters = np.array([*p, depthwise, *extents], np.int32)
    result = call(CONV, chip, parameters, images(x, orders[1]), given, added, empty, np.float32([scale]))
    np.testing.assert_array_equal(output(result, 4, empty), wanted)


@pytest.mark.parametrize("kind", [WS, WS_LOOP], ids=["WS", "WS_LOOP"])
@pytest.mark.parametrize("chip", ["int8-16x16", "8x8", "float32-4x4"])
@settings(max_examples=50)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_conv(chip: str, kind: int, seed: int, data: Any) -> None:
    check_conv(chip, kind, False, seed, data.draw)


@pytest.mark.parametrize("kind", [WS, WS_LOOP], ids=["WS", "WS_LOOP"])
@pytest.mark.parametrize("chip", ["int8-16x16", "8x8", "float32-4x4"])
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_conv_with_pooling(chip: str, kind: int, seed: int, data: Any) -> None:
    check_conv(chip, kind, True, seed, data.draw)


@pytest.mark.parametrize(("n", "block", "stops"), [(20, 20, False), (20, 0, False), (20, 16, True), (600, 0, False)])
def test_images_innermost_go_through_the_hardware_loop_if_they_fit(n: int, block: int, stops: bool) -> None:
    """All of them in one block: only the loop writes configurations of its own. Parts of them stop the program."""
    rng, kernel, size = np.random.default_rng(n), 3, 6
    x, weights = elements(rng, (n, size, size, 5), "int8-16x16"), elements(rng, (kernel, kernel, 5, 7), "int8-16x16")
    wanted = stored(convolve(x, weights, 1, (1, 1), 1), True, 0.02, "int8-16x16")
    orders, extents = [0, 1, 0, 0], [block, 2, 3, 7, kernel, kernel, 5] if block else [0] * 7
    p = [n, size, size, 5, 7, size, size, 1, 1, 1, 1, kernel, 0, *orders, 0, 1, 0, 0, 0, WS_LOOP, 0, *extents]
    empty, no_bias = np.full(wanted.shape, 99, np.int8), np.zeros(7, np.int32)
    result = call(
        CONV, "int8-16x16", np.array(p, np.int32), images(x, True), weights, no_bias, empty, np.float32([0.02])
    )
    if stops:
        assert "stopped itself" in result["fault"]["message"]
        return
    np.testing.assert_array_equal(output(result, 4, empty), wanted)
    assert bool(result["counters"]["commands_loop"]) is (n == 20)


@pytest.mark.parametrize("kind", [WS, WS_LOOP], ids=["WS", "WS_LOOP"])
@pytest.mark.parametrize("chip", CHIPS)
@settings(max_examples=25)
@given(sizes, sizes, st.booleans(), st.tuples(*[st.sampled_from([1.0, 0.5, 0.25])] * 3), st.integers(0, 2**32))
def test_resadd(
    chip: str, kind: int, i: int, j: int, relu: bool, factors: tuple[float, float, float], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    a, b = (elements(rng, (i, j), chip) for _ in range(2))
    scaled = [
        stored(x, False, factor, chip).astype(np.int64 if chip != FLOAT else np.float32)
        for x, factor in zip((a, b), factors, strict=False)
    ]
    empty = np.full((i, j), 99, a.dtype)
    result = call(RESADD, chip, np.array([i, j, relu, kind], np.int32), a, b, empty, np.float32(factors))
    np.testing.assert_array_equal(output(result, 3, empty), stored(scaled[0] + scaled[1], relu, factors[2], chip))


@pytest.mark.parametrize(
    "changes",
    [
        {9: 1, 10: 1},  # both transposed
        {9: 1, 13: OS},
        {7: 2},  # activation that the chip does not have
        {13: 2},  # on the core
        {15: 40, 16: 40, 17: 1},  # sums do not fit
        {15: 1, 16: 1, 17: 600},  # operands do not fit
    ],
)
def test_what_the_chip_cannot_do_stops_the_program(changes: dict[int, int]) -> None:
    p = [16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, WS, 16, 0, 0, 0]
    for index, value in changes.items():
        p[index] = value
    square = np.zeros((16, 16), np.int8)
    result = call(MATMUL, "int8-16x16", np.array(p, np.int32), square, square, square, square, np.float32([1]))
    assert result["fault"] is not None
    assert "stopped itself" in result["fault"]["message"]
