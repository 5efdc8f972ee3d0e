"""An embedder that costs nothing, for a daemon whose own work is to be measured."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial

import numpy as np

from bench.peers.work import Stub
from config.settings import EmbedSettings
from daemon.older import Opened, Providers
from memory.ports import Embedder, Matrix, Vector


class StubEmbedder:
    """The vectors that all peers are measured with."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension
        self._stub = Stub(dimension)

    async def query(self, text: str) -> Vector:
        """At cosine .7 to what the question is about, where it is one of the planned ones."""
        return self._stub.query(text)

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """A fixed random vector for each note."""
        rows = [self._stub.passage(text) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimension), np.float32)


def stub_providers(dimension: int, name: str = "stub") -> Providers:
    """In place of the real ones; there are no older models."""
    return Providers(partial(_open, StubEmbedder(name, dimension)), _open_older)


def _open(stub: StubEmbedder, _: EmbedSettings, __: AsyncExitStack) -> tuple[Embedder | None, str]:
    return stub, ""


def _open_older(_: str, __: int, ___: EmbedSettings, ____: AsyncExitStack) -> Opened | None:
    return None
