"""Commands in odd surroundings: closed streams, terminals without Unicode, a folder that is gone, being told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

AUTOCOMP = [sys.executable, "-m", "autocomp_launcher"]


def shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    line = command.replace("autocomp", f"'{sys.executable}' -m autocomp_launcher")
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("closing", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams(tmp_path: Path, closing: str) -> None:
    assert shell(f"autocomp show last {closing}", tmp_path).returncode == 6, "there is no store here"
    assert shell(f"autocomp problems {closing}", tmp_path).returncode == 0


def test_a_terminal_without_unicode(tmp_path: Path) -> None:
    done = shell("autocomp problems", tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "gemm:512x512x512" in done.stdout


def test_a_current_directory_that_is_gone(tmp_path: Path) -> None:
    done = shell("mkdir gone; cd gone; rmdir ../gone; autocomp runs", tmp_path)
    assert done.returncode == 2
    assert "the current directory no longer exists" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_can_be_resumed(tmp_path: Path, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*AUTOCOMP, "optimize", "gemm:64x64x64"], cwd=tmp_path, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stderr is not None
    while "search" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(0.2)
    process.send_signal(number)
    _, messages = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "autocomp resume gemm-64x64x64-1" in messages
