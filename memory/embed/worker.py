"""One thread for work that would block the event loop; what is urgent overtakes what waits."""

import asyncio
import contextlib
import heapq
import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar, cast

from memory.errors import ClosedError

_Answer = TypeVar("_Answer")


class Priority(IntEnum):
    """What goes first; of equals, the older."""

    URGENT = 0
    PATIENT = 1


@dataclass(order=True, frozen=True, slots=True)
class _Job:
    priority: Priority
    number: int
    work: Callable[[], Any] = field(compare=False)
    future: asyncio.Future[Any] = field(compare=False)

    def run(self) -> None:
        """Do the work and tell who waits; nothing, if nobody does any more."""
        if self.future.cancelled():
            return
        try:
            answer = self.work()
        except BaseException as error:  # carried to the awaiter; the thread lives on for the others
            self.fail(error)
        else:
            self._tell(self.future.set_result, answer)

    def fail(self, error: BaseException) -> None:
        """Raise the error where the answer is awaited."""
        self._tell(self.future.set_exception, error)

    def _tell(self, settle: Callable[[Any], None], outcome: Any) -> None:
        def deliver() -> None:
            if not self.future.done():  # cancelled while the work was under way
                settle(outcome)

        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to tell
            self.future.get_loop().call_soon_threadsafe(deliver)


class Worker:
    """Runs one piece of work at a time in its own thread, for any number of tasks and event loops.

    Work whose awaiter is cancelled before it starts is never done; work that has started runs to its end.
    """

    def __init__(self, name: str) -> None:
        self._changed = threading.Condition()
        self._waiting: list[_Job] = []
        self._numbers = itertools.count()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[], _Answer], priority: Priority) -> _Answer:
        """What `work` returns or raises. Raises ClosedError if the worker is closed before it starts."""
        future = asyncio.get_running_loop().create_future()
        with self._changed:
            self.check_open()
            heapq.heappush(self._waiting, _Job(priority, next(self._numbers), work, future))
            self._changed.notify()
        return cast(_Answer, await future)

    def check_open(self) -> None:
        """Raise ClosedError after `close`."""
        if self._closed:
            raise ClosedError(f"{self._thread.name} is closed")

    def close(self) -> None:
        """Let the work under way end, fail what waits with ClosedError, end the thread. Idempotent."""
        with self._changed:
            self._closed = True
            waiting, self._waiting = self._waiting, []
            self._changed.notify()
        for job in waiting:
            job.fail(ClosedError(f"{self._thread.name} was closed before it came to this"))
        self._thread.join()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            job.run()

    def _next(self) -> _Job | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            return heapq.heappop(self._waiting) if self._waiting else None
