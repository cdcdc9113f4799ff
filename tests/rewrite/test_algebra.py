"""Small linear algebra: kernels are followed exactly, read correctly, and no move changes what they compute."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from autocomp.errors import IllegalMoveError
from autocomp.problems import load
from autocomp.records import Status
from autocomp.rewrite.gemmini import Geometry, algebra, parse, to_source
from autocomp.rewrite.gemmini.algebra._machine import Machine
from autocomp.rewrite.gemmini.algebra._ring import Field
from autocomp.rewrite.ir._tree import Command, Opaque, edit, walk
from autocomp.session import evaluate
from autocomp.targets import create


def _beside(name: str):
    spec = importlib.util.spec_from_file_location(f"rewrite_{name}", Path(__file__).parent / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_beside("oracle")
SmallMachine = _beside("small_oracle").SmallMachine

GEOMETRY = Geometry(dim=4, accumulator_banks=1, accumulator_bank_rows=4096, element_bytes=4)
PASSES = ("tinympc:forward", "tinympc:backward")
OTHERS = ("tinympc:forward:horizon=3:states=16:inputs=8", "tinympc:backward:horizon=2:states=8:inputs=12",
          "tinympc:forward:horizon=1:states=4", "tinympc:backward:horizon=9:states=8:inputs=4")  # fmt: skip
HEADER = "void solution(float M[4][8], float v[3][8], float w[3][4])"


def kernel_of(problem: str):
    return parse(load(problem).start.code, "solution", GEOMETRY)


def numbers(kernel, seed: int) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(seed)
    names = [name for name in kernel.arrays if name not in kernel.locals]
    return {name: draw.uniform(-0.3, 0.3, kernel.arrays[name].extents) for name in names}


def equations(given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The two passes as they are written in a book."""
    values = {name: array.copy() for name, array in given.items()}
    if "x" in values:
        x, u, d = values["x"], values["u"], values["d"]
        for i in range(len(u)):
            u[i] = -values["Kinf"] @ x[i] - d[i]
            x[i + 1] = values["Adyn"] @ x[i] + values["Bdyn"] @ u[i]
    else:
        p, d, r, q = values["p"], values["d"], values["r"], values["q"]
        for i in reversed(range(len(d))):
            d[i] = values["Quu_inv"] @ (values["Bdyn"].T @ p[i + 1] + r[i])
            p[i] = q[i] + values["AmBKt"] @ p[i + 1] - values["Kinf"].T @ r[i]
    return values


def check(kernel, seed: int = 3) -> None:
    """The independent executor finds what the equations say."""
    given = numbers(kernel, seed)
    memory = SmallMachine(kernel, given).run(kernel.body).memory
    for name, expected in equations(given).items():
        np.testing.assert_allclose(memory[name], expected.reshape(-1), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("problem", PASSES + OTHERS)
def test_the_start_is_read_as_what_it_computes_and_printed_as_the_same(problem: str) -> None:
    kernel = kernel_of(problem)
    assert not [site for site in walk(kernel.body) if isinstance(site.statement, Opaque)]
    check(kernel)
    again = parse(to_source(kernel), "solution", GEOMETRY)
    assert (again.body, again.locals, again.arrays) == (kernel.body, kernel.locals, kernel.arrays)


SOURCE = """
#define STEPS 3
static void flip(const float *in, float out[4][2], int count) {
  for (int n = 0; n < count; n++) { out[n][1] = -in[n]; out[n][0] = 2 * in[n] * in[n] - 1.0f; }
}
void solution(const float a[STEPS][4], float b[STEPS][8]) {
  static float t[4] = {1, 2, 3};
  for (int i = STEPS - 1; i >= 0; i -= 1) {
    float sum = 0;
    for (int j = 3; j > -1; --j) { sum += a[i][j]; t[j] *= (float)sum; }
    if (i == 1) t[0] = sum;
    flip(t, (float *)b[i], 4);
  }
  fence();
}
"""


def test_the_core_is_followed() -> None:
    source = SOURCE.replace("(float *)b[i]", "&b[i][0]")
    kernel = parse(source, "solution", GEOMETRY)
    draw = np.random.default_rng(5)
    a = draw.integers(-5, 6, (3, 4))
    t, b = [1, 2, 3, 0], np.zeros((3, 8), int)
    for i in (2, 1, 0):
        total = 0
        for j in (3, 2, 1, 0):
            total += int(a[i, j])
            t[j] *= total
        if i == 1:
            t[0] = total
        b[i] = [number for value in t for number in (2 * value * value - 1, -value)]
    given = {"a": a, "b": np.zeros((3, 8), int)}
    for found in (kernel, parse(to_source(kernel), "solution", GEOMETRY)):
        np.testing.assert_array_equal(SmallMachine(found, given, object).run(found.body).memory["b"], b.reshape(-1))
        machine = Machine(found, GEOMETRY, Field())
        machine.memory["a"] = [int(value) for value in a.reshape(-1)]
        machine.run(found.body)
        assert machine.memory["b"] == [int(value) % Field.prime for value in b.reshape(-1)]


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_against_an_independent_executor(seed: int) -> None:
    kernel = parse(random_program(random.Random(seed)), "solution", GEOMETRY)
    machine = Machine(kernel, GEOMETRY, Field())
    given = {name: np.array(machine.memory[name], object) for name in ("x", "y")}
    machine.run(kernel.body)
    memory = SmallMachine(kernel, given, object).run(kernel.body).memory
    for name in ("x", "y"):
        assert machine.memory[name] == [int(value) % Field.prime for value in memory[name]]


def random_program(draw: random.Random) -> str:
    """Everything the machine follows, on rows 0 to 31 of both memories, which are all written first."""
    lines = ["config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);", "config_st(16);"]
    lines += ["config_ld(64, 1, 4, 0);", "config_ld(64, -1.0, 5, 1);", "config_ld(32, 2, 4, 2);"]
    for row in range(0, 32, 16):
        lines += [f"mvin(&x[{row}][0], {row}, 16, 4);", f"mvin(&x[{row // 2}][0], {0x80000000 + row}u, 16, 4);"]
    place = iter(range(0, 1024, 16))
    for _ in range(40):
        rows, columns = draw.randint(1, 4), draw.randint(1, 4)
        memory = draw.choice((0, 0x80000000, 0xC0000000))
        at, other = draw.randrange(23), draw.randrange(20) + draw.choice((0, 0x80000000))
        kind = draw.randrange(8)
        if kind == 0:
            turned = draw.choice(("false, false", "true, false", "false, true"))
            scale, strides = draw.choice((1, -1.0, 2)), f"{draw.randint(1, 2)}, {draw.randint(1, 3)}"
            first = f"WEIGHT_STATIONARY, NO_ACTIVATION, 0, {scale}, {strides}"
            lines.append(f"gemmini_extended3_config_ex({first}, {turned}, false);")
        elif kind == 1:
            command = draw.choice(("mvin", "mvin2", "mvin3"))
            lines.append(
                f"{command}(&x[{draw.randrange(24)}][{draw.randrange(4)}], {memory + at % 16}u, {columns}, {rows});"
            )
        elif kind == 2:
            lines.append(f"config_st(16, NO_ACTIVATION, {draw.choice((1, -1, 3))});")
            lines.append(f"mvout(&y[{next(place)}], {other}u, {columns}, {rows});")
        elif kind == 3:
            lines += ["fence();", f"y[1023] = y[1023] * x[{draw.randrange(32)}][3] - y[{draw.randrange(64)}] + 7;"]
        else:
            depth = draw.randint(1, 4)
            weights = draw.choice((draw.randrange(28), 0x80000000 + draw.randrange(28), 0xFFFFFFFF))
            bias = draw.choice((0xFFFFFFFF, draw.randrange(28), 0x80000000 + draw.randrange(28)))
            lines.append(f"preload({weights}u, {memory + at}u, {columns}, {depth}, {columns}, {rows});")
            lines.append(f"compute_preloaded({other}u, {bias}u, {depth}, {rows}, {columns}, {rows});")
            if draw.random() < 0.5:
                lines.append(f"preload(0xffffffffu, {memory + at}u, {columns}, {depth}, {columns}, {rows});")
                lines.append(f"compute_accumulated({other}u, 0xffffffffu, {depth}, {rows}, {columns}, {rows});")
    return "void solution(float x[32][16], float y[1024]) {\n" + "\n".join(lines) + "\nfence();\n}"


@pytest.mark.parametrize("problem", PASSES + OTHERS)
def test_every_move_keeps_the_result(problem: str) -> None:
    kernel = kernel_of(problem)
    computation = algebra.Computation(kernel, GEOMETRY)
    found = {}
    for proposal in algebra.proposals(computation):
        try:
            child = algebra.apply(computation, proposal.move, proposal.parameters)
        except IllegalMoveError:
            continue
        found.setdefault(proposal.move, []).append(child)
        check(child)
        again = parse(to_source(child), "solution", GEOMETRY)
        assert again.body == child.body
    own = "batch_steps" if "backward" in problem else "multiply_matrices"
    needed = {"fuse_operations", "drop_configuration", own}
    assert needed <= set(found)


@pytest.mark.parametrize("problem", PASSES)
def test_children_pass_on_the_simulator_and_are_faster(problem: str) -> None:
    computation = algebra.Computation(kernel_of(problem), GEOMETRY)
    wanted = ["fuse_operations", "hoist_loads", "drop_fences"]
    wanted.append("batch_steps" if "backward" in problem else "multiply_matrices")
    start = evaluate(problem, load(problem).start.code).measurement
    assert start is not None
    for move in wanted:
        proposal = next(item for item in algebra.proposals(computation) if item.move == move)
        child = algebra.apply(computation, move, proposal.parameters)
        found = evaluate(problem, to_source(child))
        assert found.verdict.status is Status.PASSED, found.verdict
        assert found.measurement is not None
        assert found.measurement.latency < start.latency
        if move == "fuse_operations":
            written_out = legal(algebra.Computation(child, GEOMETRY), "unroll_steps")
            late = legal(algebra.Computation(written_out, GEOMETRY), "load_late")
            found = evaluate(problem, to_source(late))
            assert found.verdict.status is Status.PASSED, found.verdict


def legal(computation, move: str):
    """The first child that a move makes."""
    for proposal in algebra.proposals(computation):
        if proposal.move == move:
            try:
                return algebra.apply(computation, move, proposal.parameters)
            except IllegalMoveError:
                continue
    raise AssertionError(move)


@pytest.mark.parametrize("problem", PASSES)
def test_random_sequences_of_moves_keep_the_result(problem: str) -> None:
    draw = random.Random(problem)
    for _ in range(2):
        kernel = kernel_of(problem)
        for _ in range(4):
            computation = algebra.Computation(kernel, GEOMETRY)
            for proposal in draw.sample(options := algebra.proposals(computation), len(options)):
                try:
                    kernel = algebra.apply(computation, proposal.move, proposal.parameters)
                except IllegalMoveError:
                    continue
                break
            check(kernel)


@pytest.mark.parametrize("problem", PASSES)
def test_the_core_and_the_waiting_are_gone(problem: str) -> None:
    computation = algebra.Computation(kernel_of(problem), GEOMETRY)
    best = next(item for item in algebra.proposals(computation))
    child = algebra.apply(computation, best.move, best.parameters)
    names = [site.statement.name for site in walk(child.body) if isinstance(site.statement, Command)]
    assert "=" not in names
    assert names.count("fence") == 1
    loads = [site for site in walk(child.body) if getattr(site.statement, "name", "").startswith("mvin")]
    assert not [site for site in loads if site.loops]


LEGAL = f"""{HEADER} {{
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, true);
  config_ld(32, 1.0f, 4, 0);
  config_st(16);
  mvin(&M[0][0], 0, 8, 4);
  mvin(&v[0][0], 16, 8, 1);
  preload(0, 0x80000000u, 4, 4, 4, 1);
  compute_preloaded(16, 0xffffffffu, 4, 1, 4, 1);
  preload(4, 0xc0000000u, 4, 4, 4, 1);
  compute_preloaded(20, 0xffffffffu, 4, 1, 4, 1);
  mvout(&w[0][0], 0x80000000u, 4, 1);
  fence();
  w[1][0] = w[0][0];
  mvin(&w[0][0], 32, 4, 1);
  mvout(&w[2][0], 32, 4, 1);
  fence();
}}"""
ILLEGAL = {
    "the core reads what an unfinished store writes": ("4, 1);\n  fence();\n  w[1]", "4, 1);\n  w[1]"),
    "the core writes what the accelerator may still use": ("w[1][0] = w", "mvin(&w[1][0], 40, 4, 1); w[1][0] = w"),
    "a load of what an unfinished store writes": ("  fence();\n  w[1][0] = w[0][0];\n", ""),
    "a store to what an unfinished load reads": ("mvout(&w[2][0]", "mvout(&w[0][0]"),
    "the kernel ends before its work is done": ("1);\n  fence();\n}", "1);\n}"),
    "a load that is not configured": ("config_ld(32, 1.0f, 4, 0);", ""),
    "a store that is not configured": ("config_st(16);", ""),
    "a product before any config_ex": ("config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, true);", ""),
    "only weight stationary": ("WEIGHT_STATIONARY", "OUTPUT_STATIONARY"),
    "more than sums and products": ("NO_ACTIVATION", "RELU"),
    "a local row is read before it is written": ("mvin(&v[0][0], 16, 8, 1);", "mvin(&v[0][0], 16, 4, 1);"),
    "a preload directly after a preload": ("  compute_preloaded(16, 0xffffffffu, 4, 1, 4, 1);\n", ""),
    "a compute without a preload": ("  preload(4, 0xc0000000u, 4, 4, 4, 1);\n", ""),
    "the array holds no weights": ("compute_preloaded(16", "compute_accumulated(16"),
    "between a preload and its compute": ("compute_preloaded(20", "mvin(v, 0x80000000u, 4, 1); compute_preloaded(20"),
    "beyond a local memory": ("mvin(&M[0][0], 0, 8, 4);", "mvin(&M[0][0], 16380, 8, 4);"),
    "an operand beyond": ("preload(4, 0xc0000000u", "preload(16384, 0xc0000000u"),
    "extents that do not exist": ("mvin(&M[0][0], 0, 8, 4);", "mvin(&M[0][0], 0, 20, 4);"),
    "an access beyond 'v'": ("mvin(&v[0][0], 16, 8, 1);", "mvin(&v[2][4], 16, 8, 1);"),
    "an operand larger than the array": ("preload(0, 0x80000000u, 4, 4", "preload(0, 0x80000000u, 5, 4"),
    "is not understood": ("fence();\n  w[1]", "fence(); puts(\"here\");\n  w[1]"),
    "a store that does more than scale": ("mvout(&w[0][0], 0x80000000u", "mvout(&w[0][0], 0xa0000000u"),
}  # fmt: skip


def test_the_legal_kernel_is_followed() -> None:
    algebra.Computation(parse(LEGAL, "solution", GEOMETRY), GEOMETRY)


@pytest.mark.parametrize("reason", ILLEGAL)
def test_what_the_hardware_does_not_define_is_refused(reason: str) -> None:
    before, after = ILLEGAL[reason]
    assert before in LEGAL
    kernel = parse(LEGAL.replace(before, after, 1), "solution", GEOMETRY)
    with pytest.raises(IllegalMoveError, match=re.escape(reason)):
        algebra.Computation(kernel, GEOMETRY)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("config_ld(32, 1.0f, 4, 0)", "config_ld()", "'config_ld' with 0 arguments"),
        ("config_ld(32, 1.0f, 4, 0)", "config_ld(32, 1.0f)", "'config_ld' with 2 arguments"),
        ("config_ld(32, 1.0f, 4, 0)", "config_ld(32, 1.0f, 4, 0, 0)", "'config_ld' with 5 arguments"),
        ("config_ld(32, 1.0f, 4, 0)", "config_ld(32.5f, 1.0f, 4, 0)", "given 65/2 as 'stride', which must be whole"),
        ("config_ld(32, 1.0f, 4, 0)", "config_ld(32, 1.0f, 4.5f, 0)", "given 9/2 as 'block', which must be whole"),
        ("config_ld(32, 1.0f, 4, 0)", "config_ld(32, 1.0f, 4, 0.5f)", "given 1/2 as 'id', which must be whole"),
        (
            "config_ld(32, 1.0f, 4, 0)",
            "config_ld(32, 1e99999999f, 4, 0)",
            "the setting '1e99999999f' is not understood",
        ),
        ("config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, true)", "config_ex()", "'config_ex' with 0 arguments"),
        ("NO_ACTIVATION, 1, false", "NO_ACTIVATION, 1.5f, false", "given 3/2 as 'a_stride', which must be whole"),
        ("config_st(16)", "config_st()", "'config_st' with 0 arguments"),
        ("config_st(16)", "config_st(16.25f)", "given 65/4 as 'stride', which must be whole"),
    ],
)
def test_settings_that_are_missing_or_broken_are_refused(before: str, after: str, reason: str) -> None:
    assert before in LEGAL
    kernel = parse(LEGAL.replace(before, after, 1), "solution", GEOMETRY)
    with pytest.raises(IllegalMoveError, match=re.escape(reason)):
        algebra.Computation(kernel, GEOMETRY)


def test_what_is_offered_for_small_algebra_speaks_of_no_other_chip() -> None:
    """Sizes of the int8 16x16 chip, which these kernels do not run on."""
    items = [item for item in create("gemmini").knowledge().menu if not item.operators or "tinympc" in item.operators]
    assert {"place_in_bank", "widen", "use_accelerator"} <= {item.id for item in items}
    for item in items:
        text = f"{item.title} {item.guidance} {item.example}".replace("64 bytes", "")
        assert not re.search(r"\b(16|64|511|512|1023|1024|4096|16384)\b", text), item.id


TWO_GAINS = f"""
void solution(float A[4][4], float B[4][4], float K[4][4], float d[2][4], float e[2][4],
              float u[2][4], float x[3][4], float v[2][4], float y[3][4]) {{
  for (int t = 0; t < 2; t++) {{
    for (int i = 0; i < 4; i++) u[t][i] = d[t][i] - ({" + ".join(f"K[i][{j}] * x[t][{j}]" for j in range(4))});
    for (int i = 0; i < 4; i++) {{
      x[t + 1][i] = {" + ".join(f"A[i][{j}] * x[t][{j}] + B[i][{j}] * u[t][{j}]" for j in range(4))};
    }}
    for (int i = 0; i < 4; i++) v[t][i] = e[t][i] - ({" + ".join(f"2 * K[i][{j}] * y[t][{j}]" for j in range(4))});
    for (int i = 0; i < 4; i++) {{
      y[t + 1][i] = {" + ".join(f"A[i][{j}] * y[t][{j}] + B[i][{j}] * v[t][{j}]" for j in range(4))};
    }}
  }}
  fence();
}}
"""


def test_made_matrices_with_other_factors_are_others() -> None:
    kernel = parse(TWO_GAINS, "solution", GEOMETRY)
    computation = algebra.Computation(kernel, GEOMETRY)
    child = legal(computation, "multiply_matrices")
    given = numbers(kernel, 11)
    expected = {name: array.copy() for name, array in given.items()}
    for state, control, added, gain in (("x", "u", "d", 1), ("y", "v", "e", 2)):
        for t in range(2):
            expected[control][t] = expected[added][t] - gain * expected["K"] @ expected[state][t]
            expected[state][t + 1] = expected["A"] @ expected[state][t] + expected["B"] @ expected[control][t]
    for found in (kernel, child):
        memory = SmallMachine(found, given).run(found.body).memory
        for name in "uxvy":
            np.testing.assert_allclose(memory[name], expected[name].reshape(-1), rtol=1e-9, atol=1e-9)


COUNTER = """
static void count(float *out) {
  LOCAL
  n[0] = n[0] + 1;
  out[0] = n[0];
}
void solution(float y[2]) {
  count(&y[0]);
  count(&y[1]);
  fence();
}
"""


def test_an_array_that_outlives_a_call_is_not_followed() -> None:
    fresh = parse(COUNTER.replace("LOCAL", "float n[1]; n[0] = 1;"), "solution", GEOMETRY)
    assert list(SmallMachine(fresh, {"y": np.zeros(2)}).run(fresh.body).memory["y"]) == [2, 2]
    algebra.Computation(fresh, GEOMETRY)
    for local in ("static float n[1] = {1};", "static float n[1];"):
        kept = parse(COUNTER.replace("LOCAL", local), "solution", GEOMETRY)
        assert [site for site in walk(kept.body) if isinstance(site.statement, Opaque)]
        with pytest.raises(IllegalMoveError, match="is not understood"):
            algebra.Computation(kept, GEOMETRY)


@pytest.mark.parametrize("problem", PASSES)
def test_a_trace_says_what_whole_runs_say(problem: str) -> None:
    """Random statements are left out, moved and doubled; what is the same becomes what the next is compared with."""
    draw = random.Random(problem)
    kernel = legal(algebra.Computation(kernel_of(problem), GEOMETRY), "fuse_operations")
    kernel = legal(algebra.Computation(kernel, GEOMETRY), "unroll_steps")
    computation = algebra.Computation(kernel, GEOMETRY)
    expected = outcome(kernel)
    answers = set()
    body = kernel.body
    for _ in range(80):
        items = list(body)
        at, to = draw.randrange(len(items)), draw.randrange(len(items))
        item = items[at] if draw.random() < 0.3 else items.pop(at)
        if draw.random() < 0.7:
            items.insert(to if draw.random() < 0.3 else min(at + draw.randint(1, 3), len(items)), item)
        same = computation.same(tuple(items))
        assert same == (outcome(kernel.with_body(tuple(items))) == expected)
        answers.add(same)
        body = tuple(items) if same else body
    assert answers == {True, False}
    assert body != kernel.body


def outcome(kernel):
    """What a whole run leaves in the arguments; None if it is refused."""
    machine = Machine(kernel, GEOMETRY, Field())
    try:
        machine.run(kernel.body)
    except IllegalMoveError:
        return None
    return machine.results()


@pytest.mark.parametrize("problem", PASSES)
def test_a_changed_result_is_refused(problem: str) -> None:
    kernel = kernel_of(problem)
    computation = algebra.Computation(kernel, GEOMETRY)
    source = to_source(kernel)
    refused = 0
    for before, after in (
        (" - ", " + "),
        ("= -", "= "),
        ("[i][j]", "[i][0]"),
        ("config_ld(48, 1.0f", "config_ld(48, 2.0f"),
    ):
        if before in source:
            other = parse(source.replace(before, after, 1), "solution", GEOMETRY)
            assert not computation.same(other.body)
            refused += 1
    assert refused >= 2
    assert computation.same(kernel.body)
    fences = [site.path for site in walk(kernel.body) if getattr(site.statement, "name", "") == "fence"]
    needed = [path for path in fences if not computation.same(edit(kernel.body, {path: ()}))]
    assert len(needed) >= 2  # in front of what the core adds; some others order nothing
    assert not computation.same(edit(kernel.body, {path: () for path in fences}))
