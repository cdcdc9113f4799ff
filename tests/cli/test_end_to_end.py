"""What can go wrong, on the real target: each case ends in one message that says what to do, and its exit code."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autocomp.store import Store

pytestmark = pytest.mark.slow

WITHOUT_COMPILER = "import sys; sys.modules['ziglang'] = None; from autocomp.cli import main; sys.exit(main())"
COMMAND = [sys.executable, "-c", "import sys; from autocomp.cli import main; sys.exit(main())"]
SHORT = ("--iterations", "2", "--max-evaluations", "16", "--workers", "2")

Spoil = Callable[..., Path]


@pytest.fixture
def spoil(cli: Any, tmp_path: Path) -> Spoil:
    """Makes a problem folder of which one file has ``old`` replaced by ``new``, and endless loops end early."""

    def make(old: str, new: str, file: str = "start.c", like: str = "gemm:16x16x16") -> Path:
        limits = "[evaluate]\ntime_limit_s = 20.0\n"
        (tmp_path / "autocomp.toml").write_text(limits)
        assert cli("init", "own", "--like", like).code == 0
        path = tmp_path / "own" / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return path

    return make


def line_of(path: Path, words: str) -> int:
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if words in line)


BAD_KERNELS = {
    "wrong value": (
        "config_ld(16, 1.0f, 16, 0)",
        "config_ld(16, 2.0f, 16, 0)",
        "wrong_value",
        r"C\[0, 0\] is .*expected",
    ),
    "unwritten": ("mvout(&C[i][j + c * 16]", "if (i > 99) mvout(&C[i][j + c * 16]", "not_written", "C"),
    "does not compile": ("fence();", "fence() oops;", "build_failed", "line {}: .*expected ';'"),
    "unknown name": ("mvout(&C[i]", "mvout(&D[i]", "build_failed", "line {}.*D"),
    "loops for ever": ("fence();", "for (volatile int x = 1; x;) {}", "timed_out", "line {}: limit of .* reached"),
    "writes outside by command": ("mvout(&C[i]", "mvout(&C[i + 1]", "trapped", "line {}.*write of 16 bytes.*outside"),
    "writes outside by the core": ("fence();", "fence(); C[99][0] = 1;", "trapped", "line {}.*write of .*outside"),
    "too few arguments": (", int8_t C[16][16])", ")", "check_failed", "takes 2 parameters.* passes 3: A, B, C"),
    "no such function": ("void solution(", "void answer(", "check_failed", "does not define a function 'solution'"),
}


@pytest.mark.parametrize("case", BAD_KERNELS)
def test_a_bad_start_kernel(cli: Any, spoil: Spoil, case: str) -> None:
    old, new, verdict, words = BAD_KERNELS[case]
    path = spoil(old, new)
    pattern = words.format(line_of(path, new))

    refused = cli("optimize", "./own", "--no-report", "--quiet", "--json", "--workers", "1")
    assert (refused.code, refused.out) == (5, "")
    assert f"start kernel does not pass the checks of its own problem: {verdict}: " in refused.err
    assert re.search(pattern, refused.err), refused.err

    judged = cli("evaluate", "./own", path, "--json")
    value = json.loads(judged.out)
    assert (judged.code, value["verdict"], value["latency_cycles"]) == (10, verdict, None)
    if verdict in ("build_failed", "timed_out", "trapped"):
        assert value["diagnostics"][0]["line"] == line_of(path, new)
    assert cli("runs", "--json").code == 0


def test_arrays_declared_with_another_shape(cli: Any, spoil: Spoil) -> None:
    spoil("A[32][32]", "A[32][48]", like="gemm:32x16x32")
    refused = cli("optimize", "./own", "--no-report", "--quiet", "--json", "--workers", "1")
    assert (refused.code, refused.out) == (5, "")
    assert re.search(r"outside every array|expected", refused.err), refused.err


BAD_PROBLEMS = {
    "not TOML": ("problem.toml", "[dimensions]", "[dimensions", r"problem.toml: .*line \d+"),
    "unknown dtype": ("problem.toml", 'dtype = "int8"', 'dtype = "int9"', r"arguments\[0\].dtype = 'int9'.*'int8'"),
    "unknown dimension": ("problem.toml", '["M", "K"]', '["M", "Q"]', r"arguments\[0\].shape\[1\] = 'Q'.*M, N, K"),
    "misspelt key": ("problem.toml", "operator =", "operater =", "operater.*operator"),
    "reference of another shape": ("reference.py", "return {", "return {'D': 0, ", "reference.py.*D"),
    "reference that fails": ("reference.py", "return {", "raise ValueError('oh') or {", r"reference.py.*line \d+.*oh"),
}


@pytest.mark.parametrize("case", BAD_PROBLEMS)
def test_a_malformed_problem(cli: Any, spoil: Spoil, case: str) -> None:
    file, old, new, words = BAD_PROBLEMS[case]
    spoil(old, new, file)
    for command in (("optimize", "./own"), ("evaluate", "./own", "own/start.c"), ("problems", "./own")):
        result = cli(*command, "--json")
        assert (result.code, result.out) == (4, ""), command
        assert re.search(words, result.err, re.DOTALL), result.err


def test_a_problem_without_its_files(cli: Any, tmp_path: Path) -> None:
    cli("init", "own")
    (tmp_path / "own" / "start.c").unlink()
    result = cli("optimize", "./own", "--json")
    assert (result.code, result.out) == (4, "")
    assert "start.c" in result.err
    assert cli("optimize", "./nowhere", "--json").code == 4


def test_an_unknown_target(cli: Any, kernel: Path) -> None:
    for command in (("optimize", "gemm:16x16x16"), ("evaluate", "gemm:16x16x16", kernel)):
        result = cli(*command, "--target", "nope", "--json")
        assert (result.code, result.out) == (3, ""), command
        assert "no target 'nope'; installed are: gemmini" in result.err


@pytest.mark.parametrize("command", ["optimize gemm:16x16x16", "evaluate gemm:16x16x16 kernel.c", "doctor gemmini"])
def test_no_compiler_at_all(command: str, tmp_path: Path, kernel: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILER, *command.split(), "--json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": ""},
        check=False,
    )
    assert done.returncode == 3
    assert "pip install ziglang" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == "" or json.loads(done.stdout)["ok"] is False


def test_places_that_cannot_be_written(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    places = [tmp_path / "file"]
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    if not os.access(closed, os.W_OK):  # the superuser may write everywhere
        places.append(closed)
    if Path("/proc/self").exists():
        places.append(Path("/proc"))
    for place in places:
        result = cli("optimize", "gemm:16x16x16", *SHORT, "--json", "--store", place / "folder" / "store.sqlite")
        assert (result.code, result.out) == (6, ""), place
        assert str(place) in result.err
    done = cli("optimize", "gemm:16x16x16", *SHORT, "--json", "--quiet", "--store", "s.sqlite", "--no-report")
    assert done.code == 0
    for place in places:
        written = cli("report", "--no-timelines", "--store", "s.sqlite", "-o", place / "folder" / "r.html")
        assert (written.code, written.out) == (2, ""), place
        assert str(place) in written.err
        assert cli("export", "--store", "s.sqlite", "-o", place / "folder" / "k.c").code == 2


def undisturbed(cli: Any) -> dict[str, Any]:
    result = cli("optimize", "gemm:32x32x32", *SHORT, "--json", "--no-report", "--quiet", "--store", "other.sqlite")
    assert result.code == 0, result.err
    value: dict[str, Any] = json.loads(result.out)
    return value


def same_end(run: dict[str, Any], other: dict[str, Any]) -> bool:
    return (run["best"]["digest"], run["steps"], run["evaluations"]) == (
        other["best"]["digest"],
        other["steps"],
        other["evaluations"],
    )


def test_a_disk_that_fills_up_loses_nothing(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Store.__init__

    def opened_on_a_small_disk(self: Store, *arguments: Any, **options: Any) -> None:
        opened(self, *arguments, **options)
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        self._connection.execute(f"PRAGMA max_page_count = {pages + 12}")

    monkeypatch.setattr(Store, "__init__", opened_on_a_small_disk)
    stopped = cli("optimize", "gemm:32x32x32", *SHORT, "--json", "--no-report", "--quiet")
    assert (stopped.code, stopped.out) == (6, "")
    assert "the disk is full; free some space and resume the run" in stopped.err
    monkeypatch.setattr(Store, "__init__", opened)
    resumed = cli("resume", "last", "--json", "--no-report", "--quiet")
    assert resumed.code == 0, resumed.err
    assert same_end(json.loads(resumed.out), undisturbed(cli))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_for_which_there_is_no_room(cli: Any) -> None:
    result = cli("optimize", "gemm:16x16x16", *SHORT, "--json", "--quiet", "--report", "/dev/full")
    assert result.code == 0
    assert json.loads(result.out)["report"] is None
    assert "No space left" in result.err
    assert cli("report", "--no-timelines", "-o", "/dev/full").code == 7


def test_ctrl_c_leaves_a_run_that_can_be_resumed(cli: Any, tmp_path: Path) -> None:
    words = [*COMMAND, "optimize", "gemm:32x32x32", *SHORT, "--json", "--no-report"]
    # A session of its own: Ctrl-C reaches every process of the terminal's group, workers included.
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True
    ) as process:
        rescue = threading.Timer(120, process.kill)
        rescue.start()
        assert process.stderr is not None
        seen = ""
        while "iteration 1" not in seen:
            line = process.stderr.readline()
            assert line, f"ended before it could be stopped: {seen}"
            seen += line
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate()
        rescue.cancel()
    assert (process.returncode, out) == (130, "")
    assert "autocomp resume gemm-32x32x32-1" in errors
    assert "Traceback" not in errors
    (summary,) = json.loads(cli("runs", "--json").out)
    assert summary["status"] == "interrupted"
    resumed = cli("resume", summary["run"], "--json", "--no-report", "--quiet")
    assert resumed.code == 0, resumed.err
    assert same_end(json.loads(resumed.out), undisturbed(cli))


ERRORS = {
    "optimize --json": 2,
    "optimize gemm:0x1x1 --json": 4,
    "optimize nonsense --json": 4,
    "optimize gemm:16x16x16 --beam 0 --json": 2,
    "optimize gemm:16x16x16 --beam many --json": 2,
    "optimize gemm:16x16x16 --memory nope --json": 2,
    "optimize gemm:16x16x16 --proposer nope --json": 2,
    "optimize gemm:16x16x16 --config nowhere.toml --json": 2,
    "optimize --resume last --json": 6,
    "resume last --json": 6,
    "evaluate gemm:16x16x16 nowhere.c --json": 2,
    "evaluate nonsense kernel.c --json": 4,
    "evaluate gemm:16x16x16 kernel.c --json": 10,
    "profile gemm:16x16x16 kernel.c --json": 10,
    "profile gemm:16x16x16 kernel.c -o t.png --json": 2,
    "problems nonsense --json": 4,
    "targets nope --json": 3,
    "doctor nope --json": 3,
    "show last --json": 6,
    "show last --code --json": 2,
    "runs --config nowhere.toml --json": 2,
    "init . --like nonsense --json": 4,
    "nonsense --json": 2,
}


@pytest.mark.parametrize("words", ERRORS)
def test_with_json_standard_output_is_one_document_or_empty(cli: Any, kernel: Path, words: str) -> None:
    result = cli(*words.split())
    assert result.code == ERRORS[words], result.err
    assert result.out == "" or json.loads(result.out)
    assert result.out or result.err
