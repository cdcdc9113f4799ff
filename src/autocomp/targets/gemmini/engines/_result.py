"""What one case came to, from what the harness reported of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from autocomp.errors import InfrastructureError
from autocomp.records import Diagnostic, Measurement, Status, TensorSpec, Verdict
from autocomp.targets._target import POISON_BYTE, Execution
from autocomp.targets.gemmini._lines import LineTable
from autocomp.targets.gemmini._toolchain import SOURCE_NAME
from autocomp.targets.gemmini.engines._digest import CHUNK_BYTES, chunk_digests, fold
from autocomp.targets.gemmini.engines._harness import Harnessed
from autocomp.targets.gemmini.engines._place import CODE_BASE, Placed
from autocomp.targets.gemmini.engines._transcript import Report, Trap

_CAUSES = {
    0: "jumps to an address that is not even", 1: "executes memory that is not its code",
    2: "executes what is no instruction for it (or reads the clock)", 3: "stops at a breakpoint, as abort() does",
    4: "reads at an address that is not aligned", 5: "reads memory that is not its own",
    6: "writes at an address that is not aligned", 7: "writes memory that is not its own, or an input",
    8: "calls an operating system that is not there", 11: "calls an operating system that is not there",
    12: "executes memory that is not mapped", 13: "reads memory that is not mapped",
    15: "writes memory that is not mapped",
}  # fmt: skip
_WITH_ADDRESS = (4, 5, 6, 7, 13, 15)
_NEAR_BYTES = 4096


class Measure(NamedTuple):
    """What a measurement is of."""

    unit: str
    method: str
    compiler: str


@dataclass(frozen=True)
class CaseResult:
    """Either ``verdict`` says what is wrong, or outputs and counts are there."""

    verdict: Verdict | None = None
    outputs: Mapping[str, bytes] = field(default_factory=dict)
    cycles: int = 0
    instructions: int = 0
    protected: bool = False

    def execution(self, outputs: tuple[TensorSpec, ...], measure: Measure | None) -> Execution:
        """As targets give it; ``measure`` is None if time is not asked for."""
        if self.verdict is not None:
            return Execution(verdict=self.verdict)
        arrays = {
            spec.name: np.frombuffer(self.outputs[spec.name], spec.dtype).reshape(spec.shape).copy() for spec in outputs
        }
        measurement = None
        if measure is not None:
            counters = {"instructions": float(self.instructions)}
            if measure.unit == "cycles":  # where they are not the unit, the tool has none: it counts instructions twice
                counters["cycles"] = float(self.cycles)
            mode = "user mode" if self.protected else "machine mode"
            method = f"{measure.method} ({mode}, {measure.compiler})"
            measurement = Measurement(counters[measure.unit], measure.unit, method, counters)
        return Execution(arrays, None, measurement)


def conclude(harnessed: Harnessed, number: int, report: Report) -> CaseResult | None:
    """The result of case ``number``; None if it has not come to an end.

    Raises InfrastructureError if the reports contradict each other.
    """
    placed = harnessed.placed[number]
    if report.trap is not None:
        return CaseResult(_trapped(placed, report.trap, protected=report.protected))
    if not report.ended:
        return None
    if report.changed:
        names = ", ".join(placed.case.arguments[place].name for place in report.changed)
        return CaseResult(_verdict(Status.TRAPPED, f"writes to the input {names}"))
    if report.cycles is None or report.instructions is None:
        raise InfrastructureError("the report of a run is incomplete: its counts are missing")
    outputs = {}
    for place, spec in enumerate(placed.case.outputs):
        if place not in report.outputs:
            raise InfrastructureError(f"the report of a run is incomplete: output {spec.name} is missing")
        found = _output(harnessed, number, place, spec, report)
        if isinstance(found, Verdict):
            return CaseResult(found)
        outputs[spec.name] = found
    return CaseResult(None, outputs, report.cycles, report.instructions, report.protected)


def hung(limit: str) -> CaseResult:
    """The result of a case that began and did not come to an end within ``limit``."""
    return CaseResult(_verdict(Status.TIMED_OUT, f"did not come to an end within {limit}"))


def stopped(message: str) -> CaseResult:
    """The result of a case in which an assertion of the simulator failed."""
    return CaseResult(_verdict(Status.TRAPPED, f"the simulator refuses what it does: {message}"))


def _verdict(status: Status, message: str, line: int | None = None) -> Verdict:
    text = f"line {line}: {message}" if line else message
    return Verdict(status, text, (Diagnostic(message, line),))


def _trapped(placed: Placed, trap: Trap, *, protected: bool) -> Verdict:
    cause, address, value, from_user_mode = trap
    if protected and not from_user_mode:  # no kernel can have brought that about
        raise InfrastructureError(f"the harness failed: cause {cause} at {address:#x}, {value:#x}")
    message = _CAUSES.get(cause, f"ends in a trap of cause {cause}")
    if not protected and address < CODE_BASE:
        message += f" at {address:#x}, in the harness: the kernel has probably written memory that is not its own"
    elif cause in _WITH_ADDRESS:
        message += f": {value:#x}{_nearest(placed, value)}"
    return _verdict(Status.TRAPPED, message, LineTable(placed.elf, SOURCE_NAME).line(address))


def _nearest(placed: Placed, address: int) -> str:
    for array in placed.arrays:
        beyond = address - array.address - array.spec.nbytes
        if -array.spec.nbytes <= beyond < 0:
            return f" (in {array.spec.name})"
        if 0 <= beyond < _NEAR_BYTES:
            return f" ({beyond} bytes behind {array.spec.name})"
    stack = placed.regions[3]
    return " (below the stack)" if stack - _NEAR_BYTES <= address < stack else ""


def _output(harnessed: Harnessed, number: int, place: int, spec: TensorSpec, report: Report) -> bytes | Verdict:
    """Its bytes, as far as digests and what was sent tell; the verdict on the first wrong element if they do not tell
    all."""
    expected = harnessed.placed[number].case.expected.get(spec.name)
    total, different = report.outputs[place]
    content = bytearray(expected if expected is not None else bytes(spec.nbytes))
    sent = {chunk: data for (output, chunk), data in report.chunks.items() if output == place}
    for chunk, data in sent.items():
        content[chunk * CHUNK_BYTES : chunk * CHUNK_BYTES + len(data)] = data
    if len(sent) < different:
        if expected is None or not sent:
            raise InfrastructureError(f"the report of a run is incomplete: parts of output {spec.name} are missing")
        return _first_difference(spec, expected, bytes(content), different)
    if (
        len(content) != spec.nbytes
        or fold(chunk_digests(bytes(content), harnessed.key, number, place), harnessed.key) != total
    ):
        raise InfrastructureError(f"what was reported of output {spec.name} does not fit its digest")
    return bytes(content)


def _first_difference(spec: TensorSpec, expected: bytes, found: bytes, different: int) -> Verdict:
    wanted, have = (np.frombuffer(data, spec.dtype).reshape(spec.shape) for data in (expected, found))
    position = tuple(int(index) for index in np.unravel_index(int(np.argmax(wanted != have)), spec.shape))
    chunks = -(-spec.nbytes // CHUNK_BYTES)
    where = f"{spec.name}[{', '.join(map(str, position))}]"
    share = f"{different} of {chunks} pieces of {CHUNK_BYTES} bytes are wrong"
    if have[position].tobytes() == bytes([POISON_BYTE]) * have.itemsize:
        return _verdict(Status.NOT_WRITTEN, f"{where} was not written, expected {wanted[position]}; {share}")
    return _verdict(Status.WRONG_VALUE, f"{where} is {have[position]}, expected {wanted[position]}; {share}")
