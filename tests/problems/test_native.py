"""References in C: compiled for this machine, kept, and called with arrays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from autocomp.errors import ProblemError, SetupError
from autocomp.problems import native
from autocomp.problems.native import run

ADD = """
#include <stdint.h>
void add(const int32_t x[4], int32_t y[4]) { for (int i = 0; i < 4; i++) y[i] += x[i]; }
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    native._library.cache_clear()
    return tmp_path / "cache" / "autocomp" / "native"


def test_whole_numbers_wrap() -> None:
    x = np.array([1, -1, 5, 1], np.int32)
    y = np.array([2**31 - 1, -(2**31), 5, 0], np.int32)
    run(ADD, "add", [x, y])
    assert y.tolist() == [-(2**31), 2**31 - 1, 10, 1]


def test_products_are_rounded_before_they_are_added() -> None:
    source = "void f(const float *x, float *y) { y[0] = x[0] * x[1] + x[2]; }"
    x = np.array([1 + 2.0**-12, 1 + 2.0**-12, -1 - 2.0**-11], np.float32)
    y = np.zeros(1, np.float32)
    run(source, "f", [x, y])
    assert y[0] == x[0] * x[1] + x[2] == 0  # joined into one operation it would be 2**-24


def test_libraries_are_kept_and_made_again_if_damaged(own_cache: Path) -> None:
    y = np.zeros(4, np.int32)
    run(ADD, "add", [np.ones(4, np.int32), y])
    (kept,) = own_cache.iterdir()
    first = kept.stat().st_mtime_ns
    native._library.cache_clear()
    run(ADD, "add", [np.ones(4, np.int32), y])
    assert kept.stat().st_mtime_ns == first
    kept.unlink()
    kept.write_bytes(b"not a library")
    native._library.cache_clear()
    run(ADD, "add", [np.ones(4, np.int32), y])
    assert y.tolist() == [3, 3, 3, 3]
    assert list(own_cache.iterdir()) == [kept]


def test_processes_may_do_it_at_once(own_cache: Path) -> None:
    program = (
        "import numpy as np; from autocomp.problems.native import run; y = np.ones(4, np.int32); "
        f"run({ADD!r}, 'add', [y.copy(), y]); print(y.sum())"
    )
    started = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=120)[0].strip() for process in started] == ["8"] * 3
    assert len(list(own_cache.iterdir())) == 1


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    y = np.zeros(4, np.int32)
    with pytest.raises(ProblemError, match="defines no function 'sub'"):
        run(ADD, "sub", [y, y])
    with pytest.raises(ProblemError, match=r"does not compile: reference\.c:\d+:\d+: error"):
        run("void f(int *x) { x[0] = nothing; }", "f", [y])
    with pytest.raises(ProblemError, match="contiguous"):
        run(ADD, "add", [np.zeros(8, np.int32)[::2], y])
    monkeypatch.setattr(native, "_compiler", native._compiler.__wrapped__)
    monkeypatch.setattr(native.shutil, "which", lambda name: None)
    monkeypatch.setattr(native.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SetupError, match="pip install ziglang"):
        run(ADD + "//", "add", [y, y])


@pytest.mark.slow
def test_zig_compiles_where_there_is_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_compiler", native._compiler.__wrapped__)
    monkeypatch.setattr(native.shutil, "which", lambda name: None)
    y = np.full(4, 2**31 - 1, np.int32)
    run(ADD, "add", [np.ones(4, np.int32), y])
    assert y.tolist() == [-(2**31)] * 4
