"""Goes through the legal moves of a kernel, best guess first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autocomp.errors import IllegalMoveError
from autocomp.proposer import Plan, PlanRequest
from autocomp.records import Verdict, digest
from autocomp.rewrite._understand import Understand, Understanding, understandings
from autocomp.rewrite.gemmini import Kernel, Proposal

RECOMMENDED: Mapping[str, object] = {
    "beam": 4,
    "plans": 6,
    "implementations": 1,
    "iterations": 8,
    "spread_plans": True,
    "menu_dropout": 0.0,
    "deduplicate_plans": True,
    "patience": 2,
}
"""Search parameters it works best with."""

_KEPT_KERNELS = 2048


@dataclass(frozen=True)
class _Legal:
    """A move that was tried and found legal."""

    proposal: Proposal
    code: str


class _Parent:
    """The moves of one kernel: tried one after the other, when they are asked for."""

    def __init__(self, code: str, kernel: Kernel | None, entry: str, ways: Sequence[Understand]) -> None:
        self._lock = threading.Lock()
        self._legal: list[_Legal] = []
        self._seen = {digest(code)}
        self._understanding: Understanding | None = None
        self._waiting: list[Proposal] = []
        for understand in ways:
            try:
                self._understanding = understand(code, entry, kernel)
                self._waiting = self._understanding.proposals()
            except IllegalMoveError:
                continue
            if self._waiting:
                break

    def legal(self, position: int, items: frozenset[str]) -> tuple[_Legal | None, list[tuple[str, Kernel]]]:
        """The legal move at a position among those of the allowed items, and the kernels made on the way."""
        with self._lock:
            made: list[tuple[str, Kernel]] = []
            while True:
                found = [move for move in self._legal if not items or move.proposal.move in items]
                if len(found) > position:
                    return found[position], made
                if not self._waiting:
                    return None, made
                self._try(self._waiting.pop(0), made)

    def _try(self, proposal: Proposal, made: list[tuple[str, Kernel]]) -> None:
        assert self._understanding is not None
        try:
            kernel = self._understanding.apply(proposal.move, proposal.parameters)
        except IllegalMoveError:
            return
        code = self._understanding.source(kernel)
        key = digest(code)
        if key not in self._seen:
            self._seen.add(key)
            self._legal.append(_Legal(proposal, code))
            made.append((key, kernel))

    def code(self, move: str, parameters: dict[str, object]) -> str:
        """The child after one move."""
        with self._lock:
            for known in self._legal:
                if known.proposal.move == move and dict(known.proposal.parameters) == parameters:
                    return known.code
            if self._understanding is None:
                raise IllegalMoveError("the kernel is not understood")
            return self._understanding.source(self._understanding.apply(move, parameters))


class RewriteProposer:
    """Plans are moves with concrete values. Thread-safe; all state is a cache."""

    name = "rewrite"
    concurrency = 4
    recommended = RECOMMENDED

    def __init__(self, target: str, description: Mapping[str, object] | None = None) -> None:
        """``description`` is what the target says of its chip; by default that of the usual one."""
        self._ways = understandings(target, description or {})
        self._lock = threading.Lock()
        self._parents: OrderedDict[str, _Parent] = OrderedDict()
        self._kernels: OrderedDict[str, Kernel] = OrderedDict()

    def plan(self, request: PlanRequest) -> Plan | None:
        """The next legal move of this parent; None if all have been proposed or the kernel is not understood."""
        if not self._ways:
            return None
        titles = {item.rewrite: item for item in request.menu if item.rewrite}
        if request.menu and not titles:
            return None
        move, made = self._parent(request).legal(request.earlier + request.index, frozenset(titles))
        with self._lock:
            for key, kernel in made:
                self._kernels[key] = kernel
            while len(self._kernels) > _KEPT_KERNELS:
                self._kernels.popitem(last=False)
        if move is None:
            return None
        proposal = move.proposal
        item = titles[proposal.move].id if proposal.move in titles else proposal.move
        return Plan(item, proposal.text, {"move": proposal.move, **proposal.parameters})

    def implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
        """The kernel with the move applied. Raises IllegalMoveError if it does not apply here."""
        del index
        parameters = dict(plan.parameters)
        move = parameters.pop("move", plan.item)
        if not self._ways or not isinstance(move, str):
            raise IllegalMoveError(f"plan '{plan.item}' is no rewrite")
        return self._parent(request).code(move, parameters)

    def repair(self, request: PlanRequest, plan: Plan, code: str, verdict: Verdict) -> str | None:
        """Nothing: what fails here would fail again."""
        del request, plan, code, verdict
        return None

    def _parent(self, request: PlanRequest) -> _Parent:
        key = f"{request.problem.entry}/{request.parent.digest}"
        with self._lock:
            if key in self._parents:
                self._parents.move_to_end(key)
                return self._parents[key]
            kernel = self._kernels.get(request.parent.digest)
        parent = _Parent(request.parent.code, kernel, request.problem.entry, self._ways)
        with self._lock:
            parent = self._parents.setdefault(key, parent)
            while len(self._parents) > 256:
                self._parents.popitem(last=False)
        return parent
