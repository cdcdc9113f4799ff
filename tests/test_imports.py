"""The rooms of the house: who may import whom, how large a module may be, and what each package exports."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import autocomp

SOURCE = Path(autocomp.__file__).parent
LONGEST_MODULE_LINES = 600

DIRECT: dict[str, set[str]] = {
    "errors": set(),
    "records": {"errors"},
    "problems": {"records"},
    "targets": {"records", "problems"},
    "proposer": {"records", "targets"},
    "evaluate": {"targets"},
    "models": {"records"},
    "agent": {"models", "targets", "proposer"},
    "rewrite": {"targets", "proposer"},
    "search": {"records"},
    "store": {"records"},
    "configuration": {"records", "search"},
    "session": {"configuration", "evaluate", "proposer", "search", "store", "agent", "rewrite"},
    "report": {"session"},
    "cli": {"session", "report"},
    "testing": {"evaluate", "proposer", "search", "store"},
}
"""The table of the design; what a room may import, it may import with all that stands below."""

EXPORTS = {
    "autocomp": "Configuration Evaluation Listener Problem Profile Progress RunView Store evaluate load_configuration "
    "load_problem open_store optimize profile resume",
    "autocomp.evaluate": "CaseCache EvaluationCache Executor InlineExecutor InputPlan InputSet Job Ladder Limits "
    "LocalExecutor Outcome cache_key compare draw_inputs plan_confirmation plan_evaluation",
    "autocomp.search": "BeamSearch ConfirmTask EvaluateTask ImplementTask PlanTask SearchSettings Task derive_seed "
    "place",
    "autocomp.session": "Listener Profile Progress create_proposer evaluate load_problem open_store optimize profile "
    "proposer_names resume timelines",
    "autocomp.store": "Entry RivalResult RunLock RunSummary RunView Store elapsed_s",
    "autocomp.testing": "ScriptedProposer check_executor check_proposer check_store check_target",
}


def allowed(room: str) -> set[str]:
    found = set(DIRECT[room])
    for below in DIRECT[room]:
        found |= allowed(below)
    return found


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[tuple[str, int]]:
    package = ["autocomp", *path.relative_to(SOURCE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "autocomp" else [module]
        for name in names:
            parts = name.split(".")
            if parts[0] == "autocomp":
                yield (parts[1] if len(parts) > 1 else ""), getattr(node, "lineno", 0)


def test_every_room_is_in_the_table() -> None:
    rooms = {room_of(path) for path in modules()} - {"__init__", "__main__"}
    assert rooms <= set(DIRECT), f"add {rooms - set(DIRECT)} to the table of the design, and here"


def test_imports_point_one_way() -> None:
    wrong = []
    for path in modules():
        room = room_of(path)
        if room in ("__init__", "__main__"):
            continue
        for target, line in imported_rooms(path):
            if target != room and target not in allowed(room):
                wrong.append(f"{path.relative_to(SOURCE)}:{line}: {room} may not import {target or 'the top package'}")
    assert not wrong, "\n".join(wrong)


def test_modules_stay_small() -> None:
    lines = {path: len(path.read_text().splitlines()) for path in modules()}
    assert not [str(path) for path, count in lines.items() if count > LONGEST_MODULE_LINES]


@pytest.mark.parametrize("package", EXPORTS)
def test_exports_are_pinned(package: str) -> None:
    assert sorted(importlib.import_module(package).__all__) == sorted(EXPORTS[package].split())


def test_every_package_exports_what_it_says() -> None:
    for path in modules():
        if path.name == "__init__.py":
            name = ".".join(["autocomp", *path.relative_to(SOURCE).parent.parts])
            module = importlib.import_module(name)
            for export in getattr(module, "__all__", []):
                assert hasattr(module, export), f"{name} does not have {export}"


def test_the_function_evaluate_wins_over_the_package_of_that_name() -> None:
    program = "import autocomp.evaluate._worker, autocomp; assert callable(autocomp.evaluate)"
    subprocess.run([sys.executable, "-c", program], check=True)
