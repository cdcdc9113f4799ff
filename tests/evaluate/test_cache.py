"""A result in the cache stands for exactly the checks it has passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autocomp.evaluate import InputPlan, InputSet, cache_key, plan_confirmation, plan_evaluation
from autocomp.problems import load
from autocomp.records import Distribution, Problem

BOUNDS = (
    st.none()
    | st.sampled_from([-1.0, 1.0, 1.0000001, 1.0000002, 2.0])
    | st.floats(allow_nan=False).map(lambda value: value + 0.0)
)
DISTRIBUTIONS = st.lists(
    st.builds(Distribution, st.sampled_from(["uniform", "extremes", "sparse"]), BOUNDS, BOUNDS), min_size=1, max_size=4
).map(tuple)
SEEDS = st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True).map(tuple)
PROBLEM = load("gemm:16x16x16")


def key(plan: InputPlan, problem: Problem = PROBLEM) -> str:
    return cache_key(problem, "toolchain", plan, "code\n")


def checks(plan: InputPlan) -> object:
    """What a plan checks, secret seeds told apart from each other but not known."""
    names: dict[int, int] = {}

    def one(inputs: InputSet) -> object:
        seed = names.setdefault(inputs.seed, len(names)) if inputs.secret else inputs.seed
        return inputs.distributions, inputs.secret, seed

    return [one(inputs) for inputs in plan.measured], [one(inputs) for inputs in plan.checked]


@given(DISTRIBUTIONS, SEEDS, SEEDS, DISTRIBUTIONS, SEEDS, SEEDS)
def test_different_checks_never_share_a_key(
    one: tuple[Distribution, ...],
    public: tuple[int, ...],
    secret: tuple[int, ...],
    other: tuple[Distribution, ...],
    other_public: tuple[int, ...],
    other_secret: tuple[int, ...],
) -> None:
    plans = [
        plan_evaluation(one, public, secret),
        plan_evaluation(one, other_public, secret),
        plan_evaluation(one, public, other_secret),
        plan_evaluation(one, public, ()),
        plan_evaluation(other, public, secret),
        plan_evaluation((one[0], *other), public, secret),
        plan_confirmation(one, secret),
        plan_confirmation(other, secret),
    ]
    for first in plans:
        for second in plans:
            assert (key(first) == key(second)) == (checks(first) == checks(second))


@given(DISTRIBUTIONS, st.integers(0, 3), st.sampled_from(["kind", "low", "high"]))
def test_every_part_of_every_distribution_counts(
    distributions: tuple[Distribution, ...], place: int, part: str
) -> None:
    place %= len(distributions)
    changed = list(distributions)
    values: Mapping[str, object] = {"kind": "ramp", "low": -1.2345678, "high": 1.2345678}
    changed[place] = replace(changed[place], **{part: values[part]})  # type: ignore[arg-type]
    assert (changed[place] == distributions[place]) == (
        key(plan_evaluation(tuple(changed), (1,), (2,))) == key(plan_evaluation(distributions, (1,), (2,)))
    )


def test_several_distributions_and_bounds_that_print_alike() -> None:
    first = Distribution("uniform")
    weak = (first, Distribution("sparse"), Distribution("ramp"))
    strong = (first, Distribution("extremes"), Distribution("negative"))
    assert key(plan_evaluation(weak, (1,), (2,))) != key(plan_evaluation(strong, (1,), (2,)))
    near = [(first, Distribution("uniform", -1.0, high)) for high in (1.0000001, 1.0000002)]
    assert key(plan_evaluation(near[0], (1,), (2,))) != key(plan_evaluation(near[1], (1,), (2,)))


def test_secret_seeds_do_not_count_but_their_number_does() -> None:
    given_distributions = PROBLEM.distributions
    keys = [key(plan_evaluation(given_distributions, (1,), seeds)) for seeds in ((5,), (6,), (5, 6))]
    assert keys[0] == keys[1] != keys[2]
    public = [key(plan_evaluation(given_distributions, seeds, (5,))) for seeds in ((1,), (2,))]
    assert public[0] != public[1]


def test_a_problem_without_a_fingerprint_has_no_key() -> None:
    plan = plan_evaluation(PROBLEM.distributions, (1,), (2,))
    with pytest.raises(ValueError, match="has no fingerprint"):
        key(plan, replace(PROBLEM, fingerprint=""))
