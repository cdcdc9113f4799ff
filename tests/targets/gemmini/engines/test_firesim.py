"""FireSim, played by a stand-in of its manager in which the harness itself runs. The real one is not run here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import machine
import numpy as np
import pytest
from engine_kernels import HANGS, ON_ARRAY, ON_CORE, WRONG, expected, inputs, matmul, on_array

from autocomp.errors import InfrastructureError, SetupError, UsageError
from autocomp.records import Status, Verdict
from autocomp.targets import Execution
from autocomp.targets.gemmini import _config, create
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines._batch import Batch, Ran
from autocomp.targets.gemmini.engines._case import make_case
from autocomp.targets.gemmini.engines._harness import Board, Harnessed
from autocomp.targets.gemmini.engines._result import CaseResult

_HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Meeting places of their own, so that no other test's candidates come along."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def deploy(tmp_path: Path) -> Path:
    folder = tmp_path / "deploy"
    folder.mkdir()
    return folder


def _settings(deploy: Path, **more: object) -> dict[str, object]:
    manager = [sys.executable, str(_HERE / "fpga.py")]
    table: dict[str, object] = {
        "directory": str(deploy),
        "setup": [*manager, "infrasetup"],
        "run": [*manager, "runworkload"],
        "kill": [*manager, "kill"],
        "live_uartlog": "sim_slot_0/uartlog",
        "gather_seconds": 2.0,
        "silence_seconds": 4.0,
        "seconds": 60.0,
        "check": "same",
    }
    return {"engine": "firesim", "engines": {"firesim": table | more}}


def _measure(settings: dict[str, object], code: str, seed: int = 0) -> Execution:
    chip, problem = create(settings), matmul()
    artifact = chip.build(problem, code)
    assert not isinstance(artifact, Verdict), artifact
    return chip.measure(problem, artifact, inputs(seed))


def _together(settings: dict[str, object], codes: Sequence[str]) -> list[Execution]:
    """What as many evaluations at once get, each with inputs of its own."""
    with ThreadPoolExecutor(len(codes)) as pool:
        return list(pool.map(lambda job: _measure(settings, job[1], job[0]), enumerate(codes)))


def _calls(deploy: Path) -> Counter[str]:
    return Counter((deploy / "calls").read_text().split())


def _assert_right(executions: Sequence[Execution], places: Sequence[int]) -> None:
    for place in places:
        assert executions[place].verdict is None
        np.testing.assert_array_equal(executions[place].outputs["C"], expected(place))
        measurement = executions[place].measurement
        assert measurement is not None
        assert measurement.unit == "cycles"
        assert "FireSim" in measurement.method


def test_one_run_serves_all_who_wait(deploy: Path) -> None:
    executions = _together(_settings(deploy), [ON_ARRAY, ON_ARRAY, WRONG, ON_ARRAY])
    _assert_right(executions, [0, 1, 3])
    assert executions[2].outputs["C"][3, 5] == expected(2)[3, 5] ^ 1
    assert _calls(deploy) == {"infrasetup": 1, "runworkload": 1}


@pytest.mark.slow
def test_one_that_hangs_does_not_take_the_others_along(deploy: Path) -> None:
    executions = _together(_settings(deploy), [ON_ARRAY, HANGS, ON_ARRAY, ON_ARRAY])
    _assert_right(executions, [0, 2, 3])
    verdict = executions[1].verdict
    assert verdict is not None and verdict.status is Status.TIMED_OUT
    assert verdict.message == "did not come to an end within 4 s of silence on the FPGA"
    assert _calls(deploy)["kill"] == 1
    assert _calls(deploy)["runworkload"] <= 2


@pytest.mark.slow
def test_one_that_hangs_where_no_log_can_be_watched(deploy: Path) -> None:
    settings = _settings(deploy, live_uartlog="", seconds=8.0)
    executions = _together(settings, [ON_ARRAY, HANGS, ON_ARRAY])
    _assert_right(executions, [0, 2])
    verdict = executions[1].verdict
    assert verdict is not None and verdict.status is Status.TIMED_OUT


@pytest.mark.slow
def test_an_fpga_that_hangs_is_never_the_kernels_fault(deploy: Path) -> None:
    (deploy / "mishap").write_text("dead")
    with pytest.raises(InfrastructureError, match="without a report of a kernel"):
        _measure(_settings(deploy), ON_ARRAY)
    assert _calls(deploy)["runworkload"] == 2


@pytest.mark.slow
def test_a_run_whose_manager_hangs_after_the_program_has_ended(deploy: Path) -> None:
    (deploy / "mishap").write_text("hangs")
    _assert_right([_measure(_settings(deploy, seconds=8.0), ON_ARRAY)], [0])


@pytest.mark.slow
def test_a_report_that_does_not_hold_is_asked_for_again(deploy: Path) -> None:
    (deploy / "mishap").write_text("garbled")
    _assert_right(_together(_settings(deploy), [ON_ARRAY, ON_ARRAY, ON_ARRAY]), [0, 1, 2])
    assert _calls(deploy)["runworkload"] == 2


def test_an_fpga_that_is_busy(deploy: Path) -> None:
    (deploy / "mishap").write_text("busy")
    with pytest.raises(InfrastructureError, match=r"setup command .* status 1: (.|\n)*in use by another user"):
        _measure(_settings(deploy), ON_ARRAY)


@pytest.mark.slow
def test_no_more_in_a_run_than_allowed(deploy: Path) -> None:
    _assert_right(_together(_settings(deploy, batch=2), [ON_ARRAY] * 3), [0, 1, 2])
    assert _calls(deploy)["runworkload"] == 2


def test_a_kernel_that_changes_an_input_does_not_change_anothers(deploy: Path) -> None:
    executions = _together(_settings(deploy), [on_array("  A[0][0] ^= 1;"), ON_CORE % "", ON_ARRAY])
    _assert_right(executions, [1, 2])
    verdict = executions[0].verdict
    assert verdict is not None and verdict.status is Status.TRAPPED


def test_launch_and_terminate_come_around_the_runs(deploy: Path) -> None:
    manager = [sys.executable, str(_HERE / "fpga.py")]
    settings = _settings(deploy, launch=[*manager, "launchrunfarm"], terminate=[*manager, "terminaterunfarm"])
    _measure(settings, ON_ARRAY)
    assert (deploy / "calls").read_text().split() == ["launchrunfarm", "infrasetup", "runworkload", "terminaterunfarm"]


def _failing(manager: list[str], command: str, mishap: str, deploy: Path) -> list[str]:
    (deploy / "mishap").write_text(mishap)
    return [*manager, command]


def test_a_launch_that_fails_half_way_is_terminated(deploy: Path) -> None:
    manager = [sys.executable, str(_HERE / "fpga.py")]
    launch = _failing(manager, "launchrunfarm", "launchrunfarm fails", deploy)
    with pytest.raises(InfrastructureError, match=r"launch command .* status 1: (.|\n)*launchrunfarm fails"):
        _measure(_settings(deploy, launch=launch, terminate=[*manager, "terminaterunfarm"]), ON_ARRAY)
    assert (deploy / "calls").read_text().split() == ["launchrunfarm", "terminaterunfarm"]


def test_what_was_measured_counts_though_terminate_fails(deploy: Path, caplog: pytest.LogCaptureFixture) -> None:
    manager = [sys.executable, str(_HERE / "fpga.py")]
    terminate = _failing(manager, "terminaterunfarm", "terminaterunfarm fails", deploy)
    _assert_right([_measure(_settings(deploy, terminate=terminate), ON_ARRAY)], [0])
    (warning,) = caplog.messages
    assert "terminate command" in warning and "give them back by hand" in warning
    assert not list(deploy.rglob("*.running"))


@pytest.mark.slow
def test_what_was_found_counts_though_kill_fails(deploy: Path, caplog: pytest.LogCaptureFixture) -> None:
    manager = [sys.executable, str(_HERE / "fpga.py")]
    kill = _failing(manager, "kill", "kill fails", deploy)
    verdict = _measure(_settings(deploy, kill=kill), HANGS).verdict
    assert verdict is not None and verdict.status is Status.TIMED_OUT
    assert any("kill command" in message and "tries it again" in message for message in caplog.messages)
    (deploy / "mishap").unlink()
    _assert_right([_measure(_settings(deploy), ON_ARRAY)], [0])
    assert (deploy / "calls").read_text().split()[-3:] == ["kill", "infrasetup", "runworkload"]


def test_what_ended_before_the_system_broke_down_counts() -> None:
    cases = [make_case(matmul(), code, inputs(place)) for place, code in enumerate([ON_ARRAY] * 3)]
    tools = Toolchain("auto", _config.load().parameters_header())
    runs = 0

    def run(harnessed: Harnessed) -> Ran:
        nonlocal runs
        runs += 1
        if runs == 2:
            raise InfrastructureError("FireSim's setup command ended with status 1: no license")
        text = machine.run(harnessed.elf).text
        return Ran(b"\n".join(line for line in text.split(b"\n") if b" end 1 " not in line), None, "")

    results = Batch(tools, Board(256 << 20), run, sees_begin=True).results(cases)
    assert isinstance(results[0], CaseResult) and results[0].verdict is None
    assert any(isinstance(result, InfrastructureError) and "no license" in str(result) for result in results)
    runs = 1
    with pytest.raises(InfrastructureError, match="no license"):
        Batch(tools, Board(256 << 20), run, sees_begin=True).results(cases)


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_nothing_in_the_way(deploy: Path, tmp_path: Path) -> None:
    script = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {str(_HERE)!r})
        import pathlib, test_firesim
        settings = test_firesim._settings(pathlib.Path({str(deploy)!r}), silence_seconds=50.0)
        test_firesim._measure(settings, test_firesim.HANGS)
        """
    )
    with subprocess.Popen([sys.executable, "-c", script], start_new_session=True) as process:
        deadline = time.monotonic() + 30
        while not (deploy / "sim_slot_0" / "uartlog").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGKILL)
    _assert_right([_measure(_settings(deploy, silence_seconds=50.0), ON_ARRAY)], [0])
    calls = (deploy / "calls").read_text().split()
    assert calls == ["infrasetup", "runworkload", "kill", "infrasetup", "runworkload"]
    assert not list((tmp_path / "cache").rglob("*.job"))


def test_settings_that_cannot_work(deploy: Path) -> None:
    with pytest.raises(UsageError, match="silence_seconds = 60: must be less than seconds = 60"):
        create(_settings(deploy, silence_seconds=60.0))
    with pytest.raises(SetupError, match="directory = /nowhere: is no folder"):
        _measure(_settings(Path("/nowhere")), ON_ARRAY)


def test_doctor_says_what_is_missing(deploy: Path) -> None:
    assert create(_settings(deploy)).doctor()[1].ok
    blind = create(_settings(deploy, live_uartlog="")).doctor()[1]
    assert not blind.ok and "cannot be told from" in blind.detail and "live_uartlog" in blind.fix
    missing = create(_settings(deploy, run=["firesim-that-is-not-there"])).doctor()[1]
    assert not missing.ok and "firesim-that-is-not-there" in missing.detail
    assert not create({"engine": "firesim"}).doctor()[1].ok
