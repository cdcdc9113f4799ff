"""The process that runs Exo, with Exo itself."""

from __future__ import annotations

import importlib.util
import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from autocomp.errors import ProblemError
from autocomp.problems import load

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("exo") is None, reason="needs the extra exo"),
]

EXO = Path(__file__).parent / "exo"
PLAIN = f"exo:{EXO / 'plain.py'}"
HEAD = "from __future__ import annotations\nfrom exo import DRAM, config, instr, proc\n"


record = SimpleNamespace(**runpy.run_path(str(EXO / "record.py")))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("name", record.SPECS)
def test_the_recording_is_what_exo_says(name: str) -> None:
    assert record.recording(name) == json.loads(record.RECORDED.read_text(encoding="utf-8"))[name]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            f"{PLAIN}:produkt",
            "'produkt' is not a procedure of this file; it has: gather, product, row, rows, solution, triangle",
        ),
        (f"{PLAIN}:product:N=4", r"product: no value for M; add for example :M=16"),
        (f"{PLAIN}:product:N=4:M=6", r"product: the assertion `M % 4 == 0` does not hold for N=4, M=6, K=16"),
        (f"{PLAIN}:product:N=4:M=8:K=17", r"the assertion `K == 16` does not hold for N=4, M=8, K=17"),
        (f"{PLAIN}:product:N=4:M=8:L=1", r"product has no size 'L'; it has: N, M, K"),
        (f"{PLAIN}:product:N=0:M=8", r"N is 0; a size must be at least 1"),
        (f"{PLAIN}:rows:m=2:n=3", r"no value for bounded; add for example :bounded=true"),
        (f"{PLAIN}:rows:m=2:n=3:bounded=1", r"bounded is 1; write true or false"),
        (f"{PLAIN}:product:N=4:M=8:start=row", r"row: no value for n"),
    ],
)
def test_requests_that_do_not_fit(name: str, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        load(name)


def test_procedures_that_are_no_problem(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        HEAD + "@instr('copy_it({x_data});')\ndef copy(x: [f32][4] @ DRAM, y: [f32][4] @ DRAM):\n"
        "    for i in seq(0, 4):\n        y[i] = x[i]\n"
        "@proc\ndef uses(x: f32[4] @ DRAM, y: f32[4] @ DRAM):\n    copy(x[0:4], y[0:4])\n"
        "@proc\ndef nothing(x: f32[4] @ DRAM):\n    pass\n"
        "@proc\ndef vague(x: R[4] @ DRAM, y: R[4] @ DRAM):\n    for i in seq(0, 4):\n        y[i] = x[i]\n"
    )
    for name, message in (
        ("uses", r"uses uses instructions \(copy\), so it is no reference"),
        ("nothing", "nothing writes none of its arguments"),
        ("vague", "argument x has no precision"),
    ):
        with pytest.raises(ProblemError, match=message):
            load(f"exo:{file}:{name}")


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text("LENGTH = 4\n")
    file = tmp_path / "main.py"
    file.write_text(
        HEAD + "from sizes import LENGTH\n"
        "@proc\ndef twice(x: i32[LENGTH] @ DRAM, y: i32[LENGTH] @ DRAM):\n"
        "    for i in seq(0, LENGTH):\n        y[i] = x[i] + x[i]\n"
    )
    assert load(f"exo:{file}:twice").arguments[0].shape == (4,)
    (tmp_path / "sizes.py").write_text("LENGTH = 6\n")
    assert load(f"exo:{file}:twice").arguments[0].shape == (6,)
