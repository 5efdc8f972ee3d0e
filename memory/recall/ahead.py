"""Recall with what was prepared ahead: an expected question is answered without looking for anything."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import apsw

from memory.database import Database
from memory.dates.moment import zone_of
from memory.model import Scope
from memory.ports import Clock
from memory.recall.asking import Asked
from memory.recall.freshness import Freshness, Stamp
from memory.recall.query import Query, Recalled
from memory.recall.recall import Recall
from memory.recall.scored import Weighed
from memory.recall.warm import Prepared, Warm
from memory.store import resources


class AheadRecall:
    """Answers just as `Recall` would at this moment.

    What is prepared are the candidates of a question and all that is known of them but their age. Age, gate,
    predictions and the block are as of now, read in one snapshot with the stamp that the candidates must
    still bear; where they do not, the question is asked as ever.
    """

    def __init__(
        self, database: Database, recall: Recall, warm: Warm, freshness: Freshness, clock: Clock
    ) -> None:
        self._database = database
        self._recall = recall
        self._warm = warm
        self._freshness = freshness
        self._clock = clock
        self._asking = 0
        self._is_idle = asyncio.Event()
        self._is_idle.set()

    async def recall(self, query: Query, remaining_s: float | None = None) -> Recalled:
        """The few memories that matter for a prompt, or silence."""
        self._asking += 1
        self._is_idle.clear()
        try:
            return await self._prepared(query) or await self._recall.recall(query, remaining_s)
        finally:
            self._asking -= 1
            if not self._asking:
                self._is_idle.set()

    async def idle(self) -> None:
        """Return once nobody waits for a recall."""
        await self._is_idle.wait()

    async def search(self, query: Query, remaining_s: float | None = None) -> Recalled:
        """The best matches: a person asks, and nobody can expect what."""
        return await self._recall.search(query, remaining_s)

    async def prepare(self, user_id: str, text: str) -> bool:
        """Have the answer to a question ready; False where it can't be, or is already.

        Nothing is prepared of a question without a subject of its own, nor from what was found in part.
        """
        query = Query(text, Scope(user_id), limit=1)
        before = await self._database.read(lambda c: self._lacking(c, query))
        if before is None:
            return False
        asked = await self._recall.ask(query)
        if asked is None or asked.degraded or asked.is_late:
            return False
        prepared = await self._database.read(lambda c: self._weighed(c, asked, before))
        if prepared is None:
            return False
        self._warm.keep(prepared)
        return True

    async def _prepared(self, query: Query) -> Recalled | None:
        ready = self._warm.find(query)
        if ready is None:
            return None
        answer = await self._database.read(lambda c: self._answered(c, query, ready))
        if answer is None:
            self._warm.count_stale()
        else:
            self._warm.count_hit()
        return answer

    def _answered(self, connection: apsw.Connection, query: Query, ready: Prepared) -> Recalled | None:
        now = self._clock.now()
        if not ready.holds(self._freshness.stamp(connection, query.scope.user_id), now):
            return None
        asked = ready.asked_by(query, now)
        answer = self._recall.answer(connection, asked, ready.weighed.judged(asked.query, now))
        return replace(answer, is_warm=True)

    def _lacking(self, connection: apsw.Connection, query: Query) -> Stamp | None:
        """The stamp of now, unless what is prepared bears it already."""
        stamp = self._freshness.stamp(connection, query.scope.user_id)
        known = self._warm.find(query)
        is_there = known is not None and known.holds(stamp, self._clock.now())
        return None if is_there else stamp

    def _weighed(self, connection: apsw.Connection, asked: Asked, before: Stamp) -> Prepared | None:
        """None where something has changed since the question was read."""
        user_id = asked.query.scope.user_id
        if self._freshness.stamp(connection, user_id) != before:
            return None
        weighed: Weighed = self._recall.weigh(connection, asked)
        if not weighed.is_timeless:
            return None
        return Prepared(asked, weighed, before, _until(connection, user_id, asked.now))


def _until(connection: apsw.Connection, user_id: str, now: int) -> int:
    """The end of the user's day, or before that the moment at which a fact ceases to hold."""
    local = datetime.fromtimestamp(now, zone_of(resources.latest_zone(connection, user_id)))
    midnight = (local + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    ending: int | None = connection.execute(
        "SELECT min(valid_until) FROM items WHERE user_id = ? AND valid_until >= ?", (user_id, now)
    ).get
    end = int(midnight.timestamp())
    return end if ending is None else min(end, ending + 1)
