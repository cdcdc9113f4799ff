"""Loads made before everything else go back to where their data is first used: the array need not wait for all."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, row_of
from autocomp.rewrite.gemmini._commands import COMPUTES
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, text
from autocomp.rewrite.ir._expression import Const, Element, Expression, Op, Var, add, coefficient_of, scale
from autocomp.rewrite.ir._simplify import range_of, rebuild
from autocomp.rewrite.ir._transform import has_command
from autocomp.rewrite.ir._tree import Body, Command, If, Path, at, conjunction, edit


def early_arrays(analysis: Analysis) -> list[str]:
    """Arrays that are loaded only outside of the loops that compute."""
    early: dict[str, bool] = {}
    for number in analysis.loads():
        argument = analysis.command(number).args[0]
        if isinstance(argument, Element):
            loops = analysis.sites[number].loops
            outside = not any(has_command(loop.body, lambda c: c.name in COMPUTES) for loop in loops[:1])
            early[argument.array] = early.get(argument.array, True) and outside
    return [array for array, outside in early.items() if outside]


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    for array in early_arrays(analysis):
        yield Proposal("load_on_use", {"array": array},
                       f"Load each tile of {array} where it is used first, not all of {array} before anything else.",
                       3.5)  # fmt: skip


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    return load_on_use(analysis, text(parameters, "array"))


def load_on_use(analysis: Analysis, array: str) -> Body:
    """The body with all early loads of an array moved to their first use."""
    if array not in early_arrays(analysis):
        raise IllegalMoveError(f"'{array}' is not loaded early")
    changes: dict[Path, Body] = {}
    for number in analysis.loads():
        argument = analysis.command(number).args[0]
        if not isinstance(argument, Element) or argument.array != array:
            continue
        readers = sorted({two.statement for one, two in analysis.dataflow.pairs if one.statement == number})
        if not readers:
            raise IllegalMoveError("nothing uses the data")
        path = analysis.sites[readers[0]].path
        before = at(analysis.kernel.body, (*path[:-1], path[-1] - 1)) if path[-1] else None
        if isinstance(before, Command) and before.name == "preload":  # a pair stays together
            path = (*path[:-1], path[-1] - 1)
        if path in changes or analysis.sites[number].guards:
            raise IllegalMoveError("there is no single place where the data is used first")
        changes[analysis.sites[number].path] = ()
        changes[path] = (_load(analysis, number, readers[0]), at(analysis.kernel.body, path))
    return edit(analysis.kernel.body, changes)


def _load(analysis: Analysis, number: int, reader: int) -> If | Command:
    """The load as it has to stand before its first reader."""
    load = analysis.command(number)
    here, there = row_of(load.args[1]), row_of(analysis.command(reader).args[0])
    if here is None or there is None:
        raise IllegalMoveError("a load goes nowhere")
    names: dict[str, Expression] = {}
    free = list(analysis.sites[reader].loops)
    for loop in analysis.sites[number].loops:
        step = coefficient_of(here, loop.var)
        match = next((o for o in free if o.count == loop.count and step and coefficient_of(there, o.var) == step), None)
        if match is None:
            raise IllegalMoveError("the data is not used in the order of its loads")
        free.remove(match)
        names[loop.var] = Var(match.var)
    # What is left walks through the tiles of one load, or uses them again.
    rest = add(there, scale(rebuild(here, {}, names), -1))
    bounds = range_of(rest, analysis.ranges(reader))
    width = range_of(load.args[2], analysis.ranges(number)).high
    tile = analysis.geometry.dim
    if bounds.low != 0 or bounds.high >= -(-width // tile) * tile:
        raise IllegalMoveError("the data is not used in the order of its loads")
    moved = Command(load.name, tuple(rebuild(argument, {}, names) for argument in load.args))
    first = tuple(Op("==", (Var(loop.var), Const(0))) for loop in free)
    return If(conjunction(first), (moved,)) if first else moved


MOVE = Move("load_on_use", _enumerate, _apply)
