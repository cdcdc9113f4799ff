"""Loop structure: interchange, split, unroll, re-roll, and folding of constants."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._commands import COMPUTES
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, integer, text
from autocomp.rewrite.ir._reroll import reroll
from autocomp.rewrite.ir._transform import has_command, interchange, size, split_loop, unroll, used_names
from autocomp.rewrite.ir._tree import Body, Loop, substitute, walk

UNROLL_LIMIT = 96
"""Commands that unrolling one loop may produce: about two instruction-cache-friendly bodies of 16 pairs."""


def _loops(analysis: Analysis) -> Iterable[Loop]:
    for site in walk(analysis.kernel.body):
        if isinstance(site.statement, Loop):
            yield site.statement


def _enumerate_interchange(analysis: Analysis) -> Iterable[Proposal]:
    for loop in _loops(analysis):
        if len(loop.body) == 1 and isinstance(loop.body[0], Loop):
            yield Proposal("interchange", {"loop": loop.var},
                           f"Swap loop '{loop.var}' with loop '{loop.body[0].var}' inside it.", 12)  # fmt: skip


def _enumerate_split(analysis: Analysis) -> Iterable[Proposal]:
    for loop in _loops(analysis):
        for factor in (2, 4, 8):
            if factor < loop.count and loop.count % factor == 0:
                yield Proposal("split", {"loop": loop.var, "factor": factor},
                               f"Split loop '{loop.var}' into blocks of {factor} turns.", 40)  # fmt: skip


def _enumerate_unroll(analysis: Analysis) -> Iterable[Proposal]:
    for loop in _loops(analysis):
        short = size(loop.body) * loop.count <= UNROLL_LIMIT
        if short and has_command(loop.body, lambda c: c.name in COMPUTES):
            yield Proposal("unroll", {"loop": loop.var}, f"Unroll loop '{loop.var}' completely.", 14)


def _enumerate_reroll(analysis: Analysis) -> Iterable[Proposal]:
    del analysis  # whether something repeats is found out when the move is asked for
    yield Proposal("reroll", {}, "Put repeated straight-line code back into loops.", 11)


def _enumerate_fold(analysis: Analysis) -> Iterable[Proposal]:
    del analysis
    yield Proposal("fold", {}, "Fold constants and addresses, drop conditions that are always the same.", 20)


def _reroll(analysis: Analysis, parameters: Parameters) -> Body:
    del parameters
    return reroll(analysis.kernel.body, used_names(analysis.kernel.body))


INTERCHANGE = Move("interchange", _enumerate_interchange, lambda a, p: interchange(a.kernel.body, text(p, "loop")))
SPLIT = Move(
    "split", _enumerate_split, lambda a, p: split_loop(a.kernel.body, text(p, "loop"), integer(p, "factor"))[0]
)
UNROLL = Move("unroll", _enumerate_unroll, lambda a, p: unroll(a.kernel.body, text(p, "loop")))
REROLL = Move("reroll", _enumerate_reroll, _reroll)
FOLD = Move("fold", _enumerate_fold, lambda a, p: substitute(a.kernel.body))
