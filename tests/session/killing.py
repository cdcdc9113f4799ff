"""Kill a run at random instants, for certain: only what hit a process at work counts."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from autocomp.store import kinds

Start = Callable[..., "subprocess.Popen[bytes]"]

_ATTEMPTS = 5


def query(path: Path, statement: str, *values: str) -> int:
    """A number from the store, without going through ours; 0 while there is none."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as connection:
        try:
            return int(connection.execute(statement, values).fetchone()[0])
        except sqlite3.OperationalError:  # the table is not there yet
            return 0


def events(path: Path) -> int:
    return query(path, "SELECT count(*) FROM events")


def finished(path: Path) -> bool:
    return bool(query(path, "SELECT count(*) FROM events WHERE kind = ?", kinds.FINISHED))


def kill_repeatedly(start: Start, path: Path, *, kills: int, length: int, seed: int) -> list[int]:
    """Start a run in the store at ``path`` and kill it ``kills`` times with SIGKILL, resuming it in between.

    ``length`` is how many events an undisturbed run has. Returns how many there were after each kill. A kill counts if
    the process was alive, ended by it, and the run was begun and not finished; a run that got to its end first is
    thrown away and begun anew.
    """
    draw = random.Random(seed)
    for _ in range(_ATTEMPTS):
        lengths: list[int] = []
        while len(lengths) < kills:
            _kill_once(start, path, draw, resume=bool(lengths), within=max(1, length // (kills + 2)))
            with closing(sqlite3.connect(path)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            if finished(path):
                break
            lengths.append(events(path))
        if len(lengths) == kills:
            return lengths
        for file in path.parent.glob(f"{path.name}*"):
            if file.is_file():
                file.unlink()
    raise AssertionError(f"the run ended before it was killed {kills} times, {_ATTEMPTS} times")


def _kill_once(start: Start, path: Path, draw: random.Random, *, resume: bool, within: int) -> None:
    with start(path, resume=resume) as process:
        wanted = events(path) + draw.randint(1, within)
        while process.poll() is None and events(path) < wanted:
            time.sleep(0.001)
        time.sleep(draw.uniform(0.0, 0.01))
        process.send_signal(signal.SIGKILL)
        code = process.wait()
    assert code == -signal.SIGKILL or (code == 0 and finished(path)), f"the run failed by itself: {code}"
