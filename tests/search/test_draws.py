from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autocomp.search import SearchSettings, derive_seed
from autocomp.search._allocation import allocate
from autocomp.search._draws import drop_items


@given(st.integers(0, 2**63 - 1), st.text())
def test_seeds_are_63_bits_and_repeatable(seed: int, key: str) -> None:
    assert 0 <= derive_seed(seed, key) < 2**63
    assert derive_seed(seed, key) == derive_seed(seed, key)


def test_seeds_differ_by_run_and_key() -> None:
    assert len({derive_seed(run, key) for run in range(20) for key in ("plan/1.0.0", "plan/1.0.1")}) == 40


@given(st.lists(st.text(), unique=True, max_size=20), st.floats(0, 0.99), st.integers(0, 2**32))
def test_dropping_keeps_the_order_and_something(menu: list[str], probability: float, seed: int) -> None:
    kept = drop_items(menu, probability, seed)
    assert [item for item in menu if item in kept] == list(kept)
    assert bool(kept) == bool(menu)
    assert drop_items(menu, 0.0, seed) == tuple(menu)


@given(
    beam=st.integers(1, 9),
    plans=st.integers(1, 9),
    implementations=st.integers(1, 5),
    spread=st.booleans(),
    left=st.none() | st.integers(1, 200),
    data=st.data(),
)
def test_allocation_never_exceeds_what_is_left(
    beam: int, plans: int, implementations: int, spread: bool, left: int | None, data: st.DataObject
) -> None:
    parents = data.draw(st.integers(1, beam))
    settings = SearchSettings(beam=beam, plans=plans, implementations=implementations, spread_plans=spread)
    allocation = allocate(settings, parents, left)
    assert len(allocation.plans) == parents
    assert sum(allocation.plans) >= 1
    assert allocation.implementations >= 1
    if left is not None:
        assert sum(allocation.plans) * allocation.implementations <= left
    else:
        assert sum(allocation.plans) == (beam * plans if spread else parents * plans)
