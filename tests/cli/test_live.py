import io
from collections.abc import Callable

from rich.console import Console

from autocomp.cli._live import Latest, shown
from autocomp.session import Progress


def test_terminal_shows_where_it_stands_and_cleans_up(make_progress: Callable[..., Progress]) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)
    latest = Latest()
    with shown(console, "gemm:64x64x64", latest, quiet=False) as listener:
        console.print(listener)  # type: ignore[arg-type]
        listener(make_progress(400.0))
        console.print(listener)  # type: ignore[arg-type]
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "gemm:64x64x64: preparing" in text
    assert "best 400 cycles  2.50× over start  80.0 % of ideal" in text
    assert "40 evaluated, 3 pending" in text
    assert "2.0.0.0 [red]passed[/red]" in text  # never read as mark-up
    assert latest.progress is not None


def test_lines_only_when_something_changed(make_progress: Callable[..., Progress]) -> None:
    console = Console(file=io.StringIO(), width=200)
    with shown(console, "p", Latest(), quiet=False) as listener:
        for best in (500.0, 500.0, 500.0, 400.0):
            listener(make_progress(best))
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 3
    assert lines[0] == "p: run 20250101-120000-ab12"
    assert "1:02 search" in lines[1]


def test_quiet_still_remembers(make_progress: Callable[..., Progress]) -> None:
    console = Console(file=io.StringIO())
    latest = Latest()
    with shown(console, "p", latest, quiet=True) as listener:
        listener(make_progress(None))
    assert console.file.getvalue() == ""  # type: ignore[attr-defined]
    assert latest.progress is not None
    assert latest.progress.evaluations == 40
