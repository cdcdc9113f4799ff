import random
from collections.abc import Callable

from autocomp.report import _tree as module
from autocomp.report import lineage, steps, tree, unified
from autocomp.store import RunView

Make = Callable[..., object]


def test_parents_come_first_fast_children_before_slow_and_failures_last(make_view: Callable[..., RunView]) -> None:
    nodes = tree(make_view())
    assert [node.entry.candidate.id for node in nodes] == ["0", "1.0.0.0", "2.0.0.0", "2.0.1.0", "1.0.2.0", "1.0.1.0"]
    assert [node.depth for node in nodes] == [0, 1, 2, 2, 1, 1]
    assert [node.role for node in nodes] == ["path", "path", "best", "", "", ""]
    assert nodes[3].status == "not evaluated"
    assert nodes[5].status == "wrong value"


def test_the_way_to_the_best_comes_before_faster_siblings(
    make_view: Callable[..., RunView], make_entry: Make, make_passed: Make
) -> None:
    entries = (
        make_entry("0", make_passed(100)),
        make_entry("1.0.0.0", make_passed(60), "0"),
        make_entry("1.0.1.0", make_passed(80), "0"),
        make_entry("2.0.0.0", make_passed(50), "1.0.1.0"),
        make_entry("2.1.0.0", make_passed(55), "1.0.0.0"),
    )
    nodes = tree(make_view(entries=entries, best="2.0.0.0"))
    assert [node.entry.candidate.id for node in nodes] == ["0", "1.0.1.0", "2.0.0.0", "1.0.0.0", "2.1.0.0"]
    assert [node.below for node in nodes] == [4, 1, 0, 1, 0]


def test_every_opened_level_is_closed(make_view: Callable[..., RunView]) -> None:
    depth = 0
    for node in tree(make_view()):
        assert node.depth == depth
        depth += 1 if node.children else -node.closes
    assert depth == 0


def test_lineage_leads_from_start_to_best(make_view: Callable[..., RunView]) -> None:
    assert [entry.candidate.id for entry in lineage(make_view())] == ["0", "1.0.0.0", "2.0.0.0"]
    nodes = steps(make_view())
    assert [node.latency for node in nodes] == [1000, 700, 400]
    assert nodes[0].diff == ()
    assert nodes[1].diff


def test_depth_has_no_limit(make_view: Callable[..., RunView], make_entry: Make, make_passed: Make) -> None:
    names = ["0", *(f"{index}.0.0.0" for index in range(1, 3000))]
    parents = [None, *names]
    entries = tuple(
        make_entry(name, make_passed(5000 - place), parent)
        for place, (name, parent) in enumerate(zip(names, parents, strict=False))
    )
    nodes = tree(make_view(entries=entries, best=names[-1]))
    assert nodes[-1].depth == 2999
    assert nodes[-1].closes == 2999


def test_a_candidate_whose_parent_is_gone_is_still_shown(
    make_view: Callable[..., RunView], make_entry: Make, make_passed: Make
) -> None:
    entries = (make_entry("0", make_passed(10)), make_entry("3.0.0.0", make_passed(9), "2.9.9.9"))
    nodes = tree(make_view(entries=entries, best="0"))
    assert [(node.entry.candidate.id, node.depth) for node in nodes] == [("0", 0), ("3.0.0.0", 0)]


def test_differences_of_the_best_survive_a_small_budget(make_view: Callable[..., RunView], monkeypatch: object) -> None:
    monkeypatch.setattr(module, "DIFF_BUDGET", 1)  # type: ignore[attr-defined]
    diffs = {node.entry.candidate.id: node.diff for node in tree(make_view())}
    assert diffs["2.0.0.0"] or diffs["1.0.0.0"]
    assert diffs["1.0.1.0"] is None


def test_unified_difference() -> None:
    lines = unified("a\nb\nc\n", "a\nx\nc\n")
    assert [(line.kind, line.text) for line in lines[1:]] == [
        ("same", " a"),
        ("remove", "-b"),
        ("add", "+x"),
        ("same", " c"),
    ]
    assert unified("a\n", "a\n") == ()


def test_lines_that_look_like_file_names_are_kept() -> None:
    assert {line.text for line in unified("-- x\n", "++ y\n")} >= {"--- x", "+++ y"}


def test_a_long_difference_says_how_much_is_left_out() -> None:
    lines = unified("", "\n".join(map(str, range(500))), limit=100)
    assert len(lines) == 101
    assert (lines[-1].kind, lines[-1].text) == ("more", "… 401 more lines")


def applied(before: str, after: str) -> bool:
    """True if the difference, read by itself, turns one text into the other."""
    old, new, at = before.splitlines(), [], 0
    for line in unified(before, after, 10**6):
        if line.kind == "place":
            first, length = (*line.text.split()[1][1:].split(","), "1")[:2]
            begin = int(first) - 1 if int(length) else int(first)
            new += old[at:begin]
            at = begin
        elif line.kind == "add":
            new.append(line.text[1:])
        else:
            assert old[at] == line.text[1:]
            new += [old[at]] if line.kind == "same" else []
            at += 1
    return new + old[at:] == after.splitlines()


def test_differences_lead_from_one_text_to_the_other() -> None:
    draw = random.Random(7)
    for _ in range(300):
        old = [draw.choice("abcde") for _ in range(draw.randint(0, 40))]
        new = [line for line in old if draw.random() > 0.2]
        for _ in range(draw.randint(0, 5)):
            new.insert(draw.randint(0, len(new)), draw.choice("abcxy"))
        assert applied("\n".join(old), "\n".join(new))
