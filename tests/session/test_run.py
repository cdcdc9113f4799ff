"""Runs from start to end on the null target."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import autocomp
from autocomp.errors import InfrastructureError, SetupError, StartKernelError, StoreError, UsageError
from autocomp.evaluate import Executor, InlineExecutor, Job, Outcome
from autocomp.problems import load
from autocomp.proposer import Plan, PlanRequest
from autocomp.records import Kernel, Problem, Status
from autocomp.session import Progress
from autocomp.session._driver import Driver
from autocomp.session._journal import Journal
from autocomp.store import kinds
from autocomp.testing import ScriptedProposer

from .conftest import Configure, shape

PROBLEM = "gemm:16x16x16"


def test_a_whole_run_in_worker_processes(configure: Configure) -> None:
    seen: list[Progress] = []
    config = configure(evaluate__workers=2)
    view = autocomp.optimize(PROBLEM, config=config, listener=seen.append)
    assert view.status == "finished"
    assert view.stop_reason == "iterations"
    assert view.confirmed
    assert view.best.evaluation is not None
    assert view.start.evaluation is not None
    assert view.best.evaluation.latency < view.start.evaluation.latency  # type: ignore[operator]
    assert len(view.beams) == 4
    assert view.entries[0].candidate.id == "0"
    assert len({entry.candidate.digest for entry in view.entries}) == len(view.entries)
    assert [rival.name for rival in view.rivals] == list(load(PROBLEM).rivals)
    assert (seen[0].phase, seen[-1].phase) == ("start", "finished")
    assert seen[-1].evaluations == len(view.entries) - 1
    assert seen[-1].best_latency == view.best.evaluation.latency
    with autocomp.open_store(config) as store:
        assert store.view(view.id) == view
        (summary,) = store.runs()
    assert (summary.best_latency, summary.evaluations) == (view.best.evaluation.latency, len(view.entries) - 1)


def test_the_same_seed_gives_the_same_run_whatever_the_workers(configure: Configure) -> None:
    views = []
    for workers in (1, 3):
        config = configure(evaluate__workers=workers, evaluate__cache=False)
        views.append(autocomp.optimize(PROBLEM, config=config, proposer=Jittery()))
    assert views[0].id != views[1].id
    assert shape(views[0]) == shape(views[1])
    other = autocomp.optimize(PROBLEM, config=configure(run__seed=1), proposer=Jittery(), executor=InlineExecutor())
    assert shape(other) != shape(views[0])


class Jittery(ScriptedProposer):
    """Answers after times that differ from call to call."""

    def implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
        time.sleep((time.perf_counter_ns() // 1000) % 7 * 1e-3)
        return super().implement(request, plan, index)


def test_a_second_run_takes_its_evaluations_from_the_cache(configure: Configure) -> None:
    executor = Counting()
    first = autocomp.optimize(PROBLEM, config=configure(), executor=executor)
    jobs = len(executor.jobs)
    second = autocomp.optimize(PROBLEM, config=configure(), executor=executor)
    confirmations = [job for job in executor.jobs[jobs:] if confirms(job)]
    assert len(executor.jobs) == jobs + len(confirmations), "only confirmations are made again"
    assert [entry.candidate for entry in first.entries] == [entry.candidate for entry in second.entries]
    assert all(entry.evaluation and entry.evaluation.cached for entry in second.entries)


class Counting(InlineExecutor):
    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[Job] = []

    def submit(self, job: Job):  # type: ignore[no-untyped-def]
        self.jobs.append(job)
        return super().submit(job)


def confirms(job: Job) -> bool:
    return all("/fresh " in inputs.label for inputs in job.plan.measured)


def test_secret_inputs_differ_between_runs_and_public_ones_do_not(configure: Configure) -> None:
    executor = Counting()
    for _ in range(2):
        autocomp.optimize(PROBLEM, config=configure(search__iterations=1, evaluate__cache=False), executor=executor)
    plans = [job.plan for job in executor.jobs if not confirms(job)]
    assert len({plan.measured for plan in plans}) == 2, "no code can know what it is timed on"
    public = {inputs for plan in plans for inputs in plan.checked if not inputs.secret}
    assert len(public) == 1
    fresh = [job.plan.measured for job in executor.jobs if confirms(job)]
    assert len(set(fresh)) == len(fresh) >= 4, "every confirmation has inputs of its own"


@pytest.mark.parametrize(
    ("directive", "status"),
    [("wrong=1", Status.WRONG_VALUE), ("broken", Status.BUILD_FAILED), ("trap", Status.TRAPPED)],
)
def test_a_start_kernel_that_fails(configure: Configure, directive: str, status: Status) -> None:
    with pytest.raises(StartKernelError, match=f"{status}: "):
        autocomp.optimize(with_start(directive), config=configure(), executor=InlineExecutor())
    with autocomp.open_store(configure()) as store:
        (summary,) = store.runs()
        assert summary.status == "failed"
        assert store.view(summary.id).start.evaluation.verdict.status is status  # type: ignore[union-attr]


def with_start(directive: str) -> Problem:
    return replace(load(PROBLEM), start=Kernel("start", f"// null: {directive}\n"))


def test_a_start_kernel_that_loops_for_ever_or_crashes(configure: Configure) -> None:
    config = configure(evaluate__time_limit_s=1.0, evaluate__workers=1)
    with pytest.raises(StartKernelError, match="timed_out: was still running after 1 s"):
        autocomp.optimize(with_start("hang"), config=config)
    with pytest.raises(StartKernelError, match="crashed: "):
        autocomp.optimize(with_start("exit=1"), config=config)


def test_a_rival_that_fails_is_shown_and_does_no_harm(configure: Configure) -> None:
    problem = replace(load(PROBLEM), rivals={"lame": Kernel("lame", "// null: trap\n")})
    view = autocomp.optimize(problem, config=configure(), executor=InlineExecutor())
    assert [rival.evaluation.verdict.status for rival in view.rivals] == [Status.TRAPPED]


class Cheating(ScriptedProposer):
    """Its first code is by far the fastest, and right only on inputs that can be known before."""

    def implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
        if request.key == "1.0.0" and index == 0:
            return "// null: latency=5\n// cheats on fresh inputs\n"
        return f"// null: latency={900 + request.index}\n// {request.key} {index}\n"


class Catching(InlineExecutor):
    def submit(self, job: Job):  # type: ignore[no-untyped-def]
        if confirms(job) and "cheats" in job.code:
            job = replace(job, code="// null: wrong=1\n")
        return super().submit(job)


def test_what_fails_on_fresh_inputs_is_not_best_and_its_verdict_says_so(configure: Configure) -> None:
    view = autocomp.optimize(PROBLEM, config=configure(), proposer=Cheating(), executor=Catching())
    cheat = next(entry for entry in view.entries if "cheats" in entry.candidate.code)
    assert cheat.evaluation is not None
    assert cheat.evaluation.verdict.status is Status.WRONG_VALUE
    assert "fresh 1" in cheat.evaluation.verdict.inputs
    assert cheat.evaluation.latency is None
    assert view.best.evaluation.latency >= 900  # type: ignore[union-attr, operator]
    assert view.confirmed
    assert all(cheat.candidate.id not in beam for beam in view.beams)


def test_budgets_end_a_run_with_its_results_kept(configure: Configure) -> None:
    view = autocomp.optimize(PROBLEM, config=configure(search__max_evaluations=7), executor=InlineExecutor())
    assert (view.status, view.stop_reason) == ("finished", "max_evaluations")
    assert len(view.entries) - 1 <= 7
    config = configure(search__max_minutes=0.01, search__iterations=10_000)
    view = autocomp.optimize(PROBLEM, config=config, proposer=ScriptedProposer(0.02), executor=InlineExecutor())
    assert (view.status, view.stop_reason) == ("finished", "max_minutes")
    assert view.confirmed


class Threaded(InlineExecutor):
    """Holds every job of the search back until ``release`` is set; two are at work, the others wait."""

    workers = 2

    def __init__(self, holds: Callable[[Job], bool]) -> None:
        super().__init__()
        self.holds = holds
        self.release = threading.Event()
        self.begun: list[str] = []
        self.pool = ThreadPoolExecutor(2)

    def submit(self, job: Job):  # type: ignore[no-untyped-def]
        if not self.holds(job):
            return super().submit(job)

        def work() -> Outcome:
            self.begun.append(job.code)
            assert self.release.wait(60)
            return InlineExecutor.submit(self, job).result()

        return self.pool.submit(work)


def strike(monkeypatch: pytest.MonkeyPatch, executor: Threaded, at_work: int) -> None:
    """Let the time be up as soon as jobs are at work, which end only after that."""

    def elapsed_s(self: Journal) -> float:
        if len(executor.begun) < at_work:
            return 0.0
        threading.Timer(0.05, executor.release.set).start()
        return 1e9

    monkeypatch.setattr(Journal, "elapsed_s", property(elapsed_s))
    monkeypatch.setattr("autocomp.session._driver.Driver._time_left_s", left_s)


def left_s(driver: Driver) -> float | None:
    """Looks again every moment, as the clock of this test does not run by itself."""
    if driver._search and driver._search.stopping:
        return None
    return 0.0 if driver._journal.elapsed_s > 1e6 else 0.02


def test_evaluations_under_way_when_the_time_is_up_are_kept(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configure(search__max_minutes=1.0, search__iterations=1)
    start = load(PROBLEM).start.code
    executor = Threaded(lambda job: not confirms(job) and "latency" in job.code and job.code != start)
    strike(monkeypatch, executor, 2)
    view = autocomp.optimize(PROBLEM, config=config, proposer=ScriptedProposer(faults=False), executor=executor)
    executor.pool.shutdown()
    assert view.stop_reason == "max_minutes"
    evaluated = {entry.candidate.code for entry in view.entries[1:] if entry.evaluation}
    assert evaluated == set(executor.begun), "what was at work is kept, what only waited is not begun"
    assert len(evaluated) == 2
    fastest = min(
        (entry.evaluation.latency for entry in view.entries if entry.evaluation), key=lambda value: value or 0
    )
    assert view.best.evaluation is not None
    assert view.best.evaluation.latency == fastest, "and it counts"


def test_the_time_is_up_while_the_best_is_confirmed(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    config = configure(search__max_minutes=1.0, search__iterations=3)
    start = load(PROBLEM).start.code
    executor = Threaded(lambda job: confirms(job) and job.code != start)
    strike(monkeypatch, executor, 1)
    view = autocomp.optimize(PROBLEM, config=config, executor=executor)
    executor.pool.shutdown()
    assert (view.status, view.stop_reason, view.confirmed) == ("finished", "max_minutes", True)


def test_an_answer_on_its_way_when_the_run_fails_is_kept(configure: Configure) -> None:
    asked = threading.Barrier(2)

    class Broken(ScriptedProposer):
        def plan(self, request: PlanRequest) -> Plan | None:
            asked.wait(30)
            if request.index == 0:
                raise SetupError("the key of the model is gone")
            time.sleep(0.2)
            return Plan("widen", "paid for")

    config = configure(search__plans=2)
    with pytest.raises(SetupError, match="is gone"):
        autocomp.optimize(PROBLEM, config=config, proposer=Broken(), executor=InlineExecutor())
    with autocomp.open_store(config) as store:
        stored = store.events(store.resolve("last"))
    assert [event.key for event in stored if event.kind == kinds.PLANNED] == ["1.0.1"]
    assert stored[-1].kind == kinds.FAILED
    assert autocomp.resume("last", config=config, executor=InlineExecutor()).status == "finished"


def test_a_failing_listener_is_called_once_only(configure: Configure, caplog: pytest.LogCaptureFixture) -> None:
    calls = []

    def listener(progress: Progress) -> None:
        calls.append(progress)
        raise ValueError("no screen")

    view = autocomp.optimize(PROBLEM, config=configure(), executor=InlineExecutor(), listener=listener)
    assert view.status == "finished"
    assert len(calls) == 1
    assert "no screen" in caplog.text


class Failing(ScriptedProposer):
    def __init__(self, fails: Callable[[PlanRequest], bool]) -> None:
        super().__init__()
        self.fails = fails

    def implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
        if self.fails(request):
            raise KeyError("a bug")
        return super().implement(request, plan, index)


def test_a_proposer_that_fails_now_and_then_costs_a_step(configure: Configure) -> None:
    proposer = Failing(lambda request: request.seed % 4 == 0)
    view = autocomp.optimize(PROBLEM, config=configure(), proposer=proposer, executor=InlineExecutor())
    assert view.status == "finished"
    with autocomp.open_store(configure()) as store:
        reasons = [
            str(event.payload.get("reason")) for event in store.events(view.id) if event.kind == kinds.IMPLEMENTED
        ]
    assert any("KeyError" in reason for reason in reasons)


def test_a_proposer_that_always_fails_does_not_succeed(configure: Configure) -> None:
    config = configure(search__plans=20, search__menu_dropout=0.0)
    with pytest.raises(InfrastructureError, match=r"\d+ steps in a row: proposer scripted failed: KeyError"):
        autocomp.optimize(PROBLEM, config=config, proposer=Failing(lambda request: True), executor=InlineExecutor())
    with autocomp.open_store(config) as store:
        assert store.runs()[-1].status == "failed"
        assert "KeyError" in str(store.events(store.resolve("last"))[-1].payload["error"])
    assert autocomp.resume("last", config=config, executor=InlineExecutor()).status == "finished"


@pytest.mark.parametrize(
    "fault",
    [
        lambda: (_ for _ in ()).throw(SystemExit(3)),
        lambda: next(iter(())),
        lambda: 7,
        lambda: "\ud800",
        lambda: None,
    ],
)
def test_no_answer_of_a_proposer_breaks_the_run(configure: Configure, fault: Callable[[], object]) -> None:
    class Odd(ScriptedProposer):
        def implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
            return fault() if request.index == 0 else super().implement(request, plan, index)  # type: ignore[return-value]

    view = autocomp.optimize(PROBLEM, config=configure(), proposer=Odd(), executor=InlineExecutor())
    assert view.status == "finished"


@pytest.mark.parametrize("parameters", [{"a": {1, 2}}, {"a": float("nan")}, None])
def test_no_plan_of_a_proposer_breaks_the_run(configure: Configure, parameters: object) -> None:
    class Odd(ScriptedProposer):
        def plan(self, request: PlanRequest) -> Plan | None:
            plan = super().plan(request)
            return replace(plan, parameters=parameters) if plan and request.index == 0 else plan

    view = autocomp.optimize(PROBLEM, config=configure(), proposer=Odd(), executor=InlineExecutor())
    assert view.status == "finished"
    with autocomp.open_store(configure()) as store:
        reasons = [event.payload.get("reason") for event in store.events(view.id) if event.kind == kinds.PLANNED]
    assert any("proposer scripted failed" in str(reason) for reason in reasons)


def test_what_the_proposer_recommends_holds_unless_it_is_set(configure: Configure) -> None:
    view = autocomp.optimize(PROBLEM, config=configure(search__iterations=1), executor=InlineExecutor())
    with autocomp.open_store(configure()) as store:
        started = store.events(view.id)[0].payload
    assert started["search"]["menu_dropout"] == 0.3  # type: ignore[index]
    config = configure(search__iterations=1, search__menu_dropout=0.7)
    view = autocomp.optimize(PROBLEM, config=config, executor=InlineExecutor())
    with autocomp.open_store(configure()) as store:
        started = store.events(view.id)[0].payload
    assert started["search"]["menu_dropout"] == 0.7  # type: ignore[index]


def test_an_unknown_proposer(configure: Configure) -> None:
    with pytest.raises(UsageError, match=r"no proposer 'nosuch'; installed are: .*scripted"):
        autocomp.optimize(PROBLEM, config=configure(run__proposer="nosuch"), executor=InlineExecutor())


def test_planning_goes_on_while_a_candidate_is_evaluated(configure: Configure) -> None:
    """The only barrier is the choice of the next beam."""
    config = configure(search__iterations=1, search__plans=4, search__implementations=1, evaluate__workers=1)
    slow = Slow()
    autocomp.optimize(PROBLEM, config=config, proposer=slow, executor=(executor := Overlapping(slow)))
    assert executor.overlapped


class Slow(ScriptedProposer):
    concurrency = 1
    working = False

    def plan(self, request: PlanRequest) -> Plan | None:
        self.working = True
        time.sleep(0.1)
        self.working = False
        return Plan("widen", f"plan {request.key}")


class Overlapping(InlineExecutor):
    """Evaluates on a thread, and notes whether the proposer was at work meanwhile."""

    def __init__(self, proposer: Slow) -> None:
        super().__init__()
        self.proposer = proposer
        self.overlapped = False

    def submit(self, job: Job):  # type: ignore[no-untyped-def]
        from concurrent.futures import Future

        future: Future[object] = Future()

        def work() -> None:
            for _ in range(20):
                self.overlapped |= self.proposer.working
                time.sleep(0.01)
            future.set_result(InlineExecutor.submit(self, job).result())

        threading.Thread(target=work).start()
        return future


def test_evaluate_and_profile(configure: Configure, tmp_path) -> None:  # type: ignore[no-untyped-def]
    executor: Executor = InlineExecutor()
    code = "void gemm() {}\n// null: latency=123\n"
    assert autocomp.evaluate(PROBLEM, code, config=configure(), executor=executor).latency == 123.0
    path = tmp_path / "kernel.c"
    path.write_text(code)
    for kernel in (path, str(path)):
        assert autocomp.evaluate(PROBLEM, kernel, config=configure(), executor=executor).latency == 123.0
    profile = autocomp.profile(PROBLEM, code, config=configure(), executor=executor)
    assert profile.timeline
    assert profile.ideal.latency == 4.0
    with pytest.raises(UsageError, match="cannot be read"):
        autocomp.evaluate(PROBLEM, tmp_path / "nosuch.c", config=configure(), executor=executor)
    assert autocomp.evaluate(PROBLEM, "", config=configure(), executor=executor).verdict.status is Status.CHECK_FAILED


def test_a_missing_store_is_not_made_by_looking(configure: Configure) -> None:
    with pytest.raises(StoreError, match="no store at"):
        autocomp.open_store(configure())
    with pytest.raises(StoreError, match="no store at"):
        autocomp.resume("last", config=configure())
