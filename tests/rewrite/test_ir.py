"""Expressions, preprocessor, parser and printer."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini import parse, to_source
from autocomp.rewrite.ir._expression import Const, Range, Var, coefficient_of
from autocomp.rewrite.ir._preprocess import preprocess
from autocomp.rewrite.ir._print import expression_text
from autocomp.rewrite.ir._simplify import apply, c_divide, c_remainder, range_of, rebuild
from autocomp.rewrite.ir._tree import Loop, walk

RANGES = {"x": Range(0, 5), "y": Range(0, 7), "z": Range(-3, 3)}
LEAVES = st.sampled_from([Var("x"), Var("y"), Var("z")]) | st.integers(-9, 70).map(Const)
OPERATORS = ("+", "-", "*", "|", "&", "<", "<=", "==", "!=", ">", ">=", "&&", "||")


def value(expression, env):
    text = expression_text(expression)
    return evaluate(text, env)


def evaluate(text, env):
    from pycparser import c_parser

    tree = c_parser.CParser().parse(f"int f(void) {{ return {text}; }}")
    return _run(tree.ext[0].body.block_items[0].expr, env)


def _run(node, env):
    kind = type(node).__name__
    if kind == "Constant":
        return int(node.value.rstrip("uU"), 0)
    if kind == "ID":
        return env[node.name]
    if kind == "UnaryOp":
        inner = _run(node.expr, env)
        return {"-": -inner, "!": int(not inner)}[node.op]
    if kind == "TernaryOp":
        return _run(node.iftrue if _run(node.cond, env) else node.iffalse, env)
    left, right = _run(node.left, env), _run(node.right, env)
    return direct(node.op, left, right)


def direct(op, left, right):
    if op == "/":
        return c_divide(left, right)
    if op == "%":
        return c_remainder(left, right)
    table = {"+": left + right, "-": left - right, "*": left * right, "|": left | right, "&": left & right,
             "<": left < right, "<=": left <= right, "==": left == right, "!=": left != right, ">": left > right,
             ">=": left >= right, "&&": bool(left) and bool(right), "||": bool(left) or bool(right)}  # fmt: skip
    return int(table[op])


@st.composite
def built(draw, depth=3):
    """An expression built through ``apply`` and a function that computes it directly."""
    if depth == 0 or draw(st.booleans()):
        leaf = draw(LEAVES)
        return leaf, (lambda env, leaf=leaf: leaf.value if isinstance(leaf, Const) else env[leaf.name])
    if draw(st.integers(0, 3)) == 0:
        inner, run = draw(built(depth=depth - 1))
        op, divisor = draw(st.sampled_from("/%")), draw(st.integers(1, 24))
        made = apply(op, (inner, Const(divisor)), RANGES)
        return made, (lambda env, op=op, run=run, divisor=divisor: direct(op, run(env), divisor))
    op = draw(st.sampled_from(OPERATORS))
    left, run_left = draw(built(depth=depth - 1))
    right, run_right = draw(built(depth=depth - 1))
    made = apply(op, (left, right), RANGES)
    return made, (lambda env, op=op, a=run_left, b=run_right: direct(op, a(env), b(env)))


def environments():
    for x, y, z in itertools.product((0, 2, 5), (0, 3, 7), (-3, 0, 3)):
        yield {"x": x, "y": y, "z": z}


@settings(max_examples=300, deadline=None)
@given(built())
def test_folding_changes_no_value_and_printing_neither(pair) -> None:
    expression, run = pair
    again = rebuild(expression, RANGES)
    bounds = range_of(expression, RANGES)
    for env in environments():
        expected = run(env)
        logical = expected if not isinstance(expected, bool) else int(expected)
        assert value(expression, env) == logical
        assert value(again, env) == logical
        assert bounds.low <= logical <= bounds.high


def test_digits_of_a_flattened_loop_fold_back() -> None:
    t, ranges = Var("t"), {"t": Range(0, 511)}
    high = apply("/", (t, Const(64)), ranges)
    middle = apply("%", (apply("/", (t, Const(8)), ranges), Const(8)), ranges)
    low = apply("%", (t, Const(8)), ranges)
    total = apply("+", (apply("*", (high, Const(64)), ranges), apply("*", (middle, Const(8)), ranges)), ranges)
    assert rebuild(apply("+", (total, low), ranges), ranges) == t


def test_coefficient_of_an_address() -> None:
    address = apply("+", (apply("*", (Var("x"), Const(64)), {}), apply("/", (Var("y"), Const(2)), {})), {})
    assert coefficient_of(address, "x") == 64
    assert coefficient_of(address, "y") is None
    assert coefficient_of(address, "z") == 0


def test_macros_expand() -> None:
    text = preprocess("#define N 4\n#define T(i, k) ((i) * N + (k))\n#include <stdint.h>\nint a = T(2, N);\n")
    assert text.text.strip() == "int a = ((2) * 4 + (4));"
    assert text.includes == "#include <stdint.h>"


def test_conditional_compilation_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="ifdef"):
        preprocess("#ifdef X\nint a;\n#endif\n")


LONG = """
#include "gemmini.h"
#define TILE DIM
static const int rows = 64;
void solution(elem_t *A, elem_t B[64][64], elem_t C[64][64]) {
  gemmini_extended_config_ex(WEIGHT_STATIONARY, 0, 0, 1, false, false);
  gemmini_extended3_config_ld(64 * sizeof(elem_t), 1.0f, false, 0);
  gemmini_extended3_config_ld(64, 1.0f, false, 1);
  gemmini_extended_config_st(64, 0, 1.0f);
  for (size_t i = 0; i < rows / TILE; ++i) {
    for (int j = 0; j <= 3; j = j + 1) {
      const uint32_t c = 1 << 31;
      for (int k = 0; k < 64; k += TILE) {
        uint32_t d = k == 0 ? c : c | (1 << 30);
        gemmini_extended_mvin(A + (i * TILE) * 64 + k, 0, 16, 16);
        gemmini_mvin2((elem_t *)B + k * 64 + j * TILE, 4096);
        gemmini_preload(4096, d);
        gemmini_compute_preloaded(0, GARBAGE_ADDR);
      }
      gemmini_extended_mvout(C[i * 16] + j * 16, c, DIM, DIM);
    }
  }
  gemmini_fence();
}
"""


def test_the_long_dialect_is_read_and_written() -> None:
    kernel = parse(LONG, "solution")
    text = to_source(kernel)
    assert parse(text, "solution") == kernel
    assert "gemmini_extended_mvin(&A[i * 1024 + k * 16], 0, 16, 16);" in text
    assert "gemmini_extended_mvin2(&B[0][0] + k * 1024 + j * 16, 4096, 16, 16);" in text
    assert '#include "gemmini.h"' in text
    assert [site.statement.count for site in walk(kernel.body) if isinstance(site.statement, Loop)] == [4, 4, 4]


def test_what_is_not_understood_is_kept() -> None:
    source = "void solution(int8_t A[16][16]) {\n  int n = 0;\n  while (n < 3) n++;\n  fence();\n}\n"
    text = to_source(parse(source, "solution"))
    assert "while (n < 3)" in text
    assert parse(text, "solution") == parse(source, "solution")


def test_no_such_function() -> None:
    with pytest.raises(IllegalMoveError, match="solution"):
        parse("void other(void) {}\n", "solution")
