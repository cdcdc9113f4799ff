"""Spike and simulators made by Verilator, played by a stand-in in which the harness itself runs.

The real tools are not run here.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from engine_kernels import (
    AXPY,
    HANGS,
    ON_ARRAY,
    ON_CORE,
    OUT_OF_BOUNDS,
    WRONG,
    axpy,
    expected,
    inputs,
    matmul,
    on_array,
    stand_in,
    target,
)

from autocomp.errors import InfrastructureError, SetupError, ToolchainError
from autocomp.evaluate import CaseCache, Ladder, plan_confirmation, plan_evaluation
from autocomp.records import Problem, Role, Status, TensorSpec, Verdict
from autocomp.targets import Execution, Target
from autocomp.targets.gemmini import _config, create
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines import _harness, _place, _simulators
from autocomp.targets.gemmini.engines._case import make_case

COMPILERS = ("auto", "zig")
TOOLS = ("spike", "verilator")


def _measure(chip: Target, code: str, seed: int = 0) -> Execution:
    problem = matmul()
    artifact = chip.build(problem, code)
    assert not isinstance(artifact, Verdict), artifact
    return chip.measure(problem, artifact, inputs(seed))


@pytest.mark.parametrize("compiler", COMPILERS)
def test_spike_counts_the_instructions_of_the_candidate_alone(compiler: str) -> None:
    settings = {"toolchain": {"compiler": compiler}}
    here = _measure(create(settings), ON_ARRAY)
    there = _measure(create(stand_in("spike") | settings), ON_ARRAY)
    assert here.measurement is not None and there.measurement is not None
    np.testing.assert_array_equal(there.outputs["C"], expected())
    assert there.measurement.unit == "instructions"
    assert there.measurement.latency == here.measurement.counters["instructions"]
    assert "instructions" in there.measurement.method


@pytest.mark.parametrize("code", [ON_ARRAY, ON_CORE % ""])
def test_verilator_counts_the_cycles_of_the_candidate_alone(code: str) -> None:
    here = _measure(create({}), code)
    there = _measure(target("verilator"), code)
    assert here.measurement is not None and there.measurement is not None
    np.testing.assert_array_equal(there.outputs["C"], expected())
    assert there.measurement.unit == "cycles"
    # Arrays lie elsewhere, and the way there and back is taken off by measuring it.
    assert there.measurement.latency == pytest.approx(here.measurement.latency, rel=2e-4, abs=60)


@pytest.mark.parametrize("tool", TOOLS)
def test_wrong_kernels_are_told_by_place_and_values(tool: str) -> None:
    chip, problem = target(tool), matmul()
    right = expected(1)
    outcome = Ladder(problem, chip, CaseCache()).evaluate(WRONG, plan_evaluation(problem.distributions, (1,), (2,)))
    verdict = outcome.evaluation.verdict
    assert verdict.status is Status.WRONG_VALUE
    found = re.fullmatch(
        r"C\[3, 5\] is (-?\d+), expected (-?\d+); 1 of 3072 elements are wrong, on inputs .*", verdict.message
    )
    assert found is not None, verdict.message
    assert int(found[1]) == int(found[2]) ^ 1
    assert _measure(chip, WRONG, 1).outputs["C"][3, 5] == right[3, 5] ^ 1


def test_more_wrong_than_is_sent() -> None:
    everything = on_array("  for (int i = 0; i < 64; i++) for (int j = 0; j < 48; j++) C[i][j] ^= 4;")
    problem, chip = _large(), target("spike")
    artifact = chip.build(problem, _LARGE.replace("+ 1", "+ 2"))
    assert not isinstance(artifact, Verdict)
    x = np.arange(20000, dtype=np.int8)
    found = chip.run(problem, artifact, {"x": x}).verdict
    assert found is not None and found.status is Status.WRONG_VALUE
    assert found.message == "y[0] is 2, expected 1; 79 of 79 pieces of 256 bytes are wrong"
    unwritten = chip.build(problem, _LARGE.replace("y[i] =", "if (i > 700) y[i] ="))
    assert not isinstance(unwritten, Verdict)
    outputs = chip.run(problem, unwritten, {"x": x}).outputs
    assert (outputs["y"][:701].view(np.uint8) == 0xA5).all()
    np.testing.assert_array_equal(outputs["y"][701:], (x + 1)[701:])
    assert _measure(chip, everything).verdict is None  # 12 pieces: all were sent


_LARGE = "void solution(const int8_t x[20000], int8_t y[20000]) { for (int i = 0; i < 20000; i++) y[i] = x[i] + 1; }"


def _large() -> Problem:
    arguments = (TensorSpec("x", "int8", (20000,), Role.INPUT), TensorSpec("y", "int8", (20000,), Role.OUTPUT))
    return replace(matmul(), arguments=arguments, reference=lambda given: {"y": given["x"] + np.int8(1)})


def test_floats_come_back_whole() -> None:
    problem = axpy()
    random = np.random.default_rng(3)
    given = {
        "a": np.array(1.7, np.float32),
        "x": random.standard_normal(100).astype(np.float32),
        "y": random.standard_normal(100).astype(np.float32),
    }
    results = []
    for chip in (create({}), target("spike")):
        artifact = chip.build(problem, AXPY)
        assert not isinstance(artifact, Verdict)
        results.append(chip.run(problem, artifact, given).outputs["y"])
    assert np.array_equal(results[0], results[1]), "equal to the bit, from the same instructions"
    np.testing.assert_allclose(results[1], problem.reference(given)["y"], rtol=1e-6, atol=1e-6)


def test_arguments_are_passed_as_everywhere() -> None:
    scalars = ["int8", "uint32", "float32", "int64", "float64", "uint8", "int32", "uint64", "int16", "float32", "int32"]
    arguments = [TensorSpec(f"s{n}", dtype, (), Role.INPUT) for n, dtype in enumerate(scalars)]
    arguments.append(TensorSpec("out", "float64", (len(scalars),), Role.OUTPUT))
    types = {"float32": "float", "float64": "double"}
    parameters = ", ".join(f"{types.get(dtype, dtype + '_t')} s{n}" for n, dtype in enumerate(scalars))
    body = " ".join(f"out[{n}] = s{n};" for n in range(len(scalars)))
    code = f"void solution({parameters}, double out[{len(scalars)}]) {{ {body} }}"
    values = [-7, 4_000_000_000, 1.5, -(2**40), 2.25, 200, -(2**31), 2**53, -300, -0.125, 77]
    given = {f"s{n}": np.array(value, dtype) for n, (value, dtype) in enumerate(zip(values, scalars, strict=True))}
    problem = replace(matmul(), arguments=tuple(arguments))
    chip = target("spike")
    artifact = chip.build(problem, code)
    assert not isinstance(artifact, Verdict)
    execution = chip.run(problem, artifact, given)
    assert execution.outputs["out"].tolist() == [float(value) for value in values]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_kernel_that_hangs(tool: str) -> None:
    verdict = _measure(target(tool, seconds=8.0), HANGS).verdict
    assert verdict is not None and verdict.status is Status.TIMED_OUT
    assert verdict.message == f"did not come to an end within 8 s of {tool}"


def test_a_kernel_that_needs_more_cycles_than_it_gets() -> None:
    verdict = _measure(target("verilator", "max-cycles"), HANGS).verdict
    assert verdict is not None and verdict.status is Status.TIMED_OUT


@pytest.mark.parametrize("tool", TOOLS)
def test_a_kernel_that_the_simulator_refuses(tool: str) -> None:
    verdict = _measure(target(tool), OUT_OF_BOUNDS).verdict
    assert verdict is not None and verdict.status is Status.TRAPPED
    assert "Assertion" in verdict.message


def test_a_kernel_that_changes_an_input() -> None:
    verdict = _measure(target("spike"), on_array("  A[2][2] ^= 1;")).verdict
    assert verdict is not None and verdict.status is Status.TRAPPED
    assert verdict.message == "writes to the input A"


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("mishap", ["license", "segfault", "dies", "cut", "other", "silent"])
def test_a_tool_that_fails_is_never_the_kernels_fault(tool: str, mishap: str) -> None:
    with pytest.raises(InfrastructureError, match=r"before|during|did not come|no license"):
        _measure(target(tool, mishap, seconds=3.0 if mishap == "silent" else 60.0), ON_ARRAY)


@pytest.mark.parametrize("tool", TOOLS)
def test_noise_on_the_console(tool: str) -> None:
    execution = _measure(target(tool, "noise"), ON_ARRAY)
    np.testing.assert_array_equal(execution.outputs["C"], expected())


def test_a_tool_that_is_not_there() -> None:
    settings = {"engine": "spike", "engines": {"spike": {"command": ["/nowhere/spike", "{elf}"]}}}
    chip = create(settings)
    finding = chip.doctor()[1]
    assert not finding.ok
    assert "/nowhere/spike" in finding.detail
    assert finding.fix
    with pytest.raises(SetupError, match="/nowhere/spike cannot be started"):
        _measure(chip, ON_ARRAY)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_whole_ladder(tool: str) -> None:
    problem, chip = matmul(), target(tool)
    ladder = Ladder(problem, chip, CaseCache())
    for plan in (plan_evaluation(problem.distributions, (1,), (2,)), plan_confirmation(problem.distributions, (3,))):
        evaluation = ladder.evaluate(ON_ARRAY, plan).evaluation
        assert evaluation.verdict.passed, evaluation.verdict
        assert evaluation.measurement is not None
        assert evaluation.measurement.unit == chip.ideal(problem).unit


def test_no_two_engines_share_results() -> None:
    prints = {
        create({}).fingerprint(),
        *(target(tool).fingerprint() for tool in TOOLS),
        target("spike", seconds=61.0).fingerprint(),
        target("verilator", check="embedded").fingerprint(),
    }
    assert len(prints) == 5
    assert target("spike").fingerprint() == target("spike").fingerprint()


def test_the_tool_itself_is_part_of_the_fingerprint(tmp_path: Path) -> None:
    simulator = tmp_path / "simulator-chipyard.harness-Own"
    settings = {"engine": "verilator", "engines": {"verilator": {"simulator": str(simulator)}}}
    prints = []
    for content in ("one", "two"):
        simulator.write_text(content)
        simulator.chmod(0o755)
        prints.append(create(settings).fingerprint())
        assert create(settings).doctor()[1].ok
    assert prints[0] != prints[1]


@pytest.mark.parametrize("own", _simulators._OWN_FILES, ids=lambda path: path.name)
def test_the_harness_is_part_of_the_fingerprint(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    firesim = {"engine": "firesim", "engines": {"firesim": {"directory": str(tmp_path)}}}

    def prints() -> set[str]:
        return {chip.fingerprint() for chip in (target("spike"), target("verilator"), create(firesim))}

    before = prints()
    changed = tmp_path / own.name
    changed.write_bytes(own.read_bytes() + b"\n")
    files = tuple(changed if path == own else path for path in _simulators._OWN_FILES)
    monkeypatch.setattr(_simulators, "_OWN_FILES", files)
    assert before.isdisjoint(prints())


def test_all_that_makes_the_program_is_among_these_files() -> None:
    names = {path.name for path in _simulators._OWN_FILES}
    assert names >= {path.name for path in (*_harness.SOURCES, _harness.SCRIPT)}
    assert names >= {path.name for path in _harness.RUNTIME.iterdir() if path.is_file()}
    assert names >= {"_place.py", "_harness.py"}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    ("too_much", "message"),
    [
        ("KEPT void f(void) { __asm__ volatile(\".space 32768\"); }", "into that of candidates"),
        ("KEPT char data[65536] = {1};", "reach into the table"),
        ("KEPT char later[65536];", "reach into the table"),
    ],
)  # fmt: skip
def test_a_harness_that_outgrows_its_place_is_not_linked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: str, too_much: str, message: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    more = tmp_path / "more.c"
    more.write_text(too_much.replace("KEPT", "__attribute__((used, retain))"))  # linkers leave out what nobody needs
    tools = Toolchain(compiler, _config.load().parameters_header())
    assert tools.link(_harness.SOURCES, _harness.SCRIPT)
    with pytest.raises(ToolchainError, match=message):
        tools.link((*_harness.SOURCES, more), _harness.SCRIPT)


def test_the_linker_script_has_the_addresses_of_the_layout() -> None:
    script = _harness.SCRIPT.read_text()
    bounds = [int(text, 16) for text in re.findall(r"ASSERT\(\. <= (0x\w+)", script)]
    starts = [int(text, 16) for text in re.findall(r"^ *\. = (0x\w+);", script, re.MULTILINE)]
    assert bounds == [_place.CODE_BASE, _place.TABLE]
    assert starts == [_place.MEMORY_BASE, _place.CODE_END]


def test_a_table_too_long_for_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = Toolchain("auto", _config.load().parameters_header())
    case = make_case(matmul(), ON_CORE % "", inputs())
    monkeypatch.setattr(_harness, "TABLE", _place.DATA_BASE - 4096)
    _harness.assemble(tools, [case], _harness.Board(256 << 20))
    monkeypatch.setattr(_harness, "TABLE", _place.DATA_BASE - 256)  # the head has 48 bytes, a row 240
    with pytest.raises(SetupError, match=r"table of 1 kernels does not fit .* lower `batch`"):
        _harness.assemble(tools, [case], _harness.Board(256 << 20))


def test_what_is_not_timed_runs_on_the_embedded_simulator_unless_told_otherwise() -> None:
    chip = target("verilator", "silent", check="embedded")
    problem = matmul()
    artifact = chip.build(problem, ON_ARRAY)
    assert not isinstance(artifact, Verdict)
    np.testing.assert_array_equal(chip.run(problem, artifact, inputs()).outputs["C"], expected())
    assert chip.describe()["checked by"] == "embedded"
