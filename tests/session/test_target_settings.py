"""Settings that a problem needs of its target: where they go, and what may stand beside them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autocomp import evaluate, load_configuration, load_problem, profile
from autocomp.errors import UsageError
from autocomp.problems import scaffold
from autocomp.records import Problem
from autocomp.session._target_settings import target_settings

MEMORY: dict[str, object] = {"memory": "ddr3"}


def problem(**settings: object) -> Problem:
    return replace(load_problem("gemm:16x16x16"), settings=settings)


def merged(needed: dict[str, Any], given: dict[str, Any], target: str | None = None) -> object:
    overrides: dict[str, object] = {"targets.gemmini": given, "targets.null": {"sleep_s": 0.0}}
    if target:
        overrides["run.target"] = target
    return target_settings(problem(**needed), load_configuration(overrides=overrides))


@pytest.mark.parametrize(
    ("needed", "given", "together"),
    [
        ({}, {}, {}),
        (MEMORY, {}, MEMORY),
        ({}, MEMORY, MEMORY),
        (MEMORY, MEMORY, MEMORY),
        (MEMORY, {"limits": {"cycles": 5}}, MEMORY | {"limits": {"cycles": 5}}),
        (
            {"simulator": {"dim": 4, "l2_ways": 4}},
            {"simulator": {"l2_sets": 512, "dim": 4}},
            {"simulator": {"dim": 4, "l2_ways": 4, "l2_sets": 512}},
        ),
    ],
)
def test_merged(needed: dict[str, Any], given: dict[str, Any], together: object) -> None:
    assert merged(needed, given) == together


@pytest.mark.parametrize(
    ("needed", "given", "message"),
    [
        (MEMORY, {"memory": "ideal"}, "targets.gemmini.memory = 'ideal': problem 'gemm-16x16x16' needs 'ddr3'; remove"),
        ({"simulator": {"dim": 4}}, {"simulator": {"dim": 8}}, "targets.gemmini.simulator.dim = 8: problem"),
        ({"simulator": {"dim": 4}}, {"simulator": 4}, "targets.gemmini.simulator = 4: problem"),
    ],
)
def test_contradiction(needed: dict[str, Any], given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        merged(needed, given)


def test_a_contradiction_is_told_once() -> None:
    config = load_configuration(overrides={"targets.gemmini.memory": "ideal"})
    with pytest.raises(UsageError) as caught:
        evaluate(problem(memory="ddr3"), "void solution() {}\n", config=config)
    assert str(caught.value).count("problem 'gemm-16x16x16' needs") == 1


def test_they_mean_nothing_on_another_target() -> None:
    assert merged(MEMORY, {}, target="null") == {"sleep_s": 0.0}


def test_a_setting_that_the_target_does_not_know() -> None:
    with pytest.raises(UsageError, match=r"no setting 'memmory'.*problem 'gemm-16x16x16' needs .* memmory = 'ddr3'"):
        evaluate(problem(memmory="ddr3"), "void solution() {}\n")


def test_they_reach_the_measurement(tmp_path: Path) -> None:
    pytest.importorskip("autocomp.targets.gemmini._simulator")
    scaffold(tmp_path / "own", template="gemm:16x16x16")
    description = tmp_path / "own" / "problem.toml"
    description.write_text(description.read_text().replace("[settings]", '[settings]\nmemory = "ddr3"'))
    own = load_problem(tmp_path / "own")
    found = profile(own, own.start.code, config=load_configuration(start=tmp_path))
    assert found.evaluation.measurement is not None
    assert "ddr3 memory" in found.evaluation.measurement.method
    as_flag = load_configuration(overrides={"targets.gemmini.memory": "ddr3"}, start=tmp_path)
    elsewhere = evaluate("gemm:16x16x16", own.start.code, config=as_flag)
    assert elsewhere.latency == found.evaluation.latency
    plain = evaluate("gemm:16x16x16", own.start.code, config=load_configuration(start=tmp_path))
    assert plain.latency != found.evaluation.latency
