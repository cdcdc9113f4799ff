"""Drives one run: puts the search's tasks to proposer and judge, and stores every answer before the next step."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from autocomp.errors import AutocompError, InfrastructureError, StartKernelError, StoreError
from autocomp.records import Candidate, Evaluation, Ideal, Move, evaluation_from_json, evaluation_to_json
from autocomp.search import (
    BeamSearch,
    ConfirmTask,
    EvaluateTask,
    ImplementTask,
    PlanTask,
    SearchSettings,
    Task,
)
from autocomp.session._consult import Consultant
from autocomp.session._journal import Journal
from autocomp.session._judge import Judge
from autocomp.session._progress import Announcer, Progress
from autocomp.store import kinds

_GRACE_S = 10.0
"""How long to wait for answers that are on their way when a run is to end: they are paid for."""


@dataclass(frozen=True)
class Course:
    """What a run was started with."""

    settings: SearchSettings
    seed: int
    menu: tuple[str, ...]
    start: str
    rivals: Mapping[str, str]
    ideal: Ideal


class Driver:
    """One run, from its start kernel to its end or to where it is interrupted."""

    def __init__(
        self, course: Course, journal: Journal, judge: Judge, consultant: Consultant, announcer: Announcer
    ) -> None:
        """Go on from whatever ``journal`` holds."""
        self._course = course
        self._journal = journal
        self._judge = judge
        self._consultant = consultant
        self._announcer = announcer
        self._start = Candidate("0", course.start)
        self._evaluations: dict[str, Evaluation] = {}
        """By digest of the code."""
        self._evaluating = 0
        self._beams_recorded = 0
        self._search: BeamSearch | None = None

    async def run(self) -> None:
        """Work until the search is finished.

        Raises StartKernelError, InfrastructureError, SetupError, StoreError.
        """
        start_task = asyncio.create_task(self._evaluate_start())
        rivals = [self._evaluate_rival(name, code) for name, code in self._course.rivals.items()]
        tasks: set[asyncio.Task[Any]] = {start_task, *(asyncio.create_task(rival) for rival in rivals)}
        try:
            while tasks:
                done, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                _raise_first(done)
        finally:
            await _cancel(tasks)
        start = start_task.result()
        if start.latency is None:
            raise InfrastructureError("the target measured no latency of the start kernel, although that passed")
        search = BeamSearch(
            self._course.settings,
            seed=self._course.seed,
            menu=self._course.menu,
            start=self._start,
            start_latency=start.latency,
            ideal_latency=self._course.ideal.latency,
        )
        self._search = search
        await self._drive(search)
        finished = {"reason": search.stop_reason, "best": search.best.id, "evaluations": search.evaluations}
        self._journal.append_or_check(kinds.FINISHED, "run", finished)
        self._announce("finished", f"stopped: {search.stop_reason}")

    async def _evaluate_start(self) -> Evaluation:
        stored = self._journal.find(kinds.START, "0")
        if stored is None:
            judged = await self._judge.evaluate(self._start.code)
            stored = {"evaluation": evaluation_to_json(judged.evaluation)}
            self._journal.append(kinds.START, "0", stored, cache=judged.cache)
        evaluation = evaluation_from_json(stored["evaluation"])
        self._evaluations[self._start.digest] = evaluation
        self._announce("start", f"start kernel: {_words(evaluation)}")
        if evaluation.verdict.passed:
            evaluation = evaluation.confirmed_by(await self._confirm(self._start))
            self._evaluations[self._start.digest] = evaluation
        verdict = evaluation.verdict
        if not verdict.passed:
            raise StartKernelError(
                f"the start kernel does not pass the checks of its own problem: {verdict.status}: {verdict.message}"
            )
        return evaluation

    async def _evaluate_rival(self, name: str, code: str) -> None:
        stored = self._journal.find(kinds.RIVAL, name)
        if stored is None:
            judged = await self._judge.evaluate(code)
            stored = {"evaluation": evaluation_to_json(judged.evaluation)}
            self._journal.append(kinds.RIVAL, name, stored, cache=judged.cache)
            self._announce("start", f"rival {name}: {_words(judged.evaluation)}")
        if evaluation_from_json(stored["evaluation"]).verdict.passed:
            await self._confirm(Candidate(name, code))

    async def _drive(self, search: BeamSearch) -> None:
        pending: dict[asyncio.Task[None], Task] = {}
        try:
            while not search.finished:
                open_tasks = self._ask(search)
                if self._is_due(search):
                    _raise_first(await self._settle(pending, None))
                    pending.clear()
                    self._stop(search)
                    open_tasks = [*(task for task in open_tasks if isinstance(task, ConfirmTask)), *self._ask(search)]
                pending.update({asyncio.create_task(self._perform(search, task)): task for task in open_tasks})
                if search.finished:
                    break
                done, _ = await asyncio.wait(pending, timeout=self._time_left_s(), return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del pending[task]
                _raise_first(done)
                self._record_beams(search)
        except StoreError:
            raise
        except (asyncio.CancelledError, AutocompError):
            await self._settle(pending, _GRACE_S)
            raise
        finally:
            await _cancel(pending)
        self._record_beams(search)

    async def _settle(
        self, pending: Mapping[asyncio.Task[None], Task], evaluations_s: float | None
    ) -> set[asyncio.Task[None]]:
        """Let end, and store, what is under way: answers of the proposer within the grace period, evaluations within
        ``evaluations_s``, or else their own limits. What has not begun, or is not there in time, is cancelled.
        """
        self._judge.withdraw()
        self._consultant.withdraw()
        asked = {task for task, what in pending.items() if isinstance(what, PlanTask | ImplementTask)}
        for tasks, limit_s in ((asked, _GRACE_S), (pending.keys() - asked, evaluations_s)):
            if tasks:
                await asyncio.wait(tasks, timeout=limit_s)
        await _cancel(pending)
        return set(pending)

    def _ask(self, search: BeamSearch) -> list[Task]:
        """Tasks that are to be done now; those with a stored answer are answered on the way."""
        open_tasks = []
        while tasks := search.ask():
            for task in tasks:
                if not self._replay(search, task):
                    open_tasks.append(task)
            self._record_beams(search)
        return open_tasks

    def _is_due(self, search: BeamSearch) -> bool:
        """True if the search is to be stopped: its time is up, or it was stopped here before."""
        if search.finished or search.stopping:
            return False
        return self._time_left_s() == 0.0 or self._journal.find(kinds.STOPPED, "run") is not None

    def _stop(self, search: BeamSearch) -> None:
        """Stop with what has been told; no answer is stored between this and the event, so that a resumed run, which
        is told everything that is stored before it stops, ends in the same state."""
        stored = self._journal.find(kinds.STOPPED, "run")
        if stored is None:
            stored = {"reason": "max_minutes"}
            self._journal.append(kinds.STOPPED, "run", stored)
        search.stop(stored["reason"])
        self._record_beams(search)

    def _time_left_s(self) -> float | None:
        minutes = self._course.settings.max_minutes
        if minutes is None or (self._search and self._search.stopping):
            return None
        return max(0.0, minutes * 60.0 - self._journal.elapsed_s)

    def _record_beams(self, search: BeamSearch) -> None:
        for number in range(self._beams_recorded + 1, len(search.beams) + 1):
            ids = search.beams[number - 1]
            latency = search.latency(ids[0])
            self._journal.append_or_check(kinds.BEAM, str(number), {"ids": list(ids), "latency": latency})
            self._beams_recorded = number

    def _replay(self, search: BeamSearch, task: Task) -> bool:
        match task:
            case PlanTask():
                stored = self._journal.find(kinds.PLANNED, task.key)
                if stored is not None:
                    search.tell_plan(task.key, self._stored_move(stored))
            case ImplementTask():
                stored = self._journal.find(kinds.IMPLEMENTED, task.key)
                if stored is not None:
                    search.tell_code(task.key, self._journal.text(stored["code"]) if stored["code"] else None)
            case EvaluateTask(candidate):
                stored = self._journal.find(kinds.EVALUATED, candidate.digest)
                if stored is not None:
                    self._tell_evaluation(search, candidate, evaluation_from_json(stored["evaluation"]))
            case ConfirmTask(candidate):
                stored = self._journal.find(kinds.CONFIRMED, candidate.digest)
                if stored is not None:
                    self._tell_confirmation(search, candidate, evaluation_from_json(stored["evaluation"]))
        return stored is not None

    async def _perform(self, search: BeamSearch, task: Task) -> None:
        match task:
            case PlanTask():
                await self._plan(search, task)
            case ImplementTask():
                await self._implement(search, task)
            case EvaluateTask(candidate):
                await self._evaluate(search, candidate)
            case ConfirmTask(candidate):
                self._tell_confirmation(search, candidate, await self._confirm(candidate))

    async def _plan(self, search: BeamSearch, task: PlanTask) -> None:
        answer = await self._consultant.plan(task, self._evaluations[task.parent.digest])
        move = answer.move
        payload = {
            "parent": task.parent.id,
            "move": kinds.move_to_json(move) if move else None,
            "reason": answer.reason,
        }
        self._journal.append(kinds.PLANNED, task.key, payload, blobs=[move.plan] if move else [])
        search.tell_plan(task.key, move)

    async def _implement(self, search: BeamSearch, task: ImplementTask) -> None:
        answer = await self._consultant.implement(task, self._evaluations[task.plan.parent.digest])
        candidate = Candidate(task.key, answer.code or "")
        payload = {"code": None if answer.code is None else candidate.digest, "reason": answer.reason}
        self._journal.append(kinds.IMPLEMENTED, task.key, payload, blobs=[] if answer.code is None else [answer.code])
        search.tell_code(task.key, answer.code)

    async def _evaluate(self, search: BeamSearch, candidate: Candidate) -> None:
        self._evaluating += 1
        try:
            judged = await self._judge.evaluate(candidate.code)
        finally:
            self._evaluating -= 1
        payload = {"candidate": candidate.id, "evaluation": evaluation_to_json(judged.evaluation)}
        self._journal.append(kinds.EVALUATED, candidate.digest, payload, cache=judged.cache)
        self._tell_evaluation(search, candidate, judged.evaluation)
        item = candidate.move.item if candidate.move else ""
        self._announce("search", f"{candidate.id} {item}: {_words(judged.evaluation)}")

    def _tell_evaluation(self, search: BeamSearch, candidate: Candidate, evaluation: Evaluation) -> None:
        self._evaluations[candidate.digest] = evaluation
        search.tell_evaluation(candidate.digest, evaluation.latency)

    def _tell_confirmation(self, search: BeamSearch, candidate: Candidate, confirmation: Evaluation) -> None:
        evaluation = self._evaluations[candidate.digest].confirmed_by(confirmation)
        self._evaluations[candidate.digest] = evaluation
        search.tell_confirmation(candidate.digest, evaluation.latency)

    async def _confirm(self, candidate: Candidate) -> Evaluation:
        stored = self._journal.find(kinds.CONFIRMED, candidate.digest)
        if stored is not None:
            return evaluation_from_json(stored["evaluation"])
        evaluation = await self._judge.confirm(candidate.code)
        payload = {"candidate": candidate.id, "evaluation": evaluation_to_json(evaluation)}
        self._journal.append(kinds.CONFIRMED, candidate.digest, payload)
        self._announce("confirm", f"{candidate.id} on fresh inputs: {evaluation.verdict.status}")
        return evaluation

    def _stored_move(self, payload: Mapping[str, Any]) -> Move | None:
        values = payload["move"]
        return kinds.move_from_json(values, {values["plan"]: self._journal.text(values["plan"])}) if values else None

    def _announce(self, phase: str, message: str) -> None:
        search = self._search
        start = self._evaluations.get(self._start.digest)
        self._announcer(
            Progress(
                run=self._journal.run,
                phase=phase,
                iteration=search.iteration if search else 0,
                iterations=self._course.settings.iterations,
                evaluations=search.evaluations if search else 0,
                evaluations_pending=self._evaluating,
                best_latency=search.best_latency if search else None,
                start_latency=start.latency if start else None,
                ideal_latency=self._course.ideal.latency,
                unit=self._course.ideal.unit,
                elapsed_s=self._journal.elapsed_s,
                message=message,
            )
        )


def _words(evaluation: Evaluation) -> str:
    measurement = evaluation.measurement
    if evaluation.verdict.passed and measurement:
        return f"{measurement.latency:,.10g} {measurement.unit}"
    return f"{evaluation.verdict.status}: {evaluation.verdict.message}"


def _raise_first(done: set[asyncio.Task[Any]]) -> None:
    """Raise what one of the tasks raised; of several that failed at once the others are not reported."""
    errors = [error for task in done if not task.cancelled() and (error := task.exception()) is not None]
    if errors:
        raise errors[0]


async def _cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
