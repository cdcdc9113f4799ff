"""A proposer without wit, for tests of everything around it on the null target."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping

from autocomp.errors import IllegalMoveError
from autocomp.proposer import Plan, PlanRequest
from autocomp.records import Verdict
from autocomp.targets import Target

_LATENCY = re.compile(r"^// null: latency=(\d+)$", re.MULTILINE)
_FAULTS = ("broken", "trap", "wrong=1", "unwritten")


class ScriptedProposer:
    """Writes kernels for the null target: most are a little faster or slower than their parent, some are faulty, some
    plans cannot be applied, some are not there at all. Everything follows from the request's seed.
    """

    name = "scripted"
    concurrency = 2
    recommended: Mapping[str, object] = {"menu_dropout": 0.3}

    def __init__(self, sleep_s: float = 0.0, *, faults: bool = True) -> None:
        """Take ``sleep_s`` for every answer; propose no faulty kernels unless ``faults``."""
        self._sleep_s = sleep_s
        self._faults = faults

    def plan(self, request: PlanRequest) -> Plan | None:
        """Pick a menu item."""
        time.sleep(self._sleep_s)
        draw = random.Random(request.seed)
        if draw.random() < 0.05:
            return None
        if not request.menu:
            return None
        item = draw.choice(request.menu)
        return Plan(item.id, f"{item.title} by {draw.randint(1, 6)}", {"seed": draw.randint(1, 6)})

    def implement(self, request: PlanRequest, plan: Plan, index: int) -> str:
        """Change the latency that the parent states."""
        time.sleep(self._sleep_s)
        draw = random.Random(f"{request.seed}/{plan.text}/{index}")
        if draw.random() < 0.05:
            raise IllegalMoveError(f"{plan.text} does not apply here")
        latency = request.evaluation.latency or 1.0
        factor = draw.choice((0.9, 0.95, 0.98, 1.0, 1.05, 1.2))
        lines = [line for line in request.parent.code.splitlines() if not _LATENCY.match(line)]
        lines.append(f"// null: latency={max(1, int(latency * factor))}")
        if self._faults and draw.random() < 0.2:
            lines.append(f"// null: {draw.choice(_FAULTS)}")
        return "\n".join(lines) + "\n"

    def repair(self, request: PlanRequest, plan: Plan, code: str, verdict: Verdict) -> str | None:
        """Repair nothing."""
        return None


def create(target: Target, settings: Mapping[str, object]) -> ScriptedProposer:
    """Make the proposer; settings are ``sleep_s`` and ``faults``."""
    sleep_s = settings.get("sleep_s", 0.0)
    return ScriptedProposer(
        float(sleep_s) if isinstance(sleep_s, int | float) else 0.0, faults=bool(settings.get("faults", True))
    )
