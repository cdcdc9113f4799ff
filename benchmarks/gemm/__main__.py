"""``python -m benchmarks.gemm``: start, hand-tuned, found and ideal cycles of each shape."""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

import autocomp
from autocomp.configuration import load_configuration
from autocomp.errors import AutocompError
from autocomp.report import evaluated, latency_text, lineage, number_text, share_text, speedup_text

SHAPES = ("512x512x512", "12544x256x64", "12544x64x256", "3136x512x128", "3136x128x512", "784x1024x256")
RIVAL = "hand-tuned"
RESULTS = Path(__file__).with_name("results")


@dataclass(frozen=True)
class Row:
    """One shape; latencies in simulated cycles."""

    problem: str
    memory: str
    start_cycles: float
    rival_cycles: float
    found_cycles: float
    ideal_cycles: float
    bound: str
    evaluations: int
    seconds: float
    confirmed: bool
    moves: tuple[str, ...]
    """Menu items from the start kernel to the found one."""
    code: str

    @property
    def speedup(self) -> float:
        """How many times faster than the start kernel."""
        return self.start_cycles / self.found_cycles


def optimise(shape: str, memory: str, overrides: dict[str, object]) -> Row:
    """Run one search in a store of its own, so that nothing is taken from an earlier run."""
    with tempfile.TemporaryDirectory(prefix="autocomp-gemm-") as folder:
        config = load_configuration(
            overrides={
                "run.store": Path(folder) / "store.sqlite",
                "targets.gemmini.memory": memory,
                **overrides,
            }
        )
        began = time.perf_counter()
        run = autocomp.optimize(f"gemm:{shape}", config=config)
        seconds = time.perf_counter() - began
    rivals = {rival.name: rival.evaluation.latency for rival in run.rivals}
    return Row(
        problem=f"gemm:{shape}",
        memory=memory,
        start_cycles=_latency(run.start.evaluation),
        rival_cycles=rivals.get(RIVAL) or math.nan,
        found_cycles=_latency(run.best.evaluation),
        ideal_cycles=run.ideal.latency,
        bound=run.ideal.bound,
        evaluations=evaluated(run),
        seconds=seconds,
        confirmed=run.confirmed,
        moves=tuple(entry.candidate.move.item for entry in lineage(run) if entry.candidate.move),
        code=run.best.candidate.code,
    )


def _latency(evaluation: autocomp.Evaluation | None) -> float:
    latency = evaluation.latency if evaluation else None
    return math.nan if latency is None else latency


def table(rows: Sequence[Row]) -> Table:
    """Cycles, speed-up over the start kernel, and share of the ideal."""
    shown = Table(title="GEMM on Gemmini: simulated cycles (speed-up over start, share of ideal)")
    for name in ("problem", "memory", "start", RIVAL, "found", "ideal", "roof", "evaluations", "seconds"):
        shown.add_column(name, justify="left" if name in ("problem", "memory", "roof") else "right", no_wrap=True)
    for row in rows:
        cells = [_cell(row, cycles) for cycles in (row.start_cycles, row.rival_cycles, row.found_cycles)]
        found = cells[2] if row.found_cycles <= row.rival_cycles else f"[red]{cells[2]}[/red]"
        shown.add_row(
            row.problem,
            row.memory,
            cells[0],
            cells[1],
            found,
            number_text(row.ideal_cycles),
            row.bound,
            str(row.evaluations),
            f"{row.seconds:.1f}",
        )
    return shown


def _cell(row: Row, cycles: float) -> str:
    return f"{number_text(cycles)} ({speedup_text(row.start_cycles / cycles)}, {share_text(row.ideal_cycles / cycles)})"


def geometric_mean(values: Sequence[float]) -> float:
    """Of positive numbers."""
    return math.exp(sum(map(math.log, values)) / len(values))


def summary(rows: Sequence[Row]) -> str:
    """One line over all shapes."""
    behind = [row.problem for row in rows if not row.found_cycles <= row.rival_cycles]
    share = geometric_mean([row.ideal_cycles / row.found_cycles for row in rows])
    return (
        f"geometric means: found {speedup_text(geometric_mean([row.speedup for row in rows]))} over start, "
        f"{RIVAL} {speedup_text(geometric_mean([row.start_cycles / row.rival_cycles for row in rows]))}, "
        f"found at {share_text(share)} of the ideal; slower than {RIVAL}: {', '.join(behind) or 'none'}"
    )


def write_results(rows: Sequence[Row], path: Path) -> None:
    """Everything in the table and the kernels, as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"measured": datetime.now(UTC).isoformat(timespec="seconds"), "rows": [asdict(row) for row in rows]}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if every found kernel is at least as fast as the hand-tuned one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gemm", description=__doc__)
    parser.add_argument("--shapes", nargs="+", default=SHAPES, metavar="MxNxK", help="default: the six of the table")
    parser.add_argument("--memory", nargs="+", default=("ideal",), choices=("ideal", "ddr3"))
    parser.add_argument("--max-minutes", type=float, help="end each search after this time; default: no limit")
    parser.add_argument("--set", nargs="+", default=(), metavar="KEY=VALUE", help="settings, such as search.beam=4")
    parser.add_argument("--output", type=Path, help="default: results/MEMORY.json beside this file")
    options = parser.parse_args(arguments)
    overrides: dict[str, object] = dict(item.split("=", 1) for item in options.set)
    if options.max_minutes is not None:
        overrides["search.max_minutes"] = options.max_minutes
    output = options.output or RESULTS / f"{'-'.join(options.memory)}.json"
    console = Console(width=max(160, Console().width))
    rows: list[Row] = []
    try:
        for memory in options.memory:
            for shape in options.shapes:
                rows.append(optimise(shape, memory, overrides))
                write_results(rows, output)
                row = rows[-1]
                console.print(
                    f"{row.problem} ({memory}): {latency_text(row.found_cycles, 'cycles')} after {row.seconds:.1f} s"
                )
    except AutocompError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    console.print(table(rows), summary(rows), f"results: {output}", sep="\n")
    return 0 if all(row.found_cycles <= row.rival_cycles for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
