"""Gives turns that wait for others their vectors at once: they are found by sense before their facts are."""

from collections.abc import Awaitable, Callable, Sequence

import apsw
import structlog

from memory import queue
from memory.database import Database
from memory.errors import TemporaryError
from memory.knowledge.learning import Learning
from memory.model import Resource
from memory.ports import Vector
from memory.store import resources, retold

log = structlog.get_logger()

BATCH = 8
Write = Callable[[Callable[[apsw.Connection], None]], Awaitable[None]]


class TurnVectors:
    """For extractors that take several turns. What fails here is made up for when the turns are worked on."""

    def __init__(self, database: Database, write: Write, learning: Learning) -> None:
        self._database = database
        self._write = write
        self._embedder = learning.embedder
        self._generations = learning.generations

    async def make_next(self) -> bool:
        """Embed some of the turns that lack a vector; False when there are none, or the embedder is away."""
        turns = await self._database.read(_lacking)
        if not turns:
            return False
        try:
            vectors = await self._vectors(turns)
        except TemporaryError as error:
            log.info("turn_vectors_postponed", reason=error.reason)
            return False
        await self._write(lambda c: self._store(c, turns, vectors))
        await self._database.read(lambda c: self._generations.refresh(c, [turn.key for turn in turns]))
        return True

    async def _vectors(self, turns: Sequence[Resource]) -> Sequence[Vector]:
        if self._embedder is None:
            return []
        return list(await self._embedder.passages([turn.turn.text for turn in turns]))

    def _store(
        self, connection: apsw.Connection, turns: Sequence[Resource], vectors: Sequence[Vector]
    ) -> None:
        for turn, vector in zip(turns, vectors, strict=False):
            if self._embedder is not None:
                resources.set_embedding(connection, turn.key, vector, self._embedder.name)
        queue.note_embedded(connection, [turn.key for turn in turns])


def _lacking(connection: apsw.Connection) -> list[Resource]:
    found = (resources.by_key(connection, key) for key in queue.unembedded(connection, BATCH))
    return [retold.own_or_others(connection, turn) for turn in found if turn is not None]
