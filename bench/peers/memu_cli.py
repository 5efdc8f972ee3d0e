"""memu-cli: `commit_results` with one recall file a note, and `progressive_retrieve`."""

import asyncio
import sqlite3
from collections.abc import Coroutine, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.peers.peer import Embed, Peer, Store

_USER = {"user_id": "someone"}
_LINES = 500


class _Client:
    """In the place of its client for models."""

    chat_model = embed_model = "stub"

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self.is_asking = False

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], None]:
        vector = self._embed.query if self.is_asking else self._embed.passage
        return [[float(number) for number in vector(text)] for text in texts], None

    async def chat(self, *_: Any, **__: Any) -> tuple[str, None]:
        return "", None


class MemuCli(Store):
    """Its service over a SQLite file."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        from memu.app import MemoryService

        self._path = folder / "memu.db"
        self._loop = asyncio.new_event_loop()
        self._client = _Client(embed)
        metadata = {"metadata_store": {"provider": "sqlite", "dsn": f"sqlite:///{self._path}"}}
        self._service: Any = MemoryService(
            database_config=metadata, progressive_retrieve_config={"file": {"top_k": 10}}
        )
        for profile in ("default", "embedding"):
            self._service._embedding_pool._cache[profile] = self._client  # noqa: SLF001 - it has no other way in

    def add(self, text: str) -> None:
        """A recall file of its own."""
        self._commit(text, text)

    def add_many(self, texts: Sequence[str]) -> None:
        """Recall files of many lines: each line is a segment, as a note alone is."""
        for start in range(0, len(texts), _LINES):
            lines = texts[start : start + _LINES]
            self._commit(lines[0], "\n".join(lines))

    def search(self, query: str, limit: int) -> list[str]:
        """The segments; their number is its own choice."""
        self._client.is_asking = True
        try:
            found = self._wait(self._service.progressive_retrieve(query, where=dict(_USER)))
        finally:
            self._client.is_asking = False
        segments = found["segments"][:limit]
        return [str(one["text"] if isinstance(one, dict) else one.text) for one in segments]

    def count(self) -> int:
        """Segments."""
        connection = sqlite3.connect(self._path)
        try:
            query = "SELECT count(*) FROM memu_recall_file_segments"
            return int(connection.execute(query).fetchone()[0])
        finally:
            connection.close()

    def close(self) -> None:
        """End its loop."""
        self._loop.close()

    def _commit(self, title: str, content: str) -> None:
        name = "n" + sha256(title.encode()).hexdigest()[:12]
        file = {"name": name, "track": "memory", "description": title, "content": content}
        self._wait(self._service.commit_results(recall_files=[file], user=dict(_USER)))

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(work)


PEER = Peer(
    "memu-cli",
    "memu-cli's service, commit_results and progressive_retrieve, in process",
    MemuCli,
    packages=("memu-cli==0.10.0",),
    env=(("MEMU_TELEMETRY", "0"),),
    adds=200,
    sizes=(1_000, 10_000),
)
