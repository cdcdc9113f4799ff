import json
from pathlib import Path
from typing import Any

import pytest

from autocomp.store import RunView

RUN = "20250101-120000-ab12"


def test_no_runs_yet(cli: Any, tmp_path: Path) -> None:
    assert cli("runs").code == 0
    assert json.loads(cli("runs", "--json").out) == []
    for command in ("show", "export", "report", "resume"):
        result = cli(command)
        assert result.code == 6
        assert "autocomp optimize" in result.err
    assert list(tmp_path.iterdir()) == []  # reading makes nothing


def test_runs(cli: Any, stored: RunView) -> None:
    result = cli("runs")
    row = next(line for line in result.out.splitlines() if line.startswith(RUN))
    assert all(words in row for words in ("gemm:64x64x64", "finished", "1,000 cycles", "400 cycles", "2.50×"))
    values = json.loads(cli("runs", "--json").out)
    assert [value["speedup"] for value in values] == [None, 2.5]


@pytest.mark.parametrize("name", [(), ("last",), ("2025",), (RUN,)])
def test_show(cli: Any, stored: RunView, name: tuple[str, ...]) -> None:
    result = cli("show", *name)
    assert result.code == 0
    assert "item-2.0.0.0" in result.out
    assert "−42.9 %" in result.out
    assert "stall_cycles" in result.out


def test_show_json_has_every_candidate(cli: Any, stored: RunView) -> None:
    value = json.loads(cli("show", "last", "--json").out)
    assert [one["id"] for one in value["candidates"]] == [entry.candidate.id for entry in stored.entries]
    assert value["candidates"][2]["evaluation"]["verdict"] == "wrong_value"
    assert value["candidates"][5]["evaluation"]["verdict"] is None
    assert value["steps"] == ["0", "1.0.0.0", "2.0.0.0"]


def test_show_one_candidate(cli: Any, stored: RunView) -> None:
    result = cli("show", "--candidate", "1.0.1.0")
    assert "wrong value at line 4" in result.out
    assert "C[3, 4] is 7, expected 9" in result.out
    assert "+// 1.0.1.0" in result.out
    assert cli("show", "--candidate", "best", "--code").out == stored.best.candidate.code
    assert "code" in json.loads(cli("show", "--candidate", "best", "--json").out)
    assert cli("show", "--candidate", "9.9.9.9").code == 2
    assert cli("show", "--code").code == 2


def test_unknown_run(cli: Any, stored: RunView) -> None:
    result = cli("show", "zzz")
    assert result.code == 6
    assert "autocomp runs" in result.err


def test_export(cli: Any, stored: RunView, tmp_path: Path) -> None:
    printed = cli("export").out
    assert printed.startswith("// Kernel found by Autocomp")
    assert printed.endswith(stored.best.candidate.code)
    assert cli("export", RUN, "-o", "best.c").code == 0
    assert (tmp_path / "best.c").read_text() == printed
    (tmp_path / "best.c").write_text("mine")
    refused = cli("export", RUN, "-o", "best.c")
    assert refused.code == 2
    assert "--force" in refused.err
    assert (tmp_path / "best.c").read_text() == "mine"
    assert cli("export", RUN, "-o", "best.c", "--force").code == 0
    assert (tmp_path / "best.c").read_text() == printed
    assert cli("export", "-o", "no/such/place.c").code == 2
    assert cli("export", "-o", ".").code == 2


def test_report(cli: Any, stored: RunView, tmp_path: Path) -> None:
    result = cli("report")
    assert result.out == f".autocomp/reports/{RUN}.html\n"
    text = (tmp_path / result.out.strip()).read_text()
    assert "Before: start kernel" in text
    assert "After: found kernel" in text
    assert cli("report", "-o", "r.html", "--no-timelines").code == 0
    assert "No timeline was asked for" in (tmp_path / "r.html").read_text()


def test_report_says_if_the_target_measures_something_else_now(cli: Any, stored: RunView, tmp_path: Path) -> None:
    cli("report", "-o", "r.html")  # the start kernel took 1,000 cycles; now everything takes 400
    assert "then took 400 cycles instead of 1,000 cycles" in (tmp_path / "r.html").read_text()
