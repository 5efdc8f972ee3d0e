"""palaia on its default SQLite: `Store.write` and `SearchEngine.search`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.peer import Embed, Peer, Store

_AGENT = "someone"


class _Provider:
    """In the place of its embedding provider."""

    name = model_name = model = "stub"

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float(number) for number in self._embed.passage(text.strip())] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(number) for number in self._embed.query(text)]


class Palaia(Store):
    """A store of one agent."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        root = folder / ".palaia"
        _found(root)
        from palaia.search import SearchEngine
        from palaia.store import Store as PalaiaStore

        self._embed = embed
        self._store: Any = PalaiaStore(root)
        self._store.recover()
        self._engine: Any = SearchEngine(self._store)
        self._engine._provider = _Provider(embed)  # noqa: SLF001 - it has no other way in

    def add(self, text: str) -> None:
        """Written, and its vector put where its own indexing would."""
        key = self._store.write(text, agent=_AGENT)
        self._engine.invalidate_index()
        cache = self._store.embedding_cache
        if cache is not None:
            cache.set_cached(key, [float(number) for number in self._embed.passage(text)], model="stub")

    def search(self, query: str, limit: int) -> list[str]:
        """Its hybrid search."""
        found = self._engine.search(query, top_k=limit, agent=_AGENT)
        return [str(one["body"]).strip() for one in found]

    def count(self) -> int:
        """Entries."""
        return len(self._store.all_entries(agent=_AGENT))


def _found(root: Path) -> None:
    """What its `init` makes."""
    if root.exists():
        return
    for name in ("hot", "warm", "cold", "wal", "index"):
        (root / name).mkdir(parents=True)
    from palaia.config import DEFAULT_CONFIG, save_config

    save_config(root, dict(DEFAULT_CONFIG, agent=_AGENT))


PEER = Peer(
    "palaia",
    "palaia's store and search engine, in process",
    Palaia,
    packages=("palaia==2.8.0",),
    adds=300,
    sizes=(1_000,),
)
