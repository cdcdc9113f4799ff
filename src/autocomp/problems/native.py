"""References written in C: compiled for this machine, kept between processes, called with arrays.

A ``reference.py`` may use it as the packaged ones use NumPy::

    from autocomp.problems.native import run

    def reference(inputs):
        output = np.zeros((32, 48), np.int32)
        run(SOURCE, "solution", [inputs["A"], inputs["B"], output])
        return {"C": output}
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autocomp.errors import ProblemError, SetupError
from autocomp.problems._process import run_program
from autocomp.problems.cache import cache_folder, keep
from autocomp.records import Array

__all__ = ["run"]

COMPILE_LIMIT_S = 120
_FLAGS = (
    *("-std=gnu17", "-O2", "-w", "-shared", "-fPIC"),
    # Signed integers wrap, and floating-point arithmetic is done as it is written.
    *("-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-sanitize=all"),
)


def run(source: str, function: str, arrays: Sequence[Array]) -> None:
    """Call ``void function(…)`` of the C text ``source`` with one pointer for each of ``arrays``, which it may write.

    Signed arithmetic wraps; floating-point arithmetic keeps its order. The compiled library is kept in the user's
    cache folder under the digest of its source. Nothing stops a function that never returns, or that writes outside of
    its arrays.

    Raises ProblemError if the text does not compile or has no such function, and SetupError without a C compiler.
    """
    for array in arrays:
        if not array.flags.c_contiguous:
            raise ProblemError(f"{function}: arrays must be contiguous; use np.ascontiguousarray")
    library = _library(source)
    try:
        call = library[function]
    except AttributeError as error:
        raise ProblemError(f"the C text of the reference defines no function {function!r}") from error
    call.restype = None
    call(*(ctypes.c_void_p(array.ctypes.data) for array in arrays))


@functools.lru_cache(maxsize=64)
def _library(source: str) -> ctypes.CDLL:
    command, version = _compiler()
    digest = hashlib.sha256("\0".join((*command, version, *_FLAGS, source)).encode()).hexdigest()
    path = cache_folder("native") / f"{digest[:32]}.so"
    if path.exists():
        try:
            return ctypes.CDLL(str(path))
        except OSError:
            path.unlink(missing_ok=True)  # of another machine, or damaged: made again
    keep(path, _compiled(command, source))
    return ctypes.CDLL(str(path))


def _compiled(command: tuple[str, ...], source: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="autocomp-native-") as scratch:
        (Path(scratch) / "reference.c").write_text(source, encoding="utf-8")
        arguments = [*command, *_FLAGS, "reference.c", "-o", "reference.so", "-lm"]
        done = run_program(arguments, seconds=COMPILE_LIMIT_S, directory=Path(scratch))
        if done.status is None:
            raise ProblemError(f"the C text of the reference takes longer than {COMPILE_LIMIT_S} s to compile")
        if done.status != 0:
            errors = [line for line in done.output.splitlines() if "error" in line] or done.output.splitlines()
            raise ProblemError("the C text of the reference does not compile: " + "; ".join(errors[:3]))
        return (Path(scratch) / "reference.so").read_bytes()


@functools.cache
def _compiler() -> tuple[tuple[str, ...], str]:
    """The command that compiles for this machine, and its version."""
    candidates: list[tuple[str, ...]] = [(path,) for name in ("cc", "gcc", "clang") if (path := shutil.which(name))]
    spec = importlib.util.find_spec("ziglang")
    if spec is not None and spec.submodule_search_locations:
        candidates.append((str(Path(next(iter(spec.submodule_search_locations))) / "zig"), "cc"))
    for command in candidates:
        try:
            done = subprocess.run((*command, "--version"), capture_output=True, text=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0 and done.stdout:
            return command, done.stdout.splitlines()[0]
    raise SetupError("no C compiler for this machine; install one with: pip install ziglang")
