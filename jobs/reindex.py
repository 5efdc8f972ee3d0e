"""Gives texts the vectors they lack, and the index the vectors it lacks; resumable, in small steps."""

from collections.abc import Sequence

import apsw

from memory.database import Database
from memory.errors import TemporaryError
from memory.model import Report
from memory.ports import Embedder, Matrix, VectorIndex
from memory.store import items, resources
from memory.vectors import loading
from memory.vectors.loading import Pending

BATCH = 8


class Reindex:
    """What has no vector of the model in use gets one; what is asked meanwhile is answered by words."""

    def __init__(self, database: Database, embedder: Embedder | None, index: VectorIndex) -> None:
        self._database = database
        self._embedder = embedder
        self._index = index

    async def run(self, *, dry_run: bool = False) -> Report:
        """Embed what is pending; the number embedded. An outage of the embedder ends the run early."""
        embedder = self._embedder
        if embedder is None:
            return Report("reindex", {"embedded": 0}, ("no embedder: full text alone",), dry_run)
        if dry_run:
            count = await self._database.read(lambda c: loading.count_pending(c, embedder.name))
            return Report("reindex", {"pending": count}, dry_run=True)
        try:
            return Report("reindex", {"embedded": await self._embed_all(embedder)})
        except TemporaryError as error:
            return Report("reindex", {"embedded": 0}, (str(error),))

    async def _embed_all(self, embedder: Embedder) -> int:
        count = 0
        while batch := await self._database.read(lambda c: loading.pending(c, embedder.name, BATCH)):
            matrix = await embedder.passages([one.text for one in batch])
            await self._database.write(lambda c: _store(c, batch, matrix, embedder.name))
            keys = [one.key for one in batch]
            await self._database.read(lambda c: loading.refresh(c, self._index, keys, embedder.name))
            count += len(batch)
        return count


def _store(connection: apsw.Connection, batch: Sequence[Pending], matrix: Matrix, embedder: str) -> None:
    for one, vector in zip(batch, matrix, strict=True):
        put = resources.set_embedding if one.is_turn else items.set_embedding
        put(connection, one.key, vector, embedder)
