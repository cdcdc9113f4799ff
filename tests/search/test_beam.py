"""The beam search: order of answers, selection, budgets, stops."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from autocomp.records import Candidate, Move, digest
from autocomp.search import BeamSearch, ConfirmTask, EvaluateTask, ImplementTask, PlanTask, SearchSettings, Task

MENU = ("widen", "hoist", "unroll", "reorder")
Latency = Callable[[str], float | None]


def make(start_latency: float = 1000.0, ideal: float = 0.0, **settings: object) -> BeamSearch:
    chosen = SearchSettings.model_validate({"menu_dropout": 0.0, "patience": 0, **settings})
    return BeamSearch(
        chosen,
        seed=7,
        menu=MENU,
        start=Candidate("0", "start"),
        start_latency=start_latency,
        ideal_latency=ideal,
    )


class World:
    """Answers tasks as a function of their content alone."""

    def __init__(self, *, confirm: Callable[[Candidate], bool] = lambda candidate: True) -> None:
        self.confirm = confirm
        self.evaluated: list[str] = []
        self.confirmed: list[str] = []

    def answer(self, search: BeamSearch, task: Task) -> None:
        match task:
            case PlanTask():
                draw = random.Random(task.seed)
                if draw.random() < 0.1:
                    search.tell_plan(task.key, None)
                else:
                    item = draw.choice(task.menu)
                    search.tell_plan(task.key, Move(item, f"{item} {draw.randint(1, 3)}", "world"))
            case ImplementTask():
                code = f"{task.plan.parent.digest[:6]}/{task.move.plan}/{task.index % 2}"
                search.tell_code(task.key, None if digest(code)[0] == "0" else code)
            case EvaluateTask(candidate):
                self.evaluated.append(candidate.digest)
                search.tell_evaluation(candidate.digest, self.latency(candidate.code))
            case ConfirmTask(candidate):
                self.confirmed.append(candidate.id)
                passed = self.confirm(candidate)
                search.tell_confirmation(candidate.digest, self.latency(candidate.code) if passed else None)

    def latency(self, code: str) -> float | None:
        value = int(digest(code)[:8], 16)
        return None if value % 5 == 0 else 300.0 + value % 800


def drive(search: BeamSearch, world: World, order: random.Random | None = None) -> BeamSearch:
    waiting: list[Task] = []
    while not search.finished:
        waiting.extend(search.ask())
        index = order.randrange(len(waiting)) if order else 0
        world.answer(search, waiting.pop(index))
    return search


def outcome(search: BeamSearch) -> object:
    return search.beams, search.best, search.evaluations, search.stop_reason, sorted(search.candidates)


@pytest.mark.parametrize("deduplicate", [True, False])
def test_the_order_of_answers_does_not_matter(deduplicate: bool) -> None:
    settings = {"beam": 4, "plans": 5, "implementations": 3, "iterations": 6, "deduplicate_plans": deduplicate}
    expected = outcome(drive(make(**settings), World()))
    for seed in range(20):
        assert outcome(drive(make(**settings), World(), random.Random(seed))) == expected


def test_no_code_is_evaluated_twice() -> None:
    world = World()
    search = drive(make(beam=4, plans=6, implementations=3, iterations=8), world)
    assert len(world.evaluated) == len(set(world.evaluated)) == search.evaluations


def test_the_best_latency_never_rises_and_children_beat_their_parents() -> None:
    search = drive(make(beam=3, plans=4, iterations=8), World())
    latencies = [search.latency(beam[0]) for beam in search.beams]
    assert latencies == sorted(latencies, reverse=True)
    for beam in search.beams:
        for name in beam:
            parent = search.candidates[name].parent_id
            assert parent is None or search.latency(name) < search.latency(parent)


def scripted(
    search: BeamSearch, latencies: dict[str, float | None], confirm: dict[str, float | None] | None = None
) -> None:
    """Answer with one code per plan, named by its key, until the search ends."""
    while not search.finished:
        for task in search.ask():
            match task:
                case PlanTask():
                    search.tell_plan(task.key, Move("widen", task.key, "test"))
                case ImplementTask():
                    search.tell_code(task.key, f"code {task.key}")
                case EvaluateTask(candidate):
                    search.tell_evaluation(candidate.digest, latencies.get(candidate.id))
                case ConfirmTask(candidate):
                    latency = latencies[candidate.id]
                    search.tell_confirmation(candidate.digest, (confirm or {}).get(candidate.id, latency))


def test_slack_lets_slower_children_in_early_only() -> None:
    latencies = {"1.0.0.0": 1090.0, "1.0.1.0": 1110.0, "2.0.0.0": 1099.0, "2.1.0.0": 1150.0, "3.0.0.0": 1050.0}
    search = make(beam=9, plans=2, implementations=1, iterations=3, slack=0.1)
    scripted(search, latencies)
    assert search.beams[0] == ("0", "1.0.0.0")
    assert search.beams[1] == ("0", "1.0.0.0", "2.0.0.0", "2.1.0.0")
    assert "3.0.0.0" not in search.beams[2]


def test_without_slack_an_equal_child_is_refused() -> None:
    search = make(beam=3, plans=2, implementations=1, iterations=1)
    scripted(search, {"1.0.0.0": 1000.0, "1.0.1.0": 999.0})
    assert search.beams == [("1.0.1.0", "0")]


def test_what_fails_its_confirmation_is_never_best() -> None:
    search = make(beam=2, plans=3, implementations=1, iterations=1)
    scripted(search, {"1.0.0.0": 100.0, "1.0.1.0": 200.0, "1.0.2.0": 300.0}, {"1.0.0.0": None})
    assert search.beams == [("1.0.1.0", "1.0.2.0")]
    assert search.latency("1.0.0.0") is None


def test_the_slower_of_two_measurements_counts() -> None:
    """A code that was fast on the inputs it was first timed on takes the place that it really deserves."""
    search = make(beam=3, plans=3, implementations=1, iterations=1)
    latencies = {"1.0.0.0": 100.0, "1.0.1.0": 200.0, "1.0.2.0": 300.0}
    scripted(search, latencies, {"1.0.0.0": 250.0, "1.0.1.0": 150.0})
    assert search.beams == [("1.0.1.0", "1.0.0.0", "1.0.2.0")]
    assert [search.latency(name) for name in search.beams[0]] == [200.0, 250.0, 300.0]
    slower = make(beam=3, plans=3, implementations=1, iterations=1)
    scripted(slower, latencies, {"1.0.0.0": 5_000.0})
    assert "1.0.0.0" not in slower.beams[0], "it no longer beats its parent"


def test_equal_latencies_keep_the_earlier_candidate() -> None:
    search = make(beam=1, plans=3, implementations=1, iterations=1)
    scripted(search, {"1.0.1.0": 500.0, "1.0.2.0": 500.0})
    assert search.best.id == "1.0.1.0"


def test_places_are_compared_as_numbers() -> None:
    search = make(beam=1, plans=12, implementations=1, iterations=1)
    scripted(search, {"1.0.10.0": 500.0, "1.0.2.0": 500.0})
    assert search.best.id == "1.0.2.0"


@pytest.mark.parametrize("limit", [1, 3, 7, 20])
def test_the_budget_of_evaluations_is_never_exceeded(limit: int) -> None:
    world = World()
    search = drive(make(beam=3, plans=3, implementations=2, iterations=9, max_evaluations=limit), world)
    assert search.evaluations <= limit
    assert search.stop_reason == "max_evaluations"


def test_patience() -> None:
    search = make(beam=2, plans=1, implementations=1, iterations=50, patience=3)
    scripted(search, {"1.0.0.0": 900.0})
    assert (search.stop_reason, len(search.beams)) == ("patience", 4)


def test_it_stops_near_the_ideal() -> None:
    search = make(ideal=880.0, beam=2, plans=1, implementations=1, iterations=50, stop_within_percent=3)
    scripted(search, {"1.0.0.0": 950.0, "2.0.0.0": 906.0})
    assert (search.stop_reason, search.best.id) == ("near_ideal", "2.0.0.0")


def test_it_stops_when_nobody_has_anything_to_propose() -> None:
    search = make(iterations=50)
    while not search.finished:
        for task in search.ask():
            assert isinstance(task, PlanTask)
            search.tell_plan(task.key, None)
    assert search.stop_reason == "exhausted"
    assert search.best.id == "0"


def test_stop_keeps_what_is_known_and_asks_only_for_confirmation() -> None:
    search = make(beam=2, plans=2, implementations=1)
    first, second = search.ask()
    search.tell_plan(first.key, Move("widen", "a", "test"))  # type: ignore[union-attr]
    search.tell_code("1.0.0.0", "fast")
    search.tell_evaluation(digest("fast"), 10.0)
    search.stop("max_minutes")
    (task,) = search.ask()
    assert isinstance(task, ConfirmTask)
    search.tell_plan(second.key, Move("widen", "b", "test"))  # type: ignore[union-attr]
    search.tell_confirmation(task.candidate.digest, 10.0)
    assert (search.stop_reason, search.best.code, search.ask()) == ("max_minutes", "fast", ())


def test_equal_plans_are_implemented_once_and_the_first_counts() -> None:
    search = make(plans=3, implementations=1)
    tasks = [task for task in search.ask() if isinstance(task, PlanTask)]
    same = Move("widen", "same", "test")
    search.tell_plan(tasks[2].key, same)
    search.tell_plan(tasks[1].key, same)
    assert search.ask() == ()
    search.tell_plan(tasks[0].key, Move("hoist", "other", "test"))
    assert [task.key for task in search.ask() if isinstance(task, ImplementTask)] == ["1.0.0.0", "1.0.1.0"]


def test_a_parent_is_asked_on_where_it_was_left() -> None:
    search = make(plans=2, implementations=1, iterations=2, beam=1)
    seen = []
    while not search.finished:
        for task in search.ask():
            match task:
                case PlanTask():
                    seen.append((task.key, task.earlier, task.count))
                    search.tell_plan(task.key, Move("widen", task.key, "test"))
                case ImplementTask():
                    search.tell_code(task.key, None)
    assert seen == [("1.0.0", 0, 2), ("1.0.1", 0, 2), ("2.0.0", 2, 2), ("2.0.1", 2, 2)]


def test_spread_plans_make_the_first_iteration_as_wide_as_the_others() -> None:
    assert len(make(beam=3, plans=4, spread_plans=True).ask()) == 12
    assert len(make(beam=3, plans=4).ask()) == 4


def test_dropout_is_drawn_anew_for_every_plan() -> None:
    menus = {task.menu for task in make(plans=40, menu_dropout=0.7).ask() if isinstance(task, PlanTask)}
    assert len(menus) > 5
    assert all(menus), "at least one item is kept"
    sizes = [len(task.menu) for task in make(plans=2000, menu_dropout=0.7).ask() if isinstance(task, PlanTask)]
    assert 1.2 < sum(sizes) / len(sizes) < 1.6
