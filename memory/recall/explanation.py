"""Why a memory was or was not recalled: every factor, for any memory, found or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from config.settings import RecallSettings
from memory.database import Database
from memory.errors import NotFoundError
from memory.recall import gate
from memory.recall.asking import Asked, Asker
from memory.recall.gate import Bars, Verdict
from memory.recall.query import Query
from memory.recall.repeats import Repeats
from memory.recall.scored import Scored, Scorer
from memory.recall.succession import inherited
from memory.recall.together import told_once
from memory.store import items, resources


@dataclass(frozen=True, slots=True)
class Explanation:
    """`score` and `threshold` are 0..1; `factors` are those of the score, by name."""

    id: str
    recalled: bool
    reason: str
    score: float
    threshold: float
    factors: dict[str, Any]


class Explainer:
    """Answers as `recall` would, and says why."""

    def __init__(
        self, database: Database, asker: Asker, scorer: Scorer, repeats: Repeats, settings: RecallSettings
    ) -> None:
        self._database = database
        self._asker = asker
        self._scorer = scorer
        self._repeats = repeats
        self._settings = settings

    async def explain(self, query: Query, memory_id: str) -> Explanation:
        """One memory for one question. Raises NotFoundError."""
        asked = await self._asker.ask(query)
        bars = gate.bars(query, self._settings) or Bars(self._settings.gate, self._settings.admit)
        return await self._database.read(lambda connection: self._explain(connection, asked, bars, memory_id))

    def _explain(self, connection: apsw.Connection, asked: Asked, bars: Bars, memory_id: str) -> Explanation:
        key = _key_of(connection, asked.query.scope.user_id, memory_id)
        scored = inherited(self._scorer.score(connection, asked, extra=[key]))
        one = next((one for one in scored if one.candidate.key == key), None)
        if one is None:
            reason = "hidden: it is private, or was said after the moment asked about"
            return Explanation(memory_id, False, reason, 0.0, bars.gate, {})
        verdict = gate.judge(scored, bars)
        told = told_once(verdict.passed)
        shown = self._repeats.left_out(asked.query.scope.user_id, told, asked.query.limit)
        place = _place(shown, key) or _place_beyond(told, key, asked.query.limit)
        silence = gate.silence(asked.query)
        recalled = silence is None and place is not None and place <= asked.query.limit
        reason = f"the prompt is {silence}" if silence else _why(one, bars, verdict, place, asked.query.limit)
        factors = one.factors | {"formula": self._settings.formula, "place": place}
        return Explanation(memory_id, recalled, reason, one.score, bars.gate, factors)


def _place(shown: Sequence[Scored], key: int) -> int | None:
    """From 1."""
    return next((place for place, one in enumerate(shown, 1) if one.candidate.key == key), None)


def _place_beyond(told: Sequence[Scored], key: int, limit: int) -> int | None:
    """The place of what passes, but is too far down; None for what another one says as well."""
    place = _place(told, key)
    return place if place is not None and place > limit else None


def _why(one: Scored, bars: Bars, verdict: Verdict, place: int | None, limit: int) -> str:
    if one.candidate.excluded is not None:
        return one.candidate.excluded
    if place is not None and place <= limit:
        return f"recalled: score {one.score:.2f}, relevance {one.relevance:.2f}, place {place}"
    if place is not None:
        return f"passes, but {place - 1} others are better and the limit is {limit}"
    if any(passed.candidate.key == one.candidate.key for passed in verdict.passed):
        return "passes, but the answer says it already, as its fact or turn or in later words"
    return gate.why_missed(one, bars, is_open=bool(verdict.passed))


def _key_of(connection: apsw.Connection, user_id: str, memory_id: str) -> int:
    if fact := items.by_id(connection, user_id, memory_id):
        return fact.key
    if turn := resources.by_id(connection, user_id, memory_id):
        return turn.key
    raise NotFoundError(f"no fact and no turn has the id {memory_id}", hint="`memud search` shows ids")
