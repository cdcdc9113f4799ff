"""Live progress on standard error: a panel in a terminal, a line per event elsewhere, nothing for ``--quiet``."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from autocomp.report import latency_text, share_text, speedup_text
from autocomp.session import Listener, Progress

LINE_INTERVAL_S = 10.0
"""At most so long without a line where there is no terminal to redraw."""


@dataclass
class Latest:
    """The newest state of a run, for whoever has to say something about it after it stopped."""

    progress: Progress | None = None


@contextmanager
def shown(console: Console, title: str, latest: Latest, *, quiet: bool) -> Iterator[Listener]:
    """A listener that shows the progress of ``title`` while the block runs and keeps it in ``latest``."""
    if quiet:
        yield _Keeper(latest)
    elif console.is_terminal and not console.is_dumb_terminal:
        panel = _Panel(title, latest)
        with Live(panel, console=console, refresh_per_second=8, transient=True):
            yield panel
    else:
        yield _Lines(console, title, latest)


class _Keeper:
    """Remembers only."""

    def __init__(self, latest: Latest) -> None:
        self._latest = latest

    def __call__(self, progress: Progress) -> None:
        self._latest.progress = progress


class _Panel:
    """Drawn by rich whenever it refreshes; a call only swaps the value, so it never holds up the search."""

    def __init__(self, title: str, latest: Latest) -> None:
        self._title = title
        self._latest = latest
        self._spinner = Spinner("dots")
        self._begun = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        self._latest.progress = progress

    def __rich__(self) -> RenderableType:
        progress = self._latest.progress
        head = Table.grid(padding=(0, 1))
        if progress is None:
            head.add_row(self._spinner, Text(f"{self._title}: preparing", style="bold"))
            return head
        seconds = max(progress.elapsed_s, time.monotonic() - self._begun)
        head.add_row(self._spinner, Text(self._title, style="bold"), Text(f"run {progress.run}", style="dim"))
        work = Table.grid(padding=(0, 2))
        done = min(progress.iteration, progress.iterations)
        bar = ProgressBar(total=max(progress.iterations, 1), completed=done, width=24)
        work.add_row(
            Text(f"  {progress.phase}"),
            bar,
            Text(f"iteration {progress.iteration}/{progress.iterations}"),
            Text(f"{progress.evaluations} evaluated, {progress.evaluations_pending} pending"),
            Text(_clock(seconds), style="dim"),
        )
        rows: list[RenderableType] = [head, work, Text("  ").append(best_text(progress))]
        if progress.message:
            rows.append(Text(f"  {progress.message}", style="dim", no_wrap=True, overflow="ellipsis"))
        return Group(*rows)


class _Lines:
    """A line when the iteration or best changes, and one now and then in between."""

    def __init__(self, console: Console, title: str, latest: Latest) -> None:
        self._console = console
        self._title = title
        self._latest = latest
        self._shown: tuple[object, ...] = ()
        self._time = 0.0
        self._lock = threading.Lock()

    def __call__(self, progress: Progress) -> None:
        with self._lock:
            before = self._latest.progress
            self._latest.progress = progress
            if before is None:
                self._print(f"{self._title}: run {progress.run}")
            # The search confirms after every iteration; that change of phase says nothing new.
            outside = progress.phase if progress.phase in ("start", "finished") else ""
            state = (outside, progress.iteration, progress.best_latency)
            now = time.monotonic()
            if state != self._shown or now - self._time > LINE_INTERVAL_S:
                self._shown, self._time = state, now
                words = [
                    f"{_clock(progress.elapsed_s)} {progress.phase}",
                    f"iteration {progress.iteration}/{progress.iterations}",
                    f"{progress.evaluations} evaluated",
                    best_text(progress).plain,
                ]
                self._print("  ".join(words))

    def _print(self, words: str) -> None:
        self._console.print(Text(words), soft_wrap=True)


def best_text(progress: Progress) -> Text:
    """The best so far, how much faster than the start and how close to the ideal."""
    best = progress.best_latency
    if best is None:
        return Text("nothing measured yet", style="dim")
    words = Text("best ").append(latency_text(best, progress.unit), style="bold green")
    if progress.start_latency and best:
        words.append(f"  {speedup_text(progress.start_latency / best)} over start")
    if best:
        words.append(f"  {share_text(progress.ideal_latency / best)} of ideal")
    return words


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
