"""Problems from Exo procedures, from the recorded answers of the process that runs Exo; Exo itself is not needed."""

from __future__ import annotations

import importlib.metadata
import json
import pickle
import re
import runpy
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autocomp.errors import ProblemError, SetupError
from autocomp.problems import draw, lint, load, native, scaffold
from autocomp.problems.exo import _folder, _run
from autocomp.problems.exo._locator import ExoSpec, parse_exo
from autocomp.problems.exo._places import placed
from autocomp.problems.exo._source import entry_name, kernel
from autocomp.problems.exo._tidy import tidy
from autocomp.records import Array, Distribution, Problem, Role, Work

EXO = Path(__file__).parent / "exo"


record = SimpleNamespace(**runpy.run_path(str(EXO / "record.py")))
RECORDED: dict[str, Any] = json.loads(record.RECORDED.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Problem]:
    def find(name: str) -> Problem:
        monkeypatch.setattr(_folder, "ask", lambda spec: RECORDED[name])
        return load(record.SPECS[name].locator)

    return find


def inputs_of(problem: Problem) -> dict[str, Array]:
    generator = np.random.default_rng(3)
    return {spec.name: draw(spec, Distribution("uniform", -3, 3), generator) for spec in problem.inputs}


def start_result(problem: Problem, inputs: dict[str, Array]) -> dict[str, Array]:
    """What the start kernel makes of the inputs on this machine; outputs begin with something else."""
    code = problem.start.code.replace('#include "library/heap.h"\n', "")
    arrays = [
        inputs[spec.name].copy() if spec.name in inputs else np.full(spec.shape, 77, spec.dtype)
        for spec in problem.arguments
    ]
    native.run(code, problem.entry, arrays)
    named = zip(problem.arguments, arrays, strict=True)
    return {spec.name: array for spec, array in named if spec.role is not Role.INPUT}


def test_a_product(recorded: Callable[[str], Problem]) -> None:
    problem = recorded("product")
    assert dict(problem.dimensions) == {"N": 5, "M": 8, "K": 16}
    assert [(one.name, one.dtype, one.shape, one.role.value) for one in problem.arguments] == [
        ("A", "int8", (5, 16), "input"),
        ("B", "int8", (16, 8), "input"),
        ("C", "int32", (5, 8), "output"),
    ]
    assert problem.work == Work(5 * 8 * 16, 5 * 16 + 16 * 8 + 5 * 8 * 4)
    assert problem.options == {"assertions": ["K == 16", "M % 4 == 0"]}
    assert (problem.operator, problem.target, problem.entry) == ("exo", "gemmini", "solution")
    inputs = inputs_of(problem)
    expected = inputs["A"].astype(np.int32) @ inputs["B"].astype(np.int32)
    np.testing.assert_array_equal(problem.reference(inputs)["C"], expected)
    np.testing.assert_array_equal(start_result(problem, inputs)["C"], expected)
    assert lint(problem) == ()


def test_the_problem_survives_the_way_to_another_process(recorded: Callable[[str], Problem]) -> None:
    problem = recorded("product")
    again = pickle.loads(pickle.dumps(problem.reference))
    assert again == problem.reference
    inputs = inputs_of(problem)
    np.testing.assert_array_equal(again(inputs)["C"], problem.reference(inputs)["C"])
    assert recorded("product").fingerprint == problem.fingerprint


def test_windows_scalars_conditions_and_what_is_added_to(recorded: Callable[[str], Problem]) -> None:
    problem = recorded("rows")
    assert [(one.name, one.shape, one.role.value) for one in problem.arguments] == [
        ("scale", (1,), "input"),
        ("x", (3, 7), "input"),
        ("y", (3, 7), "inout"),
    ]
    assert problem.options == {"bounded": True}
    assert dict(problem.dimensions) == {"m": 3, "n": 7}
    inputs = inputs_of(problem)
    x, y, scale = inputs["x"], inputs["y"], inputs["scale"]
    # Every operation rounds once, as in NumPy: equal to the bit.
    expected = y + scale * np.maximum(x, np.float32(0))  # type: ignore[operator]
    np.testing.assert_array_equal(problem.reference(inputs)["y"], expected)
    np.testing.assert_array_equal(start_result(problem, inputs)["y"], expected)
    assert '#include "library/heap.h"' in problem.start.code  # a temporary array, and no C library on the chip


def test_elements_that_are_not_written_make_an_argument_inout(recorded: Callable[[str], Problem]) -> None:
    problem = recorded("triangle")
    assert [one.role.value for one in problem.arguments] == ["input", "inout"]
    assert problem.work.operations == sum(range(1, 10))
    inputs = inputs_of(problem)
    expected = np.append(np.cumsum(inputs["x"], dtype=np.int32), inputs["y"][-1:])
    np.testing.assert_array_equal(problem.reference(inputs)["y"], expected)


def test_a_procedure_may_be_called_like_our_entry(recorded: Callable[[str], Problem]) -> None:
    problem = recorded("solution")
    assert problem.entry == "kernel"
    assert problem.arguments[0].shape == (8,)
    inputs = inputs_of(problem)
    np.testing.assert_array_equal(start_result(problem, inputs)["z"], inputs["x"])
    with pytest.raises(ProblemError, match="rename a procedure"):
        entry_name(["solution kernel", "entry_of_problem"])


def test_scheduled_code_is_start_and_rival(recorded: Callable[[str], Problem]) -> None:
    problem = recorded("scheduled")
    assert list(problem.rivals) == ["tiled"]
    assert problem.start.code == problem.rivals["tiled"].code
    assert problem.start.code.rstrip().endswith("gemmini_fence();\n}")
    assert "gemmini" not in problem.reference.source  # type: ignore[attr-defined]
    inputs = inputs_of(problem)
    expected = inputs["A"].astype(np.int32) @ inputs["B"].astype(np.int32)
    np.testing.assert_array_equal(problem.reference(inputs)["C"], expected)


def test_sums_are_scaled_as_the_accelerator_does(recorded: Callable[[str], Problem]) -> None:
    problem = recorded("scaled")
    assert problem.work.operations == 16 * 16 * 32
    generator = np.random.default_rng(0)
    for scale in (1.0, 0.5, -0.5, 0.037, 3.0):
        inputs: dict[str, Any] = {
            spec.name: draw(spec, Distribution("uniform", -20, 20), generator) for spec in problem.inputs
        }
        inputs["scale"] = np.full(1, scale, np.float32)
        sums = inputs["A"].astype(np.int64) @ inputs["B"].astype(np.int64)
        # np.rint rounds halves to even; with 0.5 there are many.
        expected = np.clip(np.rint(sums.astype(np.float32) * np.float32(scale)), -128, 127).astype(np.int8)
        np.testing.assert_array_equal(problem.reference(inputs)["C"], expected)


def test_a_folder_made_from_it_is_the_same_problem(recorded: Callable[[str], Problem], tmp_path: Path) -> None:
    problem = recorded("scheduled")
    scaffold(tmp_path / "own", template=problem.locator)
    own = load(tmp_path / "own")
    assert own.fingerprint == problem.fingerprint
    assert own.start.code == problem.start.code


def test_both_procedures_must_take_the_same() -> None:
    other = {**RECORDED["product"]["algorithm"], "name": "other"}
    other["arguments"] = [{**one, "dtype": "int32"} for one in other["arguments"]]
    found = {**RECORDED["product"], "others": {"other": other}}
    with pytest.raises(ProblemError, match=r"other takes \(A: int32\[5, 16\].*product takes \(A: int8\[5, 16\]"):
        _folder.build(record.SPECS["product"], found)


def test_a_tolerance_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_folder, "ask", lambda spec: RECORDED["rows"])
    spec: ExoSpec = record.SPECS["rows"]
    given = load(replace(spec, tolerance=1e-3).locator)
    assert given.tolerances["float32"].absolute == 1e-3
    derived = load(spec.locator).tolerances["float32"]
    assert 2.0**-24 < derived.absolute < 1e-6  # one product for each output


def test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = parse_exo("exo:a.py:mm:N=16:flag=true:rival=fast:start=slow:tolerance=1e-4:operator=matmul:target=null")
    assert spec.path == tmp_path / "a.py"
    assert spec.sizes == {"N": 16, "flag": True}
    assert (spec.start, spec.rivals, spec.operator, spec.target) == ("slow", ("fast",), "matmul", "null")
    assert parse_exo(spec.locator) == spec
    assert parse_exo("exo:a.py:mm:M=2:N=1").locator == parse_exo("exo:./a.py:mm:N=1:M=2").locator.replace("/./", "/")
    assert spec.name == "exo-mm-N16-flagtrue"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("exo:", "write exo:FILE.py:PROCEDURE"),
        ("exo:a.txt:mm", "write exo:FILE.py:PROCEDURE"),
        ("exo:a.py", "write exo:FILE.py:PROCEDURE"),
        ("exo:a.py:mm:N", "'N' is not NAME=VALUE"),
        ("exo:a.py:mm:N=x", "N is 'x'; it must be a whole number"),
        ("exo:a.py:mm:N=1:N=2", "'N' is given twice"),
        ("exo:a.py:mm:rival=a:rival=a", "'rival' is given twice"),
        ("exo:a.py:mm:start=a-b", "'a-b' is not the name of a procedure"),
        ("exo:a.py:mm:tolerance=2", "tolerance is '2'"),
    ],
)
def test_wrong_names(name: str, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        load(name)


def test_what_nobody_needs_is_taken_out() -> None:
    code = """
// Compiler feature macros
#if defined(__has_builtin)
#endif

#if EXO_HAS_BUILTIN(__builtin_assume)
#  define EXO_ASSUME(expr) 0
#endif
typedef struct c_code_str_Context {

    // config 'Load' not materialized

} c_code_str_Context;
#ifndef EXO_WIN_1I8
#define EXO_WIN_1I8
struct exo_win_1i8{
    int_fast32_t strides[1];
};
#endif
#include <stdlib.h>
/* relying on the following instruction..."
load(n)
load_it({n});
*/
#include <stdlib.h>
void f( c_code_str_Context *ctxt, struct exo_win_1i8 x ) {
EXO_ASSUME(16 % 4 == 0);
  load_it(16);
}
"""
    assert tidy(code, "f") == (
        "#include <stdlib.h>\n\nstruct exo_win_1i8{\n  int strides[1];\n};\n"
        "static void f( struct exo_win_1i8 x ) {\n  load_it(16);\n}\n"
    )


def test_a_context_with_fields_is_passed() -> None:
    code = (
        "typedef struct c_code_str_Context {\n  struct { int scale; } Load;\n} c_code_str_Context;\n"
        "void f( c_code_str_Context *ctxt, int32_t* y ) {\n  ctxt->Load.scale = 3;\n  y[0] = ctxt->Load.scale;\n}\n"
    )
    argument = {"name": "y", "dtype": "int32", "shape": [1], "window": False, "written": True}
    text = kernel({"name": "f", "c": "#include <stdint.h>\n" + tidy(code, "f"), "arguments": [argument]}, "solution")
    array = np.zeros(1, np.int32)
    native.run(text, "solution", [array])
    assert array[0] == 3


PLACED = """#include "gemm_malloc.h"
#include "gemm_acc_malloc.h"
static void f( const int8_t* A ) {
  int32_t *sums = (int32_t*) ((uint32_t)gemm_acc_malloc (4 * 16 * 16 * sizeof(int32_t)));
  for (int i = 0; i < 4; i++) {
    int8_t *a = (int8_t*) ((uint64_t)gemm_malloc (2 * 16 * 16 * sizeof(int8_t)));
    int8_t *b = (int8_t*) ((uint64_t)gemm_malloc (16 * 16 * sizeof(int8_t)));
    gemm_free((uint64_t)(a));
    int8_t *c = (int8_t*) ((uint64_t)gemm_malloc (16 * 16 * sizeof(int8_t)));
    int8_t *d = (int8_t*) ((uint64_t)gemm_malloc (2 * 16 * 16 * sizeof(int8_t)));
    load( ((uint64_t) &*(int8_t*)((uint64_t)( ((uint32_t)((uint64_t)d)) + ((i * (2)) * 256)/16))), 16 );
    compute( (uint32_t)(&*(int32_t*)((uint64_t)( ((uint32_t)((uint64_t)sums)) + (0)/16))) | 0x40000000 );
    gemm_free((uint64_t)(d));
    gemm_free((uint64_t)(c));
    gemm_free((uint64_t)(b));
  }
  gemm_acc_free((uint32_t)(sums));
}
"""


def test_what_is_placed_gets_its_address() -> None:
    assert placed(PLACED, "f") == (
        "static void f( const int8_t* A ) {\n"
        "const uint32_t sums = 0x80000000u;\n"
        "  for (int i = 0; i < 4; i++) {\n"
        "const uint32_t a = 0;\n"
        "const uint32_t b = 32;\n"
        "const uint32_t c = 0;\n"  # where a was
        "const uint32_t d = 48;\n"  # 32 rows do not fit between c and b
        "    load( ((uint64_t) (d + ((i * (2)) * 256) / 16)), 16 );\n"
        "    compute( (uint32_t)(sums) | 0x40000000 );\n"
        "  }\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("gemm_malloc (2 * 16 *", "gemm_malloc (n * 16 *"),  # not a number
        ("    gemm_free((uint64_t)(d));\n", ""),  # never returned
        ("  gemm_acc_free((uint32_t)(sums));\n}", "}\ngemm_acc_free((uint32_t)(sums));"),  # elsewhere
        ("static void f(", "void g() { gemm_malloc (16); }\nstatic void f("),  # another procedure places as well
        ("load( ((uint64_t) &", "w = (struct w){ &"),  # a window of it
    ],
)
def test_what_only_the_running_kernel_knows_is_left_to_it(before: str, after: str) -> None:
    assert before in PLACED
    code = PLACED.replace(before, after)
    assert placed(code, "f") == code


@pytest.mark.parametrize(
    ("before", "most"),  # 16 rows each; 16 rows of another piece beside those of the scratchpad
    [("gemm_acc_malloc (4 *", 64), ("gemm_malloc (2 * 16 * 16 * sizeof(int8_t)));\n    int8_t *b", 1023)],
)
def test_what_does_not_fit_the_default_chip_is_left_to_the_functions(before: str, most: int) -> None:
    number = re.search(r"\((\d+) \*", before)
    assert number is not None and before in PLACED
    fits, not_any_more = (
        PLACED.replace(before, before.replace(number[0], f"({count} *", 1)) for count in (most, most + 1)
    )
    assert "malloc" not in placed(fits, "f")
    assert placed(not_any_more, "f") == not_any_more


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Requests that reach the worker, which answers with the procedure's name and one more file."""
    requests: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        requests.append(request)
        helper = Path(request["path"]).with_name("helper.py")
        return {"procedure": request["procedure"], "files": {str(helper): _run.digest_of(helper)}}

    monkeypatch.setattr(_run, "_ask", answer)
    monkeypatch.setattr(_run, "_exo_version", lambda: "1.0.0")
    return requests


def test_answers_are_kept_until_a_file_changes(tmp_path: Path, asked: list[dict[str, Any]], own_cache: Path) -> None:
    file, helper = tmp_path / "a.py", tmp_path / "helper.py"
    file.write_text("1")
    helper.write_text("1")
    spec = ExoSpec(file, "mm", {"N": 4})
    for _ in range(3):
        assert _run.facts(spec)["procedure"] == "mm"
    assert len(asked) == 1
    _run.facts(ExoSpec(file, "mm", {"N": 5}))
    assert len(asked) == 2
    file.write_text("2")
    _run.facts(spec)
    assert len(asked) == 3
    helper.write_text("2")
    _run.facts(spec)
    assert len(asked) == 4
    file.write_text("1")
    helper.write_text("1")
    _run.facts(spec)
    assert len(asked) == 4  # the first answer is still there
    for kept in (own_cache / "autocomp" / "exo").glob("*.json"):
        kept.write_text("{")
    _run.facts(spec)
    assert len(asked) == 5


def test_roles_are_kept_until_what_tries_them_changes(
    recorded: Callable[[str], Problem], own_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[str] = []
    run = native.run
    monkeypatch.setattr(native, "run", lambda *given: (runs.append(given[1]), run(*given)))

    def roles() -> list[str]:
        return [one.role.value for one in recorded("triangle").arguments]

    assert roles() == roles() == ["input", "inout"]
    tried = len(runs)
    assert tried > 0
    for changed in _folder._TRIED_BY:
        copy = tmp_path / changed.name
        copy.write_bytes(changed.read_bytes() + b"\n")
        files = tuple(copy if path == changed else path for path in _folder._TRIED_BY)
        monkeypatch.setattr(_folder, "_TRIED_BY", files)
        assert roles() == ["input", "inout"]
    assert len(runs) == 3 * tried  # for each of the two files once more


def test_without_exo_the_message_has_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(SetupError, match=r"pip install 'autocomp\[exo\]'"):
        load(f"exo:{tmp_path / 'a.py'}:mm")


def test_files_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_run, "_exo_version", lambda: "1.0.0")
    file = tmp_path / "a.py"
    with pytest.raises(ProblemError, match=r"a\.py: the Exo file cannot be read: no such file"):
        load(f"exo:{file}:mm")
    file.write_text("print('so far')\nraise ValueError('boom')\n")
    with pytest.raises(ProblemError, match=r"(?s)exit status 1.*line 2.*ValueError: boom"):
        load(f"exo:{file}:mm")
    file.write_text("import os\nos._exit(3)\n")
    with pytest.raises(ProblemError, match=r"(?s)exit status 3.*printed nothing"):
        load(f"exo:{file}:mm")
    file.write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(_run, "TIME_LIMIT_S", 1)
    with pytest.raises(ProblemError, match="still running after 1 s"):
        load(f"exo:{file}:mm")
    file.write_text("import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])\n")
    begin = time.monotonic()
    with pytest.raises(ProblemError, match="still running after 1 s"):
        load(f"exo:{file}:mm")
    assert time.monotonic() - begin < 30  # the one that it has started holds its output
