"""`resources.get`, `stats`, `metrics`: the store looked at."""

from collections.abc import Iterable
from typing import Any

import apsw
import msgspec

from daemon.handlers.spending import token_gauges, token_stats
from daemon.handlers.views import said
from daemon.method import Context, Method
from daemon.metrics import Metrics, exposition
from daemon.protocol.state import (
    MetricsParams,
    MetricsResult,
    StatsParams,
    StatsResult,
)
from daemon.protocol.table import METRICS, RESOURCES_GET, STATS
from daemon.protocol.turns import ResourceParams, ResourceResult
from memory.database import Database
from memory.errors import NotFoundError
from memory.model import Resource, Scope
from memory.recall.log import RecallLog
from memory.recall.warm import Warm
from memory.store import counting, items, lookup, resources, skips
from memory.vectors.generations import Generations


class StoreHandler:
    """Reads; only the counters that still wait in memory are written first, so that nothing is left out."""

    def __init__(
        self,
        database: Database,
        metrics: Metrics,
        recall_log: RecallLog,
        warm: Warm,
        generations: Generations,
    ) -> None:
        self._database = database
        self._metrics = metrics
        self._recall_log = recall_log
        self._warm = warm
        self._generations = generations

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [
            Method(RESOURCES_GET, self.resource),
            Method(STATS, self.stats),
            Method(METRICS, self.metrics),
        ]

    async def resource(self, params: ResourceParams, context: Context) -> ResourceResult:
        """One turn, as it was said."""
        found, item_ids = await self._database.read(lambda c: _resource(c, context.scope, params.id))
        turn = found.turn
        return ResourceResult(
            **msgspec.structs.asdict(said(found)),
            user_id=turn.scope.user_id,
            agent_id=turn.scope.agent_id,
            content=turn.content,
            modality=turn.modality,
            origin=turn.origin,
            tz=turn.tz,
            private=turn.private,
            item_ids=item_ids,
        )

    async def stats(self, params: StatsParams, context: Context) -> StatsResult:
        """The store, counted; the whole of it where no user is named."""
        user_id = context.named_user
        await self._recall_log.flush()
        counts, skipped, tokens = await self._database.read(
            lambda c: (counting.totals(c, user_id), skips.totals(c, user_id), token_stats(c, user_id))
        )
        warm = None if user_id else self._warm.counts.named
        return StatsResult(**counts, skipped=skipped, tokens=tokens, warm=warm)  # type: ignore[arg-type]  # by field

    async def metrics(self, params: MetricsParams, context: Context) -> MetricsResult:
        """Counters since the start, and what the store holds now."""
        user_id = context.named_user
        await self._recall_log.flush()
        totals, tokens = await self._database.read(
            lambda c: (counting.totals(c, user_id), token_gauges(c, user_id))
        )
        values = self._metrics.values({**totals, **tokens, **({} if user_id else self._of_the_process())})
        return MetricsResult(values=values, text=exposition(values))

    def _of_the_process(self) -> dict[str, float]:
        """What it holds in memory."""
        warm = {f"warm_{name}": float(count) for name, count in self._warm.counts.named.items()}
        indexes = self._generations
        return {**warm, "index_vectors": float(len(indexes)), "index_bytes": float(indexes.nbytes)}


def _resource(connection: apsw.Connection, scope: Scope, typed: str) -> tuple[Resource, tuple[str, ...]]:
    turn_id = lookup.resolve(connection, scope, typed)
    found = resources.by_id(connection, scope.user_id, turn_id)
    if found is None or (scope.public_only and found.turn.private):
        raise NotFoundError(f"no turn has the id {typed}", hint="`memud search` shows ids")
    facts = items.stated_in(connection, turn_id)
    return found, tuple(fact.item.id for fact in facts if not (scope.public_only and fact.item.private))
