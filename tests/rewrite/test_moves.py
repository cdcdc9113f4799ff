"""No move changes the result; no legal move raises anything but IllegalMoveError."""

from __future__ import annotations

import contextlib
import importlib.util
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from autocomp.errors import IllegalMoveError
from autocomp.problems import load
from autocomp.rewrite.gemmini import Analysis, Geometry, apply, parse, proposals, to_source

_SPEC = importlib.util.spec_from_file_location("rewrite_oracle", Path(__file__).parent / "oracle.py")
assert _SPEC is not None
assert _SPEC.loader is not None
oracle = importlib.util.module_from_spec(_SPEC)
sys.modules["rewrite_oracle"] = oracle
_SPEC.loader.exec_module(oracle)

CALIBRATION = Path(__file__).parents[2] / "benchmarks" / "fidelity" / "data" / "kernels"
# Output-stationary code gets no proposals.
KERNELS = sorted(path for path in CALIBRATION.glob("*.c") if "_os_" not in path.name)
SIZES = ("64x64x64", "128x64x128", "64x192x64", "48x80x96", "50x70x30", "33x129x65", "80x16x144", "16x16x16",
         "48x80x32:bias", "40x70x50:bias")  # fmt: skip
CONVOLUTIONS = ("1x5x24x32x64", "2x4x14x16x80", "1x4x28x72x32", "1x6x5x16x16:k=1", "1x5x5x20x24:stride=2",
                "1x6x20x16x16:pad=1", "1x4x12x16x32:pool=2/2/0", "1x3x9x16x40:k=2:stride=2:pad=1",
                "1x4x9x32x16:pad=1:pool=3/2/1")  # fmt: skip


def sources() -> list[tuple[str, str]]:
    found = [(path.stem, path.read_text()) for path in KERNELS]
    for size in SIZES:
        problem = load(f"gemm:{size}")
        found.append((f"start-{size}", problem.start.code))
        # Calls of the library are not understood and get no proposals.
        found.extend(
            (f"{name}-{size}", rival.code) for name, rival in problem.rivals.items() if "_auto(" not in rival.code
        )
    return found


def arrays(kernel) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(7)
    return {
        name: draw.integers(-128, 128, kind.extents).astype(np.int8 if kind.element_bytes == 1 else np.int32)
        for name, kind in kernel.arrays.items()
    }


@pytest.mark.parametrize(("name", "source"), sources(), ids=[name for name, _ in sources()])
def test_random_sequences_of_moves_keep_the_result(name: str, source: str) -> None:
    kernel = parse(source, "solution")
    inputs = arrays(kernel)
    expected = oracle.outputs(kernel, inputs, "C")
    a, b = inputs["A"].astype(np.int64), inputs["B"].astype(np.int64)
    np.testing.assert_array_equal(expected, a @ b + inputs.get("bias", np.int64(0)))
    random_moves(kernel, inputs, "C", random.Random(name))


def convolution(inputs: dict[str, np.ndarray], options) -> np.ndarray:
    """The definition: every output pixel is the sum over its window; then the greatest of each pool."""
    stride, pad = options["stride"], options["padding"]
    images = np.pad(inputs["input"].astype(np.int64), ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    weights = inputs["weights"].astype(np.int64)
    size = weights.shape[0]
    windows = np.lib.stride_tricks.sliding_window_view(images, (size, size), axis=(1, 2))[:, ::stride, ::stride]
    sums = np.einsum("brcikl,klio->brco", windows, weights) + inputs["bias"]
    if "pool" not in options:
        return sums
    size, stride, pad = (options["pool"][key] for key in ("size", "stride", "padding"))
    sums = np.pad(sums, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    return np.lib.stride_tricks.sliding_window_view(sums, (size, size), axis=(1, 2))[:, ::stride, ::stride].max(
        (-2, -1)
    )


@pytest.mark.parametrize("kind", ["start", "hand-tuned"])
@pytest.mark.parametrize("size", CONVOLUTIONS)
def test_random_sequences_of_moves_keep_convolutions(size: str, kind: str) -> None:
    problem = load(f"conv:{size}")
    source = (problem.start if kind == "start" else problem.rivals[kind]).code
    kernel = parse(source, "solution")
    if "continue;" in source:
        with pytest.raises(IllegalMoveError, match="not understood"):
            Analysis(kernel).signature  # noqa: B018
        return
    inputs = arrays(kernel)
    expected = oracle.outputs(kernel, inputs, "output")
    np.testing.assert_array_equal(expected, convolution(inputs, problem.options))
    made = random_moves(kernel, inputs, "output", random.Random(size))
    assert made, "there are legal moves"


@pytest.mark.parametrize("size", ["1x12x24x16x32", "2x8x14x32x16", "1x8x28x16x32", "1x6x40x16x16"])
def test_packed_rows_and_streams_keep_convolutions(size: str) -> None:
    """The chain that pays: rows packed, loads and stores streamed, loops unrolled."""
    problem = load(f"conv:{size}")
    kernel = parse(problem.start.code, "solution")
    inputs = arrays(kernel)
    expected = convolution(inputs, problem.options)
    for move in ("pack_rows", "stream", "unroll"):
        kernel = first_child(Analysis(kernel), move)
        np.testing.assert_array_equal(oracle.outputs(kernel, inputs, "output"), expected)


@pytest.mark.parametrize("dim", [8, 32])
def test_other_sizes_of_the_array(dim: int) -> None:
    geometry = Geometry(dim=dim, accumulator_bank_rows=256)
    group = 64 // dim
    source = f"""
void solution(int8_t A[{8 * dim}][{3 * dim}], int8_t B[{3 * dim}][64], int32_t bias[64], int8_t C[{8 * dim}][64]) {{
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld({3 * dim}, 1.0f, DIM, 0);
  config_ld(64, 1.0f, DIM, 1);
  config_ld(0, 1.0f, DIM, 2);
  config_st(64);
  for (int i = 0; i < {8 * dim}; i += DIM) {{
    for (int c = 0; c < {group}; c++) mvin3(&bias[c * DIM], 0x80000000u + c * DIM, DIM, DIM);
    for (int k = 0; k < 3; k++) {{
      mvin(&A[i][k * DIM], k * DIM, DIM, DIM);
      mvin2(&B[k * DIM][0], 512 + k * 64, 64, DIM);
      for (int c = 0; c < {group}; c++) {{
        preload(512 + k * 64 + c * DIM, 0xc0000000u + c * DIM, DIM, DIM, DIM, DIM);
        compute_preloaded(k * DIM, 0xffffffffu, DIM, DIM, DIM, DIM);
      }}
    }}
    for (int c = 0; c < {group}; c++) mvout(&C[i][c * DIM], 0x80000000u + c * DIM, DIM, DIM);
  }}
  fence();
}}
"""
    kernel = parse(source, "solution", geometry)
    inputs = arrays(kernel)
    a, b = inputs["A"].astype(np.int64), inputs["B"].astype(np.int64)
    np.testing.assert_array_equal(oracle.outputs(kernel, inputs, "C", geometry), a @ b + inputs["bias"])
    random_moves(kernel, inputs, "C", random.Random(dim), geometry)
    for move in ("tile", "stream"):
        kernel = first_child(Analysis(kernel, geometry), move)
        np.testing.assert_array_equal(oracle.outputs(kernel, inputs, "C", geometry), a @ b + inputs["bias"])


def test_loads_beyond_the_configured_memories_are_refused() -> None:
    source = load("gemm:64x64x64").start.code
    with pytest.raises(IllegalMoveError, match="beyond its memory"):
        Analysis(parse(source, "solution"), Geometry(scratchpad_bank_rows=64)).signature  # noqa: B018


def test_a_kernel_that_loads_what_it_stores_is_refused() -> None:
    source = load("gemm:64x64x64").start.code.replace("&A[", "&C[")
    with pytest.raises(IllegalMoveError, match="both loaded and stored"):
        Analysis(parse(source, "solution")).signature  # noqa: B018


def first_child(analysis: Analysis, move: str):
    """The kernel after the first legal move of a name."""
    for proposal in proposals(analysis):
        if proposal.move == move:
            with contextlib.suppress(IllegalMoveError):
                return apply(analysis, move, proposal.parameters)
    raise AssertionError(f"there is no legal {move}")


def random_moves(
    kernel, inputs: dict[str, np.ndarray], output: str, draw: random.Random, geometry: Geometry | None = None
) -> set[str]:
    """Random sequences of moves, each result compared with the kernel's own; the moves that were made."""
    geometry = geometry or Geometry()
    expected = oracle.outputs(kernel, inputs, output, geometry)
    made: set[str] = set()
    for _ in range(3):
        current = kernel
        for _ in range(6):
            analysis = Analysis(current, geometry)
            options = proposals(analysis)
            draw.shuffle(options)
            # Early moves as often as late ones: they open up the others.
            options.sort(key=lambda item: item.priority > 15)
            for proposal in options:
                try:
                    child = apply(analysis, proposal.move, proposal.parameters)
                except IllegalMoveError:
                    continue
                text = to_source(child)
                assert to_source(parse(text, "solution", geometry)) == text
                assert parse(text, "solution", geometry) == child
                result = oracle.outputs(child, inputs, output, geometry)
                np.testing.assert_array_equal(result, expected, err_msg=f"{proposal}\n{text}")
                current = child
                made.add(proposal.move)
                break
            else:
                break
    return made
