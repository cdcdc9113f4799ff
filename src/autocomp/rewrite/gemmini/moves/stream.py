"""Loads ahead, stores behind and both accumulator banks at once: the steps pay most together."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._commands import COMPUTES
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, finish, integer, text
from autocomp.rewrite.gemmini.moves import overwrite, pipeline, stores, widen
from autocomp.rewrite.ir._expression import Const
from autocomp.rewrite.ir._transform import find_loop, has_command, used_names
from autocomp.rewrite.ir._tree import Body, Loop, substitute, walk


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    inside = False
    for site in walk(analysis.kernel.body):
        loop = site.statement
        if isinstance(loop, Loop) and not site.loops:
            inside = inside or (
                has_command(loop.body, lambda c: c.name == "mvout")
                and has_command(loop.body, lambda c: c.name in COMPUTES)
            )
    if not inside:
        return
    biases = any(analysis.command(number).args[0] != Const(0) for number in analysis.loads(accumulator=True))
    for proposal in pipeline.MOVE.enumerate(analysis):
        if proposal.parameters["position"] == "front":
            continue
        plain = replace(
            proposal,
            move="stream",
            text=proposal.text + " Store each output block during the next one, the accumulator banks taking turns.",
            priority=proposal.priority - 7,
        )
        if biases:
            text = plain.text + " The bias of a block is loaded during the block before."
            yield replace(plain, parameters={**plain.parameters, "biases": 1}, text=text)
        yield replace(plain, priority=plain.priority + 3 * biases)


def prepared(analysis: Analysis) -> Analysis:
    """The kernel without zeroing loads and with stores as wide as they can be: both would clog the queues."""
    if "prepared" not in analysis.memory:
        current = analysis
        with contextlib.suppress(IllegalMoveError):
            current = _after(current, overwrite.MOVE, {})
        for _ in range(len(current.numbers("mvout"))):
            wider = next(
                (p for p in widen.MOVE.enumerate(current)
                 if current.command(integer(p.parameters, "statement")).name == "mvout"), None
            )  # fmt: skip
            if wider is None:
                break
            try:
                current = _after(current, widen.MOVE, wider.parameters)
            except IllegalMoveError:
                break
        analysis.memory["prepared"] = current
    found = analysis.memory["prepared"]
    assert isinstance(found, Analysis)
    return found


def _after(analysis: Analysis, move: Move, parameters: Parameters) -> Analysis:
    return analysis.of(finish(analysis, move.apply(analysis, parameters)))


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    analysis = prepared(analysis)
    alternating = stores.alternate(analysis)
    between = analysis.alike(alternating)
    before = used_names(alternating)
    body = substitute(pipeline.MOVE.apply(between, parameters))
    new = [name for name in used_names(body) - before if name.rstrip("0123456789") == "t"]
    loops = [name for name in new if has_command(find_loop(body, name)[1].body, lambda c: c.name in COMPUTES)]
    if len(loops) != 1:
        raise IllegalMoveError("the loads cannot be brought into one stream")
    return stores.delay(body, loops[0], _block(body, loops[0]), text(parameters, "position"))


def _block(body: Body, top: str) -> str:
    """The innermost loop inside ``top`` that computes and stores one output block per turn."""
    found = top
    for site in walk(body):
        names = [loop.var for loop in site.loops]
        if getattr(site.statement, "name", "") == "mvout" and top in names:
            for loop in site.loops[names.index(top) :]:
                if has_command(loop.body, lambda c: c.name in COMPUTES):
                    found = loop.var
            return found
    return found


MOVE = Move("stream", _enumerate, _apply)
