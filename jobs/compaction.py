"""Sums a session up before its context is cut, once its turns have become facts."""

import asyncio

from jobs.capture import CaptureWorker
from memory.database import Database
from memory.model import Scope
from memory.ports import Clock
from memory.session import Sessions, Summary

_FACTS_WAIT_S = 2.0  # an agent waits for its summary; facts that come later are not lost, only not in it


class Compactor:
    """Stores a session's summary, idempotent for one compaction cycle."""

    def __init__(self, database: Database, sessions: Sessions, worker: CaptureWorker, clock: Clock) -> None:
        self._database = database
        self._sessions = sessions
        self._worker = worker
        self._clock = clock

    async def compact(self, scope: Scope, reason: str, ratio: float | None) -> Summary:
        """The summary of the session's turns since the last one."""
        await self._let_facts_settle(scope)
        now = self._clock.now()
        return await self._database.write(lambda c: self._sessions.compact(c, scope, reason, ratio, now))

    async def _let_facts_settle(self, scope: Scope) -> None:
        try:
            async with asyncio.timeout(_FACTS_WAIT_S):
                await self._worker.settled(scope)
        except TimeoutError:
            return
