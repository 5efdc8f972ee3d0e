"""`recall`, `search`, `explain`."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import apsw

from config.settings import RecallSettings
from daemon.handlers.views import said
from daemon.method import Context, Method
from daemon.protocol.recall import (
    ExplainParams,
    Explanation,
    NearMiss,
    RecallParams,
    RecallResult,
    SearchParams,
    SearchResult,
)
from daemon.protocol.table import EXPLAIN, RECALL, SEARCH
from memory.database import Database
from memory.envelope import clean
from memory.errors import StorageFullError
from memory.knowledge.everyday import meant
from memory.model import ProactiveItem, handed_out
from memory.ports import Clock
from memory.proactive import recording
from memory.recall.ahead import AheadRecall
from memory.recall.explanation import Explainer
from memory.recall.log import RecallLog
from memory.recall.query import Query, Recalled
from memory.redact import redact
from memory.store import lookup

_LONG_CHARS = 500
_MOST_RACES = 50


class RecallHandler:
    """Answers questions. Queries are cleaned and masked like events before they go anywhere."""

    def __init__(
        self,
        recall: AheadRecall,
        explainer: Explainer,
        log: RecallLog,
        database: Database,
        settings: RecallSettings,
        clock: Clock,
    ) -> None:
        self._recall = recall
        self._explainer = explainer
        self._log = log
        self._database = database
        self._settings = settings
        self._clock = clock

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [
            Method(RECALL, self.recall),
            Method(SEARCH, self.search),
            Method(EXPLAIN, self.explain),
        ]

    async def recall(self, params: RecallParams, context: Context) -> RecallResult:
        """What matters for the next prompt; predictions that it hands out are delivered by that."""
        query = Query(
            text=await _words(params.query),
            scope=context.scope,
            limit=params.limit or self._settings.limit,
            threshold=params.threshold,
            max_tokens=self._settings.max_tokens if params.max_tokens is None else params.max_tokens,
            kinds=params.kinds,
            categories=meant(params.categories),
            as_of=params.as_of,
            in_prompt_since=params.in_prompt_since,
            with_factors=params.explain,
        )
        recalled = await self._recall.recall(query, context.remaining_s())
        if params.as_of is None:
            recalled = await self._claimed(query, recalled, context)
            self._log.append(query, recalled, self._clock.now())
        return _recall_result(recalled, with_factors=params.explain)

    async def search(self, params: SearchParams, context: Context) -> SearchResult:
        """The best matches; the user asked, so there is no threshold."""
        query = Query(
            text=await _words(params.query),
            scope=context.scope,
            limit=params.limit,
            kinds=params.kinds,
            categories=meant(params.categories),
            since=params.since,
            until=params.until,
            as_of=params.as_of,
            include_superseded=params.include_superseded,
            is_search=True,
        )
        found = await self._recall.search(query, context.remaining_s())
        return SearchResult(results=found.results, degraded=found.degraded, partial=found.partial)

    async def explain(self, params: ExplainParams, context: Context) -> Explanation:
        """Every factor of one memory."""
        memory_id = await self._database.read(lambda c: lookup.resolve(c, context.scope, params.id))
        query = Query(
            text=await _words(params.query),
            scope=context.scope,
            limit=self._settings.limit,
            threshold=params.threshold,
            as_of=params.as_of,
        )
        why = await self._explainer.explain(query, memory_id)
        return Explanation(
            id=why.id,
            recalled=why.recalled,
            reason=why.reason,
            score=round(why.score, 4),
            threshold=why.threshold,
            factors=why.factors,
        )

    async def _claimed(self, query: Query, recalled: Recalled, context: Context) -> Recalled:
        """The answer with what it hands out claimed; asked anew for as long as others are quicker.

        Each time somebody was, there is less to hand out; so it ends.
        """
        for _ in range(_MOST_RACES):
            given = await self._claim(recalled.proactive, context.scope.session_id)
            if given is not None:
                return replace(recalled, proactive=tuple(given))
            recalled = await self._recall.recall(query, context.remaining_s())
        return recalled

    async def _claim(
        self, items: Sequence[ProactiveItem], session_id: str | None
    ) -> Sequence[ProactiveItem] | None:
        """Hand these out, all or none, as they stand then; None: another channel was given one meanwhile."""
        if not items:
            return items
        now = self._clock.now()
        try:
            return await self._database.write(lambda c: _deliver_all(c, items, now, session_id))
        except _TakenError:
            return None
        except StorageFullError:  # recall goes on; the items are handed out once more
            return items


class _TakenError(Exception):
    """Rolls the claim back."""


def _deliver_all(
    connection: apsw.Connection, items: Sequence[ProactiveItem], now: int, session_id: str | None
) -> Sequence[ProactiveItem]:
    """What is not due yet is shown beside its topic, and nobody's."""
    due = [item.id for item in items if item.due_at is None or item.due_at <= now]
    if len(recording.deliver(connection, due, now, session_id)) < len(due):
        raise _TakenError
    return [handed_out(item) if item.id in due else item for item in items]


async def _words(query: str) -> str:
    """The question cleaned and masked; a long one in another thread, since masking takes milliseconds."""
    if len(query) <= _LONG_CHARS:
        return redact(clean(query)).text
    return await asyncio.to_thread(lambda: redact(clean(query)).text)


def _recall_result(recalled: Recalled, *, with_factors: bool) -> RecallResult:
    return RecallResult(
        results=recalled.results,
        fallback=tuple(said(turn) for turn in recalled.fallback),
        proactive=recalled.proactive,
        near_misses=tuple(
            NearMiss(
                id=miss.id,
                memory=miss.memory,
                layer=miss.layer,
                score=miss.score,
                relevance=miss.relevance,
                reason=miss.reason,
            )
            for miss in recalled.near_misses
        ),
        context=recalled.context,
        tokens=recalled.tokens,
        threshold=recalled.threshold,
        degraded=recalled.degraded,
        partial=recalled.partial,
        warm=recalled.is_warm,
        factors=recalled.factors if with_factors else None,
    )
