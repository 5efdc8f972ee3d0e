"""`categories.list`: what is known, by topic."""

from collections.abc import Iterable
from typing import Any

from daemon.method import Context, Method
from daemon.protocol.state import CategoriesParams, CategoriesResult
from daemon.protocol.table import CATEGORIES_LIST
from memory.database import Database
from memory.ports import Clock
from memory.store import summaries


class CategoryHandler:
    """Reads only; the job writes the summaries."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [Method(CATEGORIES_LIST, self.categories)]

    async def categories(self, params: CategoriesParams, context: Context) -> CategoriesResult:
        """The groups of facts with their summaries, largest first."""
        now = self._clock.now()
        found = await self._database.read(lambda c: summaries.listed(c, context.scope, now))
        return CategoriesResult(results=tuple(found))
