"""`proactive.list`, `.next`, `.resolve`, `.stats`: what the user is likely to want next."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import apsw

from daemon.method import Context, Method
from daemon.protocol.proactive import (
    ProactiveItemResult,
    ProactiveListParams,
    ProactiveNextParams,
    ProactiveResolveParams,
    ProactiveResult,
    ProactiveStatsParams,
    ProactiveStatsResult,
)
from daemon.protocol.table import PROACTIVE_LIST, PROACTIVE_NEXT, PROACTIVE_RESOLVE, PROACTIVE_STATS
from memory.database import Database
from memory.model import ProactiveItem, ProactiveState, Scope, handed_out
from memory.ports import Clock
from memory.proactive import ledger, recording
from memory.proactive.arbiter import NO_END, Arbiter
from memory.proactive.resolving import resolve
from memory.proactive.scores import Scores, scores
from memory.store import lookup

_ALL = 1_000  # waiting items of a user, at most


class ProactiveHandler:
    """The ledger as an agent sees it."""

    def __init__(
        self, database: Database, arbiter: Arbiter, clock: Clock, on_change: Callable[[], None]
    ) -> None:
        self._database = database
        self._arbiter = arbiter
        self._clock = clock
        self._on_change = on_change

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [
            Method(PROACTIVE_LIST, self.list),
            Method(PROACTIVE_NEXT, self.next),
            Method(PROACTIVE_RESOLVE, self.resolve),
            Method(PROACTIVE_STATS, self.stats),
        ]

    async def list(self, params: ProactiveListParams, context: Context) -> ProactiveResult:
        """What is in the ledger, newest first."""
        found = await self._database.read(
            lambda c: ledger.entries(
                c,
                context.scope,
                state=params.state,
                detector=params.detector,
                as_of=params.as_of,
                limit=params.limit,
            )
        )
        return ProactiveResult(results=tuple(found))

    async def next(self, params: ProactiveNextParams, context: Context) -> ProactiveResult:
        """What to bring up now, of all or of `ids`, to one asker alone; as of another moment to nobody."""
        now = self._clock.now() if params.as_of is None else params.as_of
        is_replay = params.as_of is not None

        def choose(connection: apsw.Connection) -> Sequence[ProactiveItem]:
            if is_replay:
                return self._wanted(connection, params, context.scope, now, known_until=now)
            chosen = self._wanted(connection, params, context.scope, now)
            ids = [item.id for item in chosen]
            claimed = recording.deliver(connection, ids, now, context.scope.session_id)
            return [handed_out(item) for item in chosen if item.id in claimed]

        chosen = await (self._database.read(choose) if is_replay else self._database.write(choose))
        return ProactiveResult(results=tuple(chosen))

    def _wanted(
        self,
        connection: apsw.Connection,
        params: ProactiveNextParams,
        scope: Scope,
        now: int,
        known_until: int = NO_END,
    ) -> Sequence[ProactiveItem]:
        """What may be said now, of all or of those asked for."""
        if params.ids is None:
            return self._arbiter.choose(connection, scope, now, params.limit, known_until)
        allowed = self._arbiter.choose(connection, scope, now, _ALL, known_until)
        return [item for item in allowed if item.id in params.ids][: params.limit]

    async def resolve(self, params: ProactiveResolveParams, context: Context) -> ProactiveItemResult:
        """What the user did with it."""
        user_id, now = context.scope.user_id, self._clock.now()

        def note(connection: apsw.Connection) -> ProactiveItem:
            item_id = lookup.resolve_prediction(connection, user_id, params.id)
            return resolve(connection, user_id, item_id, ProactiveState(params.outcome), params.until, now)

        item = await self._database.write(note)
        self._on_change()
        return ProactiveItemResult(item=item)

    async def stats(self, params: ProactiveStatsParams, context: Context) -> ProactiveStatsResult:
        """What became of the predictions, and how far each detector is trusted by that."""
        scope, now = context.scope, self._clock.now() if params.as_of is None else params.as_of
        now = max(-NO_END, min(now, NO_END))  # room to reckon from it

        def score(connection: apsw.Connection) -> Scores:
            trust = self._arbiter.trust(connection, scope.user_id, now)
            retry_at = self._arbiter.retry_at(connection, scope.user_id, now)
            return scores(connection, scope, now, params.days, (trust, retry_at))

        found = await self._database.read(score)
        return ProactiveStatsResult(
            states=found.states,
            detectors=found.detectors,
            days=found.days,
            reliability=found.reliability,
            brier=found.brier,
            topics=found.topics,
        )
