"""Loads vectors and cohort after the start, while the socket already answers."""

import structlog

from memory.database import Database
from memory.embed.cohort import open_cohort
from memory.ports import Clock, Embedder, VectorIndex
from memory.scoring.cohort import Cohort
from memory.vectors import loading

log = structlog.get_logger()


class Warmth:
    """Warm once every stored vector is in the index and the embedder's cohort is known.

    Until then words find what vectors can't.
    """

    def __init__(
        self, database: Database, embedder: Embedder | None, index: VectorIndex, clock: Clock
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._index = index
        self._clock = clock
        self.is_warm = embedder is None
        self.cohort: Cohort | None = None

    async def load(self) -> None:
        """Fill the index from the database; embed the cohort if this embedder has none yet."""
        if self._embedder is None:
            return
        name = self._embedder.name
        self.cohort = await open_cohort(self._database, self._embedder, self._clock.now())
        count = await self._database.read(lambda c: loading.load(c, self._index, name))
        self.is_warm = True
        log.info("index_loaded", vectors=count)
