"""A whole daemon with fake models: `python -m tests.rhyming_daemon MODEL TEXTS --state-dir D --socket S`.

After so many TEXTS with a number the model is away for more of them; questions it answers always. With
`--hold FILE` the index `vss` is the real one, but writes nothing to the end before FILE is there.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from config.settings import EmbedSettings, load
from daemon import logs, paths
from daemon.app import SystemClock, serve
from daemon.indexes import BACKENDS
from daemon.older import Opened, Providers
from memory.errors import TemporaryError
from memory.ports import Embedder, Matrix, VectorIndex
from memory.testing import RhymeEmbedder
from memory.vectors.generations import nothing_to_close
from memory.vectors.stamp import Stamp
from memory.vectors.vss.index import VssIndex

DIMENSIONS = {"early": 128, "late": 192}


class Model(RhymeEmbedder):
    """Gives out once it has embedded `texts`."""

    def __init__(self, name: str, texts: int = 2**40) -> None:
        super().__init__(name, DIMENSIONS[name])
        self._left = texts

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order. Raises TemporaryError once it has given out."""
        numbered = sum(any(character.isdigit() for character in text) for text in texts)
        if self._left < numbered:
            raise TemporaryError("away")
        self._left -= numbered
        return await super().passages(texts)


class HeldIndex(VssIndex):
    """Waits with its file while it is built."""

    sign = Path()
    is_closed = False

    def flush(self) -> bool:
        """Once the sign is there, or nobody waits any more."""
        while not (self.sign.exists() or self.is_closed):
            time.sleep(0.01)
        return super().flush()

    def close(self) -> None:
        """Nobody waits any more."""
        self.is_closed = True
        super().close()


def _held(folder: Path, stamp: Stamp) -> VectorIndex:
    return HeldIndex.open(folder, stamp)


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=DIMENSIONS)
    parser.add_argument("texts", type=int)
    parser.add_argument("--hold", type=Path)
    parser.add_argument("--state-dir", type=Path)
    parser.add_argument("--socket", type=Path)
    given = parser.parse_args()
    settings, where = load(), paths.choose(given.state_dir, given.socket, os.environ)

    def open_embedder(_: EmbedSettings, __: AsyncExitStack) -> tuple[Embedder | None, str]:
        return Model(given.model, given.texts), ""

    def open_older(name: str, _: int, __: EmbedSettings, ___: AsyncExitStack) -> Opened | None:
        return Opened(Model(name), nothing_to_close) if name in DIMENSIONS else None

    logs.configure(settings.log.level)
    providers = Providers(open_embedder, open_older)
    if given.hold:
        HeldIndex.sign = given.hold
        providers = replace(providers, backends={**BACKENDS, "vss": _held})
    asyncio.run(serve(settings, where, os.environ, SystemClock(), providers))


if __name__ == "__main__":
    main()
