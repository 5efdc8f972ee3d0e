"""A child process that dies by SIGKILL at one point between leasing a turn for a paid model and its facts."""

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

import apsw

from config.settings import BudgetSettings, load
from memory.budget import Budget, Reservation
from memory.database import Database
from memory.ids import NewId, id_maker
from memory.ports import Answer, Matrix, Prompt, Usage
from memory.testing import FakeEmbedder, FakeExtractor, FakeLanguageModel, FrozenClock, told_fact
from tests.funded import ALONE, funded
from tests.world import World

SAID, FACT = "So, I play the cello.", "I play the cello"
POINTS = ("leasing", "leased", "asking", "answered", "booked", "kept", "storing")


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def truth(_: str) -> dict[str, object]:
    """What the model says of the turn."""
    return {"facts": [told_fact("t1", FACT)]}


class DyingBudget(Budget):
    """Dies in the transaction that leases and reserves, before it commits."""

    def reserve(self, connection: apsw.Connection, purpose: str, expected: Usage, now: int) -> Reservation:
        """Reserves, and never comes back."""
        held = super().reserve(connection, purpose, expected, now)
        _die()
        return held


class DyingModel(FakeLanguageModel):
    """Dies before or after its answer."""

    def __init__(self, point: str) -> None:
        super().__init__(truth)
        self.point = point

    async def answer(self, prompt: Prompt) -> Answer:
        """The truth, if it lives to tell."""
        if self.point == "asking":
            _die()
        answer = await super().answer(prompt)
        if self.point == "answered":
            _die()
        return answer


class DyingEmbedder(FakeEmbedder):
    """Dies over the turn, or over the fact, which is embedded once the answer is kept."""

    def __init__(self, point: str) -> None:
        self.fatal = {"leased": SAID, "kept": FACT}.get(point)

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """Vectors of the others."""
        if self.fatal in texts:
            _die()
        return await super().passages(texts)


def _new_id(point: str) -> NewId:
    """Dies over the id of an answer that was booked, or that of a fact in the last transaction."""
    fatal, made = {"booked": "x", "storing": "m"}.get(point), id_maker(secrets.token_bytes)

    def new_id(prefix: str) -> str:
        if prefix == fatal:
            _die()
        return made(prefix)

    return new_id


def build(database: Database, point: str = "") -> tuple[World, FakeLanguageModel, Budget]:
    """A store that learns with a paid model, and dies at a point; without one it lives."""
    plain = World.build(
        database, load(), FrozenClock(), _new_id(point), embedder=None, extractor=FakeExtractor()
    )
    kind, model = DyingBudget if point == "leasing" else Budget, DyingModel(point)
    budget = kind(BudgetSettings(tokens_per_day=0, usd_per_day=0, then="wait", prices={}), ZoneInfo("UTC"))
    return funded(plain, model, budget, ALONE, DyingEmbedder(point)), model, budget


async def _main(folder: Path, point: str) -> None:
    database = Database.open(folder / "memud.db", load().store)
    world, _, _ = build(database, point)
    await world.take(SAID, "k")
    await world.learn()


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2]))
