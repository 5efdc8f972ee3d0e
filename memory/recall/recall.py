"""Recall: what matters before the next prompt. One embedding, one read, nothing on the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import apsw

from config.settings import RecallSettings
from memory.database import Database
from memory.errors import NotFoundError, TemporaryError
from memory.model import DAY_S, Layer, ProactiveItem, Resource, Result
from memory.ports import Clock, Embedder, Vector
from memory.recall import gate
from memory.recall.gate import Bars, Verdict
from memory.recall.query import NearMiss, Query, Recalled
from memory.recall.scored import Scored, Scorer
from memory.render import render
from memory.scoring.fusion import newest_first_head, one_per_fact
from memory.scoring.silence import is_silent_prompt
from memory.store import items, resources
from memory.terms import language
from memory.turns import content_hash

Upcoming = Callable[[apsw.Connection, Query, int, Sequence[str]], Sequence[ProactiveItem]]
"""What the user is likely to want next, given the question and the ids of the turns that were recalled."""

_EMBEDDING_SHARE = 0.7  # of a deadline; the rest is for the search by words


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a memory was or was not recalled."""

    id: str
    recalled: bool
    reason: str
    score: float
    threshold: float
    factors: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with its vector, if it has one in time, and which parts could not help."""

    query: Query
    now: int
    vector: Vector | None
    degraded: tuple[str, ...]
    is_partial: bool


class Recall:
    """Answers questions from what is stored; never from a language model.

    A part that is away costs its share of the answer and is named in `degraded`; a deadline that comes
    before the vector gives an answer by words alone, marked `partial`.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder | None,
        scorer: Scorer,
        settings: RecallSettings,
        clock: Clock,
        *,
        is_warm: Callable[[], bool],
        upcoming: Upcoming,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._scorer = scorer
        self._settings = settings
        self._clock = clock
        self._is_warm = is_warm
        self._upcoming = upcoming

    async def recall(self, query: Query, remaining_s: float | None = None) -> Recalled:
        """The few memories that matter for a prompt, or silence."""
        bars = self._bars(query)
        if bars.gate > 0 and (silence := is_silent_prompt(query.text)):
            return await self._silent(query, bars, silence)
        asked = await self._ask(query, remaining_s)
        return await self._database.read(lambda connection: self._recall(connection, asked, bars))

    async def search(self, query: Query, remaining_s: float | None = None) -> Recalled:
        """The best matches, without a threshold: the user asked."""
        asked = await self._ask(query, remaining_s)
        return await self._database.read(lambda connection: self._search(connection, asked))

    async def explain(self, query: Query, memory_id: str) -> Explanation:
        """Every factor of one memory for one question, found or not.

        Raises NotFoundError.
        """
        asked = await self._ask(replace(query, include_superseded=False), None)
        bars = self._bars(query)
        return await self._database.read(lambda connection: self._explain(connection, asked, bars, memory_id))

    def _bars(self, query: Query) -> Bars:
        if query.threshold is not None:
            return Bars(query.threshold, query.threshold, is_strict=True)
        return Bars(self._settings.gate, self._settings.admit)

    async def _ask(self, query: Query, remaining_s: float | None) -> _Asked:
        now = self._clock.now() if query.as_of is None else query.as_of
        degraded = [] if self._is_warm() else ["index warming"]
        vector, is_late = None, False
        if self._embedder is None:
            degraded.append("full text only")
        elif query.text.strip():
            try:
                async with asyncio.timeout(None if remaining_s is None else remaining_s * _EMBEDDING_SHARE):
                    vector = await self._embedder.query(query.text)
            except TimeoutError:
                is_late = True
                degraded.append("embedder late")
            except TemporaryError:
                degraded.append("embedder away")
        return _Asked(query, now, vector, tuple(degraded), is_late)

    async def _silent(self, query: Query, bars: Bars, reason: str) -> Recalled:
        degraded = () if self._is_warm() else ("index warming",)
        asked = _Asked(
            query, self._clock.now() if query.as_of is None else query.as_of, None, degraded, False
        )
        return await self._database.read(
            lambda connection: self._answer(connection, asked, bars, Verdict([], []), f"prompt is {reason}")
        )

    def _recall(self, connection: apsw.Connection, asked: _Asked, bars: Bars) -> Recalled:
        scored = self._scorer.score(connection, asked.query, asked.vector, asked.now)
        return self._answer(connection, asked, bars, gate.judge(_without_echo(scored, asked.query), bars))

    def _answer(
        self, connection: apsw.Connection, asked: _Asked, bars: Bars, verdict: Verdict, _silence: str = ""
    ) -> Recalled:
        query = asked.query
        best = one_per_fact([_result(one, asked.now) for one in verdict.passed])[: query.limit]
        told_by = [source.resource_id for result in best for source in (result.source, *result.sources)]
        proactive = tuple(self._upcoming(connection, query, asked.now, told_by))
        zone = _zone(connection, query)
        block = render(
            best,
            proactive,
            budget_tokens=query.max_tokens,
            language=language(query.text),
            now=asked.now,
            tz=zone,
        )
        shown = best[: block.used]
        fallback = () if shown else self._fallback(connection, query)
        return Recalled(
            results=tuple(newest_first_head(shown)),
            fallback=tuple(fallback),
            proactive=proactive,
            near_misses=tuple(_near_miss(one, reason) for one, reason in verdict.missed),
            context=block.text,
            tokens=block.tokens,
            threshold=bars.gate,
            degraded=asked.degraded,
            partial=asked.is_partial,
            factors={one.candidate.id: one.factors for one in verdict.passed} if query.with_factors else {},
        )

    def _search(self, connection: apsw.Connection, asked: _Asked) -> Recalled:
        scored = self._scorer.score(connection, asked.query, asked.vector, asked.now)
        eligible = [one for one in scored if one.candidate.excluded is None]
        results = one_per_fact([_result(one, asked.now) for one in eligible])[: asked.query.limit]
        return Recalled(tuple(results), (), (), (), "", 0, 0.0, asked.degraded, asked.is_partial)

    def _explain(self, connection: apsw.Connection, asked: _Asked, bars: Bars, memory_id: str) -> Explanation:
        key = _key_of(connection, asked.query.scope.user_id, memory_id)
        scored = self._scorer.score(connection, asked.query, asked.vector, asked.now, extra=[key])
        one = next((one for one in scored if one.candidate.key == key), None)
        if one is None:
            reason = "hidden: it is private, or was said after the moment asked about"
            return Explanation(memory_id, False, reason, 0.0, bars.gate, {})
        verdict = gate.judge(scored, bars)
        best = one_per_fact([_result(passed, asked.now) for passed in verdict.passed])
        position = next((place for place, result in enumerate(best) if result.id == memory_id), None)
        reason = _why(one, bars, verdict, position, asked.query.limit)
        factors = one.factors | {"decay": self._settings.formula, "position": position}
        if bars.gate > 0 and (silence := is_silent_prompt(asked.query.text)):
            return Explanation(memory_id, False, f"the prompt is {silence}", one.score, bars.gate, factors)
        recalled = position is not None and position < asked.query.limit
        return Explanation(memory_id, recalled, reason, one.score, bars.gate, factors)

    def _fallback(self, connection: apsw.Connection, query: Query) -> list[Resource]:
        if not self._settings.fallback_turns:
            return []
        return resources.recent(connection, query.scope, self._settings.fallback_turns, query.as_of)


def _without_echo(scored: Sequence[Scored], query: Query) -> list[Scored]:
    """The candidates with the prompt's own turn marked: an agent may capture a prompt before it asks."""
    asked = content_hash(query.text)
    return [
        replace(one, candidate=replace(one.candidate, excluded="the prompt itself"))
        if one.candidate.layer is Layer.RESOURCE
        and one.candidate.source.session_id == query.scope.session_id
        and content_hash(one.candidate.text) == asked
        else one
        for one in scored
    ]


def _why(one: Scored, bars: Bars, verdict: Verdict, position: int | None, limit: int) -> str:
    if one.candidate.excluded is not None:
        return one.candidate.excluded
    if position is not None and position < limit:
        return f"recalled: score {one.score:.2f}, relevance {one.relevance:.2f}, place {position + 1}"
    if position is not None:
        return f"passes, but {position} others are better and the limit is {limit}"
    if any(passed.candidate.key == one.candidate.key for passed in verdict.passed):
        return "passes, but stands already in the answer as its fact or turn"
    return gate.why_missed(one, bars, is_open=bool(verdict.passed))


def _result(one: Scored, now: int) -> Result:
    found = one.candidate
    return Result(
        id=found.id,
        memory=found.text,
        layer=found.layer,
        kind=found.kind,
        memory_type=found.memory_type,
        score=round(one.score, 4),
        relevance=round(one.relevance, 4),
        retention=round(one.retention, 4),
        importance=found.importance,
        created_at=found.created_at,
        age_days=round(max(0.0, (now - found.stated_at) / DAY_S), 3),
        valid_until=found.valid_until,
        categories=found.categories,
        source=found.source,
        sources=found.sources,
        superseded_by=found.superseded_by,
    )


def _near_miss(one: Scored, reason: str) -> NearMiss:
    found = one.candidate
    return NearMiss(found.id, found.text, found.layer, round(one.score, 4), round(one.relevance, 4), reason)


def _key_of(connection: apsw.Connection, user_id: str, memory_id: str) -> int:
    if fact := items.by_id(connection, user_id, memory_id):
        return fact.key
    if turn := resources.by_id(connection, user_id, memory_id):
        return turn.key
    raise NotFoundError(f"no fact and no turn has the id {memory_id}", hint="`memud search` shows ids")


def _zone(connection: apsw.Connection, query: Query) -> tzinfo:
    """The user's zone: that of their latest turn; UTC where it names none."""
    row = connection.execute(
        "SELECT tz FROM resources WHERE user_id = ? ORDER BY timestamp DESC LIMIT 1", (query.scope.user_id,)
    ).get
    try:
        return ZoneInfo(str(row)) if row is not None else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
