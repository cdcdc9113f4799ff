"""``python -m benchmarks.gemmini``: the papers' tables for Gemmini, measured here.

For each problem: library, start, hand-tuned, hardware loop and what the offline proposer finds; cycles, speed-up, share
of the ideal, evaluations and seconds used. Returns 1 if a bar is missed, and names it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.gemmini.measure import Row, optimise
from benchmarks.gemmini.paper import FAMILIES, FOUND, Family
from benchmarks.gemmini.tables import beside_the_paper, missed, table
from rich.console import Console

from autocomp.errors import AutocompError
from autocomp.report import latency_text

RESULTS = Path(__file__).with_name("results")


def write_results(rows: Sequence[Row], path: Path) -> None:
    """Everything in the tables and the kernels, as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"measured": datetime.now(UTC).isoformat(timespec="seconds"), "rows": [asdict(row) for row in rows]}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gemmini", description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=f"of {', '.join(FAMILIES)}; default: all")
    parser.add_argument("--problems", nargs="+", metavar="NAME", help="only these, such as gemm:512x512x512")
    parser.add_argument("--memory", default="ideal", choices=("ideal", "ddr3"))
    parser.add_argument("--max-minutes", type=float, help="end each search after this time; default: no limit")
    parser.add_argument("--set", nargs="+", default=(), metavar="KEY=VALUE", help="settings, such as search.beam=4")
    parser.add_argument("--output", type=Path, help="folder; default: results beside this file")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.families if name not in FAMILIES]:
        parser.error(f"there is no family {unknown[0]!r}; there are {', '.join(FAMILIES)}")
    return options


def _problems(family: Family, wanted: Sequence[str] | None) -> Sequence[str]:
    if wanted is None:
        return family.problems
    return [name for name in wanted if name.split(":")[0] == family.name]


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if every bar is reached."""
    options = _arguments(arguments)
    overrides: dict[str, object] = dict(item.split("=", 1) for item in options.set)
    if options.max_minutes is not None:
        overrides["search.max_minutes"] = options.max_minutes
    console = Console(width=max(160, Console().width))
    misses: list[str] = []
    for name in options.families or FAMILIES:
        family = FAMILIES[name]
        rows: list[Row] = []
        output = (options.output or RESULTS) / f"{name}-{options.memory}.json"
        try:
            for problem in _problems(family, options.problems):
                rows.append(optimise(problem, options.memory, overrides))
                write_results(rows, output)
                latency = latency_text(rows[-1].cycles[FOUND], "cycles")
                console.print(f"{problem} ({options.memory}): {latency} after {rows[-1].seconds:.1f} s")
        except AutocompError as error:
            print(f"error: {error}", file=sys.stderr)
            return error.exit_code
        if not rows:
            continue
        console.print(table(family, rows))
        if family.reported:
            console.print(beside_the_paper(family, rows))
        misses += missed(family, rows)
        console.print(f"results: {output}\n")
    for sentence in misses:
        console.print(f"missed: {sentence}", style="red")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
