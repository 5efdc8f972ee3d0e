"""Tells what comes due within half a minute of its time, and looks soon at what was said just now."""

import asyncio
from collections.abc import Callable

import apsw
import structlog

from config.settings import ProactiveSettings
from jobs.announce import Announcer
from jobs.bell import Bell
from jobs.foresight import Foresight
from memory.database import Database
from memory.errors import TemporaryError
from memory.ids import NewId
from memory.ports import Clock
from memory.proactive import notices, set_back
from memory.proactive.following.again import rearm

log = structlog.get_logger()

_NEVER = -1


class Alarm:
    """Sleeps until the next item is due, and `look_s` at most.

    So "remind me in two minutes" is known in time, though the monitor comes only every five; and a machine
    that slept, or whose clock was set, is noticed by the wall clock: the loop's own clock stands still in a
    sleep. A look at an unchanged store is a few indexed reads; no model is asked. What goes wrong in a look
    is logged, and made up for in the next.
    """

    def __init__(
        self,
        database: Database,
        foresight: Foresight,
        announcer: Announcer,
        clock: Clock,
        new_id: NewId,
        settings: ProactiveSettings,
        on_news: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._foresight = foresight
        self._announcer = announcer
        self._clock = clock
        self._new_id = new_id
        self._settings = settings
        self._on_news = on_news
        self._bell = Bell()
        self._seen = _NEVER  # what is due by then was told, as far as it may be

    def wake(self) -> None:
        """The ledger has changed: look anew."""
        self._bell.ring()

    async def run(self, stop: asyncio.Event) -> None:
        """Look and sleep until told to stop; where nothing is to be said at all, do neither."""
        if not self._settings.enabled:
            return
        async with asyncio.TaskGroup() as group:
            group.create_task(self._bell.ring_at(stop))
            while not stop.is_set():
                ring = self._bell.next_ring()
                wait_s = await self._attempt()
                if not stop.is_set():
                    await _wait(ring, wait_s)

    async def look(self) -> int | None:
        """What is due by now is told; when the next item is due, in Unix seconds, if there is one.

        Raises what reading and writing raise.
        """
        now = self._clock.now()
        if await self._database.read(lambda c: set_back.is_behind(c, now)):
            await self._database.write(lambda c: set_back.put_right(c, now))
            log.warning("clock_set_back")
            self._seen = _NEVER
        has_more = await self._foresee()
        seen = min(now, self._seen)
        due_at = await self._database.read(lambda c: notices.next_due(c, seen))
        if has_more or (due_at is not None and due_at <= now):
            await self._tell(now)
        self._seen = now
        return await self._database.read(lambda c: notices.next_due(c, now))

    async def _attempt(self) -> float:
        """One look; how long to sleep after it, in seconds."""
        try:
            due_at = await self.look()
        except Exception as error:  # a job loop: the daemon goes on, and so does the alarm
            log.error("alarm_failed", error=type(error).__name__)
            due_at = None
        look_s = self._settings.look_s
        return look_s if due_at is None else min(look_s, due_at - self._clock.now())

    async def _foresee(self) -> bool:
        """Look at the turns that nobody has looked at; whether they gave something to tell."""
        try:
            return bool((await self._foresight.run(None, dry_run=False))["predictions"])
        except TemporaryError as error:  # the turns wait; what is known is told all the same
            log.info("foresight_postponed", reason=error.reason)
            return False

    async def _tell(self, now: int) -> None:
        def tell(connection: apsw.Connection) -> int:
            told = self._announcer.announce(connection, None, now)
            rearm(connection, now, None, self._new_id)
            return told

        if await self._database.write(tell):
            self._on_news()


async def _wait(ring: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            await ring.wait()
    except TimeoutError:
        return
