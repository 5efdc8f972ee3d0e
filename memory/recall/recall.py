"""Recall: what matters before the next prompt. One embedding, one read, nothing on the event loop."""

from collections.abc import Callable, Sequence, Set
from functools import partial

import apsw

from config.settings import RecallSettings
from memory.ages import age, local_day
from memory.database import Database
from memory.dates.moment import zone_of
from memory.model import DAY_S, ProactiveItem, Resource, Result, Scope
from memory.recall import gate
from memory.recall.asking import Asked, Asker
from memory.recall.exclusion import is_in_prompt
from memory.recall.gate import Bars, Verdict
from memory.recall.query import NearMiss, Query, Recalled
from memory.recall.reading_order import in_reading_order
from memory.recall.repeats import Repeats
from memory.recall.scored import Scored, Scorer, Weighed
from memory.recall.succession import inherited
from memory.recall.together import told_once
from memory.render import render
from memory.store import resources
from memory.terms import Language, language

Upcoming = Callable[[apsw.Connection, Scope, int, Sequence[str], int], Sequence[ProactiveItem]]
"""What the user is likely to want next at a moment, given the ids of the turns that were recalled; the last
is the moment until which it is known what the user was told."""

_NOTHING = Verdict([], [])
_NO_END = 2**62


class Recall:
    """Answers questions from what is stored; never from a language model.

    A part that is away costs its share of the answer and is named in `degraded`; a deadline that comes
    before the vector gives an answer by words alone, marked `partial`.
    """

    def __init__(
        self,
        database: Database,
        asker: Asker,
        scorer: Scorer,
        repeats: Repeats,
        settings: RecallSettings,
        upcoming: Upcoming,
    ) -> None:
        self._database = database
        self._asker = asker
        self._scorer = scorer
        self._repeats = repeats
        self._settings = settings
        self._upcoming = upcoming
        self._usual = Bars(settings.gate, settings.admit)

    async def recall(self, query: Query, remaining_s: float | None = None) -> Recalled:
        """The few memories that matter for a prompt, or silence."""
        bars = gate.bars(query, self._settings)
        if bars is None:
            silent = self._asker.silent(query)
            return await self._database.read(lambda c: self._answer(c, silent, self._usual, _NOTHING))
        asked = await self._asker.ask(query, remaining_s)
        return await self._database.read(lambda c: self._judged(c, asked, bars, self.weigh(c, asked)))

    async def ask(self, query: Query) -> Asked | None:
        """The question read and embedded; None for one that gets silence."""
        return None if gate.bars(query, self._settings) is None else await self._asker.ask(query)

    def weigh(self, connection: apsw.Connection, asked: Asked) -> Weighed:
        """The slow part of an answer; in a reader's thread."""
        return self._scorer.weigh(connection, asked)

    def answer(self, connection: apsw.Connection, asked: Asked, weighed: Weighed) -> Recalled:
        """The rest of it: what passes at the moment of `asked`, of what was weighed."""
        bars = gate.bars(asked.query, self._settings) or self._usual
        return self._judged(connection, asked, bars, weighed)

    async def search(self, query: Query, remaining_s: float | None = None) -> Recalled:
        """The best matches, without a threshold: the user asked."""
        asked = await self._asker.ask(query, remaining_s)
        return await self._database.read(lambda c: self._search(c, asked))

    def _judged(self, connection: apsw.Connection, asked: Asked, bars: Bars, weighed: Weighed) -> Recalled:
        verdict = gate.judge(inherited(self._scorer.at(weighed, asked.now)), bars)
        return self._answer(connection, asked, bars, verdict)

    def _answer(self, connection: apsw.Connection, asked: Asked, bars: Bars, verdict: Verdict) -> Recalled:
        query = asked.query
        words = language(query.text)
        chosen = self._best(asked, [one for one in verdict.passed if not is_in_prompt(one.candidate, query)])
        best = [_result(one, asked, words) for one in chosen]
        told_by = [source.resource_id for result in best for source in (result.source, *result.sources)]
        known_until = _NO_END if query.as_of is None else query.as_of
        proactive = tuple(self._upcoming(connection, query.scope, asked.now, told_by, known_until))
        arrange = partial(in_reading_order, question=query.text, in_time=_in_time(chosen))
        block = render(
            best,
            proactive,
            budget_tokens=query.max_tokens,
            language=words,
            tz=zone_of(resources.latest_zone(connection, query.scope.user_id)),
            arrange=arrange,
        )
        shown = best[: block.used]
        return Recalled(
            results=tuple(arrange(shown)),
            fallback=() if shown else tuple(self._fallback(connection, query)),
            proactive=proactive,
            near_misses=tuple(_near_miss(one, reason) for one, reason in verdict.missed),
            context=block.text,
            tokens=block.tokens,
            threshold=bars.gate,
            degraded=asked.degraded,
            partial=asked.is_late,
            factors={one.candidate.id: one.factors for one in verdict.passed} if query.with_factors else {},
        )

    def _search(self, connection: apsw.Connection, asked: Asked) -> Recalled:
        scored = inherited(self._scorer.score(connection, asked))
        eligible = [one for one in scored if one.candidate.excluded is None]
        words = language(asked.query.text)
        chosen = self._best(asked, eligible)
        results = [_result(one, asked, words) for one in chosen]
        ordered = tuple(in_reading_order(results, asked.query.text, _in_time(chosen)))
        return Recalled(ordered, (), (), (), "", 0, 0.0, asked.degraded, asked.is_late)

    def _best(self, asked: Asked, candidates: Sequence[Scored]) -> list[Scored]:
        """As many as were asked for, each thing once."""
        told = told_once(candidates)
        return self._repeats.left_out(asked.query.scope.user_id, told, asked.query.limit)

    def _fallback(self, connection: apsw.Connection, query: Query) -> list[Resource]:
        if not self._settings.fallback_turns:
            return []
        return resources.recent(connection, query.scope, self._settings.fallback_turns, query.as_of)


def _in_time(chosen: Sequence[Scored]) -> Set[str]:
    """The ids of what was said in a time that the question names, or is dated there."""
    return {one.candidate.id for one in chosen if one.named_date == 1.0}


def _result(one: Scored, asked: Asked, words: Language) -> Result:
    found, now = one.candidate, asked.now
    zone = zone_of((found.sources[-1] if found.sources else found.source).tz)
    said_on = local_day(found.stated_at, zone)
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
        maybe=found.maybe,
        said_by=tuple(sorted(found.senders)) if asked.names.hears_talks else (),
        date=said_on.isoformat(),
        age=age(said_on, local_day(now, zone), words),
    )


def _near_miss(one: Scored, reason: str) -> NearMiss:
    found = one.candidate
    return NearMiss(found.id, found.text, found.layer, round(one.score, 4), round(one.relevance, 4), reason)
