"""`proactive.list`, `proactive.next`, `proactive.resolve`: what the user is likely to want next."""

from collections.abc import Iterable
from typing import Any

import apsw

from daemon.method import Context, Method
from daemon.protocol.proactive import (
    ProactiveItemResult,
    ProactiveListParams,
    ProactiveNextParams,
    ProactiveResolveParams,
    ProactiveResult,
)
from daemon.protocol.table import PROACTIVE_LIST, PROACTIVE_NEXT, PROACTIVE_RESOLVE
from memory.database import Database
from memory.model import ProactiveItem, ProactiveState
from memory.ports import Clock
from memory.proactive import ledger
from memory.proactive.arbiter import Arbiter
from memory.store import lookup


class ProactiveHandler:
    """The ledger as an agent sees it."""

    def __init__(self, database: Database, arbiter: Arbiter, clock: Clock) -> None:
        self._database = database
        self._arbiter = arbiter
        self._clock = clock

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [
            Method(PROACTIVE_LIST, self.list),
            Method(PROACTIVE_NEXT, self.next),
            Method(PROACTIVE_RESOLVE, self.resolve),
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
        """What to bring up now; handed out by that, unless it is asked as of another moment."""
        now = self._clock.now() if params.as_of is None else params.as_of
        is_replay = params.as_of is not None

        def choose(connection: apsw.Connection) -> list[ProactiveItem]:
            if is_replay:
                return self._arbiter.choose(connection, context.scope, now, params.limit, known_until=now)
            chosen = self._arbiter.choose(connection, context.scope, now, params.limit)
            ledger.deliver(connection, [item.id for item in chosen], now, context.scope.session_id)
            return chosen

        chosen = await (self._database.read(choose) if is_replay else self._database.write(choose))
        return ProactiveResult(results=tuple(chosen))

    async def resolve(self, params: ProactiveResolveParams, context: Context) -> ProactiveItemResult:
        """What the user did with it."""
        user_id, now = context.scope.user_id, self._clock.now()

        def note(connection: apsw.Connection) -> ProactiveItem:
            item_id = lookup.resolve_prediction(connection, user_id, params.id)
            return ledger.resolve(
                connection, user_id, item_id, ProactiveState(params.outcome), params.until, now
            )

        return ProactiveItemResult(item=await self._database.write(note))
