"""Runs a kernel on the host against emulator.h: outputs and numbers of commands, without any simulator."""

from __future__ import annotations

import ctypes
import itertools
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import autocomp
from autocomp.problems import scaffold
from autocomp.records import Array, Problem

_numbers = itertools.count()


@dataclass(frozen=True)
class Emulation:
    output: Array
    failure: str
    loads: int
    zero_loads: int
    computes: int
    stores: int
    fences: int


def _emulate(problem: Problem, code: str, inputs: Mapping[str, Array], folder: Path) -> Emulation:
    kernel, library = folder / f"k{next(_numbers)}.c", folder / f"k{next(_numbers)}.so"
    kernel.write_text(code)
    header = Path(__file__).with_name("emulator.h")
    compiler = shutil.which("cc")
    command = [compiler] if compiler else [sys.executable, "-m", "ziglang", "cc"]
    headers = Path(autocomp.__file__).parent / "targets" / "gemmini" / "include"
    flags = [
        f"-I{headers}",
        "-O2",
        "-w",
        "-shared",
        "-fPIC",
        f'-DKERNEL="{kernel}"',
        "-x",
        "c",
        str(header),
        "-o",
        str(library),
        "-lm",
    ]
    subprocess.run([*command, *flags], check=True)
    arrays = [
        np.ascontiguousarray(inputs[spec.name]) if spec.name in inputs else np.full(spec.shape, 0x5A, spec.dtype)
        for spec in problem.arguments
    ]
    pointers = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
    sizes = (ctypes.c_uint64 * len(arrays))(*(array.nbytes for array in arrays))
    counted = (ctypes.c_int64 * 5)()
    run = ctypes.CDLL(str(library)).run
    run.restype = ctypes.c_char_p
    run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
    failure = run(pointers, sizes, len(arrays), counted).decode()
    return Emulation(arrays[-1], failure, *counted)


@pytest.fixture(scope="session")
def emulate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Problem, str, Mapping[str, Array]], Emulation]:
    folder = tmp_path_factory.mktemp("emulator")
    return lambda problem, code, inputs: _emulate(problem, code, inputs, folder)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A good problem folder to spoil."""
    scaffold(tmp_path / "own", template="gemm:20x30x40:bias")
    return tmp_path / "own"
