"""nevertwice's `remember` and `recall`, by words alone: its embedder is a server, and there is none."""

import os
from pathlib import Path
from typing import Any

from bench.peers.peer import Embed, Peer, Store

_PROJECT = "someone"
_NOWHERE = "http://127.0.0.1:9/api"
_TITLE = 110


class NeverTwice(Store):
    """Notes of one project."""

    def __init__(self, folder: Path, _: Embed) -> None:
        self._vault = folder / "vault"
        places = {"NEVERTWICE_VAULT": self._vault, "NEVERTWICE_HOME": folder / "home"}
        os.environ.update({name: str(path) for name, path in places.items()})
        import nevertwice.api as api

        self._api: Any = api

    def add(self, text: str) -> None:
        """One note."""
        if not self._api.remember(text[:_TITLE], project=_PROJECT, type="decision", description=text):
            raise RuntimeError("refused")

    def search(self, query: str, limit: int) -> list[str]:
        """What it recalls."""
        found = self._api.recall(query, _PROJECT, limit)
        return [str(one.get("description") or one.get("title") or "") for one in found]

    def count(self) -> int:
        """Notes."""
        return sum("decision" in path.name for path in self._vault.rglob("*.md"))


PEER = Peer(
    "nevertwice",
    "nevertwice's remember and recall, by words alone, in process",
    NeverTwice,
    packages=("nevertwice==3.0.0",),
    env=(
        ("NEVERTWICE_CLOUD", "off"),
        ("OLLAMA_URL", f"{_NOWHERE}/generate"),
        ("OLLAMA_EMBED_URL", f"{_NOWHERE}/embed"),
        ("OLLAMA_TAGS_URL", f"{_NOWHERE}/tags"),
    ),
    adds=200,
    sizes=(200,),
    has_vectors=False,
)
