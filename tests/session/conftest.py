from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autocomp import Configuration, RunView, load_configuration

Configure = Callable[..., Configuration]


@pytest.fixture
def configure(tmp_path: Path) -> Configure:
    """A small run on the null target with the scripted proposer; arguments are overrides, ``__`` for the dot."""

    def make(**overrides: object) -> Configuration:
        values: dict[str, object] = {
            "run.target": "null",
            "run.proposer": "scripted",
            "run.store": str(tmp_path / "store.sqlite"),
            "search.beam": 3,
            "search.plans": 3,
            "search.implementations": 2,
            "search.iterations": 4,
            "search.patience": 0,
        }
        values.update({key.replace("__", "."): value for key, value in overrides.items()})
        return load_configuration(overrides=values, start=tmp_path)

    return make


def shape(view: RunView) -> object:
    """All of a run that must be the same when it is done again or was interrupted."""
    entries = [
        (
            entry.candidate,
            entry.evaluation and (entry.evaluation.verdict, entry.evaluation.measurement, entry.evaluation.cached),
        )
        for entry in view.entries
    ]
    rivals = [(rival.name, rival.code, rival.evaluation.verdict, rival.evaluation.measurement) for rival in view.rivals]
    return entries, rivals, view.beams, view.best.candidate.id, view.confirmed, view.status, view.stop_reason
