"""The reference of a problem: compiled from source, checked at every call."""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autocomp.errors import ProblemError
from autocomp.records import Array, TensorSpec

FUNCTION = "reference"

TIME_LIMIT_S = 60
"""Time that a reference may take for one set of inputs."""


@dataclass(frozen=True)
class SourceReference:
    """A reference that is its source text: comparable and picklable.

    It calls the ``reference`` function of the source with read-only views of the inputs and checks what comes back.
    Calling raises ProblemError if that function raises, writes an input, or returns something else than every output
    with its name, shape and dtype (float64 is accepted for any floating-point output).
    """

    source: str
    outputs: tuple[TensorSpec, ...]
    label: str = field(default="reference.py", compare=False)
    """How messages name the file."""

    def __call__(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        """Expected outputs by argument name."""
        function = compile_reference(self.source, self.label)
        try:
            with np.errstate(all="ignore"), bounded(self.label):
                outputs = function({name: _read_only(array) for name, array in inputs.items()})
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the file may raise anything, also what is made to slip through
            raise ProblemError(_explain(error, self.label)) from error
        return self._checked(outputs)

    def _checked(self, outputs: object) -> Mapping[str, Array]:
        names = [spec.name for spec in self.outputs]
        example = ", ".join(f'"{name}": …' for name in names)
        if not isinstance(outputs, Mapping):
            raise ProblemError(
                f"{self.label}: {FUNCTION} returned {type(outputs).__name__}; it must return a dict: {{{example}}}"
            )
        if set(outputs) != set(names):
            got = ", ".join(map(str, outputs)) or "nothing"
            raise ProblemError(f"{self.label}: {FUNCTION} returned {got}; it must return exactly {{{example}}}")
        return {spec.name: self._checked_array(outputs[spec.name], spec) for spec in self.outputs}

    def _checked_array(self, array: object, spec: TensorSpec) -> Array:
        where = f"{self.label}: {FUNCTION} output {spec.name!r}"
        if not isinstance(array, np.ndarray):
            raise ProblemError(f"{where} is {type(array).__name__}; it must be a NumPy array")
        if array.shape != spec.shape:
            raise ProblemError(f"{where} has shape {array.shape}; {spec.name} is declared as {spec.shape}")
        declared = np.dtype(spec.dtype)
        if array.dtype != declared and not (is_float(declared) and array.dtype == np.float64):
            raise ProblemError(
                f"{where} has dtype {array.dtype}; {spec.name} is declared as {spec.dtype}: "
                f"add .astype(np.{spec.dtype}) where it is exact"
            )
        return array


@functools.lru_cache(maxsize=64)
def compile_reference(source: str, label: str) -> Callable[[Mapping[str, Array]], object]:
    """The function ``reference`` of ``source``. Raises ProblemError if there is none or the text does not run."""
    try:
        code = compile(source, label, "exec")
    except SyntaxError as error:
        raise ProblemError(f"{label}: line {error.lineno}: {error.msg}: {(error.text or '').strip()}") from error
    except (ValueError, RecursionError) as error:
        raise ProblemError(f"{label}: cannot be compiled: {error}") from error
    namespace: dict[str, Any] = {"__name__": "autocomp_reference", "__file__": label}
    try:
        with bounded(label):
            exec(code, namespace)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise ProblemError(_explain(error, label)) from error
    function = namespace.get(FUNCTION)
    if not callable(function):
        raise ProblemError(f"{label}: defines no function {FUNCTION}; write `def {FUNCTION}(inputs): …`")
    return function  # type: ignore[no-any-return]


@contextlib.contextmanager
def bounded(label: str) -> Iterator[None]:
    """Run code of a problem file: what it prints goes to standard error, and it is stopped after ``TIME_LIMIT_S``.

    Raises ProblemError when the time is up. Only the main thread of a process can be interrupted; elsewhere (worker
    processes have limits of their own) there is no limit here.
    """

    def stop(*_: object) -> None:
        raise ProblemError(
            f"{label}: still running after {TIME_LIMIT_S} s; a reference must end within that for the problem's sizes"
        )

    with contextlib.redirect_stdout(sys.stderr):
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, TIME_LIMIT_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)


def is_float(dtype: np.dtype[Any]) -> bool:
    """True for floating-point dtypes, those of ml_dtypes included."""
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


def _explain(error: BaseException, label: str) -> str:
    if isinstance(error, ProblemError):
        return str(error)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == label]
    where = f"{label}: line {lines[-1]}: " if lines else f"{label}: "
    if isinstance(error, ValueError) and "read-only" in str(error):
        return f"{where}{FUNCTION} writes one of its inputs; it must work on a copy"
    if isinstance(error, KeyError):
        return (
            f"{where}{FUNCTION} looked up {error}, which is not there; inputs are known by the names of the arguments"
        )
    return f"{where}{FUNCTION} raised {type(error).__name__}: {error}"
