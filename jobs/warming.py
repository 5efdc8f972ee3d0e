"""Prepares the recalls of what users are expected to ask, while nothing else is to do."""

import asyncio

import structlog

from jobs.bell import Bell
from memory import queue
from memory.database import Database
from memory.errors import MemudError
from memory.ports import Clock
from memory.proactive.expected import expected
from memory.recall.ahead import AheadRecall
from memory.recall.warm import Warm

log = structlog.get_logger()

SETTLE_S = 1.0


class Warming:
    """Woken by whatever may change an answer; waits until it is quiet, and gives way to every live recall.

    Without an open prediction a pass is one indexed read. What was prepared and still holds is left alone.
    """

    def __init__(
        self,
        database: Database,
        recall: AheadRecall,
        warm: Warm,
        clock: Clock,
        *,
        is_enabled: bool = True,
        settle_s: float = SETTLE_S,
    ) -> None:
        self._database = database
        self._recall = recall
        self._warm = warm
        self._clock = clock
        self._is_enabled = is_enabled
        self._settle_s = settle_s
        self._bell = Bell()

    def wake(self) -> None:
        """Something has changed, or may have."""
        self._bell.ring()

    async def run(self, stop: asyncio.Event) -> None:
        """Prepare until told to stop; a pass that fails is logged, and the next one makes up for it."""
        if not self._is_enabled:
            return
        async with asyncio.TaskGroup() as group:
            group.create_task(self._bell.ring_at(stop))
            rung = self._bell.next_ring()
            while not stop.is_set():
                await rung.wait()
                await self._quiet(stop)
                rung = self._bell.next_ring()
                try:
                    await self.prepare(stop)
                except MemudError as error:
                    log.warning("warming_failed", reason=error.reason)

    async def prepare(self, stop: asyncio.Event) -> int:
        """One pass over all that is expected; how many recalls were prepared."""
        wanted = await self._database.read(lambda c: expected(c, self._clock.now()))
        for user_id in self._warm.users() | wanted.keys():
            self._warm.retain(user_id, wanted.get(user_id, ()))
        count = 0
        for user_id, texts in wanted.items():
            for text in texts:
                if stop.is_set() or not await self._is_free():
                    return count
                count += await self._recall.prepare(user_id, text)
        return count

    async def _quiet(self, stop: asyncio.Event) -> None:
        """Return once nothing has rung for a while."""
        while not stop.is_set():
            try:
                async with asyncio.timeout(self._settle_s):
                    await self._bell.next_ring().wait()
            except TimeoutError:
                return

    async def _is_free(self) -> bool:
        """Once no recall is under way: whether no turn is worked on, which would change it all again."""
        await self._recall.idle()
        now = self._clock.now()
        return not await self._database.read(lambda c: queue.is_busy(c, now))
