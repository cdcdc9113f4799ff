"""The beam search as ask and tell."""

from __future__ import annotations

from autocomp.records import Candidate, Move, place
from autocomp.search._allocation import allocate
from autocomp.search._draws import derive_seed, drop_items
from autocomp.search._iteration import Iteration, ParentState, signature
from autocomp.search._settings import SearchSettings
from autocomp.search._tasks import ConfirmTask, EvaluateTask, ImplementTask, PlanTask, Task


class BeamSearch:
    """Decides what to try next; does no input or output and draws nothing but from the run's seed.

    :meth:`ask` hands out every task that has become possible; the four ``tell`` methods take the answers in any
    order. The outcome (candidates, beams, best, number of evaluations) does not depend on that order:

    * plans of one parent are taken up in the order of their index, so that of two equal ones always the first counts;
    * a code is evaluated once, whoever proposes it, and is judged at the barrier for each parent it came from;
    * the only barrier is the choice of the next beam.

    Whatever would lead the beam is first handed out as a :class:`ConfirmTask`; if it fails, the next one is.
    Not thread-safe.
    """

    def __init__(
        self,
        settings: SearchSettings,
        *,
        seed: int,
        menu: tuple[str, ...],
        start: Candidate,
        start_latency: float,
        ideal_latency: float = 0.0,
    ) -> None:
        """Begin with ``start``, which has passed and been confirmed."""
        self.settings = settings
        self.candidates: dict[str, Candidate] = {start.id: start}
        """All candidates by id, those with equal code included."""
        self.beams: list[tuple[str, ...]] = []
        """Ids of the candidates kept after each iteration."""
        self.stop_reason = ""
        self._seed = seed
        self._menu = menu
        self._ideal_latency = ideal_latency
        self._latency: dict[str, float | None] = {start.digest: start_latency}
        self._confirmed = {start.digest}
        self._confirming: str | None = None
        self._beam: list[Candidate] = [start]
        self._earlier: dict[str, int] = {}
        self._tried: dict[str, set[str]] = {}
        self._exhausted: set[str] = set()
        self._closed_digests: set[str] = {start.digest}
        self._stale_iterations = 0
        self._stopping = ""
        self._iteration: Iteration | None = None
        self._ready: list[Task] = []
        self._begin(1)

    @property
    def finished(self) -> bool:
        """True if there will be no more tasks; :attr:`stop_reason` says why."""
        return bool(self.stop_reason)

    @property
    def stopping(self) -> bool:
        """True after :meth:`stop`."""
        return bool(self._stopping)

    @property
    def iteration(self) -> int:
        """Number of the iteration under way, from 1; of the last one when finished."""
        return self._iteration.number if self._iteration else len(self.beams)

    @property
    def best(self) -> Candidate:
        """The fastest confirmed candidate."""
        return self._beam[0]

    @property
    def best_latency(self) -> float:
        """Latency of :attr:`best`."""
        return self._known(self.best)

    def latency(self, candidate_id: str) -> float | None:
        """Latency of a candidate; None if it failed or is not evaluated."""
        return self._latency.get(self.candidates[candidate_id].digest)

    @property
    def evaluations(self) -> int:
        """Different codes evaluated so far, the start kernel not counted."""
        return len(self._latency) - 1

    def ask(self) -> tuple[Task, ...]:
        """Every task that has become possible since the last call; empty while all waits for answers."""
        ready = tuple(self._ready)
        self._ready.clear()
        return ready

    def tell_plan(self, key: str, move: Move | None) -> None:
        """Answer a PlanTask; None if there was nothing to propose."""
        if self._iteration is None or self._stopping:
            return
        parent = self._iteration.plans_out.pop(key)
        index = int(key.rsplit(".", 1)[1])
        parent.answers[index] = move
        if self.settings.deduplicate_plans:
            while parent.released in parent.answers:
                self._take_up(parent, parent.released)
                parent.released += 1
        else:
            self._take_up(parent, index)
        self._close_if_complete()

    def tell_code(self, key: str, code: str | None) -> None:
        """Answer an ImplementTask; None if the plan could not be implemented."""
        if self._iteration is None or self._stopping:
            return
        task = self._iteration.codes_out.pop(key)
        if code is not None:
            candidate = Candidate(key, code, task.plan.parent.id, task.move, task.plan.iteration)
            self._add(candidate)
        self._close_if_complete()

    def tell_evaluation(self, digest: str, latency: float | None) -> None:
        """Answer an EvaluateTask; None if the candidate failed."""
        if self._iteration is None or self._stopping:
            return
        self._iteration.evaluations_out.remove(digest)
        self._latency[digest] = latency
        self._close_if_complete()

    def tell_confirmation(self, digest: str, latency: float | None) -> None:
        """Answer a ConfirmTask with the latency on fresh inputs; None if the candidate failed there.

        The slower of the two latencies counts from now on, so the candidate may lose its place by it.
        """
        if digest != self._confirming:
            raise ValueError(f"{digest[:12]} is not waiting for its confirmation")
        self._confirming = None
        known = self._latency[digest]
        if latency is None or known is None:
            self._latency[digest] = None
        else:
            self._latency[digest] = max(known, latency)
            self._confirmed.add(digest)
        self._choose()

    def stop(self, reason: str) -> None:
        """End the run with what is known: nothing more is asked for but the confirmation of the best.

        Answers to tasks that are still out are ignored from now on.
        """
        if self.finished or self._stopping:
            return
        self._stopping = reason
        self._ready = [task for task in self._ready if isinstance(task, ConfirmTask)]
        if self._confirming is None:
            self._choose()

    def _begin(self, number: int) -> None:
        left = None
        if self.settings.max_evaluations is not None:
            left = self.settings.max_evaluations - self.evaluations
            if left <= 0:
                self.stop_reason = "max_evaluations"
                return
        parents = [candidate for candidate in self._beam if candidate.id not in self._exhausted]
        if not parents:
            self.stop_reason = "exhausted"
            return
        plans, implementations = allocate(self.settings, len(parents), left)
        states = [
            ParentState(parent, self._plan_tasks(number, rank, parent, count))
            for rank, (parent, count) in enumerate(zip(parents, plans, strict=True))
        ]
        self._iteration = Iteration(number, implementations, states)
        for state in states:
            self._iteration.plans_out.update((task.key, state) for task in state.tasks)
            self._ready.extend(state.tasks)

    def _plan_tasks(self, number: int, rank: int, parent: Candidate, count: int) -> list[PlanTask]:
        earlier = self._earlier.get(parent.id, 0)
        self._earlier[parent.id] = earlier + count
        tasks = []
        for index in range(count):
            key = f"{number}.{rank}.{index}"
            menu = drop_items(self._menu, self.settings.menu_dropout, derive_seed(self._seed, f"dropout/{key}"))
            seed = derive_seed(self._seed, f"plan/{key}")
            tasks.append(PlanTask(key, parent, number, index, count, earlier, menu, seed))
        return tasks

    def _take_up(self, parent: ParentState, index: int) -> None:
        assert self._iteration is not None
        move = parent.answers[index]
        if move is None:
            return
        if self.settings.deduplicate_plans:
            tried = self._tried.setdefault(parent.candidate.id, set())
            if signature(move) in tried:
                return
            tried.add(signature(move))
        plan = parent.tasks[index]
        for implementation in range(self._iteration.implementations):
            task = ImplementTask(f"{plan.key}.{implementation}", plan, move, implementation)
            self._iteration.codes_out[task.key] = task
            self._ready.append(task)

    def _add(self, candidate: Candidate) -> None:
        assert self._iteration is not None
        digest = candidate.digest
        if digest in self._closed_digests:
            return
        self.candidates[candidate.id] = candidate
        self._iteration.children.append(candidate)
        if digest not in self._latency and digest not in self._iteration.evaluations_out:
            self._iteration.evaluations_out.add(digest)
            self._ready.append(EvaluateTask(candidate))

    def _close_if_complete(self) -> None:
        if self._iteration is not None and self._iteration.complete and self._confirming is None:
            self._choose()

    def _choose(self) -> None:
        """Choose the next beam, or first ask for the confirmation of what would lead it."""
        assert self._iteration is not None
        chosen: dict[str, Candidate] = {}
        for candidate in sorted([*self._beam, *self._accepted()], key=self._rank):
            chosen.setdefault(candidate.digest, candidate)
        beam = list(chosen.values())[: self.settings.beam]
        if beam[0].digest not in self._confirmed:
            self._confirming = beam[0].digest
            self._ready.append(ConfirmTask(beam[0]))
            return
        gained = self._known(beam[0]) < self.best_latency
        self._stale_iterations = 0 if gained else self._stale_iterations + 1
        self._beam = beam
        self.beams.append(tuple(candidate.id for candidate in beam))
        self._end(self._iteration)

    def _accepted(self) -> list[Candidate]:
        assert self._iteration is not None
        slack = self.settings.slack if self._iteration.number <= self.settings.slack_iterations else 0.0
        accepted = []
        for child in self._iteration.children:
            latency = self._latency.get(child.digest)
            parent_id = child.parent_id
            assert parent_id is not None
            if latency is None:
                continue
            limit = self._known(self.candidates[parent_id])
            if latency < limit or (slack > 0.0 and latency <= limit * (1.0 + slack)):
                accepted.append(child)
        return accepted

    def _end(self, iteration: Iteration) -> None:
        self._closed_digests.update(child.digest for child in iteration.children)
        if self.settings.menu_dropout == 0.0:
            self._exhausted.update(state.candidate.id for state in iteration.parents if state.exhausted)
        self._iteration = None
        self.stop_reason = self._reason(iteration)
        if not self.finished:
            self._begin(iteration.number + 1)

    def _reason(self, iteration: Iteration) -> str:
        settings = self.settings
        if self._stopping:
            return self._stopping
        near = self._ideal_latency * (1.0 + settings.stop_within_percent / 100.0)
        if settings.stop_within_percent > 0.0 and self.best_latency <= near:
            return "near_ideal"
        if iteration.number >= settings.iterations:
            return "iterations"
        if settings.patience and self._stale_iterations >= settings.patience:
            return "patience"
        return ""

    def _known(self, candidate: Candidate) -> float:
        latency = self._latency[candidate.digest]
        assert latency is not None
        return latency

    def _rank(self, candidate: Candidate) -> tuple[float, tuple[int, ...]]:
        return (self._known(candidate), place(candidate.id))
