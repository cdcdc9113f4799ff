"""Statistics and activations of mvouts, on a chip that has them, against floating point; refused on the others."""

from __future__ import annotations

import numpy as np
import pytest
from command_programs import ACCUMULATOR, INPUT_BASE, OUTPUT_BASE, Command, config_ld, config_norm, config_st, extent
from isa_comparison import new_machine
from isa_model import MVIN, MVOUT, Parameters

from autocomp.errors import UsageError
from autocomp.targets.gemmini import _simulator, create

DIM = 16
COLUMNS = 64
SUM, MEAN, VARIANCE, INVERSE_DEVIATION, MAX, SUM_EXP, INVERSE_SUM_EXP = range(1, 8)
NORMALIZING = Parameters(has_normalizations=1)


def bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


def stored(values: np.ndarray, before: list[int], *config: Command, timing: bool = False) -> tuple[np.ndarray, int]:
    """One row through the commands ``before`` and then out to memory; and the cycles of it all."""
    target = new_machine(NORMALIZING, 0, timing=timing)
    target.write(INPUT_BASE, values.astype(np.int32).tobytes())
    for command in (config_ld(4 * COLUMNS), *config):
        target.issue(*command)
    for block in range(COLUMNS // DIM):
        address = INPUT_BASE + 4 * DIM * block
        target.issue(MVIN, address, extent(ACCUMULATOR + DIM * block, DIM, 1))
    start = target.fence()
    for norm in (*before, 0):
        target.issue(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR | norm << 26, COLUMNS, 1))
    cycles = target.fence() - start
    return np.frombuffer(target.read(OUTPUT_BASE, COLUMNS), np.int8), cycles


ROW = np.random.default_rng(5).normal(100, 400, COLUMNS).astype(np.int32)


def test_layer_normalization() -> None:
    """(x - mean) / deviation, in units of 1/32."""
    config = (config_st(COLUMNS, activation=2, scale_bits=bits(32.0)), config_norm())
    found, _ = stored(ROW, [MEAN, INVERSE_DEVIATION], *config)
    exact = 32 * (ROW - ROW.mean()) / ROW.std()
    assert np.abs(found - np.clip(exact, -128, 127)).max() <= 1


def test_softmax() -> None:
    """exp(x s) over its sum, in units of 1/127, by the integer polynomial 0.3585 (x + 1.353)^2 + 0.344."""
    unit = 1 / 400  # of the accumulator's values
    b, c, ln2 = round(1.353 / unit), round(0.344 / 0.3585 / unit**2), round(np.log(2) / unit)
    norm = [
        config_norm(constant, inverse=inverse, softmax=True, b=b, c=c)
        for inverse, constant in ((False, ln2), (True, round(65536 / ln2)))
    ]
    found, _ = stored(ROW, [MAX, INVERSE_SUM_EXP], config_st(COLUMNS), *norm)
    exact = np.exp((ROW - ROW.max()) * unit)
    assert np.abs(found - 127 * exact / exact.sum()).max() <= 1
    assert found.max() > 5


def test_gelu() -> None:
    """x (1 + erf(x / sqrt 2)) / 2 with the error function as -0.2888 (min(|x|, 1.769) - 1.769)^2 + 1."""
    unit = 1 / 4  # q (erf + c) must stay within 32 bits: small values only
    row = np.clip(ROW // 100, -8, 8)
    b, c = round(-1.769 * np.sqrt(2) / unit), round(-1 / 0.2888 * 2 / unit**2)
    factor = -0.2888 / 2 * unit**2 / 2 * unit * 32  # from the polynomial's units to 1/32
    config = (config_st(COLUMNS, activation=3, scale_bits=bits(factor)), config_norm(b=b, c=c))
    found, _ = stored(row, [], *config)
    x = row * unit
    magnitude = np.minimum(np.abs(x) / np.sqrt(2), 1.769)
    erf = np.sign(x) * (-0.2888 * (magnitude - 1.769) ** 2 + 1)
    assert np.abs(found - 32 * x * (1 + erf) / 2).max() <= 3


def test_statistics_write_nothing_and_take_time() -> None:
    config = (config_st(COLUMNS, activation=2), config_norm())
    _, plain = stored(ROW, [], config_st(COLUMNS), timing=True)
    _, twice = stored(ROW, [MEAN, INVERSE_DEVIATION], *config, timing=True)
    assert twice > plain + 100
    target = new_machine(NORMALIZING, 3)
    before = target.read(OUTPUT_BASE, 256)
    for command in (config_ld(64), config_st(64), Command(MVIN, INPUT_BASE, extent(ACCUMULATOR, DIM, 4))):
        target.issue(*command)
    target.issue(MVOUT, OUTPUT_BASE, extent(ACCUMULATOR | MEAN << 26, DIM, 4))
    target.fence()
    assert target.read(OUTPUT_BASE, 256) == before


@pytest.mark.parametrize(
    ("before", "activation", "message"),
    [([], 2, "mean and deviation"), ([INVERSE_DEVIATION], 2, "a mean"), ([], 4, "a sum of exponentials")],
)
def test_missing_statistics(before: list[int], activation: int, message: str) -> None:
    config = (config_st(COLUMNS, activation=activation & 3), config_norm(softmax=activation == 4))
    with pytest.raises(_simulator.SimulatorFault, match=message):
        stored(ROW, before, *config)


def test_only_where_the_chip_has_them() -> None:
    target = new_machine(Parameters(), 0)
    for command in (config_norm(), config_st(64, activation=2)):
        with pytest.raises(_simulator.SimulatorFault, match=r"no normalisation unit|does not exist here"):
            target.issue(*command)
    with pytest.raises(UsageError, match="statistics are defined for integers"):
        create({"chip": "float32-4x4", "simulator": {"has_normalizations": 1}})
