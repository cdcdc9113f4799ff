"""Packaged convolutions: names, references, and kernels compiled for the host."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from autocomp.errors import ProblemError
from autocomp.problems import load, packaged
from autocomp.problems._conv import ConvSpec, Kept, Pool, parse_conv
from autocomp.problems._sample import sample
from autocomp.records import Array, Problem
from autocomp.rewrite.gemmini import Analysis, parse, proposals

PUBLISHED = ["4x56x56x64x64", "4x28x28x128x128", "4x14x14x256x256"]
KERNELS = ["start", "hand-tuned"]
DIFFICULT = [
    "conv:1x1x1x1x1:k=1",
    "conv:1x4x4x1100x20:k=1",  # more input channels than are loaded at a time
    "conv:1x2x7x930x20",  # nothing fits the scratchpad
    "conv:1x1x3x60x17:k=16",  # the same because of many places
    "conv:1x3x3x5x5:k=5:pad=2",  # some places of the kernel meet no pixel of a tile
    "conv:2x1x1x5x130:pad=1",  # most places of the kernel lie outside
    "conv:1x4x5x20x300:k=2:stride=3",  # rows and columns that nothing needs
    "conv:1x7x7x3x64:k=7:pad=3:stride=2:pool=3/2/1:relu",
    "conv:1x4x40x2100x20:k=1:pool=2/2/0",
    "conv:2x8x8x20x40:pool=2/3/1:stride=2",  # windows leave rows out
    "conv:1x6x20x5x300:pool=3/1/1:pad=1:scale=0.3",  # windows share two rows
    "conv:1x3x170x2x40:k=1:pool=3/2/1",  # the sums of one window row fill a bank of the accumulator
    "conv:1x2x255x2x40:k=1:pool=2/2/0",
]

pools = st.none() | st.builds(Pool, st.integers(2, 3), st.integers(1, 3), st.integers(0, 2))


@st.composite
def specs(draw: st.DrawFn) -> ConvSpec:
    """Any valid one of moderate size."""
    k = draw(st.sampled_from([1, 2, 3, 3, 5]))
    spec = ConvSpec(
        draw(st.integers(1, 2)),
        draw(st.integers(1, 6)),
        draw(st.sampled_from([1, 2, 7, 15, 16, 17, 20, 33, 48])),
        draw(st.sampled_from([1, 3, 16, 17, 64, 70])),
        draw(st.sampled_from([1, 5, 16, 40, 64, 100, 130])),
        k,
        draw(st.integers(1, 3)),
        draw(st.integers(0, k - 1)),
        draw(pools),
        draw(st.booleans()),
        draw(st.sampled_from([1.0, 0.5, 0.05, 1.7])),
    )
    try:
        return parse_conv(spec.locator)
    except ProblemError:
        assume(False)
        raise


def expected(spec: ConvSpec, inputs: dict[str, Array]) -> Array:
    """The definition, one output pixel after the other, with Python's own rounding."""
    pad = spec.pad
    images = np.pad(inputs["input"].astype(np.int64), ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    weights = inputs["weights"].astype(np.int64)
    stored = np.zeros((spec.batch, spec.rows, spec.cols, spec.channels_out), np.int8)
    for b, r, c in product(range(spec.batch), range(spec.rows), range(spec.cols)):
        top, left = r * spec.stride, c * spec.stride
        sums = np.tensordot(images[b, top : top + spec.k, left : left + spec.k], weights, 3) + inputs["bias"]
        sums = (sums + 2**31) % 2**32 - 2**31
        scaled = sums.astype(np.float32) * np.float32(spec.scale)
        stored[b, r, c] = [min(127, max(-128, round(float(max(x, 0) if spec.relu else x)))) for x in scaled]
    if spec.pool is None:
        return stored
    size, stride, pad = spec.pool
    rows, cols = (range(-pad, extent + pad - size + 1, stride) for extent in (spec.rows, spec.cols))
    pooled = np.zeros((spec.batch, len(rows), len(cols), spec.channels_out), np.int8)
    for (i, top), (j, left) in product(enumerate(rows), enumerate(cols)):
        square = stored[:, max(top, 0) : top + size, max(left, 0) : left + size]
        inside = square.max(axis=(1, 2))
        whole = square.shape[1] * square.shape[2] == size**2
        pooled[:, i, j] = inside if whole else np.maximum(inside, 0)
    return pooled


@settings(max_examples=30, deadline=None)
@given(specs(), st.integers(0, 4), st.integers(0, 2**32))
def test_reference(spec: ConvSpec, distribution: int, seed: int) -> None:
    problem = load(spec.locator)
    inputs = sample(problem, problem.distributions[distribution], np.random.default_rng(seed))
    np.testing.assert_array_equal(problem.reference(inputs)["output"], expected(spec, inputs))


@pytest.mark.parametrize("locator", ["conv:1x1x2x342x1", "conv:1x1x1x341x1", "conv:1x1x1x20000x2:k=1"])
@pytest.mark.parametrize("value", [-128, 127])
def test_reference_of_the_greatest_sums(locator: str, value: int) -> None:
    problem = load(locator)
    inputs = {spec.name: np.full(spec.shape, value, spec.dtype) for spec in problem.inputs}
    inputs["weights"][..., ::2, :] ^= 0x7F  # nearly everything cancels: a lost bit shows
    np.testing.assert_array_equal(problem.reference(inputs)["output"], expected(parse_conv(locator), inputs))


def check(emulate: Callable[..., Any], problem: Problem, kernel: str) -> Any:
    code = problem.start.code if kernel == "start" else problem.rivals[kernel].code
    inputs = sample(problem, problem.distributions[0], np.random.default_rng(7))
    found = emulate(problem, code, inputs)
    assert found.failure == ""
    np.testing.assert_array_equal(found.output, problem.reference(inputs)["output"])
    return found


@pytest.mark.parametrize("kernel", KERNELS)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spec=specs())
def test_kernels_of_any_size(emulate: Callable[..., Any], kernel: str, spec: ConvSpec) -> None:
    check(emulate, load(spec.locator), kernel)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("locator", DIFFICULT)
def test_kernels_of_difficult_sizes(emulate: Callable[..., Any], kernel: str, locator: str) -> None:
    check(emulate, load(locator), kernel)


@pytest.mark.parametrize("size", PUBLISHED)
def test_kernels_of_the_published_sizes(emulate: Callable[..., Any], size: str) -> None:
    problem = load(f"conv:{size}")
    batch, rows, cols, channels_in, channels_out = map(int, size.split("x"))
    tiles = batch * rows * -(-cols // 16)
    start = check(emulate, problem, "start")
    # For every tile of pixels and 64 channels: 4 of the bias; for each of 9 places the weights and the pixels.
    assert start.loads == tiles * channels_out // 64 * (4 + 9 * (channels_in // 16 + channels_in // 64))
    assert start.computes == tiles * 9 * channels_in * channels_out // 256
    assert (start.zero_loads, start.stores, start.fences) == (0, tiles * channels_out // 16, 1)
    tuned = check(emulate, problem, "hand-tuned")
    kept = Kept.of(parse_conv(problem.locator))
    assert kept is not None
    bias = tiles * channels_out // 16
    weights = 9 * channels_in * channels_out // (16 * 64)
    # Each pixel is loaded once for each of 3 kernel columns; the first rows of a band are those of the one before.
    pixels = tiles // rows * (rows + 2 * rows // kept.band) * 3 * channels_in // 64 * channels_out // kept.group
    assert tuned.loads == bias + weights + pixels
    assert problem.work.operations == 256 * 1806336


@pytest.mark.parametrize(("size", "kept"), list(zip(PUBLISHED, [(64, 28), (128, 14), (64, 7)], strict=True)))
def test_hand_tuned_kernels_divide_as_the_published_ones(size: str, kept: tuple[int, int]) -> None:
    found = Kept.of(parse_conv(f"conv:{size}"))
    assert found is not None
    assert (found.group, found.band) == kept


@settings(max_examples=30, deadline=None)
@given(specs())
def test_work_is_what_no_kernel_can_avoid(spec: ConvSpec) -> None:
    """Counted on an image of ones: only what lies within the input and what some output needs."""
    problem = load(spec.locator)
    side = [problem.dimensions[name] for name in ("H", "W")]
    size, stride, pad = spec.pool or Pool(1, 1, 0)
    counts, touched = [], []
    for inside, extent in zip(side, (spec.rows, spec.cols), strict=True):
        taps, used = 0, np.zeros(inside + 2 * spec.pad, bool)
        for output in range(extent):
            pooled = range((extent + 2 * pad - size) // stride + 1)
            if any(p * stride - pad <= output < p * stride - pad + size for p in pooled):
                first = output * spec.stride
                used[first : first + spec.k] = True
                taps += sum(spec.pad <= place < spec.pad + inside for place in range(first, first + spec.k))
        counts.append(taps)
        touched.append(int(used[spec.pad : spec.pad + inside].sum()))
    channels = spec.channels_in * spec.channels_out
    assert problem.work.operations == spec.batch * counts[0] * counts[1] * channels
    fixed = sum(item.nbytes for item in problem.arguments if item.name != "input")
    assert problem.work.bytes == fixed + spec.batch * touched[0] * touched[1] * spec.channels_in


@settings(max_examples=50, deadline=None)
@given(specs())
def test_names_lead_back(spec: ConvSpec) -> None:
    assert parse_conv(spec.locator) == spec
    assert load(spec.name) == load(spec.locator)


def test_names_have_one_form() -> None:
    assert parse_conv("conv:1x4×4x2x3:relu:pool=3/2/1:k=3:stride=1:scale=0.50:pad=1").locator == (
        "conv:1x4x4x2x3:pad=1:pool=3/2/1:relu:scale=0.5"
    )
    assert load("conv-1x4x4x2x3-pad-1-pool-3-2-1-relu-scale-0.5").locator == (
        "conv:1x4x4x2x3:pad=1:pool=3/2/1:relu:scale=0.5"
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("conv", "write conv:BATCHxROWSxCOLSxINxOUT"),
        ("conv:4x56x56x64", "is not a size"),
        ("conv:4x56x56x64x0", "OUT is 0; it must be from 1"),
        ("conv:1x8x8x16x16:k=0", "k is '0'; it must be a whole number from 1 to 16"),
        ("conv:1x8x8x16x16:k=17", "k is '17'; it must be a whole number from 1 to 16"),
        ("conv:1x8x8x16x16:stride=-1", "stride is '-1'; it must be a whole number from 1 to 1024"),
        ("conv:1x8x8x16x16:k=" + "9" * 5000, "it must be a whole number from 1 to 16"),
        ("conv:1x8x8x16x" + "9" * 5000, "it must be from 1 to 1048576"),
        ("conv:1x8x8x16x16:pool=2/2/" + "9" * 5000, "is not SIZE/STRIDE/PAD"),
        ("conv:1x8x8x16x16:pad=3", "pad 3 must be below k, which is 3"),
        ("conv:1x1x8x16x16:k=4:pad=3", "needs an input of -2"),
        ("conv:1x8x8x16x16:pad", "unknown option 'pad'"),
        ("conv:1x8x8x16x16:relu=1", "unknown option 'relu=1'"),
        ("conv:1x8x8x16x16:bias", "unknown option 'bias'"),
        ("conv:1x8x8x16x16:pad=1:pad=1", "'pad' is given twice"),
        ("conv:1x8x8x16x16:pool=2", "pool '2' is not SIZE/STRIDE/PAD"),
        ("conv:1x8x8x16x16:pool=4/2/0", "SIZE 2 or 3"),
        ("conv:1x8x8x16x16:pool=2/2/2", "PAD below SIZE"),
        ("conv:1x1x8x16x16:pool=2/2/0", "ROWS is 1; a window of the pooling does not fit"),
        ("conv:1x8x256x16x16:pool=2/2/0", "COLS is 256; the accelerator pools up to 255 columns of 2 rows"),
        ("conv:1x8x171x16x16:pool=3/2/0", "COLS is 171; the accelerator pools up to 170 columns of 3 rows"),
        ("conv:1x8x8x16x16:scale=0", "must be positive"),
        ("conv:100x5000x5000x16x16", "bytes together"),
    ],
)
def test_bad_names(name: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        load(name)
    assert message in str(caught.value)


def test_catalogue() -> None:
    specs = [parse_conv(entry.locator) for entry in packaged() if entry.operator == "conv2d"]
    assert [f"conv:{size}" for size in PUBLISHED] == [spec.locator for spec in specs[:3]]
    for wanted in ("pad", "pool", "relu"):
        assert any(getattr(spec, wanted) for spec in specs)
    assert any(spec.stride == 2 for spec in specs)
    assert any(spec.k == 1 for spec in specs)
    assert any(spec.channels_in % 16 and spec.channels_out % 16 for spec in specs)


@pytest.mark.parametrize("size", PUBLISHED)
def test_the_offline_proposer_understands_the_start(size: str) -> None:
    problem = load(f"conv:{size}")
    assert proposals(Analysis(parse(problem.start.code, problem.entry)))
