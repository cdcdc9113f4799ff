"""What a kernel computes, exactly: which products end up in which output tile.

A row of the scratchpad is known by the address it was loaded from. Each product (a row of A times a tile of B) becomes
the product of two 64-bit hashes of where its operands came from in memory and of their sizes; what a row of the
accumulator holds is the wrapping sum of these products since it was last overwritten (zeros add nothing). Addition of
integers commutes, so two kernels that store equal sums at equal places compute the same thing, in whatever order. The
signature of a kernel is one number made of the last store to every place.

The work is done by ``dataflow.cpp`` in one run through the kernel's loops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import Configuration
from autocomp.rewrite.gemmini._dataflow_native import Settings, follow, signature
from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini._program import LIMIT, Program
from autocomp.rewrite.ir._expression import Range

_REFUSALS = {
    1: "preloads and computes do not alternate, or weights are overwritten between the two",
    2: "an operand is not a tile in the scratchpad",
    3: "weights are preloaded and not used, or used and not preloaded",
    4: "a transfer is wider or higher than a command can move, or its tiles overlap",
    5: "an address lies beyond its memory",
    6: "data is read before it is written",
    7: "an operand is larger than what was loaded",
    8: "a result does not go through the accumulator, or stores overlap",
    9: f"more than {LIMIT} commands are too many to analyse",
    10: "an array is both loaded and stored",
    11: "a hardware loop does not fit or does something that is not followed",
    12: "hardware loops and single commands are mixed",
    13: "a hardware loop loads a bias over sums that the loop before has not stored",
}


class Operand(NamedTuple):
    """One address argument of one command."""

    statement: int
    argument: int


@dataclass(frozen=True)
class Dataflow:
    """Result of the analysis."""

    signature: int
    pairs: tuple[tuple[Operand, Operand], ...]
    """Operands that touch the same data."""
    first_products: frozenset[tuple[int, bool]]
    """For each preload: does it (True) or does it not (False) ever write a product as the first of its sum."""
    cleared: frozenset[int]
    """Statements that load zeros into the accumulator."""
    rows: Mapping[Operand, Range]
    """Rows that each operand touches, end exclusive."""
    places: Mapping[Operand, Range]
    """Addresses in memory that each command touches, end exclusive; in hardware loops A, B, D and C are 0 to 3."""


def analyse(program: Program, configuration: Configuration, geometry: Geometry) -> Dataflow:
    """Follow the data. Raises IllegalMoveError where the kernel does something outside what is modelled."""
    settings = _settings(configuration, geometry)
    count = program.statements
    outcome, whole, loaded, summed, first, cleared, low, high, begin_bytes, end_bytes = follow(
        program.expressions, program.tokens, settings, LIMIT
    )
    _refuse(outcome)
    pairs = [(Operand(code // count, 1), Operand(code % count, 0)) for code in loaded]
    pairs += [(Operand(code // count, 1), Operand(code % count, 1)) for code in summed]
    return Dataflow(
        whole,
        tuple(pairs),
        frozenset((code // 2, bool(code % 2)) for code in first),
        frozenset(cleared),
        {
            Operand(index // 2, index % 2): Range(begin, end)
            for index, (begin, end) in enumerate(zip(low, high, strict=True))
            if end >= 0
        },
        {
            Operand(index // 4, index % 4): Range(begin, end)
            for index, (begin, end) in enumerate(zip(begin_bytes, end_bytes, strict=True))
            if end >= 0
        },
    )


def signature_of(program: Program, configuration: Configuration, geometry: Geometry) -> int:
    """Only the signature, in less time. Raises IllegalMoveError as ``analyse`` does."""
    outcome, whole = signature(program.expressions, program.tokens, _settings(configuration, geometry), LIMIT)
    _refuse(outcome)
    return whole


def _settings(configuration: Configuration, geometry: Geometry) -> Settings:
    if not configuration.weight_stationary:
        raise IllegalMoveError("only the weight-stationary dataflow is analysed")
    scales = configuration.scales
    chip = (
        geometry.dim,
        geometry.scratchpad_rows,
        geometry.accumulator_rows,
        geometry.widest * geometry.dim,
        geometry.element_bytes,
        geometry.sum_bytes,
    )
    loads = [(state.stride, state.block_stride, scales.index(state.scale)) for state in configuration.loads]
    return Settings(chip, loads, configuration.store.numbers)


def _refuse(outcome: int) -> None:
    if outcome:
        raise IllegalMoveError(_REFUSALS.get(outcome, "the kernel is outside what is modelled"))
