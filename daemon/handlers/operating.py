"""`health`, `queue.*`, `job.run`: what an operator looks at and does."""

from collections.abc import Iterable
from typing import Any

import apsw

from daemon.health import Health
from daemon.keeper import Keeper
from daemon.method import Context, Method
from daemon.protocol.operations import (
    JobRunParams,
    QueueChangeParams,
    QueueChangeResult,
    QueueListParams,
    QueueListResult,
)
from daemon.protocol.state import HealthParams, HealthResult
from daemon.protocol.table import HEALTH, JOB_RUN, QUEUE_DROP, QUEUE_LIST, QUEUE_RETRY
from jobs.capture import CaptureWorker
from jobs.rebuild import Rebuild
from memory import queue
from memory.database import Database
from memory.errors import InvalidError
from memory.model import Report
from memory.ports import Clock
from memory.store import lookup
from memory.store.listing import page_key


class OperationHandler:
    """The daemon's own state, and its levers."""

    def __init__(
        self,
        database: Database,
        health: Health,
        keeper: Keeper,
        worker: CaptureWorker,
        rebuild: Rebuild,
        clock: Clock,
    ) -> None:
        self._database = database
        self._health = health
        self._keeper = keeper
        self._worker = worker
        self._rebuild = rebuild
        self._clock = clock

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [
            Method(HEALTH, self.health),
            Method(QUEUE_LIST, self.queue_list),
            Method(QUEUE_RETRY, self.queue_retry),
            Method(QUEUE_DROP, self.queue_drop),
            Method(JOB_RUN, self.job_run),
        ]

    async def health(self, params: HealthParams, context: Context) -> HealthResult:
        """The state of every part."""
        return await self._health.check()

    async def queue_list(self, params: QueueListParams, context: Context) -> QueueListResult:
        """What waits, or is dead, by page; of all users where none is named, as with every lever here."""
        found = await self._database.read(
            lambda c: queue.entries(
                c,
                context.named_user,
                params.state,
                params.limit + 1,
                after=page_key(params.cursor),
                public_only=context.scope.public_only,
            )
        )
        shown = found[: params.limit]
        cursor = str(shown[-1][0]) if len(found) > len(shown) else None
        return QueueListResult(results=tuple(entry for _, entry in shown), cursor=cursor)

    async def queue_retry(self, params: QueueChangeParams, context: Context) -> QueueChangeResult:
        """Bring dead turns back, or try waiting ones now."""
        user_id, now = context.named_user, self._clock.now()

        def retry(connection: apsw.Connection) -> list[str]:
            return queue.redrive(connection, user_id, _which(connection, user_id, params), now)

        changed = await self._database.write(retry)
        self._worker.wake()
        return QueueChangeResult(ids=tuple(changed))

    async def queue_drop(self, params: QueueChangeParams, context: Context) -> QueueChangeResult:
        """Give turns up; their words stay."""
        user_id, now = context.named_user, self._clock.now()

        def drop(connection: apsw.Connection) -> list[str]:
            return queue.drop(connection, user_id, _which(connection, user_id, params), now)

        return QueueChangeResult(ids=tuple(await self._database.write(drop)))

    async def job_run(self, params: JobRunParams, context: Context) -> Report:
        """Run a job now, for one user or for all."""
        if params.backend is not None:
            return await self._change_index(params, params.backend)
        return await self._keeper.run_now(
            params.name, user_id=context.named_user, as_of=params.as_of, dry_run=params.dry_run
        )

    async def _change_index(self, params: JobRunParams, backend: str) -> Report:
        """It may take long and must not hold up the jobs, so the keeper is not asked."""
        if params.name != "reindex":
            raise InvalidError(f"the job {params.name} takes no backend", hint="`reindex` alone does")
        return await self._rebuild.run(backend, dry_run=params.dry_run)


def _which(connection: apsw.Connection, user_id: str | None, params: QueueChangeParams) -> queue.Choice:
    if (params.id is None) == (params.state is None):
        raise InvalidError("which entries?", hint="give `id` or `state`, one of the two")
    entry_id = None if params.id is None else lookup.resolve_entry(connection, user_id, params.id)
    return queue.Choice(entry_id, params.state)
