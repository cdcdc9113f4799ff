"""Pictures are read back: what they show follows the numbers."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

from autocomp.report import WIDTH, compare, height, progress, progress_svg, standalone
from autocomp.report._bars import bars_svg
from autocomp.store import Entry, RunView

SVG = "{http://www.w3.org/2000/svg}"


def read(picture: object) -> ET.Element:
    return ET.fromstring(str(picture))


def with_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [one for one in root.iter() if name in one.get("class", "").split()]


def test_bars_are_as_long_as_the_latencies(make_view: Callable[..., RunView]) -> None:
    rows = compare(make_view())
    bars = with_class(read(bars_svg(rows)), "bar")
    widths = [float(bar.get("width", "")) for bar in bars]
    expected = [row.latency for row in rows if row.latency is not None]
    assert len(widths) == 4
    for width, latency in zip(widths, expected, strict=True):
        assert abs(width / widths[0] - latency / expected[0]) < 1e-3


def test_progress_counts_evaluations_and_keeps_the_best(make_view: Callable[..., RunView]) -> None:
    points = progress(make_view())
    assert [point.index for point in points] == [0, 1, 2, 3, 4]  # the one without a result is not there
    assert [point.best for point in points] == [1000, 700, 700, 700, 400]
    assert [point.latency for point in points] == [1000, 700, None, 1500, 400]


def test_curve_falls_with_the_latency(make_view: Callable[..., RunView]) -> None:
    root = read(progress_svg(make_view()))
    (curve,) = with_class(root, "best")
    path = curve.get("d", "")
    heights = [float(value) for value in re.findall(r"(?:V|M[\d.]+,)([\d.]+)", path)]
    columns = [float(value) for value in re.findall(r"(?:H|M)([\d.]+)", path)]
    assert columns == sorted(columns)
    assert heights == sorted(heights)  # downwards is faster
    # Linear: the drop from 1000 to 700 and from 700 to 400 are the same.
    assert abs((heights[1] - heights[0]) - (heights[4] - heights[3])) < 0.05
    dots, ticks = with_class(root, "dot"), with_class(root, "failed")
    assert (len(dots), len(ticks)) == (4, 1)
    tops = {dot.find("title").text: float(dot.get("cy", "")) for dot in dots}  # type: ignore[union-attr]
    assert tops["1.0.2.0: 1,500 cycles"] < tops["0: 1,000 cycles"] < tops["2.0.0.0: 400 cycles"]


def test_lines_of_rival_and_ideal_stand_at_their_latency(make_view: Callable[..., RunView]) -> None:
    root = read(progress_svg(make_view()))
    level = {one.get("class"): float(one.get("y1", "")) for one in with_class(root, "mark")}
    assert level["mark start"] < level["mark rival"] < level["mark ideal"]
    share = (level["mark rival"] - level["mark start"]) / (level["mark ideal"] - level["mark start"])
    assert abs(share - (1000 - 500) / (1000 - 320)) < 1e-3


def test_a_run_without_any_result_still_has_a_picture(
    make_view: Callable[..., RunView], make_entry: Callable[..., Entry]
) -> None:
    view = make_view(entries=(make_entry("0", None),), best="0", rivals=())
    assert read(progress_svg(view)).get("role") == "img"


def test_one_single_result_does_not_divide_by_zero(
    make_view: Callable[..., RunView], make_entry: Callable[..., Entry], make_passed: Callable[..., object]
) -> None:
    view = make_view(entries=(make_entry("0", make_passed(320)),), best="0", rivals=())
    assert with_class(read(progress_svg(view)), "dot")


def test_a_file_of_its_own_is_a_picture_of_its_own(make_view: Callable[..., RunView]) -> None:
    root = read(standalone(bars_svg(compare(make_view())), WIDTH, height(3)))
    assert root.tag == f"{SVG}svg"
    assert root.get("width") == str(WIDTH)
    assert "prefers-color-scheme" in "".join(root.itertext())
