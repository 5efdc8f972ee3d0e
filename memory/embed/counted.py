"""An embedder on this machine whose tokens are counted, though they cost nothing."""

from collections.abc import Sequence

from memory.ports import Embedder, Matrix, Vector
from memory.tally import Counted, Tally
from memory.tokens import estimate_tokens

PASSAGES, QUERY = "embed", "embed_query"
"""The purposes under which stored texts and questions are counted."""


class CountedEmbedder:
    """The Embedder behind it; what it embeds is added to a tally, by estimate."""

    def __init__(self, embedder: Embedder, tally: Tally) -> None:
        self._embedder = embedder
        self._tally = tally

    @property
    def name(self) -> str:
        """The name of the embedder behind it."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    async def query(self, text: str) -> Vector:
        """The vector of a question."""
        vector = await self._embedder.query(text)
        self._tally.add(Counted(QUERY, self.name, is_local=True), estimate_tokens(text))
        return vector

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order."""
        vectors = await self._embedder.passages(texts)
        if texts:
            self._tally.add(Counted(PASSAGES, self.name, is_local=True), sum(map(estimate_tokens, texts)))
        return vectors
