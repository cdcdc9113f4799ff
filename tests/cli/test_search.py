import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autocomp.errors import InfrastructureError, SetupError
from autocomp.store import RunView

RUN = "20250101-120000-ab12"


def test_ends_with_the_table_and_what_to_do_next(cli: Any, recorded: dict[str, Any], tmp_path: Path) -> None:
    result = cli("optimize", "gemm:64x64x64")
    assert result.code == 0
    lines = [line for line in result.out.splitlines() if line]
    numbers = {line.split()[0]: line for line in lines}
    assert "1,000 cycles" in numbers["start"]
    assert all(words in numbers["hand-tuned"] for words in ("500 cycles", "2.00×", "64.0 %"))
    assert all(words in numbers["found"] for words in ("400 cycles", "2.50×", "80.0 %"))
    assert "320 cycles" in numbers["ideal"]
    assert "confirmed with fresh secret inputs" in numbers["checked"]
    assert f"autocomp export {RUN}" in numbers["export"]
    report = Path(numbers["report"].split(None, 1)[1])
    assert report == Path(f".autocomp/reports/{RUN}.html")
    assert "<!doctype html>" in (tmp_path / report).read_text()


def test_progress_goes_to_standard_error(cli: Any, recorded: dict[str, Any]) -> None:
    result = cli("optimize", "gemm:64x64x64")
    assert "best 400 cycles  2.50× over start  80.0 % of ideal" in result.err
    assert "iteration 2/15" in result.err
    assert "iteration 2" not in result.out
    assert cli("optimize", "gemm:64x64x64", "--quiet").err == ""


def test_json_is_one_document_and_nothing_else(cli: Any, recorded: dict[str, Any]) -> None:
    value = json.loads(cli("optimize", "gemm:64x64x64", "--json").out)
    assert value["run"] == RUN
    assert value["best"]["confirmed"] is True
    assert value["best"]["evaluation"]["latency_cycles"] == 400
    rows = {row["kind"]: row for row in value["comparison"]}
    assert (rows["found"]["speedup"], rows["found"]["share_of_ideal"]) == (2.5, 0.8)
    assert value["report"].endswith(f"{RUN}.html")


def test_flags_reach_the_configuration(cli: Any, recorded: dict[str, Any], tmp_path: Path) -> None:
    words = "--beam 3 --plans 4 --implementations 5 --iterations 6 --seed 7 --workers 2 --max-evaluations 80"
    words += " --max-minutes 1.5 --target gemmini --memory ddr3 --store s.sqlite --no-report"
    assert cli("optimize", "gemm:64x64x64", *words.split()).code == 0
    config = recorded["config"]
    search = config.search
    assert (search.beam, search.plans, search.implementations, search.iterations) == (3, 4, 5, 6)
    assert (search.max_evaluations, search.max_minutes) == (80, 1.5)
    assert (config.run.seed, config.run.target, config.run.store) == (7, "gemmini", Path("s.sqlite"))
    assert config.evaluate.workers == 2
    assert config.targets["gemmini"]["memory"] == "ddr3"
    assert not (tmp_path / "reports").exists()


def test_memory_goes_to_the_target_of_the_problem(cli: Any, recorded: dict[str, Any]) -> None:
    assert cli("optimize", "gemm:64x64x64", "--memory", "ddr3", "--no-report").code == 0
    assert recorded["config"].targets == {"gemmini": {"memory": "ddr3"}}
    assert recorded["config"].run.target is None


def test_flags_count_more_than_the_file(cli: Any, recorded: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "autocomp.toml").write_text("[search]\nbeam = 2\nplans = 9\n")
    cli("optimize", "gemm:64x64x64", "--beam", "3", "--no-report")
    assert (recorded["config"].search.beam, recorded["config"].search.plans) == (3, 9)


def test_interrupt_tells_how_to_go_on(cli: Any, recorded: dict[str, Any]) -> None:
    recorded["raise"] = KeyboardInterrupt()
    result = cli("optimize", "gemm:64x64x64", "--store", "my store.sqlite", "--json")
    assert result.code == 130
    assert result.out == ""
    assert f"autocomp resume {RUN} --store 'my store.sqlite'" in result.err


def test_failure_keeps_its_code(cli: Any, recorded: dict[str, Any]) -> None:
    recorded["raise"] = SetupError("no compiler; pip install ziglang")
    result = cli("optimize", "gemm:64x64x64", "--json")
    assert (result.code, result.out) == (3, "")
    assert "pip install ziglang" in result.err


def test_report_that_cannot_be_written_does_not_hide_the_result(
    cli: Any, recorded: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise InfrastructureError("disk full")

    monkeypatch.setattr("autocomp.cli._search.write_report", fail)
    result = cli("optimize", "gemm:64x64x64")
    assert result.code == 0
    assert "400 cycles" in result.out
    assert "disk full" in result.err


def test_a_report_path_that_cannot_work_is_refused_first(cli: Any, recorded: dict[str, Any]) -> None:
    assert cli("optimize", "gemm:64x64x64", "--report", "no/such/folder/r.html").code == 2
    assert "problem" not in recorded


def test_timeline_that_cannot_be_had_is_explained(
    cli: Any, recorded: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise SetupError("no compiler here")

    monkeypatch.setattr("autocomp.session.timelines", fail)
    assert cli("optimize", "gemm:64x64x64", "--report", "r.html").code == 0
    assert "no compiler here" in (tmp_path / "r.html").read_text()


def test_nothing_faster(cli: Any, recorded: dict[str, Any], make_view: Callable[..., RunView]) -> None:
    recorded["view"] = make_view(best="0", confirmed=False)
    result = cli("optimize", "gemm:64x64x64", "--no-report")
    assert result.code == 0
    assert "nothing faster than the start" in result.out


@pytest.mark.parametrize("words", [("optimize", "--resume", "2025"), ("resume", "last"), ("resume",)])
def test_resume(cli: Any, stored: RunView, recorded: dict[str, Any], words: tuple[str, ...]) -> None:
    result = cli(*words, "--workers", "3")
    assert result.code == 0
    assert recorded["run"] == RUN
    assert recorded["config"].evaluate.workers == 3
    assert "400 cycles" in result.out


def test_resume_keeps_its_settings(cli: Any, stored: RunView, recorded: dict[str, Any]) -> None:
    result = cli("optimize", "--resume", "last", "--max-evaluations", "3")
    assert result.code == 2
    assert "--max-evaluations" in result.err
    assert cli("optimize", "--resume", "last", "--memory", "ddr3").code == 2
    assert cli("optimize", "gemm:32x32x32", "--resume", "last").code == 2
    assert cli("optimize", "gemm:64x64x64", "--resume", "last", "--no-report").code == 0


def test_problem_is_needed(cli: Any) -> None:
    result = cli("optimize")
    assert result.code == 2
    assert "autocomp problems" in result.err
