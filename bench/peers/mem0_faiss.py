"""mem0 with FAISS, `infer=False`. It writes its whole index anew with each add."""

from pathlib import Path

from bench.peers.mem0_qdrant import ENV, PACKAGES, Mem0
from bench.peers.peer import Embed, Peer


def open_faiss(folder: Path, embed: Embed) -> Mem0:
    """By cosine, in files of the folder."""
    store = {
        "path": str(folder / "faiss"),
        "embedding_model_dims": embed.dimension,
        "distance_strategy": "cosine",
    }
    return Mem0(folder, embed, "faiss", store)


PEER = Peer(
    "mem0 with faiss",
    "mem0 with FAISS in process, infer=False",
    open_faiss,
    packages=PACKAGES,
    env=ENV,
    sizes=(1_000, 5_000),
)
