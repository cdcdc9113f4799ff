"""The passes of model-predictive control: reference, tolerance, and kernels on an emulator of the commands."""

from __future__ import annotations

import ctypes
import functools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from autocomp import evaluate, load_configuration
from autocomp.errors import ProblemError, SetupError, UsageError
from autocomp.evaluate import compare
from autocomp.problems import lint, load
from autocomp.problems._sample import sample
from autocomp.records import Array, Measurement, Problem, Status
from autocomp.targets import Artifact, Target, create

Numbers = npt.NDArray[np.float64]

PASSES = ["tinympc:forward", "tinympc:backward"]
OTHER_SIZES = [
    "tinympc:forward:horizon=1:states=4",
    "tinympc:forward:horizon=3:states=16:inputs=8",
    "tinympc:backward:horizon=2:states=8:inputs=12",
]
KERNELS = ["start", "hand-tuned", "hardware-loop", "hardware-loop-tuned"]
ROUND = 2.0**-24
"""Half a unit in the last place of a float32 of 1."""


def inputs_of(problem: Problem, distribution: int = 0, seed: int = 1) -> dict[str, Array]:
    return sample(problem, problem.distributions[distribution], np.random.default_rng(seed))


def naive(problem: Problem, inputs: Mapping[str, Array], dtype: Any = np.float64) -> dict[str, Any]:
    """Element by element in the given type, written from the equations alone."""
    values = {name: array.astype(dtype) for name, array in inputs.items()}
    horizon, states, control = (problem.dimensions[name] for name in ("horizon", "states", "inputs"))

    def dot(first: Any, second: Any) -> Any:
        total = dtype(0)
        for a, b in zip(first, second, strict=True):
            total = dtype(total + dtype(a * b))
        return total

    if "x" in values:
        A, B, K, d, x = (values[name] for name in ("Adyn", "Bdyn", "Kinf", "d", "x"))  # noqa: N806 - of the equations
        u = np.zeros((horizon, control), dtype)
        for i in range(horizon):
            for row in range(control):
                u[i, row] = -dot(K[row], x[i]) - d[i, row]
            for row in range(states):
                x[i + 1, row] = dot(A[row], x[i]) + dot(B[row], u[i])
        return {"x": x, "u": u}
    B, Q, K, M = (values[name] for name in ("Bdyn", "Quu_inv", "Kinf", "AmBKt"))  # noqa: N806
    p, r, q = (values[name] for name in ("p", "r", "q"))
    d = np.zeros((horizon, control), dtype)
    for i in range(horizon - 1, -1, -1):
        s = [dot(B[:, column], p[i + 1]) + r[i, column] for column in range(control)]
        for row in range(control):
            d[i, row] = dot(Q[row], s)
        for row in range(states):
            p[i, row] = q[i, row] + dot(M[row], p[i + 1]) - dot(K[:, row], r[i])
    return {"p": p, "d": d}


@pytest.mark.parametrize("name", PASSES + OTHER_SIZES)
def test_reference(name: str) -> None:
    problem = load(name)
    for distribution in range(len(problem.distributions)):
        inputs = inputs_of(problem, distribution)
        outputs = problem.reference(inputs)
        for output, expected in naive(problem, inputs).items():
            np.testing.assert_allclose(outputs[output], expected, rtol=1e-12, atol=1e-13)


def test_only_the_given_row_of_the_state_matters() -> None:
    for name, given, argument in (("tinympc:forward", 0, "x"), ("tinympc:backward", -1, "p")):
        problem = load(name)
        inputs = inputs_of(problem)
        other = {**inputs, argument: np.full_like(inputs[argument], np.nan)}
        other[argument][given] = inputs[argument][given]
        for output, array in problem.reference(other).items():
            np.testing.assert_array_equal(array, problem.reference(inputs)[output])


@pytest.mark.parametrize("name", PASSES)
def test_work_and_chip(name: str) -> None:
    problem = load(name)
    per_step = {"tinympc:forward": ("Adyn", "Bdyn", "Kinf"), "tinympc:backward": ("Bdyn", "Quu_inv", "Kinf", "AmBKt")}
    horizon = problem.dimensions["horizon"]
    sizes = {spec.name: int(np.prod(spec.shape)) for spec in problem.arguments}
    assert problem.work.operations == horizon * sum(sizes[matrix] for matrix in per_step[name])
    assert problem.work.bytes == 4 * sum(sizes.values())
    assert problem.settings == {"chip": "float32-4x4"}
    assert {spec.dtype for spec in problem.arguments} == {"float32"}


# A bound on rounding errors, step by step, to first order and for any order of summation: what one step adds is at most
# (number of terms) * ROUND * (sum of their magnitudes), and later steps carry it on by the matrix of the recursion.


def forward_bound(inputs: Mapping[str, Array]) -> tuple[Numbers, Numbers]:
    A, B, K, d, x = (inputs[name].astype(np.float64) for name in ("Adyn", "Bdyn", "Kinf", "d", "x"))  # noqa: N806
    states, control = B.shape
    carried: list[tuple[Numbers, Numbers]] = []
    of_x, of_u = [np.zeros(states)], []
    for i in range(len(d)):
        u = -K @ x[i] - d[i]
        x[i + 1] = A @ x[i] + B @ u
        added_u = (states + 2) * ROUND * (abs(K) @ abs(x[i]) + abs(d[i]))
        added_x = (states + control + 2) * ROUND * (abs(A) @ abs(x[i]) + abs(B) @ abs(u))
        of_u.append(sum((abs(K @ matrix) @ error for matrix, error in carried), np.zeros(control)) + added_u)
        carried = [((A - B @ K) @ matrix, error) for matrix, error in carried]
        carried += [(B, added_u), (np.eye(states), added_x)]
        of_x.append(sum((abs(matrix) @ error for matrix, error in carried), np.zeros(states)))
    return np.array(of_x), np.array(of_u)


def backward_bound(inputs: Mapping[str, Array]) -> tuple[Numbers, Numbers]:
    B, Q, K, M = (inputs[name].astype(np.float64) for name in ("Bdyn", "Quu_inv", "Kinf", "AmBKt"))  # noqa: N806
    p, r, q = (inputs[name].astype(np.float64) for name in ("p", "r", "q"))
    states, control = B.shape
    carried: list[tuple[Numbers, Numbers]] = []
    of_p, of_d = [np.zeros(states)], []
    for i in range(len(r) - 1, -1, -1):
        s = B.T @ p[i + 1] + r[i]
        p[i] = q[i] + M @ p[i + 1] - K.T @ r[i]
        added_s = (states + 2) * ROUND * (abs(B.T) @ abs(p[i + 1]) + abs(r[i]))
        added_d = (control + 1) * ROUND * (abs(Q) @ abs(s))
        added_p = (states + control + 3) * ROUND * (abs(q[i]) + abs(M) @ abs(p[i + 1]) + abs(K.T) @ abs(r[i]))
        from_p = sum((abs(Q @ B.T @ matrix) @ error for matrix, error in carried), np.zeros(control))
        of_d.append(from_p + abs(Q) @ added_s + added_d)
        carried = [(M @ matrix, error) for matrix, error in carried] + [(np.eye(states), added_p)]
        of_p.append(sum((abs(matrix) @ error for matrix, error in carried), np.zeros(states)))
    return np.array(of_p[::-1]), np.array(of_d[::-1])


@pytest.mark.parametrize("name", [*PASSES, *OTHER_SIZES, "tinympc:forward:horizon=10", "tinympc:backward:horizon=5"])
def test_tolerance_is_what_rounding_can_do(name: str) -> None:
    problem = load(name)
    tolerance = problem.tolerances["float32"]
    shares, real = [], []
    for distribution in range(len(problem.distributions)):
        for seed in range(40):
            inputs = inputs_of(problem, distribution, seed)
            bounds = forward_bound(inputs) if "forward" in name else backward_bound(inputs)
            outputs = problem.reference(inputs)
            rounded = naive_blas(problem, inputs)
            for bound, (output, wanted) in zip(bounds, outputs.items(), strict=True):
                allowed = tolerance.absolute + tolerance.relative * abs(wanted)
                shares.append(float((bound / allowed).max()))
                errors = abs(rounded[output] - wanted)
                assert (errors <= bound + 1e-12).all()
                real.append(float((errors / allowed).max()))
    assert max(shares) <= 1.0, "float32 may exceed the tolerance and be right"
    assert max(shares) >= 0.05, "the tolerance is far wider than rounding"
    assert max(real) < 0.1


def naive_blas(problem: Problem, inputs: Mapping[str, Array]) -> dict[str, Any]:
    """The reference run in float32: its products are summed in an order of their own."""
    code = problem.reference.source.replace("float64", "float32")  # type: ignore[attr-defined]
    code = code.replace("np.empty(d.shape)", "np.empty_like(d)").replace("np.empty(r.shape)", "np.empty_like(r)")
    namespace: dict[str, Any] = {}
    exec(code, namespace)
    outputs: dict[str, Any] = namespace["reference"](inputs)
    assert {array.dtype for array in outputs.values()} == {np.dtype(np.float32)}
    return outputs


@pytest.mark.parametrize("name", PASSES)
def test_what_is_computed_with_less_precision_or_left_out_is_found(name: str) -> None:
    problem = load(name)
    inputs = inputs_of(problem)
    expected = problem.reference(inputs)
    good = {output: array.astype(np.float32) for output, array in naive_blas(problem, inputs).items()}
    assert compare(problem, expected, good, "float32") is None
    for argument in inputs:
        kept = np.array(inputs[argument].view(np.uint32) & np.uint32(0xFFFFE000)).view(
            np.float32
        )  # 10 bits of fraction
        narrow = {o: a.astype(np.float32) for o, a in problem.reference({**inputs, argument: kept}).items()}
        verdict = compare(problem, expected, narrow, argument)
        assert verdict is not None, f"{argument} in less precision passes"
        assert verdict.status is Status.WRONG_VALUE


class Emulation(NamedTuple):
    outputs: dict[str, Array]
    failure: str
    loads: int
    computes: int
    stores: int
    fences: int
    configs: int
    loops: int


@functools.cache
def host_library(code: str) -> ctypes.CDLL:
    """The kernel and the emulator around it, compiled for this machine."""
    header = Path(__file__).with_name("float_emulator.h")
    compiler = shutil.which("cc")
    command = [compiler] if compiler else [sys.executable, "-m", "ziglang", "cc"]
    with tempfile.TemporaryDirectory() as folder:
        kernel, library = Path(folder, "kernel.c"), Path(folder, "kernel.so")
        kernel.write_text(code)
        flags = ["-O1", "-w", "-shared", "-fPIC", f'-DKERNEL="{kernel}"', "-x", "c", str(header), "-o", str(library)]
        subprocess.run([*command, *flags], check=True)
        return ctypes.CDLL(str(library))


def emulate(problem: Problem, code: str, inputs: Mapping[str, Array]) -> Emulation:
    arrays = {
        spec.name: inputs[spec.name].copy() if spec.name in inputs else np.full(spec.shape, np.nan, spec.dtype)
        for spec in problem.arguments
    }
    pointers = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays.values()))
    sizes = (ctypes.c_uint64 * len(arrays))(*(array.nbytes for array in arrays.values()))
    counted = (ctypes.c_int64 * 6)()
    run = host_library(code).run
    run.restype = ctypes.c_char_p
    run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
    failure = run(pointers, sizes, len(arrays), counted).decode()
    return Emulation({spec.name: arrays[spec.name] for spec in problem.outputs}, failure, *counted)


def kernel_of(problem: Problem, kernel: str) -> str:
    return problem.start.code if kernel == "start" else problem.rivals[kernel].code


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", PASSES + OTHER_SIZES)
def test_kernels(name: str, kernel: str) -> None:
    problem = load(name)
    for distribution in range(len(problem.distributions)):
        inputs = inputs_of(problem, distribution)
        found = emulate(problem, kernel_of(problem, kernel), inputs)
        assert found.failure == ""
        assert compare(problem, problem.reference(inputs), found.outputs, "emulated") is None


def test_what_the_kernels_ask_for() -> None:
    """Loads, computes, stores, waits and loops of each kernel, counted by hand from the equations."""
    counts = {}
    for name in PASSES:
        problem = load(name)
        for kernel in KERNELS:
            found = emulate(problem, kernel_of(problem, kernel), inputs_of(problem))
            counts[name.partition(":")[2], kernel] = found[2:6] + found[7:]
    # A product of 12 by 12 has 9 pairs of tiles, one of 4 by 12 or 12 by 4 has 3, one of 4 by 4 has 1.
    forward, backward = 5 * (3 + 9 + 3), 10 * (3 + 1 + 3 + 9)
    assert counts["forward", "start"] == (5 * (1 + 3 + 3 + 3 + 3 + 1), forward, 5 * (1 + 3 + 3), 15, 0)
    assert counts["forward", "hand-tuned"] == (1 + 3 + 3 + 5 * (3 + 1 + 1), forward, 5 * (1 + 3), 10, 0)
    assert counts["backward", "start"] == (10 * (3 + 3 + 1 + 1 + 1 + 1 + 3 + 3), backward, 10 * (1 + 1 + 3 + 3), 40, 0)
    assert counts["backward", "hand-tuned"] == (3 + 1 + 3 + 1 + 10 * (3 + 1 + 1 + 3 + 1), backward, 10 * 5, 11, 0)
    assert [counts[side, kernel][3:] for side in ("forward", "backward") for kernel in KERNELS[2:]] == [
        (10, 15),
        (15, 15),
        (40, 40),
        (20, 40),
    ]


@pytest.mark.parametrize("name", PASSES + OTHER_SIZES)
def test_names_lead_back(name: str) -> None:
    problem = load(name)
    assert problem.locator == name
    assert load(problem.name) == problem
    assert lint(problem) == ()


def test_defaults_are_not_repeated_in_names() -> None:
    assert load("tinympc:forward:horizon=5:inputs=4").locator == "tinympc:forward"
    assert load("tinympc:backward:states=12:horizon=5").locator == "tinympc:backward:horizon=5"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tinympc", "is not a pass; write tinympc:forward or tinympc:backward"),
        ("tinympc:sideways", "is not a pass"),
        ("tinympc:forward:horizon=0", "horizon is '0'; it must be a whole number from 1 to 32"),
        ("tinympc:forward:horizon=33", "horizon is '33'"),
        ("tinympc:forward:horizon=-1", "horizon is '-1'"),
        ("tinympc:forward:horizon=5:horizon=6", "'horizon' is given twice"),
        ("tinympc:backward:states=13", "states is '13'; it must be one of 4, 8, 12, 16"),
        ("tinympc:backward:inputs=20", "inputs is '20'"),
        ("tinympc:backward:states=0", "states is '0'; it must be one of 4, 8, 12, 16"),
        ("tinympc:forward:horizon", "unknown option 'horizon'; write tinympc:forward or tinympc:backward"),
        ("tinympc:forward:horizon=" + "9" * 5000, "it must be a whole number from 1 to 32"),
        ("tinympc:backward:relu", "unknown option 'relu'"),
    ],
)
def test_bad_names(name: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        load(name)
    assert message in str(caught.value)


# On the simulated chip.

CHIP_KERNELS = [(name, kernel) for name in PASSES + OTHER_SIZES for kernel in KERNELS]


@pytest.fixture(scope="module")
def chip() -> Target:
    target = create("gemmini", load("tinympc:forward").settings)
    try:
        target.fingerprint()
    except SetupError as error:
        pytest.skip(str(error))
    return target


def measured(chip: Target, problem: Problem, kernel: str, distribution: int) -> Measurement:
    code = kernel_of(problem, kernel)
    assert chip.check(problem, code) is None
    artifact = chip.build(problem, code)
    assert isinstance(artifact, Artifact), artifact
    assert artifact.diagnostics == ()
    inputs = inputs_of(problem, distribution, seed=3)
    execution = chip.measure(problem, artifact, inputs)
    assert execution.verdict is None, execution.verdict
    assert compare(problem, problem.reference(inputs), execution.outputs, kernel) is None
    assert execution.measurement is not None
    return execution.measurement


@pytest.mark.parametrize(("name", "kernel"), CHIP_KERNELS)
def test_kernels_on_the_chip(chip: Target, name: str, kernel: str) -> None:
    problem = load(name)
    distributions = range(len(problem.distributions)) if name in PASSES else (0, 1)
    measurements = [measured(chip, problem, kernel, number) for number in distributions]
    assert len({one.latency for one in measurements}) == 1, "time must not depend on the values"
    counted = emulate(problem, kernel_of(problem, kernel), inputs_of(problem))
    counters = measurements[0].counters
    if not counted.loops:  # a loop moves several tiles at once
        assert counters["commands_load"] == counted.loads
        assert counters["commands_config"] == counted.configs
        assert counters["fences"] == counted.fences + 1  # the measurement has one of its own
    assert counters["commands_compute"] == counted.computes
    assert counters["commands_store"] == counted.stores
    assert counters["multiply_accumulates"] == problem.work.operations


@pytest.mark.parametrize("name", PASSES)
def test_rivals_are_worth_beating(chip: Target, name: str) -> None:
    problem = load(name)
    start, tuned, loop, tuned_loop = (measured(chip, problem, kernel, 0).latency for kernel in KERNELS)
    assert chip.ideal(problem).latency < tuned < tuned_loop < loop < start


def test_a_missing_wait_is_found(chip: Target) -> None:
    """The core picks up what the accelerator has not stored yet: right by chance in a simulator that does not look."""
    problem = load("tinympc:forward")
    lines = problem.start.code.splitlines(keepends=True)
    waits = [number for number, line in enumerate(lines) if line.strip() == "fence();"]
    for wait in (waits[0], waits[2]):
        code = "".join(line for number, line in enumerate(lines) if number != wait)
        artifact = chip.build(problem, code)
        assert isinstance(artifact, Artifact)
        verdict = chip.measure(problem, artifact, inputs_of(problem)).verdict
        assert verdict is not None
        assert "a fence is missing" in verdict.message


def test_the_chip_follows_the_problem() -> None:
    problem = load("tinympc:backward")
    found = evaluate(problem, problem.rivals["hand-tuned"].code, config=load_configuration())
    assert found.verdict.status is Status.PASSED
    assert found.measurement is not None
    with pytest.raises(UsageError, match="problem 'tinympc-backward' needs 'float32-4x4'"):
        other = load_configuration(overrides={"targets.gemmini.chip": "int8-16x16"})
        evaluate(problem, problem.start.code, config=other)


def test_a_float_problem_on_the_null_target() -> None:
    problem = load("tinympc:forward")
    config = load_configuration(overrides={"run.target": "null"})
    assert evaluate(problem, "// null: latency=5\n", config=config).verdict.status is Status.PASSED
    assert evaluate(problem, "// null: nan\n", config=config).verdict.status is Status.NOT_FINITE
