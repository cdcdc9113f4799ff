"""The page is parsed, not compared: it must be whole, closed, silent towards the network, and safe."""

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from autocomp.records import Candidate, Diagnostic, Evaluation, Ideal, Measurement, Move, Status, Verdict
from autocomp.report import ProfilePage, profile_html, report_html
from autocomp.store import Entry, RivalResult, RunView
from autocomp.targets import Span

VOID = {"meta", "br", "input", "link", "img", "hr"}
EVIL = '</script></style></pre><script>alert(1)</script><img src=x onerror=alert(2)>"\'><a href="http://evil.example">&amp;'


class Page(HTMLParser):
    """Checks nesting, collects tags and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.parts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    @property
    def words(self) -> str:
        return "".join(self.parts)

    def count(self, tag: str) -> int:
        return sum(one == tag for one, _ in self.tags)


def test_page_is_well_nested_and_says_what_was_measured(
    make_view: Callable[..., RunView], make_spans: Callable[[int], tuple[Span, ...]]
) -> None:
    page = Page(report_html(make_view(), make_spans(900), make_spans(300)))
    for words in (
        "1,000 cycles",
        "400 cycles",
        "2.50×",
        "80.0 %",
        "hand-tuned",
        "320 cycles",
        "stall_cycles",
        "−96.7 %",
    ):
        assert words in page.words
    assert "confirmed with fresh secret inputs" in page.words
    items = [attributes for tag, attributes in page.tags if tag == "li" and "data-role" in attributes]
    assert len(items) == 6
    assert sum(item["data-passed"] == "0" for item in items) == 2


def test_nothing_is_fetched(make_view: Callable[..., RunView], make_spans: Callable[[int], tuple[Span, ...]]) -> None:
    text = report_html(make_view(), make_spans(900), make_spans(300))
    assert not re.search(r"(https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text)
    for tag, attributes in Page(text).tags:
        assert tag not in {"link", "img", "iframe", "object", "embed"}
        assert "src" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'" in text


def evil_view(make_view: Callable[..., RunView]) -> RunView:
    bad = Evaluation(Verdict(Status.WRONG_VALUE, EVIL, (Diagnostic(EVIL, 1),), EVIL))
    good = Evaluation(Verdict(Status.PASSED), Measurement(9.0, "cycles", EVIL, {EVIL: 2.0}), (EVIL,))
    start = Entry(Candidate("0", EVIL), good, 0.0)
    move = Move(EVIL, EVIL, EVIL, {EVIL: EVIL})
    better = Evaluation(Verdict(Status.PASSED), Measurement(8.0, "cycles", EVIL, {EVIL: 1.0}), (EVIL,))
    child = Entry(Candidate("1.0.0.0", EVIL + "\n// x\x00\x1b[31m", "0", move, 1), better, 0.0)
    failing = Entry(Candidate(EVIL, EVIL * 2, "0", move, 1), bad, 0.0)
    return make_view(
        entries=(start, child, failing),
        best="1.0.0.0",
        id=EVIL,
        problem=EVIL,
        target=EVIL,
        status=EVIL,
        stop_reason=EVIL,
        rivals=(RivalResult(EVIL, EVIL, good),),
        ideal=Ideal(3.0, "cycles", EVIL, EVIL),
        configuration={EVIL: {EVIL: EVIL}},
    )


def test_hostile_code_and_plans_stay_text(make_view: Callable[..., RunView]) -> None:
    spans = tuple(Span(EVIL, time, time + 1, EVIL, 1) for time in range(100))
    text = report_html(evil_view(make_view), spans, spans)
    page = Page(text)
    assert page.count("script") == 1
    assert page.count("style") == 1
    assert page.count("img") == 0
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert not any("evil" in (attributes.get("href") or "") for _, attributes in page.tags)
    assert "alert(1)" in page.words
    assert "\x00" not in text
    assert "\x1b" not in text


def test_note_stands_in_for_the_timeline(make_view: Callable[..., RunView]) -> None:
    assert "compiler <gone>" in Page(report_html(make_view(), timeline_note="compiler <gone>")).words


@pytest.mark.parametrize("changes", [{"best": "0"}, {"confirmed": False}, {"rivals": ()}, {"beams": ()}])
def test_runs_that_ended_otherwise(make_view: Callable[..., RunView], changes: dict[str, object]) -> None:
    page = Page(report_html(make_view(**changes)))
    if "best" in changes:
        assert "nothing faster" in page.words
        assert "confirmed with" not in page.words
    if "confirmed" in changes:
        assert "not confirmed with fresh secret inputs" in page.words


def test_script_is_the_one_the_policy_allows(make_view: Callable[..., RunView]) -> None:
    import base64
    import hashlib

    text = report_html(make_view())
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    code = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{code}'" in text


def test_a_page_about_thousands_of_candidates_stays_small(
    make_view: Callable[..., RunView], make_entry: Callable[..., Entry], make_passed: Callable[..., Evaluation]
) -> None:
    code = "".join(f"  statement({index});\n" for index in range(120))
    entries = [make_entry("0", make_passed(9000), None, code)]
    for index in range(3000):
        name = f"1.0.{index}.0"
        entries.append(make_entry(name, make_passed(8000 - index), "0", code.replace(f"({index % 120})", "(changed)")))
    text = report_html(make_view(entries=entries, best="1.0.2999.0"))
    assert len(text) < 9_000_000
    Page(text)


def test_profile_page(make_spans: Callable[[int], tuple[Span, ...]]) -> None:
    measurement = Measurement(1000.0, "cycles", "simulated cycles", {"loads": 3.0})
    page = ProfilePage(
        EVIL, EVIL, EVIL, EVIL, measurement, Ideal(500.0, "cycles", "compute", "x"), make_spans(500), (EVIL,)
    )
    parsed = Page(profile_html(page))
    assert parsed.count("script") == 1
    assert parsed.count("svg") == 2
    assert "50.0 %" in parsed.words
