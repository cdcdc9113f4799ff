"""Blocking calls from asyncio on threads that never hold up the end of the program."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class CallPool:
    """Runs blocking calls on daemon threads.

    The standard pools wait for their threads at the end of the program, so that one reply of a model that does not
    come would keep Ctrl-C from working.
    """

    def __init__(self, threads: int) -> None:
        """Run at most ``threads`` calls at once."""
        self._limit = threads
        self._calls: queue.PriorityQueue[tuple[int, int, Callable[[], None] | None]] = queue.PriorityQueue()
        self._number = itertools.count()
        self._threads: list[threading.Thread] = []
        self._busy = 0

    async def call(self, priority: int, function: Callable[..., T], *arguments: Any) -> T:
        """Run ``function(*arguments)`` on a thread and return what it returns or raise what it raises.

        Of the calls that wait for a thread, those of the lowest ``priority`` come first, in the order they were made.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, error: Exception | None) -> None:
            if future.cancelled():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result)  # type: ignore[arg-type]

        def work() -> None:
            result, error = None, None
            try:
                result = function(*arguments)
            except Exception as caught:
                error = caught
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(settle, result, error)

        if self._busy >= len(self._threads) and len(self._threads) < self._limit:
            thread = threading.Thread(target=self._serve, name="propose", daemon=True)
            self._threads.append(thread)
            thread.start()
        self._calls.put((priority, next(self._number), work))
        self._busy += 1
        try:
            return await future
        finally:
            self._busy -= 1

    def close(self) -> None:
        """Drop what waits and let idle threads end; busy ones end with their call."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._calls.get_nowait()
        for _ in self._threads:
            self._calls.put((sys.maxsize, next(self._number), None))

    def _serve(self) -> None:
        while (work := self._calls.get()[2]) is not None:
            work()
