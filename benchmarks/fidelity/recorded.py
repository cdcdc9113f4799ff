"""The programs of this benchmark as RISC-V gcc 12 compiled them, so that every machine times the same instructions.

The hardware ran what that compiler had made. Another compiler makes other loops around the commands, and some rows are
bound by nothing but the loop. Recorded assembly lets any compiler rebuild the same program.
"""

from __future__ import annotations

import re
from pathlib import Path

from autocomp.targets.gemmini._toolchain import Toolchain

HERE = Path(__file__).parent
FOLDER = HERE / "assembly"
DIRECTIVES_LEFT_OUT = re.compile(r"^\s*\.(file|ident|attribute|option|section\s+\.note).*\n", re.MULTILINE)


def sources() -> list[Path]:
    """Every C program that the benchmark runs."""
    return sorted([*(HERE / "programs").glob("*.c"), *(HERE / "data" / "kernels").glob("*.c")])


def record(toolchain: Toolchain) -> None:
    """Compile everything anew; only RISC-V gcc 12 makes what the hardware ran."""
    FOLDER.mkdir(exist_ok=True)
    for source in sources():
        text = toolchain.assembly(source.read_text())
        if text is None:
            raise SystemExit(f"{source} does not compile")
        (FOLDER / f"{source.stem}.s").write_text(DIRECTIVES_LEFT_OUT.sub("", text))


def recorded(source: Path) -> str:
    """C that is nothing but the recorded assembly of ``source``."""
    lines = (FOLDER / f"{source.stem}.s").read_text().splitlines()
    quoted = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return "__asm__(\n" + "\n".join(f'"{line}\\n"' for line in quoted) + "\n);\n"
