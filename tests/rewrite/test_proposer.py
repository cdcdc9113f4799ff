"""The offline proposer behind the contract of a proposer."""

from __future__ import annotations

import pytest

from autocomp.errors import IllegalMoveError
from autocomp.problems import load
from autocomp.proposer import Plan, PlanRequest
from autocomp.records import Candidate, Evaluation, Status, Verdict
from autocomp.rewrite import RECOMMENDED, RewriteProposer
from autocomp.rewrite.gemmini import MOVES, algebra
from autocomp.search import SearchSettings
from autocomp.targets import create


def request(code: str, index: int, *, menu=(), problem: str = "gemm:64x64x64", earlier: int = 0) -> PlanRequest:
    found = load(problem)
    return PlanRequest(
        key=f"1.0.{index}",
        problem=found,
        parent=Candidate("0", code),
        evaluation=Evaluation(Verdict(Status.PASSED)),
        menu=menu,
        iteration=1,
        iterations=5,
        index=index,
        count=8,
        seed=1,
        earlier=earlier,
    )


def plans(proposer: RewriteProposer, code: str, count: int, menu=()) -> list[Plan | None]:
    return [proposer.plan(request(code, index, menu=menu)) for index in range(count)]


@pytest.fixture(scope="module")
def start() -> str:
    return load("gemm:64x64x64").start.code


def test_plans_are_distinct_deterministic_and_end(start: str) -> None:
    menu = create("gemmini").knowledge().menu
    found = plans(RewriteProposer("gemmini"), start, 400, menu)
    assert found[-1] is None
    kept = [plan for plan in found if plan is not None]
    assert len(kept) > 10
    assert len({(plan.item, str(sorted(plan.parameters.items()))) for plan in kept}) == len(kept)
    assert plans(RewriteProposer("gemmini"), start, 400, menu) == found


def test_order_of_questions_does_not_matter(start: str) -> None:
    forward, backward = RewriteProposer("gemmini"), RewriteProposer("gemmini")
    late = [backward.plan(request(start, index)) for index in reversed(range(6))]
    assert plans(forward, start, 6) == late[::-1]
    assert forward.plan(request(start, 1, earlier=3)) == forward.plan(request(start, 4))


def test_implementing_needs_nothing_but_the_plan(start: str) -> None:
    first = RewriteProposer("gemmini")
    plan = first.plan(request(start, 2))
    assert plan is not None
    assert RewriteProposer("gemmini").implement(request(start, 2), plan, 0) == first.implement(
        request(start, 2), plan, 0
    )


def test_only_items_of_the_menu_are_proposed(start: str) -> None:
    menu = tuple(item for item in create("gemmini").knowledge().menu if item.rewrite in ("tile", "widen"))
    found = [plan for plan in plans(RewriteProposer("gemmini"), start, 100, menu) if plan]
    assert {plan.item for plan in found} == {"tile", "widen"}


def test_every_move_is_an_item_of_the_menu() -> None:
    rewrites = {item.rewrite for item in create("gemmini").knowledge().menu if item.rewrite}
    assert rewrites == {*MOVES, *algebra.MOVES}


@pytest.mark.parametrize("code", ["", "void solution(int8_t *A, int8_t *B, int8_t *C) { while (1) {} }", "not C"])
def test_a_kernel_that_is_not_understood_gets_no_plan(code: str) -> None:
    assert RewriteProposer("gemmini").plan(request(code, 0)) is None


def test_another_target_gets_no_plan(start: str) -> None:
    assert RewriteProposer("null").plan(request(start, 0)) is None


def test_plans_that_do_not_apply_are_refused(start: str) -> None:
    proposer = RewriteProposer("gemmini")
    for parameters in ({}, {"move": "tile"}, {"move": "tile", "loop": "nope", "factor": 2}, {"move": 3}):
        with pytest.raises(IllegalMoveError):
            proposer.implement(request(start, 0), Plan("tile", "", parameters), 0)


def test_recommended_parameters_are_search_settings() -> None:
    SearchSettings(**RECOMMENDED)  # type: ignore[arg-type]


@pytest.mark.parametrize("settings", [{"chip": "int8-32x32"}, {"simulator": {"dim": 8}}])
def test_plans_follow_the_configured_chip(settings: dict[str, object]) -> None:
    description = create("gemmini", settings).describe()
    sizes = description["simulator"]
    assert isinstance(sizes, dict)
    dim, last = sizes["dim"], sizes["scratchpad_bank_rows"] * sizes["scratchpad_banks"] - sizes["dim"]
    code = f"""
void solution(int8_t A[256][64], int8_t B[64][64], int8_t C[256][64]) {{
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(64, 1.0f, DIM, 0);
  config_ld(64, 1.0f, DIM, 1);
  config_st(64);
  for (int i = 0; i < 256; i += DIM) {{
    for (int k = 0; k < 64; k += DIM) {{
      gemmini_mvin(&A[i][k], 0);
      gemmini_mvin2(&B[k][0], {last});
      gemmini_preload({last}, k == 0 ? 0x80000000u : 0xc0000000u);
      gemmini_compute_preloaded(0, GARBAGE_ADDR);
    }}
    gemmini_mvout(&C[i][0], 0x80000000u);
  }}
  gemmini_fence();
}}
"""
    proposer = RewriteProposer("gemmini", description)
    found = [plan for plan in plans(proposer, code, 60) if plan]
    assert {"tile", "keep_loaded", "place_in_bank"} <= {plan.item for plan in found}
    tiled = next(plan for plan in found if plan.item == "tile")
    assert f", {dim}, {dim});" in proposer.implement(request(code, 0), tiled, 0)
    # The last rows of this chip lie beyond the memory of one with other sizes, or a tile there would not fit.
    small = {"simulator": {**sizes, "scratchpad_banks": sizes["scratchpad_banks"] // 2}}
    assert RewriteProposer("gemmini", small).plan(request(code, 0)) is None
