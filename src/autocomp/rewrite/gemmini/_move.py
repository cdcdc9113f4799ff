"""The shape of a move and what every move's result must pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._commands import configuration
from autocomp.rewrite.gemmini._dataflow import signature_of
from autocomp.rewrite.gemmini._program import program
from autocomp.rewrite.ir._transform import size
from autocomp.rewrite.ir._tree import Body, If, Kernel, Loop, branches, substitute, unique_names

Parameters = Mapping[str, object]
TEXT_LIMIT = 320
"""Commands in the text of a kernel: more would not fit the instruction cache."""


@dataclass(frozen=True)
class Proposal:
    """A move with concrete values, before anything is known of its legality."""

    move: str
    parameters: Parameters
    text: str
    priority: float = 0.0
    """The lower, the earlier it is proposed."""


@dataclass(frozen=True)
class Move:
    """One kind of change. ``enumerate`` lists where it might apply, ``apply`` does it or raises IllegalMoveError."""

    name: str
    enumerate: Callable[[Analysis], Iterable[Proposal]]
    apply: Callable[[Analysis, Parameters], Body]


Subject = TypeVar("Subject")


def listed(lists: Iterable[Callable[[Subject], Iterable[Proposal]]], subject: Subject) -> list[Proposal]:
    """All that moves propose, best guess first; nothing has been tried yet."""
    found: list[Proposal] = []
    for proposals in lists:
        try:
            found.extend(proposals(subject))
        except IllegalMoveError:
            continue
    return sorted(found, key=lambda item: item.priority)


def finish(analysis: Analysis, body: Body) -> Kernel:
    """The child with everything folded. Raises IllegalMoveError unless it computes what its parent computes."""
    body = unique_names(substitute(body), frozenset(analysis.kernel.arrays))
    if body == analysis.kernel.body:
        raise IllegalMoveError("the move changes nothing")
    if size(body) > TEXT_LIMIT:
        raise IllegalMoveError("the code would become too long")
    kernel = analysis.kernel.with_body(body)
    settings = configuration(kernel, analysis.geometry)
    if settings.store.result != analysis.configuration.store.result:
        raise IllegalMoveError("stores would scale or limit in another way")
    if signature_of(program(kernel, settings), settings, analysis.geometry) != analysis.signature:
        raise IllegalMoveError("the result would change")
    if _last_is_fence(analysis.kernel.body) != _last_is_fence(body):
        raise IllegalMoveError("the final fence would not be last")
    return kernel


def _last_is_fence(body: Body) -> bool:
    last = body[-1] if body else None
    while isinstance(last, Loop | If):
        last = branches(last)[-1]
    return getattr(last, "name", "") == "fence"


def integer(parameters: Parameters, key: str) -> int:
    """A whole number from the parameters."""
    value = parameters.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise IllegalMoveError(f"parameter '{key}' must be a whole number")
    return value


def text(parameters: Parameters, key: str) -> str:
    """A name from the parameters."""
    value = parameters.get(key)
    if not isinstance(value, str):
        raise IllegalMoveError(f"parameter '{key}' must be a name")
    return value
