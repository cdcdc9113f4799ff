from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autocomp.evaluate import compare
from autocomp.records import Problem, Role, Status, TensorSpec, Tolerance
from autocomp.targets import poisoned


def integers(problem: Problem, tolerance: Tolerance | None = None) -> Problem:
    spec = TensorSpec("y", "int8", (2, 3), Role.OUTPUT)
    return replace(problem, arguments=(spec,), tolerances={"int8": tolerance or Tolerance()})


def test_equal_passes(doubling: Problem) -> None:
    values = np.arange(8, dtype=np.float32)
    assert compare(doubling, {"y": values}, {"y": values.copy()}, "here") is None


def test_the_first_wrong_element_is_named_with_both_values_and_the_count(doubling: Problem) -> None:
    expected = np.arange(6, dtype=np.int8).reshape(2, 3)
    output = expected.copy()
    output[1, 0], output[1, 2] = 99, 98
    verdict = compare(integers(doubling), {"y": expected}, {"y": output}, "extremes/secret 1")
    assert verdict is not None
    assert verdict.status is Status.WRONG_VALUE
    assert verdict.inputs == "extremes/secret 1"
    assert verdict.message == "y[1, 0] is 99, expected 3; 2 of 6 elements are wrong, on inputs extremes/secret 1"


def test_float32_is_shown_with_the_digits_it_has(doubling: Problem) -> None:
    expected = np.full(8, 0.25)
    verdict = compare(doubling, {"y": expected}, {"y": np.full(8, 0.1, np.float32)}, "")
    assert verdict is not None
    assert verdict.message.startswith("y[0] is 0.1, expected 0.25; 8 of 8")


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (np.zeros((3, 2), np.int8), Status.WRONG_SHAPE),
        (np.zeros((2, 3), np.uint8), Status.WRONG_DTYPE),
        (np.zeros((2, 3), np.int8), Status.WRONG_VALUE),
    ],
)
def test_every_difference_has_its_status(doubling: Problem, output: np.ndarray, status: Status) -> None:
    verdict = compare(integers(doubling), {"y": np.ones((2, 3), np.int8)}, {"y": output}, "")
    assert verdict is not None
    assert verdict.status is status


def test_poison_and_missing_outputs_are_not_written(doubling: Problem) -> None:
    problem = integers(doubling)
    expected = np.ones((2, 3), np.int8)
    partly = expected.copy()
    partly[1] = poisoned(problem.outputs[0])[1]
    for outputs in ({"y": partly}, {"y": poisoned(problem.outputs[0])}, {}):
        verdict = compare(problem, {"y": expected}, outputs, "")
        assert verdict is not None
        assert verdict.status is Status.NOT_WRITTEN


def test_poisoned_floats_are_not_written(doubling: Problem) -> None:
    verdict = compare(doubling, {"y": np.ones(8, np.float32)}, {"y": poisoned(doubling.outputs[0])}, "")
    assert verdict is not None
    assert verdict.status is Status.NOT_WRITTEN


def test_a_tolerance_on_integers(doubling: Problem) -> None:
    expected = np.full((2, 3), 127, np.int8)
    near = expected - 1
    assert compare(integers(doubling, Tolerance(1.0)), {"y": expected}, {"y": near}, "") is None
    assert compare(integers(doubling), {"y": expected}, {"y": near}, "") is not None


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_where_the_reference_is_finite(doubling: Problem, bad: float) -> None:
    output = np.ones(8, np.float32)
    output[5] = bad
    verdict = compare(doubling, {"y": np.ones(8, np.float32)}, {"y": output}, "")
    assert verdict is not None
    assert verdict.status is Status.NOT_FINITE
    assert "y[5]" in verdict.message


def test_infinity_and_nan_of_the_reference_must_be_met_exactly(doubling: Problem) -> None:
    expected = np.array([np.inf, -np.inf, np.nan, 1, 1, 1, 1, 1], np.float32)
    assert compare(doubling, {"y": expected}, {"y": expected.copy()}, "") is None
    for index, value in ((0, -np.inf), (1, 0.0), (2, 7.0)):
        output = expected.copy()
        output[index] = value
        verdict = compare(doubling, {"y": expected}, {"y": output}, "")
        assert verdict is not None
        assert verdict.status is Status.WRONG_VALUE


def test_zeros_do_not_pass_an_absolute_tolerance_on_small_outputs(doubling: Problem) -> None:
    small = np.full(8, 5e-4, np.float32)
    verdict = compare(doubling, {"y": small}, {"y": np.zeros(8, np.float32)}, "")
    assert verdict is not None
    assert "in norm" in verdict.message
    assert compare(doubling, {"y": small}, {"y": small * np.float32(1.01)}, "") is None
    noise = np.full(8, 1e-12, np.float32)
    assert compare(doubling, {"y": noise}, {"y": -noise}, "") is None


def test_the_tolerance_is_a_bound(doubling: Problem) -> None:
    expected = np.full(8, 10.0, np.float32)
    assert compare(doubling, {"y": expected}, {"y": expected + np.float32(0.010)}, "") is None
    assert compare(doubling, {"y": expected}, {"y": expected + np.float32(0.012)}, "") is not None
