"""Which scratchpad banks the operands lie in."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, relocate
from autocomp.rewrite.gemmini._dataflow import SCRATCHPAD_ROWS
from autocomp.rewrite.gemmini._layout import BANK_ROWS
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, integer
from autocomp.rewrite.ir._expression import Const, Expression
from autocomp.rewrite.ir._tree import Body


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    for number, buffer in enumerate(analysis.buffers):
        if buffer.accumulator:
            continue
        for bank in range(4):
            base = bank * BANK_ROWS
            if base != buffer.rows.low and base + buffer.size <= SCRATCHPAD_ROWS:
                what = "weights" if buffer.weights else "rows"
                others = [
                    b for b in analysis.buffers if not b.accumulator and b is not buffer and b.weights != buffer.weights
                ]
                mine = set(range(bank, (base + buffer.size - 1) // BANK_ROWS + 1))
                clash = any(mine & set(range(b.rows.low // BANK_ROWS, (b.rows.high - 1) // BANK_ROWS + 1))
                            for b in others)  # fmt: skip
                now = set(range(buffer.rows.low // BANK_ROWS, (buffer.rows.high - 1) // BANK_ROWS + 1))
                helps = not clash and any(
                    now & set(range(b.rows.low // BANK_ROWS, (b.rows.high - 1) // BANK_ROWS + 1)) for b in others
                )
                yield Proposal("place_in_bank", {"buffer": number, "bank": bank},
                               f"Place the {what} of buffer {number} from bank {bank} on.",
                               1 + 0.1 * bank if helps else 60 + bank)  # fmt: skip


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    number, bank = integer(parameters, "buffer"), integer(parameters, "bank")
    if not 0 <= number < len(analysis.buffers) or not 0 <= bank < 4:
        raise IllegalMoveError("there is no such buffer or bank")
    buffer = analysis.buffers[number]
    base = bank * BANK_ROWS
    if buffer.accumulator or base + buffer.size > SCRATCHPAD_ROWS:
        raise IllegalMoveError("the buffer does not fit there")
    offset: Expression = Const(base - buffer.rows.low)
    return relocate(analysis, dict.fromkeys(buffer.operands, offset))


MOVE = Move("place_in_bank", _enumerate, _apply)
