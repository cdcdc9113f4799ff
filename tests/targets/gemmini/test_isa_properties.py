"""The simulator computes what an independent model of the instruction set computes, on random programs."""

from __future__ import annotations

import pytest
from command_programs import Mix, corrupt, random_program
from hypothesis import given, settings
from hypothesis import strategies as st
from isa_comparison import assert_same
from isa_model import Parameters

SEEDS = st.integers(0, 2**32 - 1)
DEFAULT = Parameters()


def small(dim: int, bits: int = 20) -> Parameters:
    """Memories so small that commands meet: their banks and ends are hit all the time."""
    return Parameters(dim, bits, scratchpad_bank_rows=4 * dim, accumulator_bank_rows=2 * dim)


def small_float(dim: int) -> Parameters:
    return Parameters(
        dim, scratchpad_bank_rows=4 * dim, accumulator_banks=1, accumulator_bank_rows=4 * dim, float_elements=1
    )


def small_norm(dim: int) -> Parameters:
    return Parameters(dim, scratchpad_bank_rows=4 * dim, accumulator_bank_rows=8 * dim, has_normalizations=1)


MIXES = st.builds(
    Mix,
    length=st.integers(1, 40),
    weight_stationary=st.sampled_from([0.0, 0.5, 0.5, 1.0]),
    plain=st.sampled_from([0.1, 0.4, 0.9]),
    filled=st.sampled_from([True, True, True, False]),
)
FLOAT = st.builds(small_float, st.sampled_from([4, 4, 4, 4, 8, 16]))
SMALL = st.builds(small, st.sampled_from([4, 8, 16, 16, 32, 64]), st.sampled_from([20, 20, 20, 12, 24, 32]))


class TestRandomPrograms:
    @settings(max_examples=700)
    @given(mix=MIXES, seed=SEEDS)
    def test_small_memories(self, mix: Mix, seed: int) -> None:
        assert_same(random_program(small(16), mix, seed), small(16), seed)

    @settings(max_examples=150)
    @given(mix=MIXES, seed=SEEDS)
    def test_default_configuration(self, mix: Mix, seed: int) -> None:
        assert_same(random_program(DEFAULT, mix, seed), DEFAULT, seed)

    @settings(max_examples=500)
    @given(parameters=SMALL, mix=MIXES, seed=SEEDS)
    def test_other_configurations(self, parameters: Parameters, mix: Mix, seed: int) -> None:
        assert_same(random_program(parameters, mix, seed), parameters, seed)

    @settings(max_examples=700)
    @given(parameters=FLOAT, mix=MIXES, seed=SEEDS, broken=st.sampled_from([False, False, True]))
    def test_floats(self, parameters: Parameters, mix: Mix, seed: int, broken: bool) -> None:
        program = random_program(parameters, mix, seed)
        assert_same(corrupt(program, seed) if broken else program, parameters, seed)

    @settings(max_examples=300)
    @given(dim=st.sampled_from([4, 8, 16]), mix=MIXES, seed=SEEDS, broken=st.sampled_from([False, False, True]))
    def test_normalizations(self, dim: int, mix: Mix, seed: int, broken: bool) -> None:
        program = random_program(small_norm(dim), mix, seed)
        assert_same(corrupt(program, seed) if broken else program, small_norm(dim), seed)

    @settings(max_examples=700)
    @given(parameters=SMALL, mix=MIXES, seed=SEEDS)
    def test_corrupted(self, parameters: Parameters, mix: Mix, seed: int) -> None:
        assert_same(corrupt(random_program(parameters, mix, seed), seed), parameters, seed)

    @pytest.mark.slow
    @settings(max_examples=6000)
    @given(parameters=st.one_of(SMALL, FLOAT), mix=MIXES, seed=SEEDS, broken=st.booleans())
    def test_many(self, parameters: Parameters, mix: Mix, seed: int, broken: bool) -> None:
        program = random_program(parameters, mix, seed ^ 0x5EED)
        assert_same(corrupt(program, seed) if broken else program, parameters, seed)
