import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from autocomp import session


def answer(monkeypatch: pytest.MonkeyPatch, profile: session.Profile) -> dict[str, Any]:
    seen: dict[str, Any] = {}

    def look(problem: object, code: object, **options: Any) -> session.Profile:
        seen.update(problem=problem, code=code, **options)
        return profile

    monkeypatch.setattr(session, "profile", look)
    return seen


def test_evaluate_good(cli: Any, monkeypatch: pytest.MonkeyPatch, good: session.Profile, kernel: Path) -> None:
    seen = answer(monkeypatch, good)
    result = cli("evaluate", "gemm:64x64x64", kernel, "--memory", "ddr3")
    assert result.code == 0
    assert all(words in result.out for words in ("passed", "400 cycles", "80.0 %", "commands_load", "Loads wait."))
    assert seen["config"].targets["gemmini"]["memory"] == "ddr3"
    assert seen["code"] == kernel.read_text()
    assert seen["timeline"] is False


def test_evaluate_json(cli: Any, monkeypatch: pytest.MonkeyPatch, good: session.Profile, kernel: Path) -> None:
    answer(monkeypatch, good)
    value = json.loads(cli("evaluate", "gemm:64x64x64", kernel, "--json").out)
    assert value["verdict"] == "passed"
    assert value["latency_cycles"] == 400
    assert value["counters"] == {"commands_load": 8}
    assert value["ideal"]["share"] == 0.8


def test_evaluate_bad(cli: Any, monkeypatch: pytest.MonkeyPatch, bad: session.Profile, kernel: Path) -> None:
    answer(monkeypatch, bad)
    result = cli("evaluate", "gemm:64x64x64", kernel)
    assert result.code == 10
    assert "trapped at line 3 on inputs extremes/seed 3" in result.out
    assert "mvin reads outside A: row 70 of 64" in result.out
    assert "> 3 │   mvin(A + 70, 0);" in result.out
    assert "here [bold]" in result.out


def test_evaluate_bad_json(cli: Any, monkeypatch: pytest.MonkeyPatch, bad: session.Profile, kernel: Path) -> None:
    answer(monkeypatch, bad)
    result = cli("evaluate", "gemm:64x64x64", kernel, "--json")
    value = json.loads(result.out)
    assert result.code == 10
    assert (value["verdict"], value["latency_cycles"], value["counters"]) == ("trapped", None, {})
    assert value["diagnostics"] == [{"line": 3, "message": "here [bold]"}]


def test_profile_draws_in_the_terminal(
    cli: Any, monkeypatch: pytest.MonkeyPatch, good: session.Profile, kernel: Path
) -> None:
    assert answer(monkeypatch, good) is not None
    result = cli("profile", "gemm:64x64x64", kernel)
    assert result.code == 0
    load, execute = result.out.splitlines()[:2]
    assert load.startswith("load") and "50.0 %" in load
    assert execute.startswith("execute") and "75.0 %" in execute


def test_profile_into_files(
    cli: Any, monkeypatch: pytest.MonkeyPatch, good: session.Profile, kernel: Path, tmp_path: Path
) -> None:
    answer(monkeypatch, good)
    assert cli("profile", "gemm:64x64x64", kernel, "-o", "t.svg").code == 0
    assert ET.parse(tmp_path / "t.svg").getroot().tag.endswith("svg")
    assert cli("profile", "gemm:64x64x64", kernel, "-o", "t.html").code == 0
    assert "mvin(A + 70, 0);" in (tmp_path / "t.html").read_text()
    again = cli("profile", "gemm:64x64x64", kernel, "-o", "t.html")
    assert again.code == 2
    assert "--force" in again.err
    assert cli("profile", "gemm:64x64x64", kernel, "-o", "t.html", "--force").code == 0
    assert cli("profile", "gemm:64x64x64", kernel, "-o", "t.png").code == 2


def test_profile_json(cli: Any, monkeypatch: pytest.MonkeyPatch, good: session.Profile, kernel: Path) -> None:
    answer(monkeypatch, good)
    value = json.loads(cli("profile", "gemm:64x64x64", kernel, "--json").out)
    assert value["busy"] == {"load": 0.5, "execute": 0.75}
    assert value["spans"] == 2


def test_profile_bad(
    cli: Any, monkeypatch: pytest.MonkeyPatch, bad: session.Profile, kernel: Path, tmp_path: Path
) -> None:
    answer(monkeypatch, bad)
    result = cli("profile", "gemm:64x64x64", kernel, "-o", "t.svg")
    assert result.code == 10
    assert "trapped" in result.out
    assert not (tmp_path / "t.svg").exists()


def test_kernel_from_standard_input(cli: Any, monkeypatch: pytest.MonkeyPatch, good: session.Profile) -> None:
    seen = answer(monkeypatch, good)
    monkeypatch.setattr("sys.stdin", io.StringIO("one line"))
    assert cli("evaluate", "gemm:64x64x64", "-").code == 0
    assert seen["code"] == "one line\n"


def test_kernel_that_cannot_be_read(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "latin.c").write_bytes(b"\xff\xfe")
    for name in ("nofile.c", ".", "latin.c"):
        result = cli("evaluate", "gemm:64x64x64", name)
        assert result.code == 2
        assert f"kernel {name} cannot be read" in result.err
