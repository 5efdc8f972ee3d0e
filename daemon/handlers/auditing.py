"""`recall.log`: how recall has done."""

from collections.abc import Iterable
from typing import Any

from daemon.method import Context, Method
from daemon.protocol.recall_log import GivenMemory, LoggedRecall, RecallLogParams, RecallLogResult
from daemon.protocol.table import RECALL_LOG
from memory.database import Database
from memory.store import recalls
from memory.store.listing import page_key


class RecallLogHandler:
    """Reads only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [Method(RECALL_LOG, self.log)]

    async def log(self, params: RecallLogParams, context: Context) -> RecallLogResult:
        """One page of a user's recalls, newest first."""
        before = page_key(params.cursor)
        found = await self._database.read(
            lambda c: recalls.page(
                c, context.scope, before=before, since=params.since, limit=params.limit + 1
            )
        )
        shown = found[: params.limit]
        cursor = str(shown[-1].id) if len(found) > len(shown) else None
        return RecallLogResult(results=tuple(_shown(one) for one in shown), cursor=cursor)


def _shown(logged: recalls.LoggedRecall) -> LoggedRecall:
    return LoggedRecall(
        id=logged.id,
        query=logged.query,
        session_id=logged.session_id,
        at=logged.at,
        threshold=logged.threshold,
        results=tuple(GivenMemory(id=one.id, score=one.score, outcome=one.outcome) for one in logged.results),
    )
