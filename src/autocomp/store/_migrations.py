"""The schema of the store, as numbered steps that are never changed once released."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from autocomp.errors import StoreError

APPLICATION_ID = 0x4143_4D50
"""Marks the file as a store of ours, in SQLite's header field for that."""


def _events_blobs_evaluations(connection: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE events (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            run TEXT NOT NULL,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            payload TEXT NOT NULL,
            time_s REAL NOT NULL,
            UNIQUE (run, kind, key)
        )""",
        "CREATE INDEX events_by_kind ON events (kind, sequence)",
        """CREATE TRIGGER events_stay BEFORE UPDATE ON events
            BEGIN SELECT RAISE(ABORT, 'events are append-only'); END""",
        """CREATE TRIGGER events_remain BEFORE DELETE ON events
            BEGIN SELECT RAISE(ABORT, 'events are append-only'); END""",
        "CREATE TABLE blobs (digest TEXT PRIMARY KEY, encoding TEXT NOT NULL, data BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE evaluations (key TEXT PRIMARY KEY, payload TEXT NOT NULL, time_s REAL NOT NULL) WITHOUT ROWID",
    ):
        connection.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_events_blobs_evaluations,)
"""Step ``n`` (from 1) brings a store of version ``n - 1`` to version ``n``."""


def version_of(connection: sqlite3.Connection) -> int:
    """Number of the last step applied; 0 for an empty file."""
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
    if not known:
        return 0
    return int(connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchone()[0])


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Make sure that a store which cannot be written need not be. Raises StoreError."""
    version = version_of(connection)
    if version > len(MIGRATIONS):
        raise _too_new(path, version)
    if version < len(MIGRATIONS):
        raise StoreError(
            f"store {path} has version {version} and must be brought to version {len(MIGRATIONS)}, but cannot be "
            "written: make it and its directory writable, or copy it and name the copy with run.store"
        )


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the store to the newest version, all steps or none.

    Raises StoreError if the file belongs to another program or to a newer version of this one.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        _apply(connection, path)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _apply(connection: sqlite3.Connection, path: Path) -> None:
    version = version_of(connection)
    if version > len(MIGRATIONS):
        raise _too_new(path, version)
    if version == 0:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise StoreError(f"store {path} is an SQLite file of another program; choose another with run.store")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("CREATE TABLE migrations (version INTEGER PRIMARY KEY, time_s REAL NOT NULL)")
    for number, step in enumerate(MIGRATIONS[version:], start=version + 1):
        step(connection)
        connection.execute("INSERT INTO migrations VALUES (?, ?)", (number, time.time()))


def _too_new(path: Path, version: int) -> StoreError:
    return StoreError(
        f"store {path} has version {version}, written by a newer Autocomp; this one knows {len(MIGRATIONS)}: "
        "upgrade with 'pip install --upgrade autocomp'"
    )
