from __future__ import annotations

from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

from autocomp.evaluate import InputSet, draw_inputs, plan_confirmation, plan_evaluation
from autocomp.records import Distribution, Problem, Role, TensorSpec

KINDS = ("uniform", "extremes", "negative", "sparse", "constant", "ramp")
DTYPES = ("int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float32", "float64", "bfloat16", "bool")


def draw(problem: Problem, dtype: str, distribution: Distribution, seed: int = 3) -> np.ndarray:
    spec = TensorSpec("x", dtype, (40, 50), Role.INPUT)
    return draw_inputs(replace(problem, arguments=(spec,)), InputSet((distribution,), seed, ""))["x"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_for_every_dtype(doubling: Problem, kind: str, dtype: str) -> None:
    array = draw(doubling, dtype, Distribution(kind))
    assert array.dtype == np.dtype(dtype)
    assert array.shape == (40, 50)
    assert array.flags.c_contiguous
    assert not array.flags.writeable
    assert np.isfinite(array.astype(np.float64)).all()
    assert (array == draw(doubling, dtype, Distribution(kind))).all()


def test_full_range_includes_both_ends(doubling: Problem) -> None:
    drawn = draw(doubling, "int8", Distribution("uniform"))
    assert (drawn.min(), drawn.max()) == (-128, 127)
    assert set(np.unique(draw(doubling, "int8", Distribution("extremes")))) == {-128, 127}
    assert draw(doubling, "int8", Distribution("negative")).max() == -1


def test_limits_are_inclusive_and_rounded_inwards(doubling: Problem) -> None:
    assert set(np.unique(draw(doubling, "int8", Distribution("uniform", -2.5, 2.0)))) == {-2, -1, 0, 1, 2}
    drawn = draw(doubling, "float32", Distribution("uniform", 2.0, 3.0))
    assert 2.0 <= drawn.min() < drawn.max() <= 3.0


def test_sparse_is_mostly_zero(doubling: Problem) -> None:
    assert 0.8 < (draw(doubling, "int8", Distribution("sparse")) == 0).mean() < 0.99
    assert (draw(doubling, "bfloat16", Distribution("sparse")).astype(float) == 0).mean() > 0.8
    assert draw(doubling, "bfloat16", Distribution("sparse")).dtype == ml_dtypes.bfloat16


def test_ramp_differs_from_row_to_row(doubling: Problem) -> None:
    rows = draw(doubling, "int8", Distribution("ramp"))
    assert len({tuple(row) for row in rows}) > 30


def test_seed_distribution_and_argument_each_change_the_values(gemm: Problem) -> None:
    base = draw_inputs(gemm, InputSet((Distribution("uniform"),), 1, ""))
    assert (base["A"] != base["B"]).any()
    for other in (InputSet((Distribution("uniform"),), 2, ""), InputSet((Distribution("uniform", -128),), 1, "")):
        assert (draw_inputs(gemm, other)["A"] != base["A"]).any()
    fewer = replace(gemm, arguments=tuple(spec for spec in gemm.arguments if spec.name != "A"))
    assert (draw_inputs(fewer, InputSet((Distribution("uniform"),), 1, ""))["B"] == base["B"]).all()


def test_plans_measure_once_and_hide_secret_seeds() -> None:
    distributions = (Distribution("uniform", -2, 2), Distribution("extremes"))
    plan = plan_evaluation(distributions, (1, 2), (987654321,))
    assert plan.measured == (InputSet(distributions[:1], 987654321, "uniform -2..2/secret 1", secret=True),)
    assert [inputs.secret for inputs in plan.checked] == [True, False, False]
    labels = [inputs.label for inputs in plan.checked]
    assert labels == ["extremes/secret 1", "uniform -2..2/seed 1", "uniform -2..2/seed 2"]
    (measured,) = plan_evaluation(distributions, (1,), ()).measured
    assert not measured.secret, "unless there is no secret one"
    fresh = plan_confirmation(distributions, (5,))
    assert fresh.checked == ()
    assert [inputs.label for inputs in fresh.measured] == ["uniform -2..2/fresh 1", "extremes/fresh 1"]


def test_other_distributions_stand_side_by_side_in_one_set(gemm: Problem) -> None:
    distributions = (Distribution("uniform", -2, 2), Distribution("extremes"), Distribution("negative"))
    plan = plan_evaluation(distributions, (1,), (5,))
    assert [inputs.label for inputs in plan.checked] == ["mixed/secret 1", "uniform -2..2/seed 1"]
    drawn = draw_inputs(gemm, plan.checked[0])
    assert set(np.unique(drawn["A"][:8])) == {-128, 127}
    assert drawn["A"][8:].max() < 0
    assert set(np.unique(drawn["B"][:, :8])) == {-128, 127}
    assert drawn["B"][:, 8:].max() < 0
    assert drawn["A"].shape == drawn["B"].shape == (16, 16)


def test_more_bands_than_rows(gemm: Problem) -> None:
    spec = TensorSpec("x", "int8", (2, 3), Role.INPUT)
    kinds = tuple(Distribution(kind) for kind in KINDS)
    assert draw_inputs(replace(gemm, arguments=(spec,)), InputSet(kinds, 1, ""))["x"].shape == (2, 3)
