"""The project's store: one SQLite file."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from autocomp.errors import StoreError, UnknownRunError
from autocomp.records import Evaluation, Event, digest, evaluation_from_json, evaluation_to_json
from autocomp.store import kinds
from autocomp.store._failures import store_errors
from autocomp.store._lock import RunLock, is_locked
from autocomp.store._migrations import check_version, migrate
from autocomp.store._run_view import RunSummary, RunView
from autocomp.store._view import build_summary, build_view

_BUSY_TIMEOUT_S = 10.0
_COMPRESS_FROM_BYTES = 512


class Store:
    """Events, blobs and cached evaluations of one project.

    An event, the blobs it names and the cache entry it brings are written in one transaction and are in the hands of
    the operating system when :meth:`append` returns: killing the process loses nothing, and a crash of the whole
    machine loses at most the last moments, never the file. Safe to use from several threads and processes; only the
    holder of :meth:`lock` appends to a run.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open the file; make it if it is missing and ``create``. Raises StoreError.

        Without ``create``, a file of this version that cannot be written is opened all the same, for looking: whatever
        would write raises StoreError.
        """
        self.path = path
        self._guard = threading.RLock()
        if not create and not path.is_file():
            raise StoreError(f"there is no store at {path}; 'autocomp optimize' makes one, run.store names another")
        if not create and not _writable(path):
            self._connection = self._connect(f"{path.resolve().as_uri()}?{_looking(path)}", uri=True)
            prepare = check_version
        else:
            with store_errors(path):
                _prepare_folder(path.parent)
            self._connection = self._connect(str(path))
            prepare = _begin_writing
        try:
            with store_errors(path):
                prepare(self._connection, path)
        except BaseException:
            self._connection.close()
            raise

    def append(
        self,
        run: str,
        kind: str,
        key: str,
        payload: Mapping[str, object],
        *,
        blobs: Iterable[str] = (),
        cache: tuple[str, Evaluation] | None = None,
    ) -> None:
        """Add one event; with it, in the same transaction, texts it names by digest and a result for the cache.

        Raises StoreError; in particular if ``run`` already has an event of this kind and key.
        """
        with self._transaction() as connection:
            for text in blobs:
                encoding, data = _encode(text)
                connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)", (digest(text), encoding, data))
            if cache is not None:
                values = evaluation_to_json(cache[1])
                connection.execute(
                    "INSERT OR REPLACE INTO evaluations VALUES (?, ?, ?)", (cache[0], _dump(values), time.time())
                )
            connection.execute(
                "INSERT INTO events (run, kind, key, payload, time_s) VALUES (?, ?, ?, ?, ?)",
                (run, kind, key, _dump(payload), time.time()),
            )

    def cached(self, key: str) -> Evaluation | None:
        """The evaluation stored under a content key, if any. Raises StoreError."""
        rows = self._read("SELECT payload FROM evaluations WHERE key = ?", (key,))
        return evaluation_from_json(json.loads(rows[0][0])) if rows else None

    def lock(self, run: str) -> RunLock:
        """Take the exclusive right to append to ``run``. Raises StoreError if another process has it."""
        return RunLock(self._locks, run)

    def runs(self) -> tuple[RunSummary, ...]:
        """All runs, the oldest first."""
        wanted = (kinds.STARTED, kinds.START, kinds.BEAM, kinds.FINISHED, kinds.FAILED, kinds.RESUMED)
        marks = ", ".join("?" * len(wanted))
        by_run: dict[str, list[Event]] = {}
        for event in self._events(f"kind IN ({marks})", wanted):
            by_run.setdefault(event.run, []).append(event)
        counts = dict(self._read("SELECT run, count(*) FROM events WHERE kind = ? GROUP BY run", (kinds.EVALUATED,)))
        return tuple(
            build_summary(events, counts.get(run, 0), locked=is_locked(self._locks, run))
            for run, events in by_run.items()
            if events[0].kind == kinds.STARTED
        )

    def run_ids(self) -> tuple[str, ...]:
        """Ids of all runs, the oldest first."""
        rows = self._read("SELECT run FROM events WHERE kind = ? ORDER BY sequence", (kinds.STARTED,))
        return tuple(str(row[0]) for row in rows)

    def resolve(self, run: str) -> str:
        """Full id of ``run``: an id, the unique beginning of one, or ``last``. Raises UnknownRunError."""
        ids = self.run_ids()
        if run == "last" and ids:
            return ids[-1]
        matches = [run] if run in ids else [name for name in ids if run and name.startswith(run)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UnknownRunError(
                f"'{run}' is the beginning of {len(matches)} runs: {', '.join(matches)}; give more of the name"
            )
        known = f"the newest are {', '.join(ids[-5:])}" if ids else "it has no runs"
        raise UnknownRunError(f"no run '{run}' in store {self.path}; {known}")

    def view(self, run: str) -> RunView:
        """The run as its faces see it.

        Raises UnknownRunError; StoreError if the run ended before its start kernel was evaluated.
        """
        run = self.resolve(run)
        events = self.events(run)
        wanted = kinds.named_blobs(events)
        return build_view(events, self._blobs(wanted), locked=is_locked(self._locks, run))

    def events(self, run: str) -> tuple[Event, ...]:
        """Events of ``run`` (a full id), in order."""
        return self._events("run = ?", (run,))

    def blob(self, digest: str) -> str:
        """The text with this content address. Raises StoreError if there is none or it is damaged."""
        return self._blobs([digest])[digest]

    def close(self) -> None:
        """Release the file."""
        with self._guard, store_errors(self.path):
            self._connection.close()

    def __enter__(self) -> Store:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _connect(self, name: str, *, uri: bool = False) -> sqlite3.Connection:
        with store_errors(self.path):
            return sqlite3.connect(
                name,
                timeout=_BUSY_TIMEOUT_S,
                isolation_level=None,
                check_same_thread=False,
                uri=uri,
            )

    @property
    def _locks(self) -> Path:
        return self.path.parent / f"{self.path.name}-locks"

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._guard, store_errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _read(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._guard, store_errors(self.path):
            return self._connection.execute(statement, values).fetchall()

    def _events(self, condition: str, values: tuple[object, ...]) -> tuple[Event, ...]:
        rows = self._read(
            f"SELECT sequence, run, kind, key, payload, time_s FROM events WHERE {condition} ORDER BY sequence", values
        )
        return tuple(Event(row[0], row[1], row[2], row[3], json.loads(row[4]), row[5]) for row in rows)

    def _blobs(self, digests: Iterable[str]) -> dict[str, str]:
        texts = {}
        for name in digests:
            rows = self._read("SELECT encoding, data FROM blobs WHERE digest = ?", (name,))
            if not rows:
                raise StoreError(f"store {self.path} has no text {name}; it is damaged or from another project")
            texts[name] = self._decode(name, *rows[0])
        return texts

    def _decode(self, name: str, encoding: str, data: bytes) -> str:
        try:
            text = (zlib.decompress(data) if encoding == "zlib" else data).decode()
        except (zlib.error, UnicodeDecodeError):
            text = ""
        if digest(text) != name:
            raise StoreError(f"store {self.path} is damaged: text {name} does not have that digest")
        return text


def _begin_writing(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    migrate(connection, path)


def _writable(path: Path) -> bool:
    """True if SQLite can write the file and the two that it keeps beside it."""
    effective = os.access in os.supports_effective_ids
    return all(os.access(place, os.W_OK, effective_ids=effective) for place in (path, path.parent))


def _looking(path: Path) -> str:
    """How SQLite is to open a file it cannot write. With a journal beside it somebody may be at work, and what is in
    the journal counts; without one nobody is, and the file is all there is."""
    journal = path.with_name(f"{path.name}-wal")
    return "mode=ro" if journal.exists() and journal.stat().st_size else "mode=ro&immutable=1"


def _prepare_folder(folder: Path) -> None:
    if not folder.exists():
        folder.mkdir(parents=True)
        if folder.name == ".autocomp":
            (folder / ".gitignore").write_text("*\n")


def _dump(values: Mapping[str, object]) -> str:
    return json.dumps(values, separators=(",", ":"), allow_nan=False)


def _encode(text: str) -> tuple[str, bytes]:
    data = text.encode()
    if len(data) < _COMPRESS_FROM_BYTES:
        return "plain", data
    return "zlib", zlib.compress(data, 1)
