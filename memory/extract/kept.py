"""Answers that were paid for, kept until their facts are stored; a few days longer for a look."""

import asyncio
import re
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
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


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
        masked = await asyncio.to_thread(_masked, raw)
        kept = StoredAnswer(self._new_id("x"), masked, known)
        told = [(turn.turn.scope.user_id, turn.id) for turn in turns]
        now = self._clock.now()
        await self._database.write(lambda c: extractions.put(c, kept, told, model, now))
        return kept

    async def spoilt(self, answer: StoredAnswer, error: AnswerError) -> None:
        """It is of no use: the next try asks again."""
        await self._database.write(lambda c: extractions.note_unreadable(c, answer.id, str(error)))


def _masked(raw: str) -> str:
    """Without secrets, also those that JSON's escapes hide."""
    return redact(_ESCAPE.sub(_unescaped, raw)).text


def _unescaped(match: re.Match[str]) -> str:
    """The sign itself, where it may stand in a JSON text as it is."""
    if match[0] == "\\/":
        return "/"
    sign = chr(int(match[1], 16)) if match[1] else "\\"
    return match[0] if sign in '"\\' or not sign.isprintable() else sign
