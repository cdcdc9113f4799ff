"""Evaluation as a run needs it: planned inputs, the cache in the store, an executor behind it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace

from autocomp.configuration import EvaluateSettings
from autocomp.evaluate import (
    EvaluationCache,
    Executor,
    InputPlan,
    Job,
    Limits,
    Outcome,
    cache_key,
    plan_confirmation,
    plan_evaluation,
)
from autocomp.records import Distribution, Evaluation, Problem, digest


@dataclass(frozen=True)
class Bench:
    """What is evaluated on what."""

    problem: Problem
    target: str
    target_settings: Mapping[str, object]
    target_fingerprint: str
    settings: EvaluateSettings


@dataclass(frozen=True)
class Judged:
    """A result and the cache entry that should be stored with it, if any."""

    evaluation: Evaluation
    cache: tuple[str, Evaluation] | None = None


class Judge:
    """Evaluates codes for one run; ``secret`` decides the secret inputs."""

    def __init__(self, bench: Bench, executor: Executor, cache: EvaluationCache | None, secret: str) -> None:
        """Run jobs on ``executor``; look results up in ``cache`` first if there is one."""
        self._bench = bench
        self._executor = executor
        self._cache = cache
        self._secret = secret
        self._jobs: set[Future[Outcome]] = set()

    async def evaluate(self, code: str) -> Judged:
        """Check and measure. Raises InfrastructureError, SetupError, ProblemError."""
        plan = self.evaluation_plan()
        if not self._bench.problem.fingerprint:
            return Judged((await self.run(code, plan)).evaluation)
        key = cache_key(self._bench.problem, self._bench.target_fingerprint, plan, code)
        known = self._cache.cached(key) if self._cache else None
        if known is not None:
            return Judged(replace(known, cached=True))
        outcome = await self.run(code, plan)
        return Judged(outcome.evaluation, (key, outcome.evaluation) if outcome.repeatable else None)

    async def confirm(self, code: str) -> Evaluation:
        """Check on inputs that no evaluation of this run has used. Raises like :meth:`evaluate`."""
        seeds = self._seeds(f"confirm/{digest(code)}", self._bench.settings.confirm_seeds)
        plan = plan_confirmation(self._distributions, seeds)
        return (await self.run(code, plan)).evaluation

    async def run(self, code: str, plan: InputPlan, *, timeline: bool = False) -> Outcome:
        """One job on the executor, never from the cache."""
        settings = self._bench.settings
        limits = Limits(settings.time_limit_s, settings.memory_limit_mb << 20)
        bench = self._bench
        job = Job(code, bench.problem, bench.target, bench.target_settings, plan, limits, timeline)
        future = self._executor.submit(job)
        self._jobs.add(future)
        try:
            return await asyncio.wrap_future(future)
        finally:
            self._jobs.discard(future)

    def withdraw(self) -> None:
        """Cancel the jobs that no worker has begun."""
        for future in list(self._jobs):
            future.cancel()

    def evaluation_plan(self) -> InputPlan:
        """The inputs that every code of this run is judged on."""
        settings = self._bench.settings
        return plan_evaluation(self._distributions, settings.public_seeds, self._seeds("secret", settings.secret_seeds))

    @property
    def _distributions(self) -> tuple[Distribution, ...]:
        return self._bench.settings.override(self._bench.problem.distributions)

    def _seeds(self, purpose: str, count: int) -> tuple[int, ...]:
        texts = (f"{self._secret}/{purpose}/{number}" for number in range(count))
        return tuple(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") for text in texts)
