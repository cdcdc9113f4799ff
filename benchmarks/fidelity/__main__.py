"""Prints simulated against measured cycles row by row and fails if a threshold is missed.

    python -m benchmarks.fidelity [--compile] [--compiler gcc|zig|...] [--output results.json]

By default the programs are rebuilt from assembly that RISC-V gcc 12 made at -O2, as the measured ones were; with
``--compile`` from C by the compiler of this machine, which makes other loops around the commands.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from benchmarks.fidelity.recorded import gemm_name, programs, record, recorded

from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._simulator import Simulator
from autocomp.targets.gemmini._toolchain import Toolchain

HERE = Path(__file__).parent
MEMORIES = ("ideal", "ddr3")
PROGRAM_ROWS = 64
LIMIT = 1_000_000_000
"""Cycles and instructions; no program here comes near."""


@dataclass(frozen=True)
class Row:
    """One measured number and what the simulator says."""

    table: str
    name: str
    memory: str
    measured_cycles: int
    simulated_cycles: int

    @property
    def error(self) -> float:
        """Relative, signed."""
        return (self.simulated_cycles - self.measured_cycles) / self.measured_cycles

    @property
    def difference(self) -> int:
        return self.simulated_cycles - self.measured_cycles


class Bench:
    """Compiles and runs the programs."""

    def __init__(self, compiler: str, *, from_c: bool) -> None:
        config = _config.load()
        self.toolchain = Toolchain(compiler, config.parameters_header())
        self._from_c = from_c
        self._sources = programs()
        self._simulator = Simulator(config.simulator)

    @property
    def compiler(self) -> str:
        version = self.toolchain.compiler.version
        return version if self._from_c else f"assembly of RISC-V gcc 12.2 at -O2, built by {version}"

    def run(self, name: str, arguments: list[Mapping[str, object]], memory: str) -> dict[str, object]:
        build = self.toolchain.compile(self._sources[name] if self._from_c else recorded(name))
        if build.program is None:
            raise SystemExit(f"{name} does not compile: {build.errors}")
        result = self._simulator.run(
            build.program,
            "solution",
            arguments,
            memory=memory,
            instruction_limit=LIMIT,
            cycle_limit=LIMIT,
            may_read_clock=True,
        )
        if result["fault"] is not None:
            raise SystemExit(f"{name}: {result['fault']}")
        return dict(result)

    def program(self, name: str, memory: str) -> list[int]:
        """Cycle counts that a program of several rows writes into its only argument."""
        cycles = {"name": "cycles", "bytes": bytes(8 * PROGRAM_ROWS), "role": "output"}
        result = self.run(name, [cycles], memory)
        return np.frombuffer(result["outputs"]["cycles"], np.uint64).astype(int).tolist()  # type: ignore[index]


def read(table: str) -> list[dict[str, str]]:
    with (HERE / "data" / f"{table}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def micro_benchmarks(bench: Bench) -> Iterable[Row]:
    for given, cycles in zip(read("microbench"), bench.program("microbench", "ideal"), strict=False):
        yield Row("microbench", given["name"], "ideal", int(given["cycles"]), cycles)


def memory_streams(bench: Bench) -> Iterable[Row]:
    for memory in MEMORIES:
        for given, cycles in zip(read("memory"), bench.program("memory", memory), strict=False):
            yield Row("memory", given["name"], memory, int(given[f"cycles_{memory}"]), cycles)


def kernels(bench: Bench) -> Iterable[Row]:
    for given in read("kernels"):
        m, n, k = (int(given[name]) for name in "MNK")
        random = np.random.default_rng(0)
        arguments: list[Mapping[str, object]] = [
            {"name": "A", "bytes": random.integers(-8, 8, m * k, np.int8).tobytes(), "role": "input"},
            {"name": "B", "bytes": random.integers(-8, 8, k * n, np.int8).tobytes(), "role": "input"},
            {"name": "C", "bytes": bytes(m * n), "role": "output"},
        ]
        for memory in MEMORIES:
            result = bench.run(given["kernel"], arguments, memory)
            cycles = int(str(result["latency_cycles"]))
            yield Row("kernels", given["kernel"], memory, int(given[f"cycles_{memory}"]), cycles)


def hardware_loops(bench: Bench, table: str = "gemm") -> Iterable[Row]:
    runs: dict[tuple[str, str], list[int]] = {}
    for given in read(table):
        name = gemm_name(*(int(given[size]) for size in "MNK"))
        memory = given["dram"]
        if (name, memory) not in runs:
            runs[name, memory] = bench.program(name, memory)
        cycles = runs[name, memory][("cold", "warm").index(given["run"])]
        yield Row(table, f"{name}, {given['run']}", memory, int(given["cycles"]), cycles)


def hardware_loops_not_calibrated(bench: Bench) -> Iterable[Row]:
    return hardware_loops(bench, "gemm_unseen")


def show(row: Row) -> None:
    print(
        f"{row.name:46s}{row.memory:6s}{row.measured_cycles:9d}{row.simulated_cycles:9d}"
        f"{row.difference:+8d}{100 * row.error:+7.1f} %"
    )


def verdicts(rows: list[Row]) -> dict[str, bool]:
    """What is asked of the simulator, and whether it holds."""
    micro = [row for row in rows if row.table == "microbench"]
    close = [row for row in micro if abs(row.difference) <= 4 or abs(row.error) <= 0.05]
    out = {
        f"microbench: {len(close)} of {len(micro)} within 5 % or 4 cycles (at least 32)": len(close) >= 32,
        "microbench: none off by more than 15 %": all(
            abs(row.error) <= 0.15 or abs(row.difference) <= 4 for row in micro
        ),
    }
    for memory in MEMORIES:
        streams = [row for row in rows if row.table == "memory" and row.memory == memory]
        inside = [row for row in streams if abs(row.error) <= 0.10]
        name = f"memory, {memory}: {len(inside)} of {len(streams)} within 10 % (all)"
        out[name] = len(inside) == len(streams)
        errors = [abs(row.error) for row in rows if row.table == "kernels" and row.memory == memory]
        median, worst = statistics.median(errors), max(errors)
        out[f"kernels, {memory}: median error {100 * median:.1f} % (at most 5)"] = median <= 0.05
        out[f"kernels, {memory}: largest error {100 * worst:.1f} % (at most 12)"] = worst <= 0.12
    loops = [row for row in rows if row.table == "gemm"]
    inside = [row for row in loops if abs(row.error) <= 0.05]
    out[f"hardware loops: {len(inside)} of {len(loops)} within 5 % (all)"] = len(inside) == len(loops)
    return out


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fidelity", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--compiler", default="auto", help="as in target.toml: auto, gcc, clang, zig or a path")
    parser.add_argument("--compile", action="store_true", help="compile the C sources instead of recorded assembly")
    parser.add_argument(
        "--record",
        metavar="NAME",
        nargs="?",
        const="",
        help="make the recorded assembly anew, with RISC-V gcc 12: all of it or what starts with NAME",
    )
    parser.add_argument("--output", type=Path, default=HERE / "results.json")
    arguments = parser.parse_args()
    bench = Bench(arguments.compiler, from_c=arguments.compile)
    if arguments.record is not None:
        record(bench.toolchain, arguments.record)
    print(f"compiler: {bench.compiler}\n{'':52s} measured simulated   difference")
    rows: list[Row] = []
    for table in (micro_benchmarks, memory_streams, kernels, hardware_loops, hardware_loops_not_calibrated):
        print(f"\n{table.__name__.replace('_', ' ')}")
        for row in table(bench):
            rows.append(row)
            show(row)
    print()
    held = verdicts(rows)
    for claim, holds in held.items():
        print(f"{'holds ' if holds else 'MISSED'} {claim}")
    summary = {"compiler": bench.compiler, "rows": [asdict(row) for row in rows], "claims": held}
    arguments.output.write_text(json.dumps(summary, indent=1) + "\n")
    return 0 if all(held.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
