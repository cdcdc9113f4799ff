"""Load data once and keep it: gate a load by the first turn of a loop it does not depend on."""

from __future__ import annotations

from collections.abc import Iterable

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis, row_of
from autocomp.rewrite.gemmini._layout import Digit, Spread, spread
from autocomp.rewrite.gemmini._move import Move, Parameters, Proposal, integer, text
from autocomp.rewrite.ir._expression import Const, Op, Var, coefficient_of, variables
from autocomp.rewrite.ir._transform import hoist_loop, split_loop
from autocomp.rewrite.ir._tree import Body, Command, If, edit, walk


def _loads_of(analysis: Analysis, array: str) -> list[int]:
    result = []
    for number in analysis.loads():
        argument = analysis.command(number).args[0]
        if getattr(argument, "array", None) == array:
            result.append(number)
    return result


def _arrays(analysis: Analysis) -> list[str]:
    found: dict[str, None] = {}
    for number in analysis.loads():
        array = getattr(analysis.command(number).args[0], "array", None)
        if array:
            found[array] = None
    return list(found)


def _enumerate(analysis: Analysis) -> Iterable[Proposal]:
    for array in _arrays(analysis):
        numbers = _loads_of(analysis, array)
        common = [loop for loop in analysis.sites[numbers[0]].loops
                  if all(loop in analysis.sites[n].loops for n in numbers)]  # fmt: skip
        for position, loop in enumerate(common):
            if any(loop.var in analysis.array_variables(n) for n in numbers):
                continue
            gated = any(loop.var in variables(guard) for n in numbers for guard in analysis.sites[n].guards)
            if gated:
                continue
            base = {"array": array, "loop": loop.var}
            yield Proposal("keep_loaded", {**base, "panel": "", "factor": 0},
                           f"Load {array} on the first turn of loop '{loop.var}' only, each tile to its own place.",
                           2 + 0.1 * position)  # fmt: skip
            for inner in common[position + 1 :]:
                if not any(inner.var in analysis.array_variables(n) for n in numbers):
                    continue
                for factor in (8, 4, 2, 16, 7):
                    if factor < inner.count and inner.count % factor == 0:
                        yield Proposal(
                            "keep_loaded",
                            {**base, "panel": inner.var, "factor": factor},
                            f"Work in panels of {factor} turns of loop '{inner.var}' and keep the panel of {array} "
                            f"in the scratchpad for all turns of loop '{loop.var}'.",
                            3 + 0.1 * position,
                        )


def _apply(analysis: Analysis, parameters: Parameters) -> Body:
    array, var, panel = text(parameters, "array"), text(parameters, "loop"), text(parameters, "panel")
    if panel:
        body, outer, _ = split_loop(analysis.kernel.body, panel, integer(parameters, "factor"))
        body = hoist_loop(body, outer, var)
        analysis = analysis.alike(body)
    numbers = _loads_of(analysis, array)
    if not numbers:
        raise IllegalMoveError(f"nothing loads {array}")
    body = spread_over(analysis, numbers, var)
    changes = {}
    for number in numbers:
        path = analysis.sites[number].path
        command = _at(body, path)
        changes[path] = (If(Op("==", (Var(var), Const(0))), (command,)),)
    return edit(body, changes)


def _at(body: Body, path: tuple[int, ...]) -> Command:
    for site in walk(body):
        if site.path == path and isinstance(site.statement, Command):
            return site.statement
    raise IllegalMoveError("the load is gone")


def spread_over(analysis: Analysis, numbers: list[int], var: str, *, within: bool = True) -> Body:
    """Give the data of some loads a place of its own for every turn of the loops inside ``var``."""
    spreads: dict[int, Spread] = {}
    for number in numbers:
        loops = analysis.sites[number].loops
        names = [loop.var for loop in loops]
        if var not in names:
            raise IllegalMoveError(f"a load is not inside loop '{var}'")
        inside = loops[names.index(var) + (1 if within else 0) :]
        buffer = analysis.buffer_of(number, 1)
        row = row_of(analysis.command(number).args[1])
        if row is None:
            raise IllegalMoveError("a load goes nowhere")
        wanted = [loop for loop in inside if loop.var in analysis.array_variables(number)]
        collapse: set[str] = set()
        digits = []
        for loop in reversed(wanted):
            coefficient = coefficient_of(row, loop.var)
            if coefficient is None:
                collapse |= {name for name in variables(row) if coefficient_of(row, name) is None}
            if not coefficient:
                digits.append(Digit(Var(loop.var), loop.count))
        if coefficient_of(row, var) is None:
            collapse |= {name for name in variables(row) if coefficient_of(row, name) is None}
        key = id(buffer)
        item = Spread(buffer, tuple(digits), frozenset(collapse))
        if key in spreads and spreads[key] != item:
            raise IllegalMoveError("loads that share a buffer differ")
        spreads[key] = item
    return spread(analysis, list(spreads.values()))


MOVE = Move("keep_loaded", _enumerate, _apply)
