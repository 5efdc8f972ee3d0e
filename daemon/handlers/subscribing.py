"""`subscribe`: what happens, pushed; at least once, in order, resumable from a cursor."""

from collections.abc import Iterable, Sequence
from typing import Any

from daemon.bulletin import Bulletin
from daemon.method import Context, Method, Subscriber
from daemon.protocol.connection import SubscribeParams, SubscribeResult
from daemon.protocol.table import SUBSCRIBE
from memory import outbox
from memory.database import Database
from memory.model import Scope

_CHUNK = 64


class SubscriptionHandler:
    """Each subscription is a pump from the outbox to its connection; it dies with the connection."""

    def __init__(self, database: Database, bulletin: Bulletin) -> None:
        self._database = database
        self._bulletin = bulletin

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [Method(SUBSCRIBE, self.subscribe)]

    async def subscribe(self, params: SubscribeParams, context: Context) -> SubscribeResult:
        """Begin after the cursor, or now."""
        cursor = params.cursor
        if cursor is None:
            cursor = await self._database.read(outbox.head)
        context.connection.start(self._pump(context.connection, params.topics, context.scope, cursor))
        return SubscribeResult(topics=tuple(params.topics), cursor=cursor)

    async def _pump(self, connection: Subscriber, topics: Sequence[str], scope: Scope, cursor: int) -> None:
        while True:
            news = self._bulletin.next_ring()
            after = cursor
            found = await self._database.read(lambda c: outbox.after(c, after, topics, scope, _CHUNK))
            for notice in found:
                if not await connection.send_notification("event", notice):
                    return  # it was told `lagged` and comes back with its cursor
                cursor = notice.cursor
            if not found:
                await news.wait()
