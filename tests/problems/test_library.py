from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autocomp.errors import ProblemError
from autocomp.problems import lint, load, packaged
from autocomp.problems._gemm import GemmSpec, Schedule, parse_gemm
from autocomp.problems._sample import sample
from autocomp.records import Array, Problem

SIX = ["512x512x512", "12544x256x64", "12544x64x256", "3136x512x128", "3136x128x512", "784x1024x256"]
FURTHER = ["32x2048x2048", "1024x1024x1024", "256x256x256", "6272x64x256", "12544x64x128", "12544x128x256"]
FURTHER += ["128x1024x1024", "64x1024x1024", "32x1024x1024"]
START_LOADS = [11264, 28224, 18816, 21952, 17248, 18816]
EXPERT_LOADS = [1792, 13344, 6288, 6728, 3200, 5124]

sizes = st.sampled_from([1, 2, 15, 16, 17, 31, 32, 48, 63, 64, 65, 80, 100, 128, 130]) | st.integers(1, 140)
scales = st.sampled_from([1.0, 0.5, 0.05, 1.7, 1e-5])
specs = st.builds(GemmSpec, sizes, sizes, sizes, st.booleans(), st.booleans(), scales)


def expected(inputs: dict[str, Array], relu: bool = False, scale: float = 1.0) -> Array:
    """Independent of the packaged reference: 64-bit integers, then decimal rounding rules spelled out."""
    sums = np.einsum("mk,kn->mn", inputs["A"].astype(np.int64), inputs["B"].astype(np.int64))
    if "bias" in inputs:
        sums = sums + inputs["bias"]
    sums = (sums + 2**31) % 2**32 - 2**31
    if relu:
        sums[sums < 0] = 0
    scaled = (sums.astype(np.float32) * np.float32(scale)).astype(np.float64)
    lower = np.floor(scaled)
    fraction = scaled - lower
    up = (fraction > 0.5) | ((fraction == 0.5) & (lower % 2 == 1))
    return np.minimum(127, np.maximum(-128, lower + up)).astype(np.int8)


@settings(max_examples=60, deadline=None)
@given(specs, st.integers(0, 4), st.integers(0, 2**32))
def test_reference(spec: GemmSpec, distribution: int, seed: int) -> None:
    problem = load(spec.locator)
    inputs = sample(problem, problem.distributions[distribution], np.random.default_rng(seed))
    output = problem.reference(inputs)["C"]
    np.testing.assert_array_equal(output, expected(inputs, spec.relu, spec.scale))


def test_reference_rounds_half_to_even_and_wraps() -> None:
    problem = load("gemm:1x6x1:bias:scale=0.5")
    inputs = {
        "A": np.array([[1]], np.int8),
        "B": np.array([[1, 3, -1, -3, 127, 0]], np.int8),
        "bias": np.array([0, 0, 0, 0, 2**31 - 1, 255], np.int32),
    }
    assert problem.reference(inputs)["C"].tolist() == [[0, 2, 0, -2, -128, 127]]


@pytest.mark.parametrize("size", ["2x3x1024", "2x3x1025", "1x2x131072:relu", "1x2x131073:scale=0.5"])
@pytest.mark.parametrize("value", [-128, 127])
def test_reference_of_the_greatest_sums(size: str, value: int) -> None:
    problem = load(f"gemm:{size}")
    inputs = {spec.name: np.full(spec.shape, value, np.int8) for spec in problem.inputs}
    np.testing.assert_array_equal(
        problem.reference(inputs)["C"], expected(inputs, bool(problem.options["activation"] == "relu"))
    )
    inputs["B"][::2] ^= 0x7F  # nearly everything cancels: a lost bit shows
    scale = float(problem.options["scale"])  # type: ignore[arg-type]
    np.testing.assert_array_equal(
        problem.reference(inputs)["C"], expected(inputs, problem.options["activation"] == "relu", scale)
    )


@pytest.mark.parametrize(("size", "loads"), list(zip(SIX, START_LOADS, strict=True)))
def test_start_kernels_of_the_six_shapes(emulate: Callable[..., Any], size: str, loads: int) -> None:
    m, n, k = map(int, size.split("x"))
    found = check(emulate, load(f"gemm:{size}"), "start")
    assert found.loads + found.zero_loads == loads
    assert found.computes == m * n * k // 4096
    assert found.fences == 1


@pytest.mark.parametrize(("size", "loads"), list(zip(SIX, EXPERT_LOADS, strict=True)))
def test_rivals_of_the_six_shapes(emulate: Callable[..., Any], size: str, loads: int) -> None:
    found = check(emulate, load(f"gemm:{size}"), "hand-tuned")
    assert found.loads + found.zero_loads == loads
    found = check(emulate, load(f"gemm:{size}"), "double-buffered")
    assert found.loads + found.zero_loads <= loads


@pytest.mark.parametrize(
    ("size", "block", "panel"),
    [
        ("512x512x512", 256, 256),
        ("12544x256x64", 3136, 256),
        ("12544x64x256", 128, 64),
        ("3136x512x128", 784, 512),
        ("3136x128x512", 224, 128),
        ("784x1024x256", 112, 512),
    ],
)
def test_the_hand_tuned_kernels_divide_as_the_published_ones(size: str, block: int, panel: int) -> None:
    schedule = Schedule.of(parse_gemm(f"gemm:{size}"))
    assert (schedule.block, schedule.panel, schedule.b_row) == (block, panel, block // 16 * schedule.depth)


KERNELS = ["start", "double-buffered", "hand-tuned", "library"]


@pytest.mark.parametrize("kernel", KERNELS)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spec=specs)
def test_kernels_of_any_size(emulate: Callable[..., Any], kernel: str, spec: GemmSpec) -> None:
    check(emulate, load(spec.locator), kernel)


@pytest.mark.parametrize("size", ["1x1x1", "300x130x2100:bias", "40x64x4096", "24x900x1000:relu", "272x70x2112"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_where_operands_do_not_fit(emulate: Callable[..., Any], kernel: str, size: str) -> None:
    check(emulate, load(f"gemm:{size}"), kernel)


def check(emulate: Callable[..., Any], problem: Problem, kernel: str) -> Any:
    code = problem.start.code if kernel == "start" else problem.rivals[kernel].code
    inputs = sample(problem, problem.distributions[0], np.random.default_rng(7))
    found = emulate(problem, code, inputs)
    assert found.failure == ""
    np.testing.assert_array_equal(found.output, problem.reference(inputs)["C"])
    return found


def test_catalogue() -> None:
    locators = [entry.locator for entry in packaged()]
    assert [f"gemm:{size}" for size in SIX] == locators[:6]
    assert {"gemm:64x64x64", "gemm:128x128x128"} <= set(locators)
    assert {f"gemm:{size}" for size in FURTHER} <= set(locators)
    assert len({entry.name for entry in packaged()}) == len(locators) == len(set(locators))
    ragged = [entry for entry in packaged() if any(size % 16 for size in load(entry.name).dimensions.values())]
    assert len(ragged) >= 2


@pytest.mark.parametrize("entry", packaged(), ids=lambda entry: entry.name)
def test_packaged_problems_are_sound(entry: Any) -> None:
    problem = load(entry.name)
    assert (problem.name, problem.locator, problem.operator) == (entry.name, entry.locator, entry.operator)
    assert load(entry.locator) == problem
    assert lint(problem) == ()


@settings(deadline=None)
@given(specs)
def test_names_lead_back(spec: GemmSpec) -> None:
    again = parse_gemm(spec.locator)
    assert (again.locator, np.float32(again.scale)) == (spec.locator, np.float32(spec.scale))
    assert load(spec.name) == load(spec.locator)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gemm", "write gemm:MxNxK"),
        ("gemm:", "is not a size"),
        ("gemm:64x64", "is not a size"),
        ("gemm:64x64x-1", "is not a size"),
        ("gemm:0x64x64", "M is 0; it must be from 1"),
        ("gemm:64x64x9999999999", "K is 9999999999"),
        ("gemm:1000000x1000000x1", "bytes together"),
        ("gemm:64x64x64:gelu", "unknown option 'gelu'"),
        ("gemm:64x64x64:bias:bias", "'bias' is given twice"),
        ("gemm:64x64x64:scale=fast", "scale 'fast' is not a number"),
        ("gemm:64x64x64:scale=-1", "must be positive"),
        ("gemm:64x64x64:scale=nan", "must be positive"),
        ("gem-512x512x512", "did you mean 'gemm-512x512x512'?"),
        ("convolution", "neither a packaged problem nor a folder"),
        ("", "is empty"),
    ],
)
def test_bad_names(name: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        load(name)
    assert message in str(caught.value)


def test_a_folder_of_a_packaged_name_is_not_guessed(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    own.rename("gemm-64x64x64")
    with pytest.raises(ProblemError, match=r"both a packaged problem and a folder here; write \./gemm-64x64x64"):
        load("gemm-64x64x64")
    assert load("./gemm-64x64x64").dimensions["M"] == 20
    assert load("gemm:64x64x64").dimensions["M"] == 64


@pytest.mark.parametrize("name", ["conv-own", "tinympc-mine", "gemm-20x30", "conv", "gemm-4x4x4-fast"])
def test_a_folder_whose_name_begins_like_a_packaged_one(own: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(own.parent)
    with pytest.raises(ProblemError, match=r"write (gemm|conv|tinympc):") as without:
        load(name)
    assert "./" not in str(without.value)
    own.rename(name)
    assert load(name).locator == str(own.parent / name)
    Path(name, "problem.toml").unlink()
    with pytest.raises(ProblemError, match=rf"for what is called so here write \./{name}$"):
        load(name)


def test_what_begins_with_a_family_and_a_colon_is_no_path(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    own.rename("conv:own")
    with pytest.raises(ProblemError, match=r"for what is called so here write \./conv:own$"):
        load("conv:own")
    Path("conv:own").rename("gemm:4x4x4")
    assert load("gemm:4x4x4").dimensions["M"] == 4
    assert load("./gemm:4x4x4").dimensions["M"] == 20
