"""No move changes the result; no legal move raises anything but IllegalMoveError."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from autocomp.errors import IllegalMoveError
from autocomp.problems import load
from autocomp.rewrite.gemmini import Analysis, apply, parse, proposals, to_source

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


def sources() -> list[tuple[str, str]]:
    found = [(path.stem, path.read_text()) for path in KERNELS]
    for size in SIZES:
        problem = load(f"gemm:{size}")
        found.append((f"start-{size}", problem.start.code))
        found.extend((f"{name}-{size}", rival.code) for name, rival in problem.rivals.items())
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
    draw = random.Random(name)
    for _ in range(3):
        current = kernel
        for _ in range(6):
            analysis = Analysis(current)
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
                assert to_source(parse(text, "solution")) == text
                assert parse(text, "solution") == child
                result = oracle.outputs(child, inputs, "C")
                np.testing.assert_array_equal(result, expected, err_msg=f"{proposal}\n{text}")
                current = child
                break
            else:
                break
