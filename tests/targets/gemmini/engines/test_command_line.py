"""The engines as a user meets them: ``--engine``, ``autocomp.toml``, ``doctor``."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

import autocomp
from autocomp.cli import main
from autocomp.errors import UsageError
from autocomp.targets.gemmini import _engine_settings, create

_STAND_IN = Path(__file__).parent / "stand_in.py"
_DEFAULTS = tomllib.loads((Path(_engine_settings.__file__).parent / "engines.toml").read_text())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder whose Spike is the stand-in."""
    command = json.dumps([sys.executable, str(_STAND_IN), "spike", "none", "{elf}"])
    (tmp_path / "autocomp.toml").write_text(f"[targets.gemmini.engines.spike]\ncommand = {command}\n")
    (tmp_path / "kernel.c").write_text(autocomp.load_problem("gemm:16x16x16").start.code)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_same_kernel_unchanged_through_two_engines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = []
    for engine in ("embedded", "spike"):
        assert main(["evaluate", "gemm:16x16x16", "kernel.c", "--engine", engine, "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    here, there = documents
    assert (here["unit"], there["unit"]) == ("cycles", "instructions")
    assert there["latency"] == here["counters"]["instructions"]
    assert there["latency_cycles"] is None, "instructions are never shown as cycles"
    assert there["method"].startswith("instructions retired in Spike")


def test_an_engine_that_does_not_exist(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "gemm:16x16x16", "kernel.c", "--engine", "spick"]) == 2
    assert "must be one of embedded, spike, verilator, firesim" in capsys.readouterr().err


@pytest.mark.slow
def test_a_profile_needs_an_engine_that_shows_one(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "gemm:16x16x16", "kernel.c", "--engine", "spike"]) == 2
    assert "shows no timeline; profile with `--engine embedded`" in capsys.readouterr().err


def test_doctor_looks_at_what_the_user_has_settings_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "gemmini"]) == 0
    assert f"gemmini: spike: {sys.executable}" in capsys.readouterr().out
    with (project / "autocomp.toml").open("a") as file:
        file.write('[targets.gemmini.engines.verilator]\nsimulator = "/nowhere/simulator"\n')
    assert main(["doctor", "gemmini"]) == 3
    shown = " ".join(capsys.readouterr().out.split())
    assert "/nowhere/simulator: is no program that can be run" in shown
    assert "make -C chipyard/sims/verilator CONFIG=" in shown


def test_doctor_knows_a_spike_without_the_extension(tmp_path: Path) -> None:
    spike = tmp_path / "bin" / "spike"
    spike.parent.mkdir()
    spike.write_text("#!/bin/sh\n")
    spike.chmod(0o755)
    settings = {"engine": "spike", "engines": {"spike": {"command": [str(spike), "--extension=gemmini", "{elf}"]}}}
    finding = create(settings).doctor()[1]
    assert not finding.ok
    assert "libgemmini" in finding.detail and "libgemmini install" in finding.fix
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libgemmini.so").write_text("")
    assert create(settings).doctor()[1].ok


@pytest.mark.parametrize(
    ("engines", "message"),
    [
        ({"spike": {"comand": []}}, "spike has no setting 'comand'; did you mean 'command'"),
        ({"spike": {"command": "spike"}}, "must be a list of strings, one for each word"),
        ({"spike": {"seconds": 0}}, "seconds = 0: must be greater than zero"),
        ({"spike": {"seconds": float("nan")}}, "seconds = nan: must be greater than zero and at most"),
        ({"spike": {"seconds": float("inf")}}, "seconds = inf: must be greater than zero and at most"),
        ({"firesim": {"gather_seconds": float("inf")}}, "gather_seconds = inf: must be greater than zero and at most"),
        ({"spike": {"command": []}}, "spike.command = []: must name a command"),
        ({"firesim": {"run": []}}, "firesim.run = []: must name a command"),
        ({"spike": {"command": ["spike\0"]}}, "spike.command: holds a NUL character"),
        ({"firesim": {"program": "../../../../etc/x"}}, "must be a path below `directory`"),
        ({"firesim": {"uartlog": "/etc/**"}}, "must be a path below `directory`"),
        ({"firesim": {"uartlog": ""}}, "must be a path below `directory`"),
        ({"spike": {"protect": 1}}, "protect = 1: must be of type bool"),
        ({"verilator": {"max_cycles": 1.5}}, "max_cycles = 1.5: must be of type int"),
        ({"verilator": {"check": "firesim"}}, "check = 'firesim': must be one of embedded, spike, same"),
        ({"vcs": {}}, "has no engine 'vcs' with settings; there are: spike, verilator, firesim"),
        ({"spike": 3}, "engines.spike = 3: must be a table"),
        ("spike", "targets.gemmini.engines = 'spike': must be a table"),
    ],
)
def test_wrong_settings_are_named(engines: object, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        create({"engines": engines})
    assert message in str(caught.value)


def test_every_setting_is_documented() -> None:
    page = (Path(__file__).parents[4] / "docs" / "gemmini.md").read_text()
    section = page.partition("## Real tool flows")[2].partition("\n## ")[0]
    for name in ("spike", "verilator", "firesim"):
        for key in _DEFAULTS[name]:
            assert f"`{key}`" in section, f"{name}.{key}"
