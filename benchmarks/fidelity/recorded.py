"""The programs of this benchmark as RISC-V gcc 12 compiled them, so that every machine times the same instructions.

The hardware ran what that compiler had made. Another compiler makes other loops around the commands, and some rows are
bound by nothing but the loop. Recorded assembly lets any compiler rebuild the same program.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

from autocomp.targets.gemmini._toolchain import Toolchain

HERE = Path(__file__).parent
FOLDER = HERE / "assembly"
GEMM = HERE / "programs" / "gemm.c"
DIRECTIVES_LEFT_OUT = re.compile(r"^\s*\.(file|ident|attribute|option|section\s+\.note).*\n", re.MULTILINE)


def programs() -> dict[str, str]:
    """Every C program that the benchmark runs, by name."""
    files = [*(HERE / "programs").glob("*.c"), *(HERE / "data" / "kernels").glob("*.c")]
    shapes = {shape for table in ("gemm", "gemm_unseen") for shape in gemm_shapes(table)}
    return {
        **{file.stem: file.read_text() for file in sorted(files) if file != GEMM},
        **{gemm_name(*shape): gemm_source(*shape) for shape in sorted(shapes)},
    }


def gemm_shapes(table: str) -> list[tuple[int, int, int]]:
    with (HERE / "data" / f"{table}.csv").open(newline="") as file:
        return [(int(row["M"]), int(row["N"]), int(row["K"])) for row in csv.DictReader(file)]


def gemm_name(m: int, n: int, k: int) -> str:
    return f"gemm_{m}x{n}x{k}"


def gemm_source(m: int, n: int, k: int) -> str:
    """The program for one shape: the library that was measured was compiled for it, too."""
    return f"#define M {m}\n#define N {n}\n#define K {k}\n{GEMM.read_text()}"


def record(toolchain: Toolchain, only: str = "") -> None:
    """Compile everything anew, or what starts with ``only``; only RISC-V gcc 12 makes what the hardware ran."""
    FOLDER.mkdir(exist_ok=True)
    for name, source in programs().items():
        if not name.startswith(only):
            continue
        text = toolchain.assembly(source)
        if text is None:
            raise SystemExit(f"{name} does not compile")
        (FOLDER / f"{name}.s").write_text(DIRECTIVES_LEFT_OUT.sub("", text))


def recorded(name: str) -> str:
    """C that is nothing but the recorded assembly of the program ``name``."""
    lines = (FOLDER / f"{name}.s").read_text().splitlines()
    quoted = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return "__asm__(\n" + "\n".join(f'"{line}\\n"' for line in quoted) + "\n);\n"
