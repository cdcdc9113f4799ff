"""The commands together, on the real target: what the tutorial does."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.slow
def test_from_an_own_problem_to_an_exported_kernel(cli: Any, tmp_path: Path) -> None:
    assert cli("init", "own", "--like", "gemm:32x48x16:bias").code == 0
    done = cli("optimize", "./own", "--max-evaluations", "6", "--workers", "2", "--json")
    assert done.code == 0, done.err
    run = json.loads(done.out)
    assert "Before: start kernel" in Path(run["report"]).read_text()
    best = run["best"]["evaluation"]["latency_cycles"]

    (summary,) = json.loads(cli("runs", "--json").out)
    assert (summary["run"], summary["best_latency"]) == (run["run"], best)
    assert summary["evaluations"] == run["evaluations"]

    assert cli("export", "last", "-o", "best.c").code == 0
    checked = json.loads(cli("evaluate", "./own", "best.c", "--json").out)
    assert (checked["verdict"], checked["latency_cycles"]) == ("passed", best)
    assert checked["counters"]["multiply_accumulates"] == 32 * 48 * 16

    assert cli("profile", "./own", "best.c", "-o", "best.svg").code == 0
    drawn = cli("profile", "./own", "best.c")
    assert {line.split()[0] for line in drawn.out.splitlines()[:4]} == {"core", "load", "execute", "store"}

    again = json.loads(cli("resume", "last", "--json", "--no-report").out)
    assert again["best"]["evaluation"]["latency_cycles"] == best

    (tmp_path / "bad.c").write_text((tmp_path / "own" / "start.c").read_text().replace("fence", "fense"))
    bad = cli("evaluate", "./own", "bad.c")
    assert bad.code == 10
    assert "fense" in bad.out


@pytest.mark.slow
def test_a_start_kernel_that_is_wrong_is_refused(cli: Any, tmp_path: Path) -> None:
    assert cli("init", "own", "--like", "gemm:16x16x16").code == 0
    start = tmp_path / "own" / "start.c"
    lines = [line for line in start.read_text().splitlines() if "mvout(" not in line]
    start.write_text("\n".join(lines) + "\n")
    result = cli("optimize", "./own", "--no-report", "--quiet")
    assert result.code == 5
    assert result.out == ""
    assert result.err.startswith("error: ")
