"""The one thread that writes. What waits together commits together, so many captures share one fsync."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import apsw

from memory.database.ballast import Ballast
from memory.errors import ClosedError, StorageFullError

T = TypeVar("T")
Outcome = tuple[Any, BaseException | None]
DISK_FAULTS = (apsw.FullError, apsw.IOError)


@dataclass(frozen=True, slots=True)
class _Write:
    """One intent: a function over the connection, and who waits for its result."""

    function: Callable[[apsw.Connection], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    frees_space: bool = False
    alone: bool = False  # outside any transaction: a checkpoint, a VACUUM INTO

    def resolve(self, result: Any, error: BaseException | None) -> None:
        if self.future.done():  # the waiter was cancelled; the write stands all the same
            return
        if error is None:
            self.future.set_result(result)
        else:
            self.future.set_exception(error)


class Writer:
    """Runs writes in order, each in its own savepoint inside a shared transaction.

    A write that raises is rolled back alone. A future resolves only after the commit that holds its write.
    When the disk is full, writes fail with StorageFullError until there is room again; those marked
    `frees_space` are still tried, on the ballast's room.
    """

    def __init__(self, connection: apsw.Connection, ballast: Ballast, group_max: int) -> None:
        self._connection = connection
        self._ballast = ballast
        self._group_max = group_max
        self._queue: SimpleQueue[list[_Write] | None] = SimpleQueue()
        self._gathered: list[_Write] = []  # of the loop's
        self._waiting: deque[_Write] = deque()  # of the thread's
        self._is_open = True
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="memud-writer", daemon=True)
        self._thread.start()

    async def write(self, function: Callable[[apsw.Connection], T], *, frees_space: bool = False) -> T:
        """The result of `function`, once it is durable. Raises what that raises, or StorageFullError."""
        return await self._submit(function, frees_space=frees_space)

    async def alone(self, function: Callable[[apsw.Connection], T]) -> T:
        """The result of `function`, run between transactions, on a full disk too. Raises like `write`."""
        return await self._submit(function, alone=True)

    async def _submit(
        self, function: Callable[[apsw.Connection], T], *, frees_space: bool = False, alone: bool = False
    ) -> T:
        if self._closed:
            raise ClosedError("the database is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if not self._gathered:
            loop.call_soon(self._hand_over)
        self._gathered.append(_Write(function, future, loop, frees_space, alone))
        return await future

    def _hand_over(self) -> None:
        """Give the thread what one round of the loop has gathered: it commits together, and wakes it once."""
        gathered, self._gathered = self._gathered, []
        self._queue.put(gathered)

    @property
    def is_full(self) -> bool:
        """Whether the last write found no room."""
        return self._ballast.is_spent

    def close(self) -> None:
        """Finish what was accepted, empty the log, close. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._hand_over()
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while group := self._take():
            self._answer(group, self._commit(group))
        with suppress(apsw.Error):  # a full disk: the log stays as it is, and nothing in it is lost
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        self._connection.close()

    def _take(self) -> list[_Write]:
        """The writes of the next transaction, up to the bound, or one that goes alone; none: it is closed."""
        self._receive()
        group: list[_Write] = []
        while self._waiting and len(group) < self._group_max and not (group and self._waiting[0].alone):
            group.append(self._waiting.popleft())
            if group[0].alone:
                break
        return group

    def _receive(self) -> None:
        """All that is there now, or what comes next; no timer, since the fsync itself gathers the next."""
        while self._is_open:
            try:
                handed = self._queue.get(block=not self._waiting)
            except Empty:
                return
            if handed is None:
                self._is_open = False
            else:
                self._waiting.extend(handed)

    def _commit(self, group: list[_Write]) -> list[Outcome]:
        if group[0].alone:
            return [self._run_alone(group[0])]
        has_room = not self._ballast.is_spent or self._ballast.restore()
        outcomes = iter(self._transact([write for write in group if has_room or write.frees_space]))
        return [next(outcomes) if has_room or write.frees_space else (None, _full()) for write in group]

    def _transact(self, group: list[_Write]) -> list[Outcome]:
        """All writes in one transaction; a fault of the transaction itself is everybody's."""
        if not group:
            return []
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            outcomes = [self._run_one(write) for write in group]
            self._connection.execute("COMMIT")
        except apsw.Error as error:
            return [(None, self._abort(error)) for _ in group]
        return outcomes

    def _run_one(self, write: _Write) -> Outcome:
        self._connection.execute("SAVEPOINT one")
        try:
            result = write.function(self._connection)
        except DISK_FAULTS:
            raise
        except Exception as error:  # it belongs to the caller, whose future carries it
            self._connection.execute("ROLLBACK TO one")
            self._connection.execute("RELEASE one")
            return None, error
        self._connection.execute("RELEASE one")
        return result, None

    def _run_alone(self, write: _Write) -> Outcome:
        try:
            return write.function(self._connection), None
        except DISK_FAULTS as error:
            return None, _full(error)
        except Exception as error:  # as above
            return None, error

    def _abort(self, error: apsw.Error) -> BaseException:
        if self._connection.in_transaction:
            with suppress(apsw.Error):  # SQLite has rolled back by itself
                self._connection.execute("ROLLBACK")
        if not isinstance(error, DISK_FAULTS):
            return error
        self._ballast.spend()
        return _full(error)

    def _answer(self, group: list[_Write], outcomes: list[Outcome]) -> None:
        pairs = list(zip(group, outcomes, strict=True))
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            group[0].loop.call_soon_threadsafe(_resolve_all, pairs)


def _resolve_all(pairs: list[tuple[_Write, Outcome]]) -> None:
    for write, (result, error) in pairs:
        write.resolve(result, error)


def _full(cause: apsw.Error | None = None) -> StorageFullError:
    error = StorageFullError(
        "the disk is full: nothing was stored",
        hint="free some space; memud goes on by itself",
        retry_after_ms=5_000,
    )
    error.__cause__ = cause
    return error
