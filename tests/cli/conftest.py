"""Commands run in an empty folder, against sessions and stores made by hand."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autocomp import session
from autocomp.cli import main
from autocomp.configuration import Configuration
from autocomp.errors import UnknownRunError
from autocomp.records import Diagnostic, Evaluation, Ideal, Measurement, Status, Verdict
from autocomp.store import RunSummary, RunView
from autocomp.targets import Span

IDEAL = Ideal(320.0, "cycles", "compute", "64 x 64 x 64 products at 256 per cycle.")


def _views() -> ModuleType:
    """The hand-made runs of the report's tests."""
    path = Path(__file__).parents[1] / "report" / "conftest.py"
    spec = importlib.util.spec_from_file_location("autocomp_test_views", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["autocomp_test_views"] = module
    spec.loader.exec_module(module)
    return module


VIEWS = _views()
make_view = VIEWS.make_view


@dataclass
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Runs ``autocomp`` with the given words in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*words: object) -> Result:
        capsys.readouterr()
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Result(code, captured.out, captured.err)

    return run  # type: ignore[return-value]


class FakeStore:
    """Two runs, the second one the newest."""

    def __init__(self, view: RunView) -> None:
        self._view = view
        self.closed = False

    def runs(self) -> tuple[RunSummary, ...]:
        old = RunSummary("aaa-1", "gemm:32x32x32", "gemmini", "interrupted", 1.7e9, 0, None, None, "cycles")
        new = RunSummary(self._view.id, self._view.problem, "gemmini", "finished", 1.75e9, 5, 1000, 400, "cycles")
        return (old, new)

    def resolve(self, run: str) -> str:
        if run == "last" or self._view.id.startswith(run):
            return self._view.id
        raise UnknownRunError(f"no run {run!r}; `autocomp runs` lists them")

    def view(self, run: str) -> RunView:
        assert run == self._view.id
        return self._view

    def __enter__(self) -> FakeStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True


@pytest.fixture
def stored(make_view: Callable[..., RunView], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> RunView:
    """A project whose store holds a finished run; profiling gives a short timeline."""
    view = make_view()
    (tmp_path / ".autocomp").mkdir()
    (tmp_path / ".autocomp" / "store.sqlite").write_bytes(b"")
    monkeypatch.setattr("autocomp.cli._options.open_store", lambda _: FakeStore(view))
    monkeypatch.setattr(session, "timelines", lambda _, kernels, **__: tuple(good_profile() for _ in kernels))
    return view


def good_profile() -> session.Profile:
    measurement = Measurement(400.0, "cycles", "simulated cycles (ideal memory)", {"commands_load": 8.0})
    spans = (Span("load", 0, 200, "mvin", 3), Span("execute", 100, 400, "compute", 4))
    return session.Profile(Evaluation(Verdict(Status.PASSED), measurement, ("Loads wait.",)), spans, IDEAL)


def bad_profile() -> session.Profile:
    verdict = Verdict(
        Status.TRAPPED, "mvin reads outside A: row 70 of 64", (Diagnostic("here [bold]", 3),), "extremes/seed 3"
    )
    return session.Profile(Evaluation(verdict), (), IDEAL)


@pytest.fixture
def good() -> session.Profile:
    return good_profile()


@pytest.fixture
def bad() -> session.Profile:
    return bad_profile()


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.c"
    path.write_text("void solution(void) {\n  int x = 1;\n  mvin(A + 70, 0);\n  fence();\n}\n")
    return path


@pytest.fixture
def recorded(make_view: Callable[..., RunView], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A session that notes what it was asked and reports some progress."""
    seen: dict[str, Any] = {"view": make_view()}

    def work(listener: session.Listener | None) -> RunView:
        if listener is not None:
            for best in (None, 1000.0, 400.0):
                listener(progress(best))
        if seen.get("raise") is not None:
            raise seen["raise"]
        view: RunView = seen["view"]
        return view

    def optimize(problem: object, *, config: Configuration, listener: session.Listener | None) -> RunView:
        seen.update(problem=problem, config=config)
        return work(listener)

    def resume(run: str, *, config: Configuration, listener: session.Listener | None) -> RunView:
        seen.update(run=run, config=config)
        return work(listener)

    monkeypatch.setattr(session, "optimize", optimize)
    monkeypatch.setattr(session, "resume", resume)
    monkeypatch.setattr(session, "timelines", lambda _, kernels, **__: tuple(good_profile() for _ in kernels))
    return seen


def progress(best: float | None, phase: str = "search") -> session.Progress:
    start = None if best is None else 1000.0
    return session.Progress(
        run="20250101-120000-ab12",
        phase=phase,
        iteration=2,
        iterations=15,
        evaluations=40,
        evaluations_pending=3,
        best_latency=best,
        start_latency=start,
        ideal_latency=320.0,
        unit="cycles",
        elapsed_s=62.0,
        message="2.0.0.0 [red]passed[/red]",
    )


@pytest.fixture
def make_progress() -> Callable[..., session.Progress]:
    return progress
