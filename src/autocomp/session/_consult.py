"""Asking the proposer: its failures are kept apart from those of the run."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from autocomp.errors import AutocompError, IllegalMoveError, InfrastructureError
from autocomp.proposer import Plan, PlanRequest, Proposer
from autocomp.records import Evaluation, Move, Problem
from autocomp.search import ImplementTask, PlanTask
from autocomp.session._threads import CallPool
from autocomp.targets import MenuItem

_log = logging.getLogger("autocomp")

_MOST_FAILURES_IN_A_ROW = 10

_IMPLEMENT, _PLAN = 0, 1
"""Codes first: they give the evaluating workers something to do while the other plans are made."""

T = TypeVar("T")


class Answer(NamedTuple):
    """A move or a code, or the reason why there is none."""

    move: Move | None = None
    code: str | None = None
    reason: str = ""


class Consultant:
    """Puts the search's questions to a proposer.

    A move that does not apply is an answer. An exception that the proposer should not have raised costs that one step
    and is logged; ten plans or ten codes in a row are an InfrastructureError: a run in which every step fails must
    not 'succeed'.
    """

    def __init__(
        self, proposer: Proposer, problem: Problem, menu: Mapping[str, MenuItem], iterations: int, threads: int | None
    ) -> None:
        """Ask ``proposer`` on up to ``threads`` threads (default: its own ``concurrency``)."""
        self._proposer = proposer
        self._problem = problem
        self._menu = menu
        self._iterations = iterations
        self._pool = CallPool(threads or proposer.concurrency)
        self._failures = {_PLAN: 0, _IMPLEMENT: 0}

    async def plan(self, task: PlanTask, parent: Evaluation) -> Answer:
        """One plan. Raises InfrastructureError, and any AutocompError of the proposer."""
        move, reason = await self._call(task.key, _PLAN, self._plan, self._request(task, parent))
        return Answer(move=move, reason=reason)

    async def implement(self, task: ImplementTask, parent: Evaluation) -> Answer:
        """One code. Raises InfrastructureError, and any AutocompError of the proposer."""
        request = self._request(task.plan, parent)
        plan = Plan(task.move.item, task.move.plan, task.move.parameters)
        code, reason = await self._call(task.key, _IMPLEMENT, self._implement, request, plan, task.index)
        return Answer(code=code, reason=reason)

    def withdraw(self) -> None:
        """Cancel the questions that the proposer has not begun to answer."""
        self._pool.withdraw()

    def close(self) -> None:
        """Let the threads end."""
        self._pool.close()

    # These two run on the pool's threads, so that an answer that is none counts as a failure of the proposer.

    def _plan(self, request: PlanRequest) -> Move | None:
        plan = self._proposer.plan(request)
        if plan is None:
            return None
        parameters = json.loads(json.dumps(dict(plan.parameters), allow_nan=False))
        return Move(_text(plan.item), _text(plan.text), self._proposer.name, parameters)

    def _implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
        return _text(self._proposer.implement(request, plan, index))

    async def _call(
        self, key: str, priority: int, function: Callable[..., T | None], *arguments: object
    ) -> tuple[T | None, str]:
        try:
            result = await self._pool.call(priority, function, *arguments)
        except IllegalMoveError as error:
            self._failures[priority] = 0
            return None, str(error)
        except AutocompError:
            raise
        except Exception as error:
            self._failures[priority] += 1
            reason = f"proposer {self._proposer.name} failed: {type(error).__name__}: {error}"
            _log.warning("%s at %s", reason, key)
            _log.debug("where it failed", exc_info=error)
            if self._failures[priority] >= _MOST_FAILURES_IN_A_ROW:
                raise InfrastructureError(f"{self._failures[priority]} steps in a row: {reason}") from error
            return None, reason
        self._failures[priority] = 0
        return result, ""

    def _request(self, task: PlanTask, parent: Evaluation) -> PlanRequest:
        return PlanRequest(
            key=task.key,
            problem=self._problem,
            parent=task.parent,
            evaluation=parent,
            menu=tuple(self._menu[item] for item in task.menu),
            iteration=task.iteration,
            iterations=self._iterations,
            index=task.index,
            count=task.count,
            seed=task.seed,
            earlier=task.earlier,
        )


def _text(value: str) -> str:
    """``value``, if it is a text that can be stored. Raises TypeError, UnicodeEncodeError."""
    if not isinstance(value, str):
        raise TypeError(f"answered with {type(value).__name__} instead of a text")
    value.encode()
    return value
