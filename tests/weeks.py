"""Weeks in which three users talk, in a store of their own, and what looks ahead in it."""

import random
import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from config.settings import load
from jobs.foresight import Foresight
from memory.database import Database
from memory.ids import id_maker
from memory.model import DAY_S, Modality, Origin, Role, Scope, Turn
from memory.proactive.detector import Detector
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.detectors.habit import HabitDetector
from memory.proactive.detectors.open_question import OpenQuestionDetector
from memory.proactive.detectors.repeated_intent import RepeatedIntentDetector
from memory.proactive.following.fulfilled import Fulfilment
from memory.store import resources
from memory.testing import FakeEmbedder, FrozenClock
from memory.turns import content_hash

BEGIN = 1_796_029_200  # Monday, 30 November 2026, 10:00 in Berlin
HABIT = "find me a recipe for lentil soup"
ASKED = (
    "what is the price of NVDA shares", "the price of NVDA shares please", "英伟达的股价是多少",
    "remind me on Friday to send the invoice",
    "cancel the reminder to send the invoice", "明天下午三点提醒我给物业打电话", "I already sent the invoice",
    "not sure yet whether we take Postgres or SQLite", "we are going with Postgres",
)  # fmt: skip


def talk(seed: int, turns: int) -> list[Turn]:
    """Three users who ask for the same again and again over weeks; one of them in a group of two."""
    randomly = random.Random(seed)  # noqa: S311 - no secrets
    said = list[Turn]()
    for n in range(turns):
        day, place = divmod(n, 6)
        user, text, at = randomly.choice(("ana", "bo", "che")), randomly.choice(ASKED), 3 * place * 3600
        if place == 3:
            user, text, at = "ana", HABIT, 8 * 3600 + 60 * (n % 5)
        said.append(turn_of(n, user, text, BEGIN + day * DAY_S + at, randomly.choice((None, "x", "y"))))
    return said


def turn_of(n: int, user: str, text: str, at: int, sender: str | None) -> Turn:
    return Turn(
        f"k{n}", Scope(user, None, "s"), Role.USER, sender if user == "che" else None, text, text,
        Modality.CHAT, at, ("Europe/Berlin", "Asia/Shanghai")[user == "bo"], Origin.USER, True,
        content_hash(text),
    )  # fmt: skip


class House:
    """A store that holds a talk, and builds what looks ahead in it."""

    def __init__(self, path: Path) -> None:
        self.clock, self.embedder = FrozenClock(BEGIN + 30 * DAY_S), FakeEmbedder()
        self.database = Database.open(path, load().store)
        self._new_id = id_maker(secrets.token_bytes)

    async def hear(self, said: Sequence[Turn]) -> None:
        """Store turns with their vectors."""
        vectors = await self.embedder.passages([turn.text for turn in said])

        def put(connection: apsw.Connection) -> None:
            for n, (turn, vector) in enumerate(zip(said, vectors, strict=True)):
                stored = resources.insert(connection, turn, f"t-{n}", turn.timestamp)
                resources.set_embedding(connection, stored.key, vector, self.embedder.name)

        await self.database.write(put)

    async def is_empty(self) -> bool:
        """Whether nobody has said anything."""
        return not await self.database.read(resources.newest_key)

    def foresight(self, most_turns: int) -> Foresight:
        """With detectors that have looked at nothing yet."""
        detectors: list[Detector] = [
            CommitmentDetector(),
            OpenQuestionDetector(),
            RepeatedIntentDetector(self.embedder, self.database, self.clock, 7 * DAY_S),
            HabitDetector(self.embedder, self.database, self.clock),
        ]
        fulfilment = Fulfilment(self.embedder, self.database, self.clock)
        return Foresight(self.database, detectors, fulfilment, self.clock, self._new_id, most_turns)

    async def ledger(self) -> list[Any]:
        """All of it but the ids, with the turns that each prediction rests on."""
        return await self.database.read(partial(_ledger))


def _ledger(connection: apsw.Connection) -> list[Any]:
    return connection.execute(
        """
        SELECT
          user_id, detector, topic, text, why, probability, created_at, due_at, expires_at, state, decided_at,
          (
            SELECT group_concat(resource_id, ' ' ORDER BY position) FROM proactive_evidence
            WHERE proactive_id = id
          )
        FROM proactive_items
        ORDER BY user_id, detector, topic, created_at, due_at
        """
    ).fetchall()
