"""Finds a C compiler for RV64GC and knows how to call it."""

from __future__ import annotations

import functools
import importlib.util
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from autocomp.errors import ToolchainError

INSTALL_COMMAND = "pip install ziglang"
_GCC_NAMES = ("riscv64-unknown-elf-gcc", "riscv64-linux-gnu-gcc", "riscv64-unknown-linux-gnu-gcc")
_CLANG_NAMES = ("clang", *(f"clang-{version}" for version in range(24, 14, -1)))

_COMMON = (
    "-O2",
    "-std=gnu17",
    "-Wall",
    "-ffreestanding",
    "-nostdlib",
    "-static",
    "-fno-pic",
    "-mcmodel=medany",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-gdwarf-4",
    "-fdiagnostics-color=never",
    "-Wl,--build-id=none",
)
# What the compilers of the clang family add at -O2 and gcc does not: code several times the size.
_CLANG_FAMILY = (
    "-gline-tables-only",
    "-fno-unroll-loops",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unwind-tables",
    "-fomit-frame-pointer",
    "-fno-caret-diagnostics",
    "-Wl,--no-eh-frame-hdr",
)
_GCC = (
    "-march=rv64gc",
    "-mabi=lp64d",
    "-msmall-data-limit=0",
    "-g1",
    "-fno-diagnostics-show-caret",
    "-Wl,--no-warn-rwx-segments",
)


@dataclass(frozen=True)
class Compiler:
    """One compiler on this machine."""

    kind: str
    """``gcc``, ``clang`` or ``zig``."""
    command: tuple[str, ...]
    version: str

    @property
    def label(self) -> str:
        """Name and version, as results show them: ``riscv64-unknown-elf-gcc 12.2.0``, ``zig 0.15.1``."""
        if self.kind == "zig":
            return self.version
        number = re.search(r"\d+(?:\.\d+)+", re.sub(r"\(.*?\)", "", self.version))
        return f"{Path(self.command[0]).name} {number[0] if number else self.version}"

    @property
    def flags(self) -> tuple[str, ...]:
        """Everything but paths: the same program comes out for the same compiler version and flags."""
        if self.kind == "gcc":
            return (*_COMMON, *_GCC)
        if self.kind == "clang":
            target = ("--target=riscv64-unknown-elf", "-march=rv64gc", "-mabi=lp64d", "-fuse-ld=lld")
            return (*target, *_COMMON, *_CLANG_FAMILY)
        target = ("-target", "riscv64-freestanding", "-mcpu=generic_rv64+m+a+f+d+c", "-fno-sanitize=all")
        return (*target, *_COMMON, *_CLANG_FAMILY)


def _first_line(command: tuple[str, ...]) -> str | None:
    """First line that the command prints, or None if it does not run."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=30, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else None


def _gcc(path: str) -> Compiler | None:
    version = _first_line((path, "--version"))
    return Compiler("gcc", (path,), version) if version else None


def _clang(path: str) -> Compiler | None:
    version = _first_line((path, "--version"))
    targets = _first_line((path, "--target=riscv64-unknown-elf", "-print-target-triple"))
    linker = shutil.which("ld.lld") or shutil.which(f"ld.lld-{path.rsplit('-', maxsplit=1)[-1]}")
    if version is None or targets is None or linker is None:
        return None
    return Compiler("clang", (path,), version)


def _zig() -> Compiler | None:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        return None
    # The program itself, not `python -m ziglang`: a second interpreter would take longer to start than the compiler.
    program = Path(next(iter(spec.submodule_search_locations))) / "zig"
    version = _first_line((str(program), "version"))
    return Compiler("zig", (str(program), "cc"), f"zig {version}") if version else None


@functools.cache
def find(choice: str = "auto") -> Compiler:
    """The compiler to use.

    ``choice`` is ``auto`` (a RISC-V gcc, else clang with lld, else ziglang), ``gcc``, ``clang``, ``zig`` or the path
    of a gcc or clang. Raises ToolchainError with the command that installs one.
    """
    found: Compiler | None = None
    if choice in {"auto", "gcc"}:
        found = next((c for name in _GCC_NAMES if (path := shutil.which(name)) and (c := _gcc(path))), None)
    if found is None and choice in {"auto", "clang"}:
        found = next((c for name in _CLANG_NAMES if (path := shutil.which(name)) and (c := _clang(path))), None)
    if found is None and choice in {"auto", "zig"}:
        found = _zig()
    if found is None and choice not in {"auto", "gcc", "clang", "zig"}:
        path = shutil.which(choice)
        if path is not None:
            found = _clang(path) if "clang" in Path(path).name else _gcc(path)
    if found is None:
        what = "no C compiler for RISC-V" if choice == "auto" else f"compiler '{choice}' is missing or does not run"
        raise ToolchainError(f"{what}; install one with: {INSTALL_COMMAND}")
    return found
