"""Which scratchpad banks the operands lie in."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, relocate
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, integer
from autocomp.rewrite.ir._expression import Const, Expression
from autocomp.rewrite.ir._tree import Body


def _banks(low: int, high: int, bank_rows: int) -> set[int]:
    return set(range(low // bank_rows, (high - 1) // bank_rows + 1))


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    helped = False
    geometry = analysis.geometry
    rows = geometry.scratchpad_bank_rows
    for number, buffer in enumerate(analysis.buffers):
        if buffer.accumulator:
            continue
        others = [b for b in analysis.buffers if not b.accumulator and b.weights != buffer.weights]
        taken = set().union(*(_banks(*other.rows, rows) for other in others))
        order = sorted(
            range(geometry.scratchpad_banks), key=lambda bank: (bank != geometry.scratchpad_banks // 2, bank)
        )
        for bank in order:
            base = bank * rows
            if base == buffer.rows.low or base + buffer.size > geometry.scratchpad_rows:
                continue
            helps = bool(taken & _banks(*buffer.rows, rows)) and not taken & _banks(base, base + buffer.size, rows)
            what = "weights" if buffer.weights else "rows"
            yield Proposal(
                "place_in_bank",
                {"buffer": number, "bank": bank},
                f"Place the {what} of buffer {number} from bank {bank} on.",
                1 if helps and not helped else 60 + bank,
            )
            helped = helped or helps


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    number, bank = integer(parameters, "buffer"), integer(parameters, "bank")
    if not 0 <= number < len(analysis.buffers) or not 0 <= bank < analysis.geometry.scratchpad_banks:
        raise IllegalMoveError("there is no such buffer or bank")
    buffer = analysis.buffers[number]
    base = bank * analysis.geometry.scratchpad_bank_rows
    if buffer.accumulator or base + buffer.size > analysis.geometry.scratchpad_rows:
        raise IllegalMoveError("the buffer does not fit there")
    offset: Expression = Const(base - buffer.rows.low)
    return relocate(analysis, dict.fromkeys(buffer.operands, offset))


MOVE = Move("place_in_bank", _enumerate, _apply)
