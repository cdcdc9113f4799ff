"""The tables that benchmarks/gemmini prints, and what it calls missed."""

import io
import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.gemmini import paper, tables
from benchmarks.gemmini.__main__ import write_results
from benchmarks.gemmini.measure import Row, geometric_mean, optimise

FAMILY = paper.Family(
    name="gemm",
    title="Two",
    problems=("gemm:a", "gemm:b"),
    baseline="library",
    columns=("library", "start", "hand-tuned"),
    bars=(paper.Bar("library", 5.0), paper.Bar("start", 3.0, ("gemm:b",))),
    never_behind=("hand-tuned",),
    reported={"start": (2.0, 2.0), "found": (9.0, 9.0)},
)


def row(name: str, **cycles: float) -> Row:
    cycles = {key.replace("_", "-"): value for key, value in cycles.items()}
    return Row(name, "ideal", cycles, 80.0, "compute", 7, 1.5, True, ("hoist", "banks"), (), "void solution(void) {}")


ROWS = [
    row("gemm:a", library=800.0, start=400.0, hand_tuned=200.0, found=100.0),
    row("gemm:b", library=500.0, start=250.0, hand_tuned=90.0, found=100.0),
]


def text_of(table: object) -> str:
    console = Console(width=200, file=io.StringIO())
    console.print(table)
    return console.file.getvalue()


def test_table() -> None:
    text = text_of(tables.table(FAMILY, ROWS))
    assert "8.00×, 80.0 %" in text, "800 over 100, and 80 of 100"
    assert "4.00×, 40.0 %" in text, "800 over 200, and 80 of 200"
    assert f"{math.sqrt(40):.2f}×, 80.0 %" in text, "geometric mean of 8 and 5"


def test_a_kernel_that_was_not_measured_is_a_dash() -> None:
    text = text_of(tables.table(FAMILY, [row("gemm:a", library=800.0, found=100.0)]))
    assert " - " in text
    assert "nan" not in text


def test_beside_the_paper() -> None:
    text = text_of(tables.beside_the_paper(FAMILY, ROWS))
    assert "2.00 / 2.00" in text
    assert f"{math.sqrt(40):.2f} / 9.00" in text


def test_what_is_missed() -> None:
    assert list(tables.missed(FAMILY, ROWS)) == [
        "found is 2.50 times as fast as start on gemm:b; the bar is 3.0",
        "gemm:b: found 100, hand-tuned 90",
    ]


def test_a_whole_table_is_needed_for_bars_over_it() -> None:
    slow = [row("gemm:a", library=100.0, start=50.0, hand_tuned=200.0, found=100.0)]
    assert list(tables.missed(FAMILY, slow)) == []


@pytest.mark.parametrize(("start", "count"), [(2.29, 0), (2.31, 1), (1.71, 0), (1.69, 1)])
def test_rivals_are_held_to_the_reported_ratio(start: float, count: int) -> None:
    family = replace(FAMILY, bars=(), never_behind=())
    rows = [replace(item, cycles={**item.cycles, "start": item.cycles["library"] / start}) for item in ROWS]
    assert len(list(tables.missed(family, rows))) == count


def test_the_paper_s_geometric_means() -> None:
    means = {name: geometric_mean(list(values)) for name, values in paper.GEMM.reported.items()}
    assert means["start"] == pytest.approx(1.95, abs=0.03)
    assert means["hand-tuned"] == pytest.approx(4.0, abs=0.1)
    assert means["hardware-loop"] == pytest.approx(6.1, abs=0.1)
    assert means["found"] == pytest.approx(5.55, abs=0.05)


def test_results(tmp_path: Path) -> None:
    write_results(ROWS, tmp_path / "r" / "results.json")
    written = json.loads((tmp_path / "r" / "results.json").read_text())
    assert [row["cycles"]["found"] for row in written["rows"]] == [100.0, 100.0]
    assert written["rows"][0]["moves"] == ["hoist", "banks"]


def test_one_search() -> None:
    found = optimise("gemm:32x64x32", "ideal", {"search.iterations": 2, "search.max_evaluations": 6})
    assert found.cycles["found"] <= found.cycles["start"]
    assert found.ideal_cycles <= found.cycles["found"]
    assert found.confirmed
