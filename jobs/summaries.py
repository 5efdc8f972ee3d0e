"""Sums up the categories whose facts have changed: by a model if there is one, else in the facts' words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import apsw

from memory.database import Database
from memory.errors import AnswerError, TemporaryError
from memory.knowledge import summaries
from memory.model import Item
from memory.ports import LanguageModel
from memory.store import summaries as stored
from memory.store.summaries import Dirty, Sentence

CALLS_A_RUN: Final = 5  # of the model; what is still to be summed up waits for the next run
SUMMARIES_A_RUN: Final = 200
APART_S: Final = 3600  # a summary that only lacks the latest facts is not bought anew with each of them
_WORTH_A_CALL: Final = 2  # one fact sums itself up


@dataclass(frozen=True, slots=True)
class _Draft:
    """A summary that is not stored yet. One that is not final keeps its category dirty."""

    sentences: Sequence[Sentence]
    by_model: bool = False
    is_final: bool = True


class Summaries:
    """One call a dirty category and hour, so many a run. While the model is away the facts stand alone.

    An old summary lacks the latest facts at most: what is gone has left it already.
    """

    def __init__(self, database: Database, model: LanguageModel | None) -> None:
        self._database = database
        self._model = model

    async def write(self, user_id: str | None, now: int) -> tuple[int, Sequence[str]]:
        """Write what is due; (how many were written, what went wrong)."""
        written, calls, notes = 0, 0, list[str]()
        for one in await self._database.read(lambda c: stored.dirty(c, user_id, now, SUMMARIES_A_RUN)):
            facts = await self._facts(one, now)
            is_asked = self._model is not None and len(facts) >= _WORTH_A_CALL
            if is_asked and await self._is_fresh(one, now):
                continue
            if not is_asked:
                draft = _Draft(summaries.extracted(facts))
            elif calls < CALLS_A_RUN and not notes:
                calls += 1
                draft = await self._ask(one, facts, notes)
            else:
                draft = _Draft(summaries.extracted(facts), is_final=False)
            written += await self._database.write(partial(_keep, one=one, facts=facts, draft=draft, now=now))
        return written, notes

    async def _is_fresh(self, one: Dirty, now: int) -> bool:
        return await self._database.read(lambda c: stored.is_fresh(c, one.id, now - APART_S + 1))

    async def _facts(self, one: Dirty, now: int) -> list[Item]:
        return await self._database.read(
            lambda c: stored.facts(c, one.id, now, summaries.MAX_FACTS),
        )

    async def _ask(self, one: Dirty, facts: Sequence[Item], notes: list[str]) -> _Draft:
        assert self._model is not None  # noqa: S101 - asked only where there is one
        try:
            answer = await self._model.answer(summaries.prompt(one.name, facts))
            return _Draft(summaries.read(answer.raw, facts), by_model=True)
        except AnswerError:  # asking the same again gives the same
            return _Draft(summaries.extracted(facts))
        except TemporaryError as error:
            notes.append(f"not all is summed up by the model: {error}")
            return _Draft(summaries.extracted(facts), is_final=False)


def _keep(connection: apsw.Connection, one: Dirty, facts: Sequence[Item], draft: _Draft, now: int) -> bool:
    """Store a summary, unless its facts have changed since they were read: then the next run writes it."""
    current = stored.facts(connection, one.id, now, summaries.MAX_FACTS)
    if list(map(_seen, current)) != list(map(_seen, facts)):
        return False
    if not draft.is_final and stored.is_summed_up(connection, one.id):
        return False
    is_private = {fact.id: fact.private for fact in facts}
    stored.write(connection, one.id, draft.sentences, by_model=draft.by_model, is_private=is_private, now=now)
    if not draft.is_final:
        stored.mark_dirty(connection, one.id)
    return True


def _seen(fact: Item) -> tuple[str, str, bool]:
    return fact.id, fact.memory, fact.private
