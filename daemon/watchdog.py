"""Tells systemd that the daemon lives: only when the loop runs freely and the writer answers."""

import asyncio
import os
from collections.abc import Mapping

from daemon.systemd import Notifier, watchdog_period_s
from memory.database import Database

_MAX_LAG_S = 1.0
_WRITER_PATIENCE_S = 10.0


class Watchdog:
    """Silent when the loop is late or the writer stuck, so that systemd starts the daemon anew."""

    def __init__(self, database: Database, notifier: Notifier, env: Mapping[str, str]) -> None:
        self._database = database
        self._notifier = notifier
        self._period_s = watchdog_period_s(env, os.getpid())

    async def run(self, stop: asyncio.Event) -> None:
        """Feed it until told to stop; without a watchdog there is nothing to do."""
        if self._period_s is None:
            return
        loop = asyncio.get_running_loop()
        while not stop.is_set():
            due = loop.time() + self._period_s
            try:
                async with asyncio.timeout(self._period_s):
                    await stop.wait()
            except TimeoutError:
                lag_s = loop.time() - due
                if lag_s < _MAX_LAG_S and await self._writer_answers():
                    self._notifier.alive()

    async def _writer_answers(self) -> bool:
        try:
            async with asyncio.timeout(_WRITER_PATIENCE_S):
                return await self._database.is_writing()
        except TimeoutError:
            return False
