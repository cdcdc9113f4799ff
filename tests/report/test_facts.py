"""Numbers of candidates mean the same wherever they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from autocomp.records import Evaluation, Status
from autocomp.report import evaluated, tally
from autocomp.store import RunView


def test_the_start_kernel_is_no_candidate(make_view: Callable[..., RunView]) -> None:
    view = make_view()
    counts = tally(view)
    assert sum(count for status, count in counts.items() if status != "not evaluated") == evaluated(view)
    assert sum(counts.values()) == len(view.entries) - 1


def test_a_run_whose_start_kernel_failed_has_none(
    make_view: Callable[..., RunView], make_failed: Callable[..., Evaluation]
) -> None:
    view = make_view()
    start = replace(view.start, evaluation=make_failed(Status.TRAPPED))
    failed = replace(view, status="failed", start=start, entries=(start,), best=start)
    assert (tally(failed), evaluated(failed)) == ({}, 0)
