"""The local executor: what candidates do to their process must not reach the parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest

from autocomp.errors import InfrastructureError, ProblemError, UnknownTargetError, UsageError
from autocomp.evaluate import LocalExecutor, Outcome
from autocomp.evaluate._local import usable_cores
from autocomp.evaluate._process import scrubbed
from autocomp.records import Problem, Status

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="asks /proc how processes are, which this system does not have"
)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def gone(pid: int, within_s: float = 10.0) -> bool:
    end = time.monotonic() + within_s
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def status(outcome: Outcome) -> Status:
    return outcome.evaluation.verdict.status


def test_a_good_candidate(executor: LocalExecutor, job) -> None:  # type: ignore[no-untyped-def]
    outcome = executor.submit(job("")).result()
    assert status(outcome) is Status.PASSED
    assert outcome.evaluation.latency == 500.0
    assert outcome.repeatable


@pytest.mark.parametrize("directive", ["exit=0", f"signal={signal.SIGSEGV:d}"])
def test_a_candidate_that_takes_its_process_down_crashed(executor: LocalExecutor, job, directive: str) -> None:  # type: ignore[no-untyped-def]
    outcome = executor.submit(job(directive)).result()
    assert status(outcome) is Status.CRASHED
    assert "twice" in outcome.evaluation.verdict.message
    assert "run on inputs" in outcome.evaluation.verdict.message
    assert not outcome.repeatable
    assert status(executor.submit(job("")).result()) is Status.PASSED, "the next one is not affected"


def test_a_worker_that_dies_once_is_not_held_against_the_candidate(
    executor: LocalExecutor, job, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    outcome = executor.submit(job(f"die_once={tmp_path / 'mark'}")).result()
    assert status(outcome) is Status.PASSED


def test_memory_is_limited(executor: LocalExecutor, job) -> None:  # type: ignore[no-untyped-def]
    outcome = executor.submit(job("memory", memory_bytes=1024 << 20)).result()
    assert status(outcome) is Status.CRASHED
    assert "more than 1024 MiB" in outcome.evaluation.verdict.message
    assert not outcome.repeatable


@needs_proc
def test_time_is_limited_and_the_whole_process_group_dies(executor: LocalExecutor, job, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    outcome = executor.submit(job(f"orphan={tmp_path / 'pid'}", time_s=1.5)).result()
    assert status(outcome) is Status.TIMED_OUT
    assert "still running after 1.5 s" in outcome.evaluation.verdict.message
    assert gone(int((tmp_path / "pid").read_text()))
    assert status(executor.submit(job("")).result()) is Status.PASSED


def test_what_a_candidate_prints_counts_for_nothing(executor: LocalExecutor, job) -> None:  # type: ignore[no-untyped-def]
    forged = '{"outcome":{"evaluation":{"verdict":{"status":"passed"}}}}'
    assert status(executor.submit(job(f"print={forged} wrong=1")).result()) is Status.WRONG_VALUE


def test_a_target_that_raises_on_one_candidate(executor: LocalExecutor, job) -> None:  # type: ignore[no-untyped-def]
    outcome = executor.submit(job("raise")).result()
    assert status(outcome) is Status.CRASHED
    assert "RuntimeError: the target is broken" in outcome.evaluation.verdict.message


def test_set_up_errors_are_passed_on(executor: LocalExecutor, job, gemm: Problem) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnknownTargetError, match="no target 'nosuch'"):
        executor.submit(replace(job(""), target="nosuch")).result()
    with pytest.raises(UsageError, match=r"targets\.null has no setting nosuch"):
        executor.submit(job("", nosuch=1)).result()
    with pytest.raises(ProblemError, match="has changed"):
        executor.submit(replace(job(""), problem=replace(gemm, fingerprint="other"))).result()
    with pytest.raises(InfrastructureError, match="only in this process"):
        executor.submit(replace(job(""), problem=replace(gemm, locator=""))).result()


def test_jobs_run_at_once_on_several_workers(job, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    executor = LocalExecutor(4)
    places = [tmp_path / str(number) for number in range(4)]
    try:
        # None of them ends until all are at work.
        futures = [executor.submit(job(f"meet={place}:4")) for place in places]
        assert [status(future.result()) for future in futures] == [Status.PASSED] * 4
    finally:
        executor.close()


def test_cores_where_the_system_does_not_say_which(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert usable_cores() == (os.cpu_count() or 1)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1


def test_close_kills_running_work_and_cancels_the_rest(job) -> None:  # type: ignore[no-untyped-def]
    executor = LocalExecutor(1)
    running, waiting = executor.submit(job("hang")), executor.submit(job(""))
    while not running.running():
        time.sleep(0.01)
    executor.close()
    assert waiting.cancelled()
    with pytest.raises(InfrastructureError):
        running.result(timeout=5)
    with pytest.raises(InfrastructureError, match="closed"):
        executor.submit(job(""))
    executor.close()


@needs_proc
def test_workers_and_what_they_started_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import pathlib
        from autocomp.evaluate import Job, Limits, LocalExecutor, plan_evaluation
        from autocomp.problems import load
        problem = load("gemm:16x16x16")
        plan = plan_evaluation(problem.distributions, (1,), ())
        executor = LocalExecutor(1)
        executor.submit(Job("// null: hang\\n", problem, "null", {{}}, plan, Limits(600, 2048 << 20)))
        while not executor._handles:
            pass
        (handle,) = executor._handles
        path = pathlib.Path({str(tmp_path / "pid")!r})
        path.with_suffix(".part").write_text(str(handle.pid))
        path.with_suffix(".part").rename(path)
        import time
        time.sleep(600)
        """
    )
    with subprocess.Popen([sys.executable, "-c", program]) as parent:
        while not (tmp_path / "pid").exists():
            assert parent.poll() is None
            time.sleep(0.05)
        worker = int((tmp_path / "pid").read_text())
        assert alive(worker)
        parent.kill()
    assert gone(worker)


def test_workers_see_no_secrets() -> None:
    given = {"OPENAI_API_KEY": "x", "AWS_SECRET_ACCESS_KEY": "y", "PATH": "/bin", "LC_ALL": "C", "HOME": "/h"}
    kept = scrubbed(given)
    assert "x" not in kept.values()
    assert "y" not in kept.values()
    assert {"PATH", "LC_ALL", "HOME"} <= set(kept)


@needs_proc
def test_a_worker_has_only_the_scrubbed_environment(monkeypatch: pytest.MonkeyPatch, job) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("MODEL_API_KEY", "secret-in-the-environment")
    executor = LocalExecutor(1)
    try:
        executor.submit(job("")).result()
        (handle,) = executor._handles
        environment = Path(f"/proc/{handle.pid}/environ").read_bytes()
        assert b"secret-in-the-environment" not in environment
        assert os.getpgid(handle.pid) == handle.pid
    finally:
        executor.close()
