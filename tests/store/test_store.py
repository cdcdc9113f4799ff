from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap

import pytest

from autocomp.errors import StoreError, UnknownRunError
from autocomp.records import digest
from autocomp.store import Store, kinds


def begin(store: Store, run: str) -> None:
    payload = {
        "problem": "gemm:16x16x16",
        "target": "null",
        "ideal": {"unit": "cycles"},
        "start": digest("start"),
        "rivals": {},
    }
    store.append(run, kinds.STARTED, "run", payload, blobs=["start"])


def test_texts_come_back_unchanged(store: Store) -> None:
    texts = ["", "short", "a\\n\\t\\0 backslashes\r\n", "é∞\U0001f600", "long " * 1000]
    for number, text in enumerate(texts):
        store.append("r", "kind", str(number), {}, blobs=[text, text])
    assert [store.blob(digest(text)) for text in texts] == texts


def test_events_cannot_be_changed_even_with_sql(store: Store) -> None:
    store.append("r", "kind", "a", {})
    connection = sqlite3.connect(store.path)
    for statement in ("UPDATE events SET payload = '{}'", "DELETE FROM events"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_not_a_number_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        store.append("r", "kind", "a", {"latency": float("nan")})
    assert store.events("r") == ()


def test_runs_are_found_by_beginning_and_by_age(store: Store) -> None:
    with pytest.raises(UnknownRunError, match="has no runs"):
        store.resolve("last")
    for run in ("gemm-1", "gemm-10", "gemm-2", "other-1"):
        begin(store, run)
    assert store.run_ids() == ("gemm-1", "gemm-10", "gemm-2", "other-1")
    assert store.resolve("gemm-1") == "gemm-1"
    assert store.resolve("o") == "other-1"
    assert store.resolve("last") == "other-1"
    with pytest.raises(UnknownRunError, match="the beginning of 3 runs: gemm-1, gemm-10, gemm-2"):
        store.resolve("gemm")
    with pytest.raises(UnknownRunError, match=r"no run 'x' in store .*; the newest are gemm-1"):
        store.resolve("x")
    with pytest.raises(UnknownRunError):
        store.resolve("")


def test_a_run_without_a_start_has_no_view_but_a_summary(store: Store) -> None:
    begin(store, "gemm-1")
    (summary,) = store.runs()
    assert (summary.status, summary.evaluations, summary.best_latency) == ("interrupted", 0, None)
    with pytest.raises(StoreError, match="ended before its start kernel"):
        store.view("gemm-1")


def test_the_folder_of_a_project_is_kept_out_of_git(store: Store) -> None:
    assert (store.path.parent / ".gitignore").read_text() == "*\n"


def test_a_lock_ends_with_its_process(store: Store) -> None:
    program = f"""
        import os, signal, time
        from pathlib import Path
        from autocomp.store import Store
        lock = Store(Path({str(store.path)!r})).lock("r")
        print("locked", flush=True)
        time.sleep(600)
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StoreError, match="another process"):
            store.lock("r")
        holder.kill()
        holder.wait()
        store.lock("r").release()


def test_two_processes_write_at_once(store: Store) -> None:
    program = textwrap.dedent(f"""
        import sys
        from pathlib import Path
        from autocomp.store import Store
        with Store(Path({str(store.path)!r})) as store:
            for number in range(200):
                store.append(sys.argv[1], "kind", str(number), {{"n": number}}, blobs=["text " * 200])
    """)
    writers = [subprocess.Popen([sys.executable, "-c", program, name]) for name in ("a", "b", "c")]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert [len(store.events(name)) for name in ("a", "b", "c")] == [200, 200, 200]
