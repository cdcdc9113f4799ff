import contextlib
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from autocomp.errors import ProblemError
from autocomp.problems import load
from autocomp.records import Distribution, Problem, Role, Tolerance

MINIMAL = """
name = "scale-rows"
operator = "elementwise"
entry = "scale_rows"
dimensions = { R = 6, C = 10 }
arguments = [
  { name = "x", dtype = "float32", shape = ["R", "2 * C"], role = "input" },
  { name = "y", dtype = "bfloat16", shape = ["R", 20], role = "output" },
]
tolerance.bfloat16 = { absolute = 0.01 }
work.operations = "R * C * 2"
"""
MINIMAL_REFERENCE = """
import numpy as np

def reference(inputs):
    return {"y": inputs["x"].astype(np.float64) * 2}
"""


def minimal(folder: Path, toml: str = MINIMAL, reference: str = MINIMAL_REFERENCE) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "problem.toml").write_text(toml)
    (folder / "reference.py").write_text(reference)
    (folder / "start.py").write_text("def scale_rows(x, y): ...\n")
    return folder


def refusal(name: str | Path, **options: bool) -> str:
    with pytest.raises(ProblemError) as caught:
        load(name, **options)
    return str(caught.value)


def replace(folder: Path, old: str, new: str, file: str = "problem.toml") -> Path:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    return folder


def test_minimal_folder_and_its_defaults(tmp_path: Path) -> None:
    problem = load(minimal(tmp_path / "p"))
    assert [(spec.name, spec.dtype, spec.shape, spec.role) for spec in problem.arguments] == [
        ("x", "float32", (6, 20), Role.INPUT),
        ("y", "bfloat16", (6, 20), Role.OUTPUT),
    ]
    assert problem.work.operations == 120
    assert problem.work.bytes == 6 * 20 * 4 + 6 * 20 * 2
    assert problem.tolerances == {"bfloat16": Tolerance(0.01, 0.0)}
    assert problem.distributions[0] == Distribution("uniform", -1.0, 1.0)
    assert problem.start.name == "start"
    assert problem.start.path == tmp_path / "p" / "start.py"
    assert problem.rivals == {}


def test_locator_loads_the_same_problem_elsewhere(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    problem = load("own")
    monkeypatch.chdir("/")
    assert load(problem.locator) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_fingerprint_follows_meaning_only(own: Path) -> None:
    before = load(own)
    replace(own, 'name = "own"', 'name = "other"')
    replace(own, "void", "/* a comment */ void", "start.c")
    assert load(own).fingerprint == before.fingerprint
    replace(own, "M = 20", "M = 24")
    replace(own, "20", "24", "start.c")
    changed = load(own)
    assert changed.fingerprint != before.fingerprint
    replace(own, "low = -", "low = -1")
    other_inputs = load(own)
    assert other_inputs.fingerprint != changed.fingerprint
    replace(own, "[settings]", '[settings]\nmemory = "ddr3"')
    assert load(own).settings == {"memory": "ddr3"}
    assert load(own).fingerprint != other_inputs.fingerprint


# What a hand could get wrong in problem.toml: (old text, new text, what the message must say).
SPOILED = [
    ('operator = "matmul"', 'operater = "matmul"', "operater: unknown key; did you mean 'operator'?"),
    ('operator = "matmul"', "", "operator: is missing"),
    ('operator = "matmul"', "operator = 3", "operator = 3: write a text in double quotes"),
    ('entry = "solution"', 'entry = "my solution"', "entry = 'my solution': must be an identifier"),
    ('name = "own"', 'name = "../own"', "name = '../own': must be 1 to 100 letters"),
    ("M = 20", "M = 0", "dimensions.M = 0"),
    ("M = 20", "M = 20.5", "dimensions.M = 20.5: write a whole number"),
    ("M = 20", "M = true", "dimensions.M = True"),
    ("M = 20", 'M = "20"', "dimensions.M = '20'"),
    ("M = 20", "M = 2000000000", "bytes together"),
    ("M = 20", "M = 20\nM = 21", "problem.toml: Cannot overwrite a value (at line"),
    ("M = 20", "M = ", "problem.toml: Invalid value (at line"),
    ('dtype = "int8"', 'dtype = "int9"', "arguments[0].dtype = 'int9': unknown dtype; did you mean 'int8'?"),
    ('dtype = "int8"', 'dytpe = "int8"', "arguments[0].dytpe: unknown key; did you mean 'dtype'?"),
    ('["M", "K"]', '["M", "L"]', "arguments[0].shape[1] = 'L': 'L' is not a dimension (dimensions: M, N, K)"),
    ('["M", "K"]', "[]", "arguments[0].shape = []: must not be empty"),
    ('["M", "K"]', '["M", 1.5]', 'arguments[0].shape[1] = 1.5: write a whole number or a text such as "M * N"'),
    ('["M", "K"]', '["M", "K - 40"]', "arguments[0].shape[1] = 'K - 40': is 0; every size must be at least 1"),
    ('role = "input"', 'role = "in"', "arguments[0].role = 'in': must be 'input', 'output' or 'inout'"),
    ('role = "output"', 'role = "input"', "no argument writes anything"),
    ('name = "B"', 'name = "A"', "arguments[1].name = 'A': is used twice"),
    ("int8 = { absolute = 0", "int8 = { absolute = -1", "tolerance.int8.absolute = -1"),
    ("int8 = { absolute = 0", "int4 = { absolute = 0", "tolerance.int4: no output has this dtype"),
    ("relative = 0", "relativ = 0", "tolerance.int8.relativ: unknown key; did you mean 'relative'?"),
    ('kind = "uniform"\nlow', 'kind = "gaussian"\nlow', "distributions[0].kind = 'gaussian': must be 'uniform'"),
    ("low = -", "low = 1", "low = 1"),
    ("low = -", "low = -100", "it must be a whole number from -128 to 127"),
    ("low = -", "low = -0.", "it must be a whole number"),
    ('kind = "sparse"', 'kind = "constant"', 'distributions[4].low: is missing; kind "constant"'),
    ('kind = "sparse"', 'kind = "negative"', "distributions[4]: is the same as an earlier one"),
    ('operations = "M * N * K"', 'operations = "M * N * Q"', "work.operations = 'M * N * Q'"),
    ('operations = "M * N * K"', "operations = 0", "work.operations: is 0"),
    ("[options]", "[options]\nwhen = 2024-01-01", "options.when = "),
    ("[options]", "[options]\nlimit = inf", "options.limit = inf: must be a text, a finite number"),
    ("[settings]", "[settings]\nmemory = inf", "settings.memory = inf: must be a text, a finite number"),
    ("[settings]", '[settings]\n"my memory" = 1', "settings.my memory"),
    ("[options]", "[option]", "option: unknown key; did you mean 'options'?"),
]


@pytest.mark.parametrize(("old", "new", "message"), SPOILED, ids=[item[2][:40] for item in SPOILED])
def test_spoiled_description(own: Path, old: str, new: str, message: str) -> None:
    text = refusal(replace(own, old, new))
    assert message in text
    assert str(own / "problem.toml") in text


def test_all_findings_are_reported_together(own: Path) -> None:
    replace(own, "M = 20", "M = 0")
    replace(own, 'operator = "matmul"', "operator = 3")
    assert len(refusal(own).splitlines()) == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def reference(inputs:\n", "line 1: "),
        ("x = 1\n", "defines no function reference"),
        ("import no_such_module\n", "line 1: reference raised ModuleNotFoundError"),
        ("def reference(inputs):\n    return 1 / 0\n", "line 2: reference raised ZeroDivisionError"),
        ("def reference(inputs):\n    return inputs['Z']\n", "line 2: reference looked up 'Z', which is not there"),
        ("def reference(inputs):\n    raise SystemExit(3)\n", "line 2: reference raised SystemExit: 3"),
        ("exit()\n", "line 1: reference raised SystemExit"),
        ("def reference():\n    return {}\n", "reference raised TypeError"),
        ("def reference(inputs):\n    return inputs['x']\n", 'returned ndarray; it must return a dict: {"y": …}'),
        ("def reference(inputs):\n    return {'z': 1}\n", 'returned z; it must return exactly {"y": …}'),
        ("def reference(inputs):\n    return {'y': 1}\n", "output 'y' is int; it must be a NumPy array"),
        ("def reference(inputs):\n    return {'y': inputs['x'][1:]}\n", "has shape (5, 20); y is declared as (6, 20)"),
        ("def reference(inputs):\n    return {'y': inputs['x'] > 0}\n", "has dtype bool; y is declared as bfloat16"),
        (
            "def reference(inputs):\n    inputs['x'][0] = 1\n    return {}\n",
            "line 2: reference writes one of its inputs",
        ),
        ("def reference(inputs):\n    inputs['x'] += 1\n    return {}\n", "line 2: reference writes one of its inputs"),
    ],
)
def test_spoiled_reference(tmp_path: Path, body: str, message: str) -> None:
    text = refusal(minimal(tmp_path / "p", reference=body))
    assert message in text
    assert str(tmp_path / "p" / "reference.py") in text


def test_reference_is_not_run_without_verify(tmp_path: Path) -> None:
    folder = minimal(tmp_path / "p", reference="def reference(inputs):\n    return 1 / 0\n")
    problem = load(folder, verify=False)
    with pytest.raises(ProblemError, match="ZeroDivisionError"):
        problem.reference({"x": np.zeros((6, 20), np.float32)})


def test_float_output_needs_a_tolerance(tmp_path: Path) -> None:
    folder = minimal(tmp_path / "p", MINIMAL.replace("tolerance.bfloat16 = { absolute = 0.01 }", ""))
    assert "tolerance.bfloat16: is missing" in refusal(folder)


def test_work_of_an_unknown_operator_must_be_given(tmp_path: Path) -> None:
    folder = minimal(tmp_path / "p", MINIMAL.replace('work.operations = "R * C * 2"', ""))
    assert "work.operations: is missing" in refusal(folder)


@settings(max_examples=150, deadline=None)
@given(st.text() | st.sampled_from(["./a\0b", "~nobody-of-this-name/x", "gemm:" + "9" * 5000, "./" + "a" * 5000]))
def test_any_text_as_a_name(text: str) -> None:
    assume(text not in (".", "..", "~"))
    with contextlib.suppress(ProblemError):
        load(text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_change_to_the_files(own: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["problem.toml", "start.c", "rivals/hand-tuned.c"]))
    good = (own / name).read_bytes()
    position = data.draw(st.integers(0, len(good)))
    length = data.draw(st.integers(0, 30))
    inserted = data.draw(
        st.binary(max_size=8) | st.sampled_from([b"[", b'"', b"=", b"-", b"[[arguments]]\n", b"0x", b"1e9"])
    )
    try:
        (own / name).write_bytes(good[:position] + inserted + good[position + length :])
        with contextlib.suppress(ProblemError):
            load(own)
    finally:
        (own / name).write_bytes(good)


class TestFiles:
    @pytest.mark.parametrize("name", ["problem.toml", "reference.py", "start.c"])
    def test_missing(self, own: Path, name: str) -> None:
        (own / name).unlink()
        assert name in refusal(own)
        assert "missing" in refusal(own)

    def test_no_folder(self, tmp_path: Path) -> None:
        assert "there is no such problem folder" in refusal(tmp_path / "none")

    def test_file_instead_of_folder(self, own: Path) -> None:
        assert "a problem is a folder" in refusal(own / "problem.toml")

    @pytest.mark.parametrize("name", ["problem.toml", "reference.py", "start.c", "rivals/hand-tuned.c"])
    def test_not_utf8(self, own: Path, name: str) -> None:
        (own / name).write_bytes(b"# first\n# caf\xe9\n")
        assert f"{own / name}: line 2: byte 0xe9 at offset 13 is not UTF-8" in refusal(own)

    def test_nul(self, own: Path) -> None:
        (own / "start.c").write_bytes(b"void\0")
        assert "NUL character" in refusal(own)

    def test_empty_kernel(self, own: Path) -> None:
        (own / "start.c").write_text(" \n")
        assert "start.c: is empty" in refusal(own)

    def test_too_long(self, own: Path) -> None:
        (own / "start.c").write_text("/" * (5 << 20))
        assert "at most 4194304 are read" in refusal(own)

    def test_links_in_a_circle(self, own: Path) -> None:
        (own / "start.c").unlink()
        (own / "start.c").symlink_to(own / "start.c")
        assert "start.c: cannot be read: too many levels of symbolic links" in refusal(own)
        (own.parent / "a").symlink_to(own.parent / "b")
        (own.parent / "b").symlink_to(own.parent / "a")
        assert "cannot be read" in refusal(own.parent / "a")

    def test_folder_instead_of_file(self, own: Path) -> None:
        (own / "start.c").unlink()
        (own / "start.c").mkdir()
        assert "must be a regular file" in refusal(own)

    def test_fifo_does_not_block(self, own: Path) -> None:
        (own / "start.c").unlink()
        os.mkfifo(own / "start.c")
        assert "must be a regular file" in refusal(own)

    def test_two_start_kernels(self, own: Path) -> None:
        (own / "start.py").write_text("pass\n")
        assert "several start kernels (start.c, start.py); keep one" in refusal(own)

    def test_rivals_of_one_name(self, own: Path) -> None:
        (own / "rivals" / "hand-tuned.py").write_text("pass\n")
        assert "already a kernel named 'hand-tuned'" in refusal(own)

    def test_other_files_are_left_alone(self, own: Path) -> None:
        for name in ("start.c~", "start.c.orig", ".start.c.swp", "README.md", "rivals/.hidden.c", "rivals/notes.txt"):
            (own / name).write_bytes(b"\xff\xfe")
        assert isinstance(load(own), Problem)

    def test_line_ends_do_not_matter(self, own: Path) -> None:
        before = load(own)
        for name in ("problem.toml", "reference.py", "start.c"):
            (own / name).write_bytes((own / name).read_bytes().replace(b"\n", b"\r\n"))
        assert load(own) == before
