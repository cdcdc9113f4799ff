"""What every store must do."""

from __future__ import annotations

from collections.abc import Callable

from autocomp.errors import StoreError
from autocomp.records import Evaluation, Measurement, Status, Verdict, digest
from autocomp.store import Store

_EVALUATION = Evaluation(
    Verdict(Status.PASSED), Measurement(12.5, "cycles", "by hand", {"loads": 3.0}), ("Three loads.",), False, 0.25
)


def check_store(open_store: Callable[[], Store]) -> None:
    """Write and read back; ``open_store`` opens the same, at first empty, store each time.

    Raises AssertionError with what the store does not do.
    """
    with open_store() as store:
        assert store.runs() == (), "a new store has no runs"
        _check_events(store)
        _check_lock(store, open_store)
    with open_store() as store:
        assert [event.key for event in store.events("r")] == ["a", "b"], "events stay"
        assert store.blob(digest("text\\n")) == "text\\n", "texts stay as they were, backslashes included"
        assert store.cached("key") == _EVALUATION, "evaluations stay"


def _check_events(store: Store) -> None:
    store.append("r", "kind", "a", {"list": [1, 2.5, None, "x"]}, blobs=["text\\n"], cache=("key", _EVALUATION))
    store.append("r", "kind", "b", {})
    store.append("other", "kind", "a", {})
    first, second = store.events("r")
    assert first.sequence < second.sequence, "sequences rise"
    assert first.payload == {"list": [1, 2.5, None, "x"]}, "payloads come back"
    _must_fail(lambda: store.append("r", "kind", "a", {}), "an event cannot be written twice")
    _must_fail(lambda: store.blob(digest("nothing")), "an unknown text is an error")
    assert store.cached("other key") is None, "an unknown evaluation is None"
    try:
        store.append("r", "kind", "a", {}, blobs=["lost"], cache=("lost", _EVALUATION))
    except StoreError:
        assert store.cached("lost") is None, "an event and what comes with it are stored together or not at all"


def _check_lock(store: Store, open_store: Callable[[], Store]) -> None:
    with store.lock("r"), open_store() as another:
        _must_fail(lambda: another.lock("r"), "a run is worked on by one at a time")
        another.lock("other").release()
    store.lock("r").release()


def _must_fail(action: Callable[[], object], promise: str) -> None:
    try:
        action()
    except StoreError:
        return
    raise AssertionError(promise)
