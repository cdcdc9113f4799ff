import pytest
from hypothesis import given
from hypothesis import strategies as st

from autocomp.problems._arithmetic import ArithmeticProblem, size

NAMES = {"M": 7, "N": 12, "K": 3}
expressions = st.recursive(
    st.sampled_from(["M", "N", "K"]) | st.integers(0, 99).map(str),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=6,
)


@given(expressions)
def test_agrees_with_python(expression: str) -> None:
    assert size(expression, NAMES) == eval(expression, {}, dict(NAMES))


@pytest.mark.parametrize(("expression", "value"), [(5, 5), ("M", 7), (" (M + 15) // 16 * 16 ", 16), ("-M + N", 5)])
def test_value(expression: object, value: int) -> None:
    assert size(expression, NAMES) == value


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (True, "neither a whole number"),
        (1.5, "neither a whole number"),
        ("Q", "'Q' is not a dimension (dimensions: M, N, K)"),
        ("M /", "not arithmetic"),
        ("M / 2", "'M / 2' is not a name"),
        ("__import__('os')", "is not a name, a whole number"),
        ("M.real", "is not a name"),
        ("M // (N - 12)", "divides by zero"),
        ("9999999999 * 9999999999", "does not fit 63 bits"),
        ("M" + " + M" * 100, "longer than 200 characters"),
        ("2 ** 9", "is not a name"),
    ],
)
def test_refused(expression: object, reason: str) -> None:
    with pytest.raises(ArithmeticProblem) as caught:
        size(expression, NAMES)
    assert reason in str(caught.value)
