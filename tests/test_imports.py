"""The rooms of the house: who may import whom, how large a module may be, and what each package exports."""

from __future__ import annotations

import ast
import importlib
import re
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
"""The table of docs/design/overview.md; what a room may import, it may import with all that stands below."""

PLANNED = {"models", "agent"}
"""Rooms of the design that are not built yet."""

EXPORTS = {
    "autocomp.problems": "Packaged draw lint load packaged scaffold",
    "autocomp.problems.cache": "cache_folder keep",
    "autocomp.problems.native": "run",
    "autocomp.records": "Array Candidate Diagnostic Distribution DistributionKind Evaluation Event Ideal Kernel "
    "Measurement Move Problem Reference Role Status TensorSpec Tolerance Verdict Work digest evaluation_from_json "
    "evaluation_to_json ideal_from_json ideal_to_json measurement_from_json measurement_to_json place "
    "verdict_from_json verdict_to_json",
    "autocomp.report": "CounterRow DiffLine Lane Node Point ProfilePage Row WIDTH busy_shares change_text checked "
    "compare counter_rows date_text detail_svg duration_text ended evaluated export_source facts flat height improved "
    "inputs lanes latency_text lineage method number_text plural profile_html progress progress_svg report_html "
    "share_text speedup_text standalone status_text steps tally timeline_svg timeline_text tool_version tree unified",
    "autocomp.rewrite": "RECOMMENDED RewriteProposer create",
    "autocomp.targets": "Artifact Execution Finding KnowledgePack MenuItem POISON_BYTE Span Target create names "
    "poisoned",
    "autocomp": "Configuration Evaluation Listener Problem Profile Progress RunView Store evaluate load_configuration "
    "load_problem open_store optimize profile resume",
    "autocomp.evaluate": "LARGEST_CODE_BYTES CaseCache EvaluationCache Executor InlineExecutor InputPlan InputSet Job "
    "Ladder Limits LocalExecutor Outcome cache_key compare draw_inputs plan_confirmation plan_evaluation",
    "autocomp.search": "BeamSearch ConfirmTask EvaluateTask ImplementTask PlanTask SearchSettings Task derive_seed "
    "place",
    "autocomp.session": "Listener Profile Progress create_proposer evaluate load_problem open_store optimize profile "
    "proposer_names read_kernel resume timelines",
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


def imported_modules(path: Path) -> Iterator[tuple[list[str], int]]:
    """What a file imports from Autocomp: the names on the way there, the first one being the room."""
    package = ["autocomp", *path.relative_to(SOURCE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        for name in names:
            top, *parts = name.split(".")
            if top == "autocomp":
                yield parts, getattr(node, "lineno", 0)


def test_every_room_is_in_the_table() -> None:
    rooms = {room_of(path) for path in modules()} - {"__init__", "__main__"}
    assert rooms <= set(DIRECT), f"add {rooms - set(DIRECT)} to the table of the design, and here"
    assert set(DIRECT) - rooms == PLANNED


def test_the_design_note_has_the_same_table() -> None:
    page = Path(__file__).parents[1] / "docs" / "design" / "overview.md"
    rows = re.findall(r"^\| `(\w+)(?:\.py|/)` \|.*\| ([^|]+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    table = {room: set(below.split(", ")) - {"–"} for room, below in rows}
    assert table == {room: below - PLANNED for room, below in DIRECT.items() if room not in PLANNED}


def test_rooms_use_only_what_others_make_public() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)}:{line}: {'.'.join(parts)} is private to its room"
        for path in modules()
        for parts, line in imported_modules(path)
        if parts and parts[0] != room_of(path) and any(part.startswith("_") for part in parts)
    ]
    assert not wrong, "\n".join(wrong)


def test_imports_point_one_way() -> None:
    wrong = []
    for path in modules():
        room = room_of(path)
        if room in ("__init__", "__main__"):
            continue
        for parts, line in imported_modules(path):
            target = parts[0] if parts else ""
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
