"""A small run of the real thing: offline proposer, compiler, simulator, worker processes."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from autocomp.records import Status
from autocomp.store import Store, kinds

from .conftest import shape
from .killing import events, kill_repeatedly

pytest.importorskip("autocomp.targets.gemmini._simulator")


def start(store: Path, *, resume: bool) -> subprocess.Popen[bytes]:
    call = "resume('last'" if resume else "optimize('gemm:64x64x64'"
    program = textwrap.dedent(f"""
        import autocomp
        config = autocomp.load_configuration(overrides={{
            "run.store": {str(store)!r}, "search.beam": 2, "search.plans": 4, "search.iterations": 3,
            "evaluate.workers": 2,
        }})
        autocomp.{call}, config=config, listener=lambda progress: print(progress.message, flush=True))
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.mark.slow
def test_an_interrupted_run_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    views, counts = [], []
    for kills in (0, 3):
        path = tmp_path / f"{kills}.sqlite"
        if kills:
            lengths = kill_repeatedly(start, path, kills=kills, length=events(tmp_path / "0.sqlite"), seed=20240613)
            assert len(lengths) == kills
        with start(path, resume=kills > 0) as process:
            assert process.communicate() is not None
            assert process.returncode == 0
        with Store(path) as store:
            views.append(store.view("last"))
            stored = store.events(views[-1].id)
            counts.append(sum(event.kind == kinds.EVALUATED for event in stored))
        assert sum(event.kind == kinds.RESUMED for event in stored) == kills
    assert shape(views[0]) == shape(views[1])
    assert counts[0] == counts[1]
    view = views[1]
    assert view.confirmed
    assert view.best.evaluation is not None
    assert view.best.evaluation.latency < view.start.evaluation.latency  # type: ignore[operator, union-attr]
    assert view.best.evaluation.latency >= view.ideal.latency  # type: ignore[operator]
    assert {rival.evaluation.verdict.status for rival in view.rivals} == {Status.PASSED}
