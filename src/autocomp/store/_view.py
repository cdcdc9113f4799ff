"""From the events of a run to what its faces see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autocomp.errors import StoreError
from autocomp.records import Candidate, Evaluation, Event, evaluation_from_json, ideal_from_json, place
from autocomp.store import kinds
from autocomp.store._run_view import Entry, RivalResult, RunSummary, RunView


def build_summary(events: Sequence[Event], evaluations: int, *, locked: bool) -> RunSummary:
    """One line on a run, from its events of the kinds that matter for it."""
    started: Mapping[str, Any] = events[0].payload
    start_latency = best_latency = None
    for event in events:
        payload: Mapping[str, Any] = event.payload
        if event.kind == kinds.START:
            start_latency = best_latency = evaluation_from_json(payload["evaluation"]).latency
        elif event.kind == kinds.BEAM:
            best_latency = payload["latency"]
    return RunSummary(
        id=events[0].run,
        problem=started["problem"],
        target=started["target"],
        status=_status(events, locked=locked),
        started_s=events[0].time_s,
        evaluations=evaluations,
        start_latency=start_latency,
        best_latency=best_latency,
        unit=started["ideal"]["unit"],
    )


def build_view(events: Sequence[Event], texts: Mapping[str, str], *, locked: bool) -> RunView:
    """The whole run. Raises StoreError if its start kernel was never evaluated."""
    first = events[0]
    started: Mapping[str, Any] = first.payload
    clock = _Clock(events)
    by_kind: dict[str, dict[str, Event]] = {}
    for event in events:
        by_kind.setdefault(event.kind, {})[event.key] = event
    if kinds.START not in by_kind:
        raise StoreError(
            f"run {first.run} ended before its start kernel was evaluated; `autocomp resume` goes on with it"
        )
    start_event = by_kind[kinds.START]["0"]
    confirmations = by_kind.get(kinds.CONFIRMED, {})
    start_evaluation = _confirmed(_evaluation(start_event), started["start"], confirmations)
    start = Entry(Candidate("0", texts[started["start"]]), start_evaluation, clock.at(start_event))
    beams = [event.payload for event in by_kind.get(kinds.BEAM, {}).values()]
    kept = tuple(tuple(_strings(payload["ids"])) for payload in beams)
    entries = (start, *_entries(by_kind, texts, clock, kept))
    by_id = {entry.candidate.id: entry for entry in entries}
    rivals = by_kind.get(kinds.RIVAL, {})
    best = by_id[kept[-1][0]] if kept else start
    finished = by_kind.get(kinds.FINISHED, {}).get("run")
    return RunView(
        id=first.run,
        problem=started["problem"],
        target=started["target"],
        status=_status(events, locked=locked),
        started_s=first.time_s,
        duration_s=clock.at(events[-1]),
        configuration=started["configuration"],
        ideal=ideal_from_json(started["ideal"]),
        start=start,
        entries=entries,
        rivals=tuple(
            RivalResult(
                name,
                texts[code],
                _confirmed(_evaluation(rivals[name]), code, confirmations),
            )
            for name, code in started["rivals"].items()  # not in the order in which they happened to be done
            if name in rivals
        ),
        best=best,
        confirmed=best.candidate.digest in confirmations,
        beams=kept,
        stop_reason=str(finished.payload["reason"]) if finished else "",
    )


def elapsed_s(events: Sequence[Event]) -> float:
    """Seconds of work that ``events`` stand for; pauses between an interruption and its resume do not count."""
    return _Clock(events).at(events[-1]) if events else 0.0


class _Clock:
    def __init__(self, events: Sequence[Event]) -> None:
        self._at: dict[int, float] = {}
        passed = 0.0
        previous = events[0].time_s
        for event in events:
            if event.kind != kinds.RESUMED:
                passed += max(0.0, event.time_s - previous)
            previous = event.time_s
            self._at[event.sequence] = passed

    def at(self, event: Event) -> float:
        return self._at[event.sequence]


def _status(events: Sequence[Event], *, locked: bool) -> str:
    if any(event.kind == kinds.FINISHED for event in events):
        return "finished"
    if locked:
        return "running"
    last = [event.kind for event in events if event.kind in (kinds.FAILED, kinds.RESUMED)][-1:]
    return "failed" if last == [kinds.FAILED] else "interrupted"


def _entries(
    by_kind: Mapping[str, Mapping[str, Event]],
    texts: Mapping[str, str],
    clock: _Clock,
    kept: Sequence[Sequence[str]],
) -> list[Entry]:
    """One entry per code: the one that a beam kept, else the first in the order of the search."""
    in_beams = {name for beam in kept for name in beam}
    planned = by_kind.get(kinds.PLANNED, {})
    evaluated = by_kind.get(kinds.EVALUATED, {})
    confirmed = by_kind.get(kinds.CONFIRMED, {})
    known = {str(by_kind[kinds.STARTED]["run"].payload["start"])}
    implemented = [event for event in by_kind.get(kinds.IMPLEMENTED, {}).values() if event.payload["code"]]
    entries = []
    for event in sorted(implemented, key=lambda event: (event.key not in in_beams, place(event.key))):
        code = str(event.payload["code"])
        if code in known:
            continue
        known.add(code)
        plan: Mapping[str, Any] = planned[event.key.rsplit(".", 1)[0]].payload
        move = kinds.move_from_json(plan["move"], texts)
        candidate = Candidate(event.key, texts[code], plan["parent"], move, place(event.key)[0])
        result = evaluated.get(code)
        evaluation = _confirmed(_evaluation(result), code, confirmed) if result else None
        entries.append(Entry(candidate, evaluation, clock.at(result or event)))
    return sorted(entries, key=lambda entry: place(entry.candidate.id))


def _confirmed(evaluation: Evaluation, code: str, confirmations: Mapping[str, Event]) -> Evaluation:
    return evaluation.confirmed_by(_evaluation(confirmations[code])) if code in confirmations else evaluation


def _evaluation(event: Event) -> Evaluation:
    payload: Mapping[str, Any] = event.payload
    return evaluation_from_json(payload["evaluation"])


def _strings(values: object) -> list[str]:
    return [str(value) for value in values] if isinstance(values, list) else []
