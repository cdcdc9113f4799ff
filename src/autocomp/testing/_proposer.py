"""What every proposer must do."""

from __future__ import annotations

import json

from autocomp.errors import IllegalMoveError
from autocomp.proposer import Plan, PlanRequest, Proposer
from autocomp.records import Candidate, Evaluation, Problem
from autocomp.search import SearchSettings, derive_seed
from autocomp.targets import Target

_PLANS = 6


def check_proposer(proposer: Proposer, problem: Problem, target: Target, evaluation: Evaluation) -> int:
    """Ask for a few steps from the start kernel, whose evaluation is given, and check the answers.

    Returns how many codes came out, so that the caller can say how many there should be. Raises AssertionError with
    what the proposer does not do.
    """
    assert proposer.name, "a proposer has a name"
    assert proposer.concurrency >= 1, "it says on how many threads it is called at once"
    SearchSettings.model_validate(dict(proposer.recommended))
    menu = tuple(item for item in target.knowledge().menu if not item.operators or problem.operator in item.operators)
    codes = 0
    for index in range(_PLANS):
        request = PlanRequest(
            key=f"1.0.{index}",
            problem=problem,
            parent=Candidate("0", problem.start.code),
            evaluation=evaluation,
            menu=menu,
            iteration=1,
            iterations=4,
            index=index,
            count=_PLANS,
            seed=derive_seed(0, f"conformance/{index}"),
        )
        plan = proposer.plan(request)
        assert plan == proposer.plan(request), "the same request leads to the same plan"
        if plan is not None:
            codes += _check_plan(proposer, request, plan)
    return codes


def _check_plan(proposer: Proposer, request: PlanRequest, plan: Plan) -> int:
    assert plan.item in {item.id for item in request.menu}, f"'{plan.item}' is an item of the menu"
    assert plan.text.strip(), "a plan says in words what is to be done"
    parameters = json.loads(json.dumps(dict(plan.parameters)))
    assert parameters == dict(plan.parameters), "parameters have JSON types, so that a resumed run sees the same"
    try:
        code = proposer.implement(request, plan, 0)
    except IllegalMoveError as error:
        assert str(error), "an illegal move says why"
        return 0
    replayed = Plan(plan.item, plan.text, parameters)
    assert proposer.implement(request, replayed, 0) == code, "a plan that was stored leads to the same code"
    assert code.strip(), "a code is not empty"
    return 1
