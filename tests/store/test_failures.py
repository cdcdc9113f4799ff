"""What goes wrong with files, in words."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autocomp.errors import StoreError
from autocomp.records import digest
from autocomp.store import Store
from autocomp.store import _store as module


def test_a_missing_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no store at .*'autocomp optimize' makes one"):
        Store(tmp_path / "store.sqlite", create=False)
    assert not (tmp_path / "store.sqlite").exists()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_text("This is a text, and it is long enough to be taken for a header. " * 40)
    with pytest.raises(StoreError, match="not an SQLite file"):
        Store(path)


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE songs (title TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        Store(path)


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        for number in range(200):
            store.append("r", "kind", str(number), {"text": "x" * 500})
    data = bytearray(path.read_bytes())
    data[4096 * 3 :] = os.urandom(len(data) - 4096 * 3)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"), Store(path) as store:
        store.events("r")


def test_a_damaged_text(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.append("r", "kind", "a", {}, blobs=["good"])
    connection = sqlite3.connect(path)
    connection.execute("UPDATE blobs SET data = ?", (b"evil",))
    connection.commit()
    connection.close()
    with Store(path) as store, pytest.raises(StoreError, match="does not have that digest"):
        store.blob(digest("good"))


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        store.append("r", "kind", "first", {})
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match="disk is full; free some space and resume"):
            store.append("r", "kind", "second", {}, blobs=[os.urandom(100_000).hex()])
        store._connection.execute("PRAGMA max_page_count = 1000000")
        store.append("r", "kind", "third", {})
        assert [event.key for event in store.events("r")] == ["first", "third"]


def test_a_locked_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BUSY_TIMEOUT_S", 0.1)
    with Store(tmp_path / "store.sqlite") as store:
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked for too long"):
            store.append("r", "kind", "a", {})
        other.execute("ROLLBACK")
        other.close()
        store.append("r", "kind", "a", {})


def test_a_read_only_directory() -> None:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    user = os.geteuid()
    try:
        if user == 0:
            os.seteuid(65534)  # root may write everywhere
        with pytest.raises(StoreError, match=r"cannot be written; make it writable.*Permission denied"):
            Store(folder / ".autocomp" / "store.sqlite")
    finally:
        os.seteuid(user)
        folder.chmod(0o700)
        folder.rmdir()


def test_a_read_only_file() -> None:
    folder = Path(tempfile.mkdtemp())
    user = os.geteuid()
    try:
        Store(folder / "store.sqlite").close()
        folder.chmod(0o555)
        (folder / "store.sqlite").chmod(0o444)
        if user == 0:
            os.seteuid(65534)
        with pytest.raises(StoreError, match="writable"):
            Store(folder / "store.sqlite")
    finally:
        os.seteuid(user)
        shutil.rmtree(folder)


@pytest.fixture
def without_rights() -> Iterator[Callable[[Path], None]]:
    """Take away the right to write a folder and what is in it, also from root."""
    user = os.geteuid()
    folders = []

    def take(folder: Path) -> None:
        folders.append(folder)
        for path in (*folder.iterdir(), folder):
            path.chmod(0o444 if path.is_file() else 0o555)
        if user == 0:
            os.seteuid(65534)

    yield take
    os.seteuid(user)
    for folder in folders:
        shutil.rmtree(folder)


@pytest.mark.parametrize("at_work", [False, True])
def test_looking_at_a_store_that_cannot_be_written(without_rights: Callable[[Path], None], at_work: bool) -> None:
    folder = Path(tempfile.mkdtemp())
    path = folder / "store.sqlite"
    writer = Store(path)
    writer.append("r", "kind", "a", {}, blobs=["text"])
    if not at_work:
        writer.close()
    without_rights(folder)
    with Store(path, create=False) as store:
        assert [event.key for event in store.events("r")] == ["a"]
        assert store.blob(digest("text")) == "text"
        assert store.runs() == ()
        with pytest.raises(StoreError, match="read-only"):
            store.append("r", "kind", "b", {})
        with pytest.raises(StoreError):
            store.lock("r")
    writer.close()


def test_an_old_store_that_cannot_be_written_says_so(without_rights: Callable[[Path], None]) -> None:
    folder = Path(tempfile.mkdtemp())
    path = folder / "store.sqlite"
    path.touch()
    without_rights(folder)
    with pytest.raises(StoreError, match=r"must be brought to version .* but cannot be written"):
        Store(path, create=False)


def test_a_path_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        Store(tmp_path / "file" / "store.sqlite")


def test_a_directory_in_its_place(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path)
