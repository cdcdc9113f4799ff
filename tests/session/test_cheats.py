"""Kernels that look fast without being it, against the real target."""

from __future__ import annotations

from pathlib import Path

import autocomp
from autocomp.configuration import load_configuration
from autocomp.evaluate import InlineExecutor, draw_inputs, plan_evaluation
from autocomp.problems import load
from autocomp.proposer import Plan, PlanRequest
from autocomp.testing import ScriptedProposer

NAME = "gemm:64x64x64"
COPY = """
  config_ld(64, 1.0f, 16, 0);
  config_st(64);
  for (int i = 0; i < 64; i += 16) {
    mvin(&answers[i * 64], i * 4, 64, 16);
    for (int c = 0; c < 64; c += 16) mvout(&C[i][c], i * 4 + c, 16, 16);
  }
  fence();
"""


def answering_from_a_table() -> str:
    """Right on all inputs, and fast on those that anybody can know."""
    problem = load(NAME)
    public = next(inputs for inputs in plan_evaluation(problem.distributions, (1,), (2,)).checked if not inputs.secret)
    inputs = draw_inputs(problem, public)
    (answer,) = problem.reference(inputs).values()
    table = ",".join(str(int(value)) for value in answer.flat)
    head = ",".join(str(int(value)) for value in inputs["A"].flat[:16])
    honest = problem.start.code.replace("void solution(", "static void honest(")
    return f"""static const int8_t answers[4096] __attribute__((aligned(64))) = {{{table}}};
static const int8_t head[16] = {{{head}}};
{honest}
void solution(int8_t A[64][64], int8_t B[64][64], int8_t C[64][64]) {{
  for (int i = 0; i < 16; i++)
    if (A[0][i] != head[i]) {{
      honest(A, B, C);
      return;
    }}
{COPY}}}
"""


class Cheating(ScriptedProposer):
    def implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
        return answering_from_a_table()


def test_answers_to_known_inputs_do_not_make_a_kernel_fast(tmp_path: Path) -> None:
    config = load_configuration(
        overrides={"run.store": tmp_path / "store.sqlite", "search.iterations": 1, "search.plans": 1}
    )
    view = autocomp.optimize(NAME, config=config, proposer=Cheating(faults=False), executor=InlineExecutor())
    evaluation = next(entry.evaluation for entry in view.entries[1:])
    assert evaluation is not None and evaluation.verdict.passed, "it computes the right thing"
    assert evaluation.latency is not None and view.start.evaluation is not None
    assert evaluation.latency >= view.start.evaluation.latency
    assert view.best.candidate.id == "0"
