"""Tells subscribers when the daemon's health changes."""

import asyncio
from contextlib import suppress

from daemon.bulletin import Bulletin
from daemon.health import Health
from memory import outbox
from memory.database import Database
from memory.errors import StorageFullError
from memory.ports import Clock


class Pulse:
    """Looks whenever the bulletin rings, that is after every job; what it finds at the start is not news."""

    def __init__(self, health: Health, database: Database, bulletin: Bulletin, clock: Clock) -> None:
        self._health = health
        self._database = database
        self._bulletin = bulletin
        self._clock = clock
        self._status = ""

    async def run(self, stop: asyncio.Event) -> None:
        """Watch until told to stop."""
        self._status = (await self._health.check()).status
        async with asyncio.TaskGroup() as group:
            group.create_task(self._bulletin.ring_at(stop))
            ring = self._bulletin.next_ring()
            while not stop.is_set():
                await ring.wait()
                ring = self._bulletin.next_ring()
                await self._look()

    async def _look(self) -> None:
        found = await self._health.check()
        if found.status == self._status:
            return
        self._status = found.status
        notice = {"status": found.status, "reasons": found.reasons}
        with suppress(StorageFullError):  # a full disk can't be told on that disk; `health` says it
            await self._database.write(
                lambda c: outbox.post(c, "health", notice, self._clock.now(), private=False)
            )
            self._bulletin.ring()
