"""What the knowledge pack says that commands cost is what the simulator counts."""

import re

import pytest

from autocomp.evaluate import InputSet, draw_inputs
from autocomp.problems import load
from autocomp.targets import Artifact, create

ARCHITECTURE = create("gemmini").knowledge().architecture
ACCUMULATOR, NONE = 0x80000000, 0xFFFFFFFF
RESULT = ACCUMULATOR + 128
OTHER_BANK = 8192

SETUP = {
    "int8-16x16": """
void solution(int8_t A[64][64], int8_t B[64][64], int8_t C[64][64]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, TRANSPOSED);
  config_ld(64, 1.0f, 16, 0);
  mvin(A, 0, 64, 16);
  mvin(A, 8192, 64, 16);
""",
    "float32-4x4": """
void solution(float A[12][12], float B[12][4], float K[4][12], float x[6][12], float d[5][4], float u[5][4]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, TRANSPOSED);
  config_st(48);
  config_ld(48, 1.0f, 4, 0);
  config_ld(48, 1.0f, 4, 1);
  mvin(A, 0, 12, 4);
  mvin(A, 8192, 12, 4);
  mvin2(x, 0x80000000u, 12, 1);
""",
}


def pair(b: int, a: int, c: int, rows: str = "DIM") -> str:
    """One step of the array; a B that is kept was brought by the step before the loop."""
    compute = "compute_accumulated" if b == NONE else "compute_preloaded"
    return f"preload({b}u, {c}u, DIM, DIM, DIM, {rows}); {compute}({a}u, {NONE}u, DIM, {rows}, DIM, DIM);"


# Row of the table of costs, whether B is transposed, and the body of a loop: its steady state counts.
COSTS = {
    "int8-16x16": {
        "preload + compute pair, A and B in different banks": (False, pair(0, OTHER_BANK, RESULT)),
        "the same, A and B in one bank": (False, pair(0, 16, RESULT)),
        "pair that brings a transposed B (simulated)": (True, pair(0, OTHER_BANK, RESULT)),
        "pair that keeps B, 8 rows of A (simulated)": (False, pair(NONE, OTHER_BANK, RESULT, "8")),
        "from a pair to the next that reads its result (simulated)": (False, pair(0, ACCUMULATOR, ACCUMULATOR)),
    },
    "float32-4x4": {
        "preload + compute pair, A and B in different banks, or A in the accumulator": (
            False,
            pair(0, OTHER_BANK, RESULT, "1"),
        ),
        "pair that brings a transposed B": (True, pair(0, OTHER_BANK, RESULT, "1")),
        "the same, not transposed, A and B in one bank": (False, pair(0, 4, RESULT, "1")),
        "from a pair to the next that reads its result": (False, pair(0, ACCUMULATOR, ACCUMULATOR, "1")),
        "`mvin` of one row of 12": (False, "mvin(x, 4096, 12, 1);"),
        "`mvin` of 4 rows of 1": (False, "mvin(A, 4096, 1, 4);"),
        "`mvin` of 4 rows of 12": (False, "mvin(A, 4096, 12, 4);"),
        "`mvout` of one row of 12": (False, f"mvout(x[1], {ACCUMULATOR}u, 12, 1);"),
        "load, pair, store and fence, one after the other": (
            False,
            f"mvin(x, 4096, 4, 1); {pair(0, 4096, RESULT, '1')} mvout(x[1], {RESULT}u, 4, 1); fence();",
        ),
    },
}


def cycles_of_a_turn(chip: str, transposed: bool, body: str) -> float:
    problem = load("gemm:64x64x64" if chip == "int8-16x16" else "tinympc:forward")
    target = create("gemmini", {"chip": chip})
    distribution = problem.distributions[0]
    inputs = draw_inputs(problem, InputSet((distribution,), 0, distribution.kind))
    setup = SETUP[chip].replace("TRANSPOSED", str(transposed).lower()) + pair(0, OTHER_BANK, ACCUMULATOR)
    found = []
    for turns in (20, 60):
        code = f"{setup}\n  fence();\n  for (int n = 0; n < {turns}; n++) {{ {body} }}\n  fence();\n}}\n"
        artifact = target.build(problem, code)
        assert isinstance(artifact, Artifact), artifact
        execution = target.measure(problem, artifact, inputs)
        assert execution.measurement is not None, execution.verdict
        found.append(execution.measurement.latency)
    return (found[1] - found[0]) / 40


@pytest.mark.parametrize(("chip", "row"), [(chip, row) for chip, rows in COSTS.items() for row in rows])
def test_costs_are_those_of_the_simulator(chip: str, row: str) -> None:
    told = re.search(rf"^\| {re.escape(row)} \| (\d+)", ARCHITECTURE, re.MULTILINE)
    assert told is not None
    # Compilers and the place of code move a turn by a cycle where the core or memory sets the pace.
    assert cycles_of_a_turn(chip, *COSTS[chip][row]) == pytest.approx(float(told[1]), abs=1.2)
