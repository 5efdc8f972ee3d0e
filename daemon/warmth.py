"""Loads the vectors after the start, while the socket already answers."""

import structlog

from memory.database import Database
from memory.ports import Embedder, VectorIndex
from memory.vectors import loading

log = structlog.get_logger()


class Warmth:
    """Warm once every stored vector is in the index; until then words find what vectors can't."""

    def __init__(self, database: Database, embedder: Embedder | None, index: VectorIndex) -> None:
        self._database = database
        self._embedder = embedder
        self._index = index
        self.is_warm = embedder is None

    async def load(self) -> None:
        """Fill the index from the database."""
        if self._embedder is None:
            return
        name = self._embedder.name
        count = await self._database.read(lambda c: loading.load(c, self._index, name))
        self.is_warm = True
        log.info("index_loaded", vectors=count)
