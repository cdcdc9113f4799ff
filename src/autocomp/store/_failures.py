"""What SQLite and the file system report, as StoreErrors that say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autocomp.errors import StoreError

_REMEDIES = (
    ("disk is full", "the disk is full; free some space and resume the run"),
    ("disk i/o error", "the disk reported an error or is full; free some space or check it, then resume the run"),
    ("permission denied", "its directory cannot be written; make it writable or choose another with run.store"),
    ("read-only", "the file system is read-only; choose another place with run.store"),
    ("readonly", "the file or its directory is read-only; make it writable or choose another with run.store"),
    ("unable to open", "it cannot be opened; check that the directory exists and is writable"),
    ("locked", "another process has kept it locked for too long; end that process and try again"),
    ("not a database", "it is not an SQLite file; move it away or choose another with run.store"),
    ("malformed", "it is damaged; restore it from a copy, or save what is readable with 'sqlite3 FILE .recover'"),
)


def explain(path: Path, error: BaseException) -> StoreError:
    """The StoreError for ``error`` on the store at ``path``."""
    text = str(error)
    for pattern, remedy in _REMEDIES:
        if pattern in text.lower():
            return StoreError(f"store {path}: {remedy} ({text})")
    return StoreError(f"store {path}: {text}")


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn failures of SQLite and the file system inside the block into StoreErrors."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise explain(path, error) from error
