"""A child process that dies by SIGKILL when a model's answer is stored and its facts are not yet."""

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from config.settings import load
from memory.database import Database
from memory.extract.kept import KeptAnswers
from memory.extract.llm import LlmExtractor
from memory.ids import id_maker
from memory.ports import Batching, Matrix
from memory.testing import FakeEmbedder, FakeLanguageModel, FrozenClock, told_fact
from tests.world import World

SAID = ("So, I play the cello.", "And my sister lives in Porto.")
FACTS = ("I play the cello", "my sister lives in Porto")
BATCHING = Batching(turns=2, quiet_s=30)


def truth(_: str) -> dict[str, object]:
    """What the model says of the two turns."""
    return {"facts": [told_fact(f"t{n}", fact) for n, fact in enumerate(FACTS, start=1)]}


class LastWords(FakeEmbedder):
    """Kills the process instead of embedding a fact."""

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of turns; never those of facts."""
        if set(texts) & set(FACTS):
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().passages(texts)


def build(database: Database, embedder: FakeEmbedder, model: FakeLanguageModel) -> World:
    """A store that learns with the model."""
    clock, new_id = FrozenClock(), id_maker(secrets.token_bytes)
    extractor = LlmExtractor(model, KeptAnswers(database, clock, new_id), BATCHING)
    return World.build(database, load().model_copy(), clock, new_id, embedder=embedder, extractor=extractor)


async def _main(folder: Path) -> None:
    database = Database.open(folder / "memud.db", load().store)
    world = build(database, LastWords(), FakeLanguageModel(truth))
    for text in SAID:
        await world.take(text, text)
    await world.learn()


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1])))
