"""Nothing paid for is lost: interrupted at any instant, a run ends where an undisturbed one ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import autocomp
from autocomp.errors import ProblemError, StoreError, UnknownRunError
from autocomp.evaluate import InlineExecutor
from autocomp.records import Event
from autocomp.store import RunView, Store, kinds
from autocomp.testing import ScriptedProposer

from .conftest import Configure, shape
from .killing import events, kill_repeatedly

PROBLEM = "gemm:16x16x16"
KILLS = 10


class Dies(BaseException):
    """Stands for the end of the process: nobody catches it."""


@pytest.fixture
def dying_store(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, bool], None]:
    """After ``count`` appended events, before or after the last one is stored, the process is as good as dead."""
    original = Store.append

    def arm(count: int, after: bool) -> None:
        left = count

        def append(self: Store, *arguments: object, **keywords: object) -> None:
            nonlocal left
            left -= 1
            if left < 0 or (left == 0 and not after):
                raise Dies
            original(self, *arguments, **keywords)  # type: ignore[arg-type]
            if left == 0:
                raise Dies

        monkeypatch.setattr(Store, "append", append)

    yield arm
    monkeypatch.setattr(Store, "append", original)


def run_events(config: autocomp.Configuration, run: str) -> tuple[Event, ...]:
    with autocomp.open_store(config) as store:
        return store.events(run)


def test_dying_at_any_event(configure: Configure, dying_store, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    small = {"search__beam": 2, "search__plans": 2, "search__iterations": 2, "evaluate__cache": False}
    whole = autocomp.optimize(PROBLEM, config=configure(**small), executor=InlineExecutor())
    stored = run_events(configure(), whole.id)
    original = Store.append
    for count in range(2, len(stored)):
        dying_store(count, count % 2 == 0)
        with pytest.raises(Dies):
            autocomp.optimize(PROBLEM, config=configure(**small), executor=InlineExecutor())
        monkeypatch.setattr(Store, "append", original)
        view = autocomp.resume("last", config=configure(), executor=InlineExecutor())
        assert shape(view) == shape(whole), f"killed at event {count}"
        again = [event for event in run_events(configure(), view.id) if event.kind != kinds.RESUMED]
        assert sorted((event.kind, event.key) for event in again) == sorted((event.kind, event.key) for event in stored)


def start(store: Path, *, resume: bool) -> subprocess.Popen[bytes]:
    call = "resume('last'" if resume else f"optimize({PROBLEM!r}"
    program = textwrap.dedent(f"""
        import autocomp
        from autocomp.testing import ScriptedProposer
        config = autocomp.load_configuration(overrides={{
            "run.target": "null", "run.store": {str(store)!r}, "targets.null.sleep_s": 0.002,
            "search.beam": 3, "search.plans": 3, "search.implementations": 2, "search.iterations": 12,
            "search.patience": 0, "evaluate.workers": 2,
        }})
        print("ready", flush=True)
        view = autocomp.{call}, config=config, proposer=ScriptedProposer(0.005))
        print(view.status, flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.mark.slow
def test_sigkill_at_ten_random_instants(tmp_path: Path) -> None:
    undisturbed, disturbed = tmp_path / "undisturbed.sqlite", tmp_path / "disturbed.sqlite"
    with start(undisturbed, resume=False) as process:
        assert process.wait() == 0
    lengths = kill_repeatedly(start, disturbed, kills=KILLS, length=events(undisturbed), seed=20240613)
    assert len(lengths) == KILLS
    with start(disturbed, resume=True) as process:
        assert process.wait() == 0
    views: list[RunView] = []
    counts = []
    for path in (undisturbed, disturbed):
        with Store(path) as store:
            views.append(store.view("last"))
            stored = store.events(views[-1].id)
            counts.append(sum(event.kind == kinds.EVALUATED for event in stored))
    assert sum(event.kind == kinds.RESUMED for event in stored) == KILLS
    assert shape(views[0]) == shape(views[1]), f"killed after {lengths} events"
    assert counts[0] == counts[1]


def test_ctrl_c_leaves_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with start(path, resume=False) as process:
        while events(path) < 10:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        # A Python program that KeyboardInterrupt ends tells its parent so by ending with the signal.
        assert process.wait(timeout=120) == -signal.SIGINT
    with Store(path) as store:
        view_status = store.runs()[0].status
        last = store.events(store.resolve("last"))[-1]
    assert (view_status, last.kind) == ("interrupted", kinds.INTERRUPTED)
    with start(path, resume=True) as process:
        assert process.wait() == 0
    with Store(path) as store:
        assert store.view("last").status == "finished"


def test_a_finished_run_is_returned_as_it_is(configure: Configure) -> None:
    executor = InlineExecutor()
    view = autocomp.optimize(PROBLEM, config=configure(), executor=executor)
    assert autocomp.resume(view.id, config=configure()) == view
    assert autocomp.resume("last", config=configure()) == view


def test_only_one_process_works_on_a_run(configure: Configure) -> None:
    seen: list[BaseException] = []

    def listener(progress: autocomp.Progress) -> None:
        if progress.phase == "search" and not seen:
            with autocomp.open_store(configure()) as store:
                assert store.runs()[0].status == "running"
                assert store.view("last").status == "running"
            try:
                autocomp.resume("last", config=configure())
            except StoreError as error:
                seen.append(error)

    autocomp.optimize(PROBLEM, config=configure(), executor=InlineExecutor(), listener=listener)
    assert "another process" in str(seen[0])


@pytest.fixture
def interrupted(configure: Configure, dying_store, monkeypatch: pytest.MonkeyPatch) -> str:  # type: ignore[no-untyped-def]
    original = Store.append
    dying_store(12, True)
    with pytest.raises(Dies):
        autocomp.optimize(PROBLEM, config=configure(), executor=InlineExecutor())
    monkeypatch.setattr(Store, "append", original)
    with autocomp.open_store(configure()) as store:
        return store.resolve("last")


def test_what_a_run_needs_must_be_unchanged(
    configure: Configure, interrupted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other(ScriptedProposer):
        name = "other"

    with pytest.raises(StoreError, match="was made with proposer 'scripted', not 'other'"):
        autocomp.resume(interrupted, config=configure(), proposer=Other())
    with monkeypatch.context() as patch:
        patch.setattr("autocomp.targets.null.NullTarget.fingerprint", lambda self: "newer toolchain")
        with pytest.raises(StoreError, match="another configuration or toolchain of target null"):
            autocomp.resume(interrupted, config=configure())
    with monkeypatch.context() as patch:
        patch.setattr("autocomp.session._composition.load", lambda name: autocomp.load_problem("gemm:32x16x16"))
        with pytest.raises(ProblemError, match="has changed since the run began"):
            autocomp.resume(interrupted, config=configure())
    with pytest.raises(UnknownRunError):
        autocomp.resume("nosuch", config=configure())
    assert autocomp.resume(interrupted, config=configure(), executor=InlineExecutor()).status == "finished"


def test_pauses_do_not_count_as_work(configure: Configure, interrupted: str) -> None:
    time.sleep(1.2)
    view = autocomp.resume(interrupted, config=configure(), executor=InlineExecutor())
    assert view.duration_s < time.time() - view.started_s - 1.0


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="asks /proc how processes are, which this system does not have"
)
def test_no_worker_is_left_behind(tmp_path: Path) -> None:
    with start(tmp_path / "store.sqlite", resume=False) as process:
        children: list[int] = []
        while not children:
            listing = Path(f"/proc/{process.pid}/task").glob("*/children")
            children = [int(pid) for path in listing for pid in path.read_text().split()]
            time.sleep(0.02)
        process.kill()
        process.wait()
    end = time.monotonic() + 10
    while any(_running(pid) for pid in children) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(_running(pid) for pid in children)


def _running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
