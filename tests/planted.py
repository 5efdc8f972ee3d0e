"""A store with facts that only vectors find, and what became of questions for them."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memud_client import Client

from config.settings import load
from memory.database.connection import open_writer
from memory.ids import id_maker
from memory.model import Fact, Kind, MemoryType, Modality, Origin, Role, Scope, Turn
from memory.store import items, resources
from memory.testing import RhymeEmbedder
from memory.turns import content_hash
from migrations import runner
from tests.rhyming_daemon import DIMENSIONS

PLANTED = 12
_NOW = 1_780_000_000


@dataclass
class Asked:
    """What became of the questions: `warming` ones were asked while the vectors were loaded at a start."""

    asked: int = 0
    warming: int = 0
    empty: list[str] = field(default_factory=list)

    def ask(self, client: Client, fact: str, question: str) -> None:
        """One question that shares no word with its answer."""
        reply = client.recall(question)
        if "index warming" in reply.get("degraded", ()):
            self.warming += 1
            return
        self.asked += 1
        if fact not in [result["memory"] for result in reply["results"]]:
            self.empty.append(question)


def planted_facts() -> list[tuple[str, str]]:
    """Facts, each with a question that only rhymes with it."""
    dice = random.Random(3)  # noqa: S311 - no secrets
    pairs = []
    for _ in range(PLANTED):
        rhymes = ["".join(dice.choices("bdfgklmnprstvz", k=4)) for _ in range(3)]
        first, second, third = (f"qua{rhyme}" for rhyme in rhymes)
        alike, like, again = (f"oly{rhyme}" for rhyme in rhymes)
        pairs.append((f"My {first} keeps the {second} {third}", f"Which {alike} has {like} {again}?"))
    return pairs


def seed(file: Path, texts: Sequence[str]) -> None:
    """Each text as a turn and as its fact, with vectors of the early model."""
    connection = open_writer(file, load().store.wal_checkpoint_pages)
    runner.apply(connection)
    model = RhymeEmbedder("early", DIMENSIONS["early"])
    new_id = id_maker(random.Random(5).randbytes)  # noqa: S311 - no secrets
    for batch in _batched(texts, 500):
        vectors = asyncio.run(model.passages(batch))
        with connection:
            for text, vector in zip(batch, vectors, strict=True):
                turn = Turn(
                    text, Scope(session_id="s"), Role.USER, None, text, text, Modality.CHAT, _NOW,
                    "UTC", Origin.USER, True, content_hash(text),
                )  # fmt: skip
                said = resources.insert(connection, turn, new_id("t"), _NOW)
                resources.set_embedding(connection, said.key, vector, model.name)
                fact = Fact(text, Kind.SEMANTIC, MemoryType.PREFERENCE, 0.8, None, (0, len(text)))
                known = items.insert(connection, fact, said, new_id("m"))
                items.set_embedding(connection, known.key, vector, model.name)
    connection.close()


def _batched(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (texts[start : start + size] for start in range(0, len(texts), size))
