import json
import re
from pathlib import Path
from typing import Any

import pytest

from autocomp import __doc__ as package_doc
from autocomp.problems import load, packaged
from autocomp.targets import Finding


class Chip:
    language = "c"
    deterministic = True

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self._findings = findings

    def doctor(self) -> tuple[Finding, ...]:
        return self._findings

    def describe(self) -> dict[str, object]:
        return {"clock_mhz": 1000, "memories": {"scratchpad_kib": 256}}


@pytest.fixture
def chips(monkeypatch: pytest.MonkeyPatch) -> dict[str, Chip]:
    installed = {
        "good": Chip((Finding("compiler", True, "zig 0.15"),)),
        "poor": Chip((Finding("compiler", False, "none found", "pip install [ziglang]"),)),
    }
    monkeypatch.setattr("autocomp.targets.names", lambda: tuple(installed))
    monkeypatch.setattr("autocomp.targets.create", lambda name, _settings=None: installed[name])
    return installed


def test_version(cli: Any) -> None:
    assert package_doc
    assert re.fullmatch(r"autocomp \d+\.\d+\.\d+\S*\n", cli("--version").out)


def test_problems(cli: Any) -> None:
    result = cli("problems")
    assert all(one.locator in result.out for one in packaged())
    values = json.loads(cli("problems", "--json").out)
    assert [value["name"] for value in values] == [one.name for one in packaged()]


def test_one_problem(cli: Any) -> None:
    result = cli("problems", "gemm:96x160x48")
    assert result.code == 0
    assert "int8 96 x 48" in result.out
    value = json.loads(cli("problems", "gemm:96x160x48", "--json").out)
    assert value["operations"] == 96 * 160 * 48
    missing = cli("problems", "nope")
    assert missing.code == 4


def test_init_makes_a_problem(cli: Any, tmp_path: Path) -> None:
    result = cli("init", "own", "--like", "gemm:96x160x48:bias")
    assert result.code == 0
    assert "autocomp optimize ./own" in result.out
    assert load(tmp_path / "own").dimensions["K"] == 48
    assert cli("init", "own").code == 2


def test_targets(cli: Any, chips: dict[str, Chip]) -> None:
    result = cli("targets")
    assert "ready" in result.out
    assert "compiler missing" in result.out
    assert cli("targets", "good").out.count("scratchpad_kib") == 1
    assert json.loads(cli("targets", "good", "--json").out)["memories"] == {"scratchpad_kib": 256}
    assert [row["name"] for row in json.loads(cli("targets", "--json").out)] == ["good", "poor"]


def test_doctor(cli: Any, chips: dict[str, Chip]) -> None:
    result = cli("doctor")
    assert result.code == 3
    assert "fix: pip install [ziglang]" in result.out
    assert cli("doctor", "good").code == 0
    value = json.loads(cli("doctor", "--json").out)
    assert value["ok"] is False
    assert value["findings"]["poor"][0]["fix"] == "pip install [ziglang]"


def test_doctor_of_an_unknown_target(cli: Any) -> None:
    assert cli("doctor", "nope").code == 3


def test_doctor_sees_a_store_that_cannot_be_written(cli: Any, chips: dict[str, Chip], tmp_path: Path) -> None:
    (tmp_path / "autocomp.toml").write_text('[run]\nstore = "/proc/nowhere/store.sqlite"\n')
    result = cli("doctor", "good")
    assert "cannot be written" in result.out or result.code == 0  # root may write anywhere
