"""mem0 with qdrant in process, `infer=False`: texts as they are, no model asked."""

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import md5
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.peers.peer import Embed, Peer, Store

_USER = "someone"
_BATCH = 250

PACKAGES = ("mem0ai==2.2.1", "qdrant-client==1.20.0", "faiss-cpu==1.15.1")
ENV = (("MEM0_TELEMETRY", "False"), ("ANONYMIZED_TELEMETRY", "False"), ("OPENAI_API_KEY", "none"))


class _Embedder:
    """In the place of mem0's own embedder."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self.config = type("Config", (), {"embedding_dims": embed.dimension, "model": "stub"})()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        vector = self._embed.query(text) if memory_action == "search" else self._embed.passage(text)
        return [float(number) for number in vector]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text, memory_action) for text in texts]


class Mem0(Store):
    """A Memory over one of its vector stores."""

    def __init__(self, folder: Path, embed: Embed, provider: str, store: dict[str, Any]) -> None:
        from mem0 import Memory

        openai = {"provider": "openai", "config": {"api_key": "none"}}  # made, and never called
        config = {
            "vector_store": {"provider": provider, "config": {"collection_name": "memories", **store}},
            "history_db_path": str(folder / "history.db"),
            "embedder": openai,
            "llm": openai,
        }
        self._memory: Any = Memory.from_config(config)
        self._memory.embedding_model = self._embedder = _Embedder(embed)
        self._provider = provider

    def add(self, text: str) -> None:
        """One message of one user."""
        self._memory.add([{"role": "user", "content": text}], user_id=_USER, infer=False)

    def add_many(self, texts: Sequence[str]) -> None:
        """Through its own store object, with the payload that its add writes."""
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            self._memory.vector_store.insert(
                vectors=self._embedder.embed_batch(batch),
                ids=[str(uuid4()) for _ in batch],
                payloads=[_payload(text) for text in batch],
            )

    def search(self, query: str, limit: int) -> list[str]:
        """With its own default threshold."""
        found = self._memory.search(query, top_k=limit, filters={"user_id": _USER})
        return [str(one["memory"]) for one in found["results"]]

    def count(self) -> int:
        """Vectors."""
        store = self._memory.vector_store
        if self._provider == "faiss":
            return int(store.index.ntotal)
        return int(store.client.count(store.collection_name).count)

    def close(self) -> None:
        """Close what it has open."""
        self._memory.close()


def _payload(text: str) -> dict[str, Any]:
    at = datetime.now(UTC).isoformat()
    digest = md5(text.encode(), usedforsecurity=False).hexdigest()
    return {
        "data": text,
        "hash": digest,
        "created_at": at,
        "updated_at": at,
        "user_id": _USER,
        "role": "user",
        "text_lemmatized": text.lower(),
    }


def open_qdrant(folder: Path, embed: Embed) -> Mem0:
    """Qdrant as a library, on disk."""
    store = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": embed.dimension}
    return Mem0(folder, embed, "qdrant", store)


PEER = Peer(
    "mem0 with qdrant",
    "mem0 with qdrant in process, infer=False",
    open_qdrant,
    packages=PACKAGES,
    env=ENV,
    sizes=(1_000, 5_000),
)
