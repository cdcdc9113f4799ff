"""Files of every released version stay readable; ``fixtures/versionN.sqlite`` was written by version N."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from autocomp.errors import StoreError
from autocomp.store import Store
from autocomp.store._migrations import MIGRATIONS, version_of

FIXTURES = Path(__file__).parent / "fixtures"


def test_there_is_a_file_of_every_version() -> None:
    assert sorted(path.name for path in FIXTURES.glob("*.sqlite")) == [
        f"version{number}.sqlite" for number in range(1, len(MIGRATIONS) + 1)
    ]


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_old_files_open_and_show_their_run(version: int, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    shutil.copy(FIXTURES / f"version{version}.sqlite", path)
    with Store(path) as store:
        assert version_of(store._connection) == len(MIGRATIONS)
        (summary,) = store.runs()
        view = store.view(summary.id)
        assert view.status == summary.status == "finished"
        assert view.best.evaluation is not None
        assert view.best.evaluation.latency == summary.best_latency
        assert view.confirmed
        assert len(view.entries) == summary.evaluations + 1
        assert view.entries[0] == view.start
        store.append("new", "kind", "a", {})


def test_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store._connection.execute("INSERT INTO migrations VALUES (999, 0)")
    with pytest.raises(StoreError, match="version 999, written by a newer Autocomp"):
        Store(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT max(version) FROM migrations").fetchone() == (999,)
    connection.close()


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half_done (x)")
        connection.execute("not SQL")

    monkeypatch.setattr("autocomp.store._migrations.MIGRATIONS", (*MIGRATIONS, failing))
    path = tmp_path / "store.sqlite"
    with pytest.raises(StoreError):
        Store(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()
