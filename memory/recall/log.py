"""What was asked, recalled and handed out; written a moment later, so a crash may lose the last lines."""

import asyncio
from collections import deque

import apsw
import msgspec

from memory.database import Database
from memory.errors import StorageFullError
from memory.ports import Clock
from memory.recall.bill import Bill, Handout
from memory.recall.query import Query, Recalled

_MAX_WAITING = 1_000


class RecallLog:
    """Collects entries and writes them in one go, with the bill. Queries come in masked."""

    def __init__(self, database: Database, bill: Bill, clock: Clock) -> None:
        self._database = database
        self._bill = bill
        self._clock = clock
        self._waiting: deque[tuple[object, ...]] = deque(maxlen=_MAX_WAITING)
        self._handouts: list[Handout] = []
        self._flushing = asyncio.Lock()
        self._work = asyncio.Event()

    def append(self, query: Query, recalled: Recalled, now: int) -> None:
        """Note a recall."""
        ids = [result.id for result in recalled.results]
        scores = [round(result.score, 4) for result in recalled.results]
        self._waiting.append(
            (
                query.scope.user_id,
                query.scope.session_id,
                query.text,
                msgspec.json.encode(ids).decode(),
                msgspec.json.encode(scores).decode(),
                recalled.threshold,
                now,
            )
        )
        self._handouts.append(Handout(query.scope, recalled.tokens, now))
        self._work.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Write what comes in until told to stop, and then the rest."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._ring_on(stop))
            while not stop.is_set():
                await self._work.wait()
                self._work.clear()
                await self.flush()

    async def _ring_on(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._work.set()

    async def flush(self) -> None:
        """Write what waits; once it returns, all that was noted before is written."""
        async with self._flushing:
            if self._waiting or self._bill.tally:
                await self._write()

    async def _write(self) -> None:
        rows = [self._waiting.popleft() for _ in range(len(self._waiting))]
        handouts, self._handouts = self._handouts, []
        counts, now = self._bill.tally.take(), self._clock.now()

        def write(connection: apsw.Connection) -> None:
            _insert(connection, rows)
            self._bill.write(connection, handouts, counts, now)

        try:
            await self._database.write(write)
        except StorageFullError:  # a full disk costs the log its lines, not the daemon its life
            self._handouts = [*handouts, *self._handouts]
            self._bill.tally.give_back(counts)


def _insert(connection: apsw.Connection, rows: list[tuple[object, ...]]) -> None:
    connection.executemany(
        """
        INSERT INTO recall_log (user_id, session_id, query, ids, scores, threshold, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        rows,
    )
