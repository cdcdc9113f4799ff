"""The table that benchmarks/gemm prints."""

import importlib.util
import io
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from rich.console import Console

MODULE = Path(__file__).parents[2] / "benchmarks" / "gemm" / "__main__.py"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_gemm", MODULE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_table_and_results(benchmark: ModuleType, tmp_path: Path) -> None:
    common = {"memory": "ideal", "bound": "compute", "evaluations": 7, "seconds": 1.5, "confirmed": True}
    common |= {"moves": ("hoist", "banks"), "code": "void solution(void) {}"}
    rows = [
        benchmark.Row(
            "gemm:a", start_cycles=400.0, rival_cycles=200.0, found_cycles=100.0, ideal_cycles=90.0, **common
        ),
        benchmark.Row("gemm:b", start_cycles=100.0, rival_cycles=90.0, found_cycles=100.0, ideal_cycles=50.0, **common),
    ]
    console = Console(width=200, file=io.StringIO())
    console.print(benchmark.table(rows))
    text = console.file.getvalue()
    assert "100 (4.00×, 90.0 %)" in text
    assert "200 (2.00×, 45.0 %)" in text
    assert benchmark.summary(rows) == (
        "geometric means: found 2.00× over start, hand-tuned 1.49×, found at 67.1 % of the ideal; "
        "slower than hand-tuned: gemm:b"
    )
    benchmark.write_results(rows, tmp_path / "r" / "results.json")
    written = json.loads((tmp_path / "r" / "results.json").read_text())
    assert [row["found_cycles"] for row in written["rows"]] == [100.0, 100.0]
    assert written["rows"][0]["moves"] == ["hoist", "banks"]


def test_one_search(benchmark: ModuleType) -> None:
    row = benchmark.optimise("32x64x32", "ideal", {"search.iterations": 2, "search.max_evaluations": 6})
    assert row.found_cycles <= row.start_cycles
    assert row.ideal_cycles <= row.found_cycles
    assert row.confirmed
