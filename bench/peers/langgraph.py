"""langgraph's SqliteStore with its vector index: the store that langmem writes to."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.peers.peer import Embed, Peer, Store

_NAMESPACE = ("memories", "someone")


class LangGraph(Store):
    """The text is embedded alone, which each call has to ask for."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        from langgraph.store.sqlite import SqliteStore

        def embedded(texts: Sequence[str]) -> list[list[float]]:
            # It embeds questions by the same function; the stub knows them, and E5 is told apart by length.
            return [vector.tolist() for vector in map(self._vector, texts)]

        self._embed, self._asking = embed, False
        path = folder / "store.db"
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
        index: Any = {"dims": embed.dimension, "embed": embedded, "fields": ["text"]}
        self._store = SqliteStore(self._connection, index=index)
        self._store.setup()

    def _vector(self, text: str) -> Any:
        return self._embed.query(text) if self._asking else self._embed.passage(text)

    def add(self, text: str) -> None:
        """One put."""
        self._store.put(_NAMESPACE, str(uuid4()), {"text": text}, index=["text"])

    def add_many(self, texts: Sequence[str]) -> None:
        """One batch of puts."""
        from langgraph.store.base import PutOp

        self._store.batch([PutOp(_NAMESPACE, str(uuid4()), {"text": text}, index=["text"]) for text in texts])

    def search(self, query: str, limit: int) -> list[str]:
        """By vector alone; it has no other way."""
        self._asking = True
        try:
            found = self._store.search(_NAMESPACE, query=query, limit=limit)
            return [str(one.value["text"]) for one in found]
        finally:
            self._asking = False

    def count(self) -> int:
        """Rows."""
        return int(self._connection.execute("SELECT count(*) FROM store").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


PEER = Peer(
    "langgraph",
    "langgraph's SqliteStore with sqlite-vec, in process",
    LangGraph,
    packages=("langgraph==1.2.24", "langgraph-checkpoint-sqlite==3.1.2"),
    sizes=(1_000, 5_000, 10_000),
    needs_extensions=True,
)
