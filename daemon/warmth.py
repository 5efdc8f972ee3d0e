"""Loads vectors and cohorts after the start, while the socket already answers."""

import asyncio

import structlog

from memory.database import Database
from memory.embed.cohort import open_cohort
from memory.errors import MemudError
from memory.ports import Clock
from memory.vectors.generations import Generation, Generations

log = structlog.get_logger()


class Warmth:
    """Warm once every stored vector is in its index and the cohorts are known, as far as models answer.

    Until then words find what vectors can't.
    """

    def __init__(self, database: Database, generations: Generations, clock: Clock) -> None:
        self._database = database
        self._generations = generations
        self._clock = clock
        self.is_warm = generations.current is None

    async def load(self) -> None:
        """Fill the indexes from the database; embed the cohort of a model that has none yet."""
        if self._generations.current is None:
            return
        for generation in self._generations.oldest_first:
            await self._load(generation)
        self.is_warm = True
        log.info("index_loaded", vectors=len(self._generations))

    async def _load(self, generation: Generation) -> None:
        try:
            generation.cohort = await open_cohort(self._database, generation.embedder, self._clock.now())
        except MemudError as error:  # the reindex asks again
            log.warning("cohort_missing", embedder=generation.name, reason=error.reason)
        after: int | None = 0
        while after is not None:
            after = await self._database.read(
                lambda c, after=after: self._generations.load(c, generation, after)  # type: ignore[misc]
            )
        await asyncio.to_thread(generation.index.settle)
