from collections.abc import Callable

from autocomp.report import compare, improved
from autocomp.store import RivalResult, RunView


def test_every_number_follows_from_the_measurements(make_view: Callable[..., RunView]) -> None:
    rows = {row.name: row for row in compare(make_view())}
    assert list(rows) == ["start", "hand-tuned", "found", "ideal"]
    assert (rows["found"].latency, rows["found"].speedup, rows["found"].share) == (400, 2.5, 0.8)
    assert (rows["hand-tuned"].speedup, rows["hand-tuned"].share) == (2.0, 0.64)
    assert (rows["start"].speedup, rows["ideal"].share) == (1.0, 1.0)


def test_a_rival_that_failed_has_no_number(
    make_view: Callable[..., RunView], make_failed: Callable[..., object]
) -> None:
    rivals = (RivalResult("broken", "", make_failed()),)  # type: ignore[arg-type]
    row = compare(make_view(rivals=rivals))[1]
    assert (row.latency, row.speedup, row.note) == (None, None, "wrong value")


def test_nothing_faster_is_said_and_not_dressed_up(make_view: Callable[..., RunView]) -> None:
    view = make_view(best="0")
    assert not improved(view)
    found = compare(view)[-2]
    assert (found.kind, found.latency, found.speedup) == ("found", None, None)
    assert "nothing faster" in found.note
