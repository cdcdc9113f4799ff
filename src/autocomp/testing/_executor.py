"""What every executor must do."""

from __future__ import annotations

from collections.abc import Callable

from autocomp.errors import AutocompError, UnknownTargetError, UsageError
from autocomp.evaluate import Executor, Job, Limits, Outcome, plan_evaluation
from autocomp.problems import load
from autocomp.records import Status


def check_executor(make: Callable[[], Executor], *, protects: bool = True) -> None:
    """Run good and bad kernels of the null target.

    With ``protects`` also some that take their process down or never end. Raises AssertionError with what the executor
    does not do.
    """
    executor = make()
    try:
        assert executor.workers >= 1, "an executor has a worker"
        _check_verdicts(executor)
        _check_set_up(executor)
        if protects:
            _check_protection(executor)
    finally:
        executor.close()
        executor.close()


def _job(directive: str, *, target: str = "null", time_s: float = 60.0, **settings: object) -> Job:
    problem = load("gemm:16x16x16")
    plan = plan_evaluation(problem.distributions, (1,), (2,))
    return Job(
        f"// null: latency=7\n// null: {directive}\n", problem, target, settings, plan, Limits(time_s, 2048 << 20), True
    )


def _status(outcome: Outcome) -> Status:
    return outcome.evaluation.verdict.status


def _check_verdicts(executor: Executor) -> None:
    wanted = {"none": Status.PASSED, "wrong=1": Status.WRONG_VALUE, "broken": Status.BUILD_FAILED}
    futures = {directive: executor.submit(_job(directive)) for directive in [*wanted] * 2}
    for directive, future in futures.items():
        outcome = future.result()
        assert _status(outcome) is wanted[directive], f"'{directive}' leads to {wanted[directive]}"
        assert outcome.repeatable, "such a result holds on any machine"
    outcome = executor.submit(_job("none")).result()
    assert outcome.evaluation.latency == 7.0, "the measurement comes back"
    assert outcome.timeline, "the timeline comes back"


def _check_set_up(executor: Executor) -> None:
    wanted: dict[type[AutocompError], Job] = {
        UnknownTargetError: _job("none", target="nosuch"),
        UsageError: _job("none", nosuch=1),
    }
    for kind, job in wanted.items():
        try:
            executor.submit(job).result()
        except kind:
            continue
        raise AssertionError(f"what is wrong with the set-up is raised as it is, here {kind.__name__}")


def _check_protection(executor: Executor) -> None:
    assert _status(executor.submit(_job("exit=0")).result()) is Status.CRASHED, "a process that ends is a crash"
    hung = executor.submit(_job("hang", time_s=1.0)).result()
    assert _status(hung) is Status.TIMED_OUT, "a job over its time is killed"
    assert not hung.repeatable, "a time on this machine's clock says nothing about others"
    assert _status(executor.submit(_job("none")).result()) is Status.PASSED, "the executor works on afterwards"
