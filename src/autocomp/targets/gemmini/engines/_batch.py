"""One run of an FPGA for many candidates, repeated until each has a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from autocomp.errors import InfrastructureError, SetupError
from autocomp.targets.gemmini._toolchain import Toolchain
from autocomp.targets.gemmini.engines import _result, _transcript
from autocomp.targets.gemmini.engines._case import Case
from autocomp.targets.gemmini.engines._harness import Board, Harnessed, assemble
from autocomp.targets.gemmini.engines._result import CaseResult


class Ran(NamedTuple):
    """What one run left behind."""

    text: bytes
    silent_s: float | None
    """How long nothing had been heard when it was ended for that; else None."""
    note: str
    """The end of what its commands printed, for messages."""


Runner = Callable[[Harnessed], Ran]


@dataclass(frozen=True)
class Batch:
    """Runs batches of candidates on one system."""

    tools: Toolchain
    board: Board
    run: Runner
    sees_begin: bool
    """True if reports of a run can be read before it has ended."""

    def results(self, cases: Sequence[Case]) -> list[CaseResult | InfrastructureError]:
        """One result per case, in order; an error for those of which the system told nothing that holds.

        What came to its end counts, whatever happens afterwards. The candidate that hung or trapped is judged by that;
        those behind it, which were not reached, run again. Where a run says nothing at all, each of its candidates runs
        alone; one of which nothing is heard then hangs if others ran and its beginning could not have been seen. If the
        system itself breaks down, that is the error of all that have no result yet.

        Raises InfrastructureError or SetupError if none has one.
        """
        found: dict[int, CaseResult] = {}
        silent: list[int] = []
        note = ""
        queue = [list(range(len(cases)))] if cases else []
        attempts = [0] * len(cases)
        ran_any = False
        while queue:
            group = queue.pop(0)
            try:
                new, note = self._run_group(cases, group)
            except (InfrastructureError, SetupError) as error:
                if not found:
                    raise
                broken = InfrastructureError(str(error))
                return [found.get(number, broken) for number in range(len(cases))]
            found |= new
            ran_any |= bool(new)
            rest = [number for number in group if number not in found]
            if rest and new:
                queue.append(rest)
            elif len(rest) > 1:
                queue += [[number] for number in rest]
            elif rest and attempts[rest[0]] == 0:
                attempts[rest[0]] = 1
                queue.append(rest)
            else:
                silent += rest
        blamed = ran_any and not self.sees_begin
        unheard = InfrastructureError(f"runs on the FPGA end without a report of a kernel that holds: {note}")
        lost = _result.hung("the time of a run on the FPGA") if blamed else unheard
        return [lost if number in silent else found[number] for number in range(len(cases))]

    def _run_group(self, cases: Sequence[Case], group: Sequence[int]) -> tuple[dict[int, CaseResult], str]:
        """Results of those that have one after a single run, and what its commands printed at last."""
        harnessed, failed = assemble(self.tools, [cases[number] for number in group], self.board)
        found = {group[place]: CaseResult(verdict) for place, verdict in failed.items()}
        linked = [number for place, number in enumerate(group) if place not in failed]
        if not linked:
            return found, ""
        ran = self.run(harnessed)
        transcript = _transcript.read(ran.text, harnessed.nonce, harnessed.key, len(linked))
        note = ran.note
        for place, report in enumerate(transcript.reports):
            try:
                result = _result.conclude(harnessed, place, report)
            except InfrastructureError as error:  # perhaps the work of another candidate: it runs again
                note = str(error)
                continue
            if result is None and report.begun and ran.silent_s is not None:
                result = _result.hung(f"{ran.silent_s:g} s of silence on the FPGA")
            if result is not None:
                found[linked[place]] = result
        return found, note
