"""Answers that were paid for, kept until their facts are stored; a few days longer for a look."""

import asyncio
from collections.abc import Sequence

from memory.database import Database
from memory.errors import AnswerError
from memory.ids import NewId
from memory.model import Resource
from memory.ports import Clock
from memory.redact import redact
from memory.store import extractions
from memory.store.extractions import StoredAnswer

MAX_KEPT_CHARS = 131_072


class KeptAnswers:
    """Raw answers by the turns that they are about. A turn that is forgotten takes its answers along."""

    def __init__(self, database: Database, clock: Clock, new_id: NewId) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    async def about(self, turns: Sequence[Resource]) -> StoredAnswer | None:
        """The answer about exactly these turns whose facts were never stored; None for none."""
        ids = [turn.id for turn in turns]
        return await self._database.read(lambda c: extractions.waiting(c, ids))

    async def keep(
        self, turns: Sequence[Resource], raw: str, known: tuple[str, ...], model: str
    ) -> StoredAnswer:
        """Keep an answer before anybody reads it, with its secrets masked.

        One that is longer than MAX_KEPT_CHARS is not kept: nobody asked for so much.
        """
        if len(raw) > MAX_KEPT_CHARS:
            return StoredAnswer(self._new_id("x"), raw, known)
        masked = await asyncio.to_thread(redact, raw)
        kept = StoredAnswer(self._new_id("x"), masked.text, known)
        told = [(turn.turn.scope.user_id, turn.id) for turn in turns]
        now = self._clock.now()
        await self._database.write(lambda c: extractions.put(c, kept, told, model, now))
        return kept

    async def spoilt(self, answer: StoredAnswer, error: AnswerError) -> None:
        """It is of no use: the next try asks again."""
        await self._database.write(lambda c: extractions.note_unreadable(c, answer.id, str(error)))
