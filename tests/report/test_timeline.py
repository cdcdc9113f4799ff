import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest

from autocomp.report import busy_shares, detail_svg, lanes, timeline_svg, timeline_text
from autocomp.report._lanes import close_up, extent, units, within
from autocomp.targets import Span

Spans = Callable[[int], tuple[Span, ...]]


def test_overlapping_spans_of_one_unit_count_once() -> None:
    spans = (Span("load", 0, 6, "a"), Span("load", 4, 10, "b"), Span("load", 5, 6, "c"), Span("load", 15, 20, "d"))
    (lane,) = lanes(spans, 4, 0, 20)
    assert lane.occupancy.tolist() == [1.0, 1.0, 0.0, 1.0]
    assert lane.busy == 0.75


def test_buckets_hold_the_fraction_of_their_time() -> None:
    (lane,) = lanes((Span("execute", 2.5, 7.5, "x"),), 2, 0, 10)
    assert lane.occupancy.tolist() == [0.5, 0.5]


def test_occupancy_equals_counting_cycle_by_cycle(make_spans: Spans) -> None:
    spans = make_spans(300)
    end = int(extent(spans)[1])
    for lane in lanes(spans, 7, 0, end):
        busy = np.zeros(end)
        for span in spans:
            if span.unit == lane.unit:
                busy[int(span.start) : int(span.end)] = 1
        assert lane.busy == pytest.approx(busy.mean())
        edges = np.linspace(0, end, 8)
        total = np.interp(edges, np.arange(end + 1), np.concatenate(([0], np.cumsum(busy))))
        assert lane.occupancy == pytest.approx(np.diff(total) / (end / 7))


def test_lanes_come_in_the_order_of_the_machine() -> None:
    spans = [Span(unit, 0, 1, "x") for unit in ("dma", "core", "store", "load", "execute")]
    assert units(spans) == ("core", "load", "execute", "store", "dma")


def test_a_hundred_thousand_spans_stay_small(make_spans: Spans) -> None:
    spans = make_spans(100_000)
    picture = str(timeline_svg(spans, "cycles"))
    assert len(picture) < 60_000
    detail = str(detail_svg(spans, "cycles", *extent(spans)))
    assert detail.count("<rect") < 700


def test_height_of_the_area_is_the_occupancy() -> None:
    spans = (
        Span("load", 0, 100, "a"),
        Span("execute", 0, 50, "b"),
        *(Span("store", t, t + 1, "c") for t in range(0, 100, 2)),
    )
    root = ET.fromstring(str(timeline_svg(spans, "cycles")))
    paths = {one.get("class"): one.get("d", "") for one in root.iter("path")}
    tops = {name: [float(value) for value in re.findall(r"V([\d.]+)", path)] for name, path in paths.items()}
    base = {name: float(re.match(r"M[\d.]+,([\d.]+)", path)[1]) for name, path in paths.items()}  # type: ignore[index]
    assert base["load"] - min(tops["load"]) == 30
    assert base["execute"] - tops["execute"][0] == 30
    assert base["execute"] - tops["execute"][-2] == 0


def test_two_timelines_on_one_scale(make_spans: Spans) -> None:
    spans = make_spans(1000)
    end = extent(spans)[1]
    alone = re.findall(r"H([\d.]+)", str(timeline_svg(spans, "cycles")))
    shared = re.findall(r"H([\d.]+)", str(timeline_svg(spans, "cycles", None, end * 2)))
    left = 78
    assert (float(shared[-1]) - left) * 2 == pytest.approx(float(alone[-1]) - left, abs=0.5)
    assert "ends at" in str(timeline_svg(spans, "cycles", None, end * 2))


def test_close_up_shows_each_span_with_line_and_times(make_spans: Spans) -> None:
    spans = make_spans(5000)
    begin, end = close_up(spans, 100)
    shown = within(spans, begin, end)
    assert 90 <= len(shown) <= 130
    root = ET.fromstring(str(detail_svg(spans, "cycles", begin, end)))
    boxes = [one for one in root.iter("rect") if "span" in one.get("class", "")]
    assert len(boxes) == len(shown)
    titles = [one.text or "" for one in root.iter("title")]
    assert all(re.fullmatch(r"\w+, line \d+: [\d,.]+ to [\d,.]+ cycles", title) for title in titles)


def test_spans_that_overlap_do_not_hide_each_other() -> None:
    spans = (Span("load", 0, 10, "a"), Span("load", 5, 15, "b"), Span("load", 12, 20, "c"))
    root = ET.fromstring(str(detail_svg(spans, "cycles", 0, 20)))
    tops = [one.get("y") for one in root.iter("rect") if "span" in one.get("class", "")]
    assert tops[0] == tops[2] != tops[1]


@pytest.mark.parametrize("spans", [(), (Span("load", 0, 0, "a"),)])
def test_nothing_recorded(spans: tuple[Span, ...]) -> None:
    assert "Nothing was recorded" in str(timeline_svg(spans, "cycles"))
    assert "Nothing was recorded" in str(detail_svg(spans, "cycles", *extent(spans)))
    assert timeline_text(spans, "cycles") == "nothing was recorded\n"


def test_text_fits_the_terminal_and_follows_the_occupancy() -> None:
    spans = (Span("load", 0, 100, "a"), Span("execute", 50, 100, "b"))
    text = timeline_text(spans, "cycles", 60, unicode=False)
    lines = text.splitlines()
    assert text.isascii()
    assert all(len(line) <= 60 for line in lines)
    load, execute = (line.split("|")[1] for line in lines[:2])
    assert set(load) == {"@"}
    assert set(execute[: len(execute) // 2 - 1]) == {" "}
    assert set(execute[len(execute) // 2 + 1 :]) == {"@"}
    assert "100.0 %" in lines[0]
    assert "50.0 %" in lines[1]
    assert lines[2].rstrip().endswith("100 cycles")


def test_shares() -> None:
    assert busy_shares((Span("load", 0, 5, "a"), Span("store", 0, 10, "b"))) == {"load": 0.5, "store": 1.0}


def test_work_is_spread_over_its_span_and_never_more_than_the_time() -> None:
    spans = (Span("load", 0, 10, "a", work=5), Span("load", 5, 15, "b", work=5), Span("load", 20, 24, "c", work=4))
    (lane,) = lanes(spans, 4, 0, 24)
    assert lane.work is not None
    # 0-6: 6 / 2 and 1 / 2; 6-12: 4 / 2 and 6 / 2; 12-18: 3 / 2; 18-24: 4
    assert (lane.work * 6).tolist() == pytest.approx([3.5, 5.0, 1.5, 4.0])
    assert lane.working == pytest.approx(14 / 24)
    assert lane.busy == pytest.approx(19 / 24)


def test_spans_that_do_not_tell_their_work_are_drawn_as_before() -> None:
    (lane,) = lanes((Span("load", 0, 10, "a", work=5), Span("load", 5, 15, "b")), 4, 0, 24)
    assert (lane.work, lane.working) == (None, None)


def test_work_is_darker_than_waiting() -> None:
    picture = str(timeline_svg((Span("load", 0, 100, "a", work=25), Span("load", 100, 101, "b", work=1)), "cycles"))
    assert 'class="load waiting"' in picture
    assert "at work 25.7 %, the rest of it waiting" in picture
    assert "light: in progress, but waiting" in picture
