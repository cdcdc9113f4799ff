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
        self._waiting: dict[int, asyncio.Future[Any]] = {}
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

        number = next(self._number)

        def work() -> None:
            result, error = None, None
            self._waiting.pop(number, None)
            try:
                result = function(*arguments)
            except BaseException as caught:
                error = _passable(caught)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(settle, result, error)

        if self._busy >= len(self._threads) and len(self._threads) < self._limit:
            thread = threading.Thread(target=self._serve, name="propose", daemon=True)
            self._threads.append(thread)
            thread.start()
        self._waiting[number] = future
        self._calls.put((priority, number, work))
        self._busy += 1
        try:
            return await future
        finally:
            self._busy -= 1

    def withdraw(self) -> None:
        """Cancel the calls that no thread has begun."""
        with contextlib.suppress(queue.Empty):
            while True:
                number = self._calls.get_nowait()[1]
                if (future := self._waiting.pop(number, None)) is not None:
                    future.cancel()

    def close(self) -> None:
        """Drop what waits and let idle threads end; busy ones end with their call."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.withdraw()
        for _ in self._threads:
            self._calls.put((sys.maxsize, next(self._number), None))

    def _serve(self) -> None:
        while (work := self._calls.get()[2]) is not None:
            work()


def _passable(error: BaseException) -> Exception:
    """``error``, or what stands for it where asyncio would take it for something else."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration | asyncio.CancelledError):
        return error
    passable = RuntimeError(f"raised {type(error).__name__}: {error}")
    passable.__cause__ = error
    return passable
