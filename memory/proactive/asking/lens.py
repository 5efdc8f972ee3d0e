"""What similarity is seen through: the anchors in an embedder's vectors."""

from memory.database import Database
from memory.embed.anchors import Anchors
from memory.embed.cohort import open_anchors
from memory.ports import Clock, Embedder


class Lens:
    """No anchors before `prepare` was awaited, nor without an embedder."""

    def __init__(self, embedder: Embedder | None, database: Database, clock: Clock) -> None:
        self._embedder = embedder
        self._database = database
        self._clock = clock
        self.anchors: Anchors | None = None

    async def prepare(self) -> None:
        """Have the anchors; cheap from the second time on. Raises TemporaryError like the embedder."""
        if self._embedder is not None and self.anchors is None:
            self.anchors = await open_anchors(self._database, self._embedder, self._clock.now())
