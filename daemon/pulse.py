"""Tells subscribers when the daemon's health changes, and how far a change of the model has come."""

import asyncio
from contextlib import suppress

from daemon.bulletin import Bulletin
from daemon.health import Health
from daemon.protocol.state import EmbedderHealth, HealthResult
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
        self._told: tuple[str, int | None] = ("", None)

    async def run(self, stop: asyncio.Event) -> None:
        """Watch until told to stop."""
        self._told = _news(await self._health.check())
        async with asyncio.TaskGroup() as group:
            group.create_task(self._bulletin.ring_at(stop))
            ring = self._bulletin.next_ring()
            while not stop.is_set():
                await ring.wait()
                ring = self._bulletin.next_ring()
                await self._look()

    async def _look(self) -> None:
        found = await self._health.check()
        news = _news(found)
        if news == self._told:
            return
        self._told = news
        notice = {
            "status": found.status,
            "reasons": found.reasons,
            "embedder": _progress(found.embedder),
        }
        with suppress(StorageFullError):  # a full disk can't be told on that disk; `health` says it
            await self._database.write(
                lambda c: outbox.post(c, "health", notice, self._clock.now(), private=False)
            )
            self._bulletin.ring()


def _news(found: HealthResult) -> tuple[str, int | None]:
    """The status, and the tenths that are done while the model changes."""
    embedder = found.embedder
    is_changing = embedder.mode == "changing" and embedder.total > 0
    return found.status, 10 * embedder.done // embedder.total if is_changing else None


def _progress(embedder: EmbedderHealth) -> dict[str, str | int]:
    return {"name": embedder.name, "mode": embedder.mode, "done": embedder.done, "total": embedder.total}
