"""mempalace through the functions behind its MCP tools, on its default Chroma."""

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.peer import Embed, Peer, Store


class MemPalace(Store):
    """Drawers of one room."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        logging.disable(logging.CRITICAL)
        for name, place in (("MEMPALACE_PALACE_PATH", "palace"), ("MEMPALACE_CONFIG_DIR", "config")):
            (folder / place).mkdir(exist_ok=True)
            os.environ[name] = str(folder / place)
        _embed_by(embed)
        import mempalace.mcp_server as server

        self._server: Any = server

    def add(self, text: str) -> None:
        """One drawer."""
        answer = self._server.tool_add_drawer("someone", "notes", text)
        if not answer.get("success"):
            raise RuntimeError(str(answer)[:300])

    def search(self, query: str, limit: int) -> list[str]:
        """Its tool's results."""
        answer = self._server.tool_search(query, limit=limit)
        return [str(one.get("text") or one.get("content")) for one in answer["results"]]

    def count(self) -> int:
        """Drawers."""
        return int(self._server._get_collection().count())  # noqa: SLF001 - no call of its own tells


def _embed_by(embed: Embed) -> None:
    """Its embedder for servers like OpenAI's answers here instead of over HTTP."""
    from mempalace import embedding

    def passages(self: Any, input: Sequence[str]) -> list[Any]:  # noqa: A002 - the name that Chroma calls it by
        return [embed.passage(text) for text in input]

    def queries(self: Any, input: Sequence[str]) -> list[Any]:  # noqa: A002
        return [embed.query(text) for text in input]

    embedding.OpenAICompatEmbeddingFunction.__call__ = passages
    embedding.OpenAICompatEmbeddingFunction.embed_query = queries


PEER = Peer(
    "mempalace",
    "the functions behind mempalace's MCP tools, with Chroma, in process",
    MemPalace,
    packages=("mempalace==3.11.0",),
    env=(
        ("ANONYMIZED_TELEMETRY", "False"),
        ("MEMPALACE_EMBEDDING_MODEL", "openai-compat"),
        ("MEMPALACE_EMBEDDING_API_URL", "http://127.0.0.1:9"),
        ("MEMPALACE_EMBEDDING_API_MODEL", "stub"),
    ),
    adds=300,
    sizes=(300,),
)
