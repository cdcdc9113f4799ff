"""Turns a configuration into parts, and runs them."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, NamedTuple

from pydantic import ValidationError

from autocomp.configuration import Configuration, configuration_from_json, configuration_to_json
from autocomp.errors import AutocompError, ProblemError, SetupError, StoreError, UsageError
from autocomp.evaluate import Executor, LocalExecutor, Outcome
from autocomp.problems import load
from autocomp.proposer import Proposer
from autocomp.records import Ideal, Problem, digest, ideal_from_json, ideal_to_json
from autocomp.search import SearchSettings
from autocomp.session._consult import Consultant
from autocomp.session._driver import Course, Driver
from autocomp.session._journal import Journal
from autocomp.session._judge import Bench, Judge
from autocomp.session._progress import Announcer, Listener
from autocomp.session._proposers import create_proposer
from autocomp.session._target_settings import target_settings
from autocomp.store import RunLock, RunView, Store, kinds
from autocomp.targets import MenuItem, Target, create


@dataclass(frozen=True)
class Overrides:
    """Parts that the caller brings instead of the configured ones."""

    listener: Listener | None = None
    proposer: Proposer | None = None
    executor: Executor | None = None


class _Parts(NamedTuple):
    problem: Problem
    target: Target
    bench: Bench
    proposer: Proposer


def start_run(problem: Problem, config: Configuration, store: Store, overrides: Overrides) -> RunView:
    """Begin a run in ``store`` and drive it to its end. Raises as :func:`autocomp.optimize`."""
    parts = _parts(problem, config, overrides.proposer)
    settings = effective_search(config.search, parts.proposer.recommended)
    menu = _menu(parts.target, problem)
    ideal = parts.target.ideal(problem)
    payload: dict[str, Any] = {
        "problem": problem.locator or problem.name,
        "problem_fingerprint": problem.fingerprint,
        "target": parts.bench.target,
        "target_fingerprint": parts.bench.target_fingerprint,
        "proposer": parts.proposer.name,
        "configuration": configuration_to_json(config),
        "search": settings.model_dump(mode="json"),
        "menu": list(menu),
        "seed": config.run.seed,
        "secret": secrets.token_hex(16),
        "ideal": ideal_to_json(ideal),
        "start": digest(problem.start.code),
        "rivals": {name: digest(kernel.code) for name, kernel in problem.rivals.items()},
        "version": version("autocomp"),
    }
    texts = [problem.start.code, *(kernel.code for kernel in problem.rivals.values())]
    run, lock = _new_run(store, problem)
    with lock:
        store.append(run, kinds.STARTED, "run", payload, blobs=texts)
        return _drive(run, payload, parts, config, store, overrides)


def resume_run(run: str, config: Configuration, store: Store, overrides: Overrides) -> RunView:
    """Go on with ``run``. Raises as :func:`autocomp.resume`."""
    with store.lock(run):
        events = store.events(run)
        if any(event.kind == kinds.FINISHED for event in events):
            return store.view(run)
        payload: Mapping[str, Any] = events[0].payload
        stored = configuration_from_json(payload["configuration"])
        here = {"workers": config.evaluate.workers}
        evaluate = stored.evaluate.model_copy(update=here)
        threads = stored.run.model_copy(update={"proposer_threads": config.run.proposer_threads})
        merged = stored.model_copy(update={"evaluate": evaluate, "run": threads})
        parts = _parts(_same_problem(payload), merged, overrides.proposer)
        if parts.bench.target_fingerprint != payload["target_fingerprint"]:
            raise StoreError(
                f"run {run} was made with another configuration or toolchain of target {payload['target']}, its "
                "latencies would not be comparable: bring that back, or start a new run"
            )
        if parts.proposer.name != payload["proposer"]:
            raise StoreError(f"run {run} was made with proposer '{payload['proposer']}', not '{parts.proposer.name}'")
        number = sum(event.kind == kinds.RESUMED for event in events) + 1
        store.append(run, kinds.RESUMED, str(number), {})
        return _drive(run, payload, parts, merged, store, overrides)


def evaluate_once(
    problem: Problem, code: str, config: Configuration, *, timeline: bool, executor: Executor | None
) -> tuple[Outcome, Ideal]:
    """Evaluate one code outside any run, on secret inputs of its own, in one worker."""
    target = _target(problem, config)
    with _executor(executor, workers=1) as chosen:
        judge = Judge(_bench(problem, target, config), chosen, None, secrets.token_hex(16))
        outcome = asyncio.run(judge.run(code, judge.evaluation_plan(), timeline=timeline))
    return outcome, target.ideal(problem)


def time_again(problem: Problem, codes: Sequence[str], config: Configuration) -> tuple[tuple[Outcome, ...], Ideal]:
    """The measured run alone of each code, with its timeline: for kernels that have passed all checks before."""
    target = _target(problem, config)
    bench = _bench(problem, target, config)

    async def run_all(judge: Judge) -> list[Outcome]:
        plan = replace(judge.evaluation_plan(), checked=())
        return await asyncio.gather(*(judge.run(code, plan, timeline=True) for code in codes))

    with _executor(None, workers=config.evaluate.workers) as chosen:
        outcomes = asyncio.run(run_all(Judge(bench, chosen, None, secrets.token_hex(16))))
    return tuple(outcomes), target.ideal(problem)


def effective_search(settings: SearchSettings, recommended: Mapping[str, object]) -> SearchSettings:
    """``settings``, with what was not set in them taken from what the proposer recommends.

    Raises SetupError if the recommendation is none.
    """
    chosen = {name: getattr(settings, name) for name in settings.model_fields_set}
    try:
        return SearchSettings.model_validate({**recommended, **chosen})
    except ValidationError as error:
        raise SetupError(f"the proposer recommends impossible search parameters: {error}") from error


def _drive(
    run: str, payload: Mapping[str, Any], parts: _Parts, config: Configuration, store: Store, overrides: Overrides
) -> RunView:
    journal = Journal(store, run)
    course = Course(
        settings=SearchSettings.model_validate(payload["search"]),
        seed=payload["seed"],
        menu=tuple(payload["menu"]),
        start=store.blob(payload["start"]),
        rivals={name: store.blob(name_digest) for name, name_digest in payload["rivals"].items()},
        ideal=ideal_from_json(payload["ideal"]),
    )
    menu = _menu(parts.target, parts.problem)
    missing = [item for item in course.menu if item not in menu]
    if missing:
        raise StoreError(f"run {run} uses menu items that its target no longer has: {', '.join(missing)}")
    try:
        with _executor(overrides.executor, workers=config.evaluate.workers) as executor:
            judge = Judge(parts.bench, executor, store if config.evaluate.cache else None, payload["secret"])
            consultant = Consultant(
                parts.proposer, parts.problem, menu, course.settings.iterations, config.run.proposer_threads
            )
            try:
                driver = Driver(course, journal, judge, consultant, Announcer(overrides.listener))
                asyncio.run(driver.run())
            finally:
                consultant.close()
    except BaseException as error:
        _note_end(journal, error)
        raise
    return store.view(run)


def _note_end(journal: Journal, error: BaseException) -> None:
    # The store itself may be what failed; the error that is already on its way matters more.
    with contextlib.suppress(StoreError):
        if isinstance(error, KeyboardInterrupt | asyncio.CancelledError | SystemExit):
            journal.append_numbered(kinds.INTERRUPTED, {"reason": type(error).__name__})
        else:
            text = str(error) if isinstance(error, AutocompError) else repr(error)
            journal.append_numbered(kinds.FAILED, {"error": text})


def _parts(problem: Problem, config: Configuration, proposer: Proposer | None) -> _Parts:
    target = _target(problem, config)
    if proposer is None:
        name = config.run.proposer
        proposer = create_proposer(name, target, config.proposers.get(name, {}))
    return _Parts(problem, target, _bench(problem, target, config), proposer)


def _target(problem: Problem, config: Configuration) -> Target:
    name = config.run.target or problem.target
    settings = target_settings(problem, config)
    try:
        return create(name, settings)
    except UsageError as error:
        if name != problem.target or not problem.settings:
            raise
        table = ", ".join(f"{key} = {value!r}" for key, value in problem.settings.items())
        raise UsageError(f"{error} (problem '{problem.name}' needs of its target: {table})") from error


def _bench(problem: Problem, target: Target, config: Configuration) -> Bench:
    name = config.run.target or problem.target
    evaluate = config.evaluate
    if target.time_limit_s is not None and target.time_limit_s > evaluate.time_limit_s:
        evaluate = evaluate.model_copy(update={"time_limit_s": target.time_limit_s})
    return Bench(problem, name, target_settings(problem, config), target.fingerprint(), evaluate)


def _menu(target: Target, problem: Problem) -> dict[str, MenuItem]:
    items = target.knowledge().menu
    return {item.id: item for item in items if not item.operators or problem.operator in item.operators}


@contextlib.contextmanager
def _executor(given: Executor | None, *, workers: int | None) -> Iterator[Executor]:
    if given is not None:
        yield given
        return
    executor = LocalExecutor(workers)
    try:
        yield executor
    finally:
        executor.close()


def _new_run(store: Store, problem: Problem) -> tuple[str, RunLock]:
    """A name that no run has, and the lock on it."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", problem.name).strip("-") or "run"
    taken = set(store.run_ids())
    number = 1
    while True:
        run = f"{name}-{number}"
        number += 1
        if run in taken:
            continue
        try:
            lock = store.lock(run)
        except StoreError:
            if number > len(taken) + 1000:
                raise
            continue
        if not store.events(run):
            return run, lock
        lock.release()


def _same_problem(payload: Mapping[str, Any]) -> Problem:
    problem = load(payload["problem"])
    if problem.fingerprint != payload["problem_fingerprint"]:
        raise ProblemError(
            f"problem {payload['problem']} has changed since the run began: put it back, or start a new run"
        )
    return problem
