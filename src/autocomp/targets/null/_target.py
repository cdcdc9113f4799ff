"""The null target: does what comments in the kernel say.

A line ``// null: NAME`` or ``// null: NAME=VALUE`` is a directive; the last one of a name counts. Without any, the
kernel passes and takes ``100 cycles`` per byte of its source.

=================  ==============================================================================================
directive          what happens
=================  ==============================================================================================
``latency=N``      it takes N cycles
``refuse``         ``check`` refuses it
``broken``         it does not build
``trap``           it traps when run
``wrong=N``        the first N elements of the first output are wrong
``wrong_on=WORD``  … only if WORD is in the input (``negative``: all inputs are negative)
``unwritten``      no output is written
``shape``/``dtype``/``nan``  the first output has the wrong shape, dtype, or NaN in it
``exit=N``         the process that runs it ends with status N
``signal=N``       … with signal N
``die_once=PATH``  … with SIGKILL, unless the file PATH exists, which it makes first
``raise``          the target itself raises
``hang``           it never ends
``orphan=PATH``    it starts a process that never ends, writes its id to PATH, and never ends itself
``memory``         it takes memory until there is no more
``print=TEXT``     it prints TEXT to standard output
``sleep=S``        it takes S seconds of wall time
``meet=PATH:N``    it makes the file PATH, then waits until its folder holds N files
=================  ==============================================================================================
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from autocomp.errors import UsageError
from autocomp.records import Array, Diagnostic, Ideal, Measurement, Problem, Status, Verdict
from autocomp.targets._target import Artifact, Execution, Finding, KnowledgePack, MenuItem, Span, Target, poisoned

_DIRECTIVE = re.compile(r"^\s*(?://|#)\s*null:\s*(\w+)(?:=(.*))?$", re.MULTILINE)
_OPERATIONS_PER_CYCLE = 1024
_ITEMS = ("widen", "hoist", "unroll", "reorder", "fold")


def create(settings: Mapping[str, object]) -> NullTarget:
    """Make the target; its one setting is ``sleep_s``, the wall time of every run. Raises UsageError."""
    unknown = set(settings) - {"sleep_s"}
    if unknown:
        raise UsageError(f"targets.null has no setting {', '.join(sorted(unknown))}; it has sleep_s")
    sleep_s = settings.get("sleep_s", 0.0)
    if not isinstance(sleep_s, int | float) or sleep_s < 0:
        raise UsageError(f"targets.null.sleep_s = {sleep_s!r} is wrong: it must be a number of seconds, at least 0")
    return NullTarget(float(sleep_s))


class NullTarget(Target):
    """A fake chip whose kernels say in comments how they behave."""

    name = "null"
    language = "c"
    deterministic = True

    def __init__(self, sleep_s: float = 0.0) -> None:
        """Let every run take ``sleep_s`` of wall time."""
        self._sleep_s = sleep_s

    def fingerprint(self) -> str:
        """Digest of the settings."""
        return hashlib.sha256(json.dumps(["null", 1, self._sleep_s]).encode()).hexdigest()

    def describe(self) -> Mapping[str, object]:
        """Its one rate."""
        return {"operations_per_cycle": _OPERATIONS_PER_CYCLE}

    def knowledge(self) -> KnowledgePack:
        """A menu without meaning."""
        menu = tuple(MenuItem(item, f"{item.capitalize()} something") for item in _ITEMS)
        return KnowledgePack("A chip that does not exist.", menu=menu)

    def check(self, problem: Problem, code: str) -> Verdict | None:
        """Refuse what asks for it."""
        if "refuse" in _directives(code):
            return Verdict(Status.CHECK_FAILED, "asks to be refused")
        return None

    def build(self, problem: Problem, code: str) -> Artifact | Verdict:
        """Read the directives."""
        directives = _directives(code)
        if "broken" in directives:
            line = next(n for n, text in enumerate(code.splitlines(), 1) if "null: broken" in text)
            return Verdict(Status.BUILD_FAILED, f"line {line}: broken", (Diagnostic("broken", line),))
        return Artifact({"latency": str(100 * len(code.encode())), **directives}, len(code))

    def run(self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array]) -> Execution:
        """Do what the directives say."""
        directives = artifact.payload
        assert isinstance(directives, dict)
        time.sleep(self._sleep_s + float(directives.get("sleep", 0)))
        _misbehave(directives)
        if "trap" in directives:
            return Execution(verdict=Verdict(Status.TRAPPED, "line 1: address 0x0 is outside all arrays"))
        return Execution(_outputs(problem, directives, inputs))

    def measure(
        self, problem: Problem, artifact: Artifact, inputs: Mapping[str, Array], *, timeline: bool = False
    ) -> Execution:
        """Run, and report the latency that the directives give."""
        execution = self.run(problem, artifact, inputs)
        if execution.verdict is not None:
            return execution
        assert isinstance(artifact.payload, dict)
        latency = float(artifact.payload["latency"])
        measurement = Measurement(latency, "cycles", "as the kernel says", {"bytes_of_code": artifact.size_bytes})
        spans = (Span("everything", 0.0, latency, "work", 1),) if timeline else ()
        return Execution(execution.outputs, None, measurement, spans)

    def feedback(self, problem: Problem, measurement: Measurement) -> tuple[str, ...]:
        """One sentence."""
        return (f"It takes {measurement.latency:g} cycles.",)

    def ideal(self, problem: Problem) -> Ideal:
        """Operations at the one rate."""
        cycles = problem.work.operations / _OPERATIONS_PER_CYCLE
        return Ideal(cycles, "cycles", "compute", f"{problem.work.operations} / {_OPERATIONS_PER_CYCLE} per cycle")

    def doctor(self) -> Sequence[Finding]:
        """Nothing can be missing."""
        return (Finding("null", True, "needs nothing"),)


def _directives(code: str) -> dict[str, str]:
    return {name: value.strip() for name, value in _DIRECTIVE.findall(code)}


def _misbehave(directives: Mapping[str, str]) -> None:
    if "print" in directives:
        print(directives["print"], flush=True)
    if "exit" in directives:
        os._exit(int(directives["exit"]))
    if "signal" in directives:
        os.kill(os.getpid(), int(directives["signal"]))
    if "die_once" in directives and not Path(directives["die_once"]).exists():
        Path(directives["die_once"]).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if "meet" in directives:
        place, _, count = directives["meet"].rpartition(":")
        Path(place).touch()
        while len(list(Path(place).parent.iterdir())) < int(count):
            time.sleep(0.01)
    if "raise" in directives:
        raise RuntimeError("the target is broken")
    if "orphan" in directives:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1e6)"])
        Path(directives["orphan"]).write_text(str(child.pid))
    if "hang" in directives or "orphan" in directives:
        while True:
            time.sleep(1.0)
    if "memory" in directives:
        hoard = []
        while True:
            hoard.append(bytearray(64 << 20))


def _outputs(problem: Problem, directives: Mapping[str, str], inputs: Mapping[str, Array]) -> dict[str, Array]:
    if "unwritten" in directives:
        return {spec.name: poisoned(spec) for spec in problem.outputs}
    expected = problem.reference(inputs)
    outputs: dict[str, npt.NDArray[Any]] = {
        spec.name: np.array(expected[spec.name], np.dtype(spec.dtype)) for spec in problem.outputs
    }
    first = problem.outputs[0].name
    applies = directives.get("wrong_on") != "negative" or all(np.less(array, 0).all() for array in inputs.values())
    if "wrong" in directives and applies:
        outputs[first].reshape(-1)[: int(directives["wrong"])] += np.asarray(1, outputs[first].dtype)
    if "nan" in directives:
        outputs[first].reshape(-1)[0] = np.nan
    if "shape" in directives:
        outputs[first] = outputs[first].reshape(-1)
    if "dtype" in directives:
        outputs[first] = outputs[first].astype(np.float64)
    return outputs
