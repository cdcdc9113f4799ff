"""Hardware loops: they are followed exactly, products are found and written with them, and children pass."""

from __future__ import annotations

import random

import numpy as np
import pytest

from autocomp.errors import IllegalMoveError
from autocomp.problems import load
from autocomp.records import Status
from autocomp.rewrite.gemmini import Analysis, apply, parse, proposals, to_source
from autocomp.rewrite.gemmini._product import product_of
from autocomp.session import evaluate

SIZES = ("192x64x64", "33x129x65", "100x70x50:bias", "17x200x40:bias:relu:scale=0.0625", "7x9x11")


def loops(body: str, configuration: str = "", sizes: tuple[int, int, int] = (40, 70, 50)) -> str:
    m, n, k = sizes
    return f"""
void solution(int8_t A[{m}][{k}], int8_t B[{k}][{n}], int32_t bias[{n}], int8_t C[{m}][{n}]) {{
  gemmini_extended_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0, 1, false, false);
  gemmini_extended3_config_ld({k}, 1.0f, false, 0);
  gemmini_extended3_config_ld({n}, 1.0f, false, 1);
  gemmini_extended3_config_ld(0, 1.0f, false, 2);
  gemmini_extended_config_st({n}, NO_ACTIVATION, 1.0f);
  {configuration}
  {body}
  gemmini_fence();
}}
"""


WHOLE = loops("gemmini_loop_ws(3, 5, 4, 8, 10, 14, A, B, bias, C, 50, 70, 0, 70, 0, 0, 0, 0, 1, 0, 0, 0, 0);")
IN_PARTS = loops("""
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      gemmini_loop_ws(1, 5, 2, i == 2 ? 8 : 0, 10, k ? 14 : 0, &A[i * 16][k * 32], &B[k * 32][0], k == 0 ? bias : NULL,
                      k == 1 ? &C[i * 16][0] : (void *)0, 50, 70, 0, 70, false, false, false, false, true,
                      NO_ACTIVATION, 0, 0, false);
    }
  }""")
SINGLE = load("gemm:40x70x50:bias").start.code


def signature(source: str) -> int:
    return Analysis(parse(source, "solution")).signature


def test_loops_compute_what_single_commands_compute() -> None:
    assert signature(WHOLE) == signature(IN_PARTS) == signature(SINGLE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3, 5, 4, 8, 10, 14", "3, 5, 4, 7, 10, 14"),  # a row too many
        ("3, 5, 4, 8, 10, 14", "3, 5, 4, 8, 11, 14"),
        ("3, 5, 4, 8, 10, 14", "3, 5, 4, 8, 10, 15"),  # the last product of each sum is missing
        ("3, 5, 4, 8, 10, 14", "3, 5, 3, 8, 10, 0"),  # a tile of each sum is missing
        ("3, 5, 4, 8, 10, 14", "2, 5, 4, 0, 10, 14"),  # rows of C are missing
        ("C, 50, 70, 0, 70", "C, 49, 70, 0, 70"),
        ("C, 50, 70, 0, 70", "C, 50, 69, 0, 70"),
        ("C, 50, 70, 0, 70", "C, 50, 70, 1, 70"),
        ("C, 50, 70, 0, 70", "C, 50, 70, 0, 69"),
        ("config_ld(50,", "config_ld(51,"),
        ("config_st(70,", "config_st(71,"),
        ("bias, C", "NULL, C"),
        ("bias, C", "&bias[1], C"),
        ("A, B, bias", "&A[0][1], B, bias"),
        ("0, 0, 0, 0, 1, 0, 0, 0, 0", "0, 0, 0, 0, 0, 0, 0, 0, 0"),  # overwrites the bias
    ],
)
def test_other_results_are_told_apart(before: str, after: str) -> None:
    assert before in WHOLE
    changed = WHOLE.replace(before, after, 1)
    try:
        found = signature(changed)
    except IllegalMoveError:
        return
    assert found != signature(WHOLE)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("0, 0, 0, 0, 1, 0, 0, 0, 0", "1, 0, 0, 0, 1, 0, 0, 0, 0", "does not fit or does something"),  # transposed
        ("0, 0, 0, 0, 1, 0, 0, 0, 0", "0, 0, 0, 1, 1, 0, 0, 0, 0", "does not fit or does something"),  # narrow bias
        ("0, 0, 0, 0, 1, 0, 0, 0, 0", "0, 0, 0, 0, 1, 0, 1, 0, 0", "does not fit or does something"),  # pinned half
        ("0, 0, 0, 0, 1, 0, 0, 0, 0", "0, 0, 0, 0, 1, 2, 0, 0, 0", "does not fit or does something"),  # normalises
        ("0, 0, 0, 0, 1, 0, 0, 0, 0", "0, 0, 0, 0, 1, 0, 0, 0, 1", "does not fit or does something"),  # sum
        ("3, 5, 4, 8, 10, 14", "3, 11, 4, 8, 10, 14", "does not fit or does something"),  # half of the accumulator
        ("3, 5, 4, 8, 10, 14", "1, 5, 86, 8, 10, 14", "does not fit or does something"),  # half of the scratchpad
        ("3, 5, 4, 8, 10, 14", "3, 5, 4, 16, 10, 14", "does not fit or does something"),
        ("3, 5, 4, 8, 10, 14", "3, 0, 4, 8, 10, 14", "does not fit or does something"),
        ("A, B, bias", "NULL, B, bias", "read before it is written"),
        ("bias, C", "NULL, C", "read before it is written"),
        ("A, B, bias, C", "A, B, bias, A", "both loaded and stored"),
        ("A, B, bias, C", "A, B, 16, C", "neither in an array nor 0"),
        ("gemmini_loop_ws", "gemmini_mvin(A, 0); gemmini_loop_ws", "are mixed"),
        ("config_ld(0, 1.0f, false, 2)", "config_ld(0, 1.0f, true, 2)", "widens"),
    ],
)  # fmt: skip
def test_what_is_not_followed_is_refused(before: str, after: str, reason: str) -> None:
    assert before in WHOLE
    with pytest.raises(IllegalMoveError, match=reason):
        signature(WHOLE.replace(before, after, 1))


def test_a_bias_over_sums_that_wait_is_refused() -> None:
    call = "gemmini_loop_ws(3, 5, 4, 8, 10, 14, A, B, bias, {}, 50, 70, 0, 70, 0, 0, 0, 0, 1, 0, 0, 0, 0);"
    with pytest.raises(IllegalMoveError, match="loads a bias over sums"):
        signature(loops(call.format("NULL") + call.format("C")))
    assert signature(loops(call.format("C") + call.format("C"))) == signature(WHOLE)


def test_operands_stay_in_their_half() -> None:
    """Without A, a loop finds what the loop before the last one loaded: the halves alternate."""
    call = "gemmini_loop_ws(1, 5, 4, {}, 10, 14, {}, B, bias, {}, 50, 70, 0, 70, 0, 0, 0, 0, 1, 0, 0, 0, 0);"
    right = [call.format(0, f"&A[{i * 16}][0]", f"&C[{i * 16}][0]") for i in range(2)]
    third = call.format(8, "&A[32][0]", "&C[32][0]")
    again = [call.format(0, "NULL", f"&C[{i * 16}][0]") for i in range(2)]
    assert signature(loops("".join((*right, *again, third)))) == signature(WHOLE)
    assert signature(loops("".join((*right, *again[::-1], third)))) != signature(WHOLE)


@pytest.mark.parametrize("source", [WHOLE, IN_PARTS], ids=["whole", "in parts"])
def test_loops_print_and_parse(source: str) -> None:
    kernel = parse(source, "solution")
    assert parse(to_source(kernel), "solution") == kernel
    assert evaluate("gemm:40x70x50:bias", to_source(kernel)).verdict.status is Status.PASSED


@pytest.mark.parametrize("size", SIZES)
def test_products_are_found(size: str) -> None:
    problem = load(f"gemm:{size}")
    sizes = tuple(problem.dimensions[name] for name in "MNK")
    for code in (problem.start.code, problem.rivals["double-buffered"].code, problem.rivals["hand-tuned"].code):
        product = product_of(Analysis(parse(code, "solution")))
        assert product.sizes == sizes
        assert (product.d is not None) == ("bias" in size)


@pytest.mark.parametrize("size", SIZES)
def test_children_pass_on_the_simulator(size: str) -> None:
    """The first proposals and some others, each compared with NumPy on all distributions of the problem."""
    name = f"gemm:{size}"
    draw = random.Random(size)
    start = Analysis(parse(load(name).start.code, "solution"))
    first = next(item for item in proposals(start) if item.move == "hardware_loop")
    looped = Analysis(apply(start, first.move, first.parameters))
    children = [looped.kernel]
    for proposal in draw.sample(options := proposals(looped), min(3, len(options))):
        assert proposal.move == "loop_tiles"
        if proposal.parameters != first.parameters:
            children.append(apply(looped, proposal.move, proposal.parameters))
    for child in children:
        text = to_source(child)
        assert parse(text, "solution") == child
        assert evaluate(name, text).verdict.status is Status.PASSED, text


def test_random_cuts_pass_on_the_simulator() -> None:
    """Cuts along all three axes, with and without what stays, on sizes that fill no tile."""
    name = "gemm:75x90x110:bias"
    start = Analysis(parse(load(name).start.code, "solution"))
    draw = random.Random(3)
    legal = 0
    for _ in range(8):
        i, j, k = draw.randint(1, 5), draw.randint(1, 6), draw.choice((1, 2, 3, 7))
        parameters = {"i": i, "j": j, "k": k, "order": draw.choice(("ij", "ji")), "keep": int(k == 7)}
        child = apply(start, "hardware_loop", parameters)
        assert evaluate(name, to_source(child)).verdict.status is Status.PASSED, parameters
        legal += 1
    assert legal == 8


@pytest.mark.parametrize(
    "parameters",
    [
        {"i": 6, "j": 6, "k": 1, "order": "ij", "keep": 0},  # more sums than half of the accumulator
        {"i": 1, "j": 1, "k": 300, "order": "ij", "keep": 0},  # more operands than half of the scratchpad
        {"i": 0, "j": 1, "k": 1, "order": "ij", "keep": 0},
        {"i": 1, "j": 1, "k": 1, "order": "ik", "keep": 0},
        {"i": 1, "j": 1, "k": 1, "order": "ij", "keep": 1},  # an operand stays only with whole sums
        {"i": 1, "j": 1, "order": "ij", "keep": 0},
    ],
)
def test_impossible_cuts_are_refused(parameters: dict[str, object]) -> None:
    start = Analysis(parse(load("gemm:64x64x64").start.code, "solution"))
    with pytest.raises(IllegalMoveError):
        apply(start, "hardware_loop", parameters)


def test_scale_and_activation_stay() -> None:
    name = "gemm:40x40x40:relu:scale=0.125"
    start = Analysis(parse(load(name).start.code, "solution"))
    first = next(item for item in proposals(start) if item.move == "hardware_loop")
    text = to_source(apply(start, first.move, first.parameters))
    assert "gemmini_extended_config_st(40, RELU, 0.125f);" in text
    assert np.isfinite(evaluate(name, text).measurement.latency)


def test_where_the_move_comes_in_the_list() -> None:
    """Early where software has remainders to deal with, last where it has not; hardware loops get nothing else."""

    def place(size: str) -> float:
        found = proposals(Analysis(parse(load(f"gemm:{size}").start.code, "solution")))
        return [item.move for item in found].index("hardware_loop") / len(found)

    assert place("100x70x50") < 0.5
    assert place("16x256x256") < 0.5
    assert place("512x512x512") > 0.9
    small = proposals(Analysis(parse(load("gemm:64x64x64").start.code, "solution")))
    assert not [item for item in small if item.move == "hardware_loop"]
    looped = Analysis(parse(WHOLE, "solution"))
    assert {item.move for item in proposals(looped)} == {"loop_tiles"}
    with pytest.raises(IllegalMoveError, match="made of hardware loops"):
        apply(looped, "tile", {"loop": "i", "factor": 2})


@pytest.mark.parametrize("size", ["1x4x9x32x16:pad=1:pool=3/2/1", "1x5x24x32x64"])
def test_convolutions_are_no_products(size: str) -> None:
    start = Analysis(parse(load(f"conv:{size}").start.code, "solution"))
    with pytest.raises(IllegalMoveError):
        product_of(start)
