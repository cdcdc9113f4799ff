"""Programs within a time limit, of which nothing is left."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from autocomp.problems._process import run_program

# A grandchild that would hold a pipe open for a minute, and writes down its number.
_STARTS_ANOTHER = """
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
pathlib.Path("pid").write_text(str(child.pid))
print("so far", flush=True)
time.sleep(%d)
"""


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see whether a process is still there")
@pytest.mark.parametrize(("sleeps", "status"), [(60, None), (0, 0)])
def test_what_it_has_started_ends_with_it(tmp_path: Path, sleeps: int, status: int | None) -> None:
    begin = time.monotonic()
    command = [sys.executable, "-c", _STARTS_ANOTHER % sleeps]
    finished = run_program(command, seconds=3.0 if sleeps else 50.0, directory=tmp_path)
    assert time.monotonic() - begin < 30
    assert (finished.status, finished.output) == (status, "so far\n")
    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while _is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(pid)


def test_both_streams_and_the_status(tmp_path: Path) -> None:
    code = "import sys; print('out', flush=True); print(b'\\xff'.decode('latin1'), file=sys.stderr); sys.exit(3)"
    finished = run_program([sys.executable, "-X", "utf8=0", "-c", code], seconds=50.0, directory=tmp_path)
    assert finished.status == 3
    assert finished.output.startswith("out\n")
    with pytest.raises(OSError, match="nowhere"):
        run_program(["/nowhere/program"], seconds=1.0)
