"""Tells subscribers when the daemon's health changes, and how far a change of model or index has come."""

import asyncio
from contextlib import suppress

from daemon.bulletin import Bulletin
from daemon.health import Health
from daemon.protocol.state import EmbedderHealth, HealthResult, IndexHealth
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
        self._told: tuple[object, ...] = ()

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
            "index": _index(found.index),
        }
        with suppress(StorageFullError):  # a full disk can't be told on that disk; `health` says it
            await self._database.write(
                lambda c: outbox.post(c, "health", notice, self._clock.now(), private=False)
            )
            self._bulletin.ring()


def _news(found: HealthResult) -> tuple[object, ...]:
    """The status, the index, and the tenths that are done while model or index changes."""
    embedder, index = found.embedder, found.index
    model = _tenth(embedder.done, embedder.total) if embedder.mode == "changing" else None
    building = index.building and (index.building.backend, _tenth(index.building.done, index.building.total))
    return found.status, index.backend, model, building


def _tenth(done: int, total: int) -> int | None:
    return 10 * done // total if total else None


def _progress(embedder: EmbedderHealth) -> dict[str, str | int]:
    return {"name": embedder.name, "mode": embedder.mode, "done": embedder.done, "total": embedder.total}


def _index(index: IndexHealth) -> dict[str, object]:
    return {"backend": index.backend, "wanted": index.wanted, "building": index.building}
