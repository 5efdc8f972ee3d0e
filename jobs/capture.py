"""The queue's worker: turns what was acknowledged into vectors and facts, each turn exactly once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import apsw
import structlog

from config.settings import CaptureSettings
from jobs.bell import Bell
from jobs.effects import Effects, Learner
from jobs.turn_vectors import TurnVectors
from memory import queue
from memory.database import Database
from memory.errors import (
    BudgetError,
    KeyRefusedError,
    MemudError,
    OutageError,
    StorageFullError,
    TemporaryError,
)
from memory.extract.funding import Batch, Funding, Unpaid
from memory.ids import NewId
from memory.knowledge.learning import Learning
from memory.model import Resource, Scope
from memory.ports import Clock
from memory.queue import Lease
from memory.store import resources, retold

log = structlog.get_logger()

_LOOK_AGAIN_S = 600  # a machine may have slept meanwhile, or its clock been set
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Refused:
    """Turns that are put off as nobody may be paid for them."""

    lease: Lease
    reason: BudgetError


class CaptureWorker:
    """Leases turns, works on them, stores the effects in the transaction that marks them done.

    A temporary fault puts the turns back with a later `due_at`. Another fault counts: it halves a batch, and
    a turn alone is dead, with its reason, after `max_attempts`. Its words are stored and found all the while.
    On a full disk the worker stands still, with what it has in hand, until there is room.

    What `funding` keeps free for a model begins with the lease and ends with it at the latest. A lease that
    is lost keeps it until the call is over, since that may cost something still.
    """

    def __init__(
        self,
        database: Database,
        learning: Learning,
        settings: CaptureSettings,
        clock: Clock,
        new_id: NewId,
        funding: Funding | None = None,
    ) -> None:
        self._database = database
        self._funding = funding or Unpaid(learning.extractor)
        self._batching = self._funding.extractor.batching
        self._learner = Learner(database, learning)
        self._turn_vectors = TurnVectors(database, self._write, learning)
        self._settings = settings
        self._clock = clock
        self._new_id = new_id
        self._work = Bell()
        self._finished = Bell()
        self._listeners: list[Callable[[], None]] = []
        self._stop = asyncio.Event()

    def wake(self) -> None:
        """Something was queued."""
        self._work.ring()

    def tell(self, listener: Callable[[], None]) -> None:
        """Call it whenever turns have been worked on."""
        self._listeners.append(listener)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until told to stop; what is in hand then is finished first."""
        self._stop = stop
        async with asyncio.TaskGroup() as group:
            group.create_task(self._work.ring_at(stop))
            for _ in range(self._settings.workers):
                group.create_task(self._loop(stop, self.work_on_next, self._wait))
            if self._batching.is_joint:
                group.create_task(self._loop(stop, self.embed_next, asyncio.Event.wait))

    async def settled(self, scope: Scope) -> None:
        """Return once no turn that the session has now is on its way; they wait for no others any more."""
        last = await self._flush(scope)
        self._work.ring()
        finished = self._finished.next_ring()
        while await self._database.read(
            lambda c: queue.is_underway(c, scope.user_id, scope.session_id, last)
        ):
            await finished.wait()
            finished = self._finished.next_ring()

    async def _flush(self, scope: Scope) -> int | None:
        now = self._clock.now()
        if not self._batching.is_joint:
            return None
        return await self._database.write(lambda c: queue.flush(c, scope.user_id, scope.session_id, now))

    async def _loop(
        self,
        stop: asyncio.Event,
        work_on_next: Callable[[], Awaitable[bool]],
        wait: Callable[[asyncio.Event], Awaitable[object]],
    ) -> None:
        while not stop.is_set():
            work = self._work.next_ring()
            try:
                if not await work_on_next() and not stop.is_set():
                    await wait(work)
            except StorageFullError as full:  # to a loop that ended no room would come back
                await self._stand_still(full)

    async def _wait(self, work: asyncio.Event) -> None:
        """Until something is queued or done, or the next retry is due; ten minutes at most."""
        now = self._clock.now()
        due_at = await self._database.read(lambda c: queue.next_due(c, now))
        try:
            async with asyncio.timeout(min(_LOOK_AGAIN_S, _LOOK_AGAIN_S if due_at is None else due_at - now)):
                await work.wait()
        except TimeoutError:
            return

    async def embed_next(self) -> bool:
        """Give turns that wait for others their vectors; False when there is nothing to do."""
        try:
            return await self._turn_vectors.make_next()
        except StorageFullError:
            raise
        except Exception as error:  # the job loop goes on; it is the turn's fault once that is worked on
            log.error("turn_vectors_failed", error=type(error).__name__)
            return False

    async def work_on_next(self) -> bool:
        """Work on one turn, or one batch; False when none may be taken now."""
        token, now = self._new_id("lease"), self._clock.now()
        taken = await self._write(lambda c: self._take(c, token, now))
        if taken is None:
            return False
        if isinstance(taken, Batch):
            await self._work_on(taken)
        else:
            await self._meanwhile(taken.lease, taken.reason)
        self._finished.ring()
        for listener in self._listeners:
            listener()
        self._work.ring()  # the session's next turn may be taken now
        return True

    def _take(self, connection: apsw.Connection, token: str, now: int) -> "Batch | _Refused | None":
        """Turns in hand and what they may cost; on a spent budget none, and they wait for the next day."""
        lease_s, turns = self._settings.lease_s, self._batching.turns
        held = queue.lease(connection, token, now, lease_s, turns)
        if held is None:
            return None
        try:
            return self._funding.fund(connection, held, now)
        except BudgetError as refused:
            self._put_off(connection, held, refused, now)
            return _Refused(held, refused)

    async def _work_on(self, batch: Batch) -> None:
        held = batch.lease
        turns = await self._database.read(lambda c: _turns(c, held))
        if len(turns) < len(held.resource_keys):  # one was forgotten meanwhile, with its queue entry
            await self._give_back(batch)
            return
        try:
            async with asyncio.timeout(self._settings.lease_s):
                effects = await self._learner.effects(turns, batch.extractor)
            await self._store(batch, effects)
        except StorageFullError as full:
            await self._stand_still(full)
            if self._stop.is_set():  # the lease is given back with the others
                raise
            await self._give_back(batch)
        except TemporaryError as error:
            await self._postpone(batch, error)
        except TimeoutError:
            await self._fail(batch, "timeout")
        except MemudError as error:
            await self._fail(batch, error.reason)
        except Exception as error:  # the job loop goes on; the turn carries the reason
            name = type(error).__name__
            log.error("capture_failed", resource_id=turns[0].id, attempt=held.attempts, error=name)
            await self._fail(batch, name)

    async def _store(self, batch: Batch, effects: Effects) -> None:
        now = self._clock.now()
        keys = await self._end(batch, lambda c: self._learner.apply(c, batch.lease, effects, now))
        await self._learner.show(keys)

    async def _fail(self, batch: Batch, reason: str) -> None:
        """A fault of these turns: a batch comes apart, a turn alone tries again until it is given up."""
        held, now = batch.lease, self._clock.now()
        due_at = now + self._backoff_s(held)
        is_alone = len(held.resource_keys) == 1
        if is_alone and held.attempts >= self._settings.max_attempts:
            await self._end(batch, lambda c: queue.bury(c, held, now, reason))
            log.warning("capture_dead", attempts=held.attempts, reason=reason)
            return
        if is_alone:
            await self._end(batch, lambda c: queue.retry(c, held, now, due_at, reason, counted=True))
        else:
            await self._end(batch, lambda c: queue.halve(c, held, now, due_at, reason))
        log.info("capture_retried", attempt=held.attempts, reason=reason, wait_s=due_at - now)

    async def _postpone(self, batch: Batch, error: TemporaryError) -> None:
        now = self._clock.now()
        await self._end(batch, lambda c: self._put_off(c, batch.lease, error, now))
        await self._meanwhile(batch.lease, error)

    def _put_off(self, connection: apsw.Connection, held: Lease, error: TemporaryError, now: int) -> None:
        """No fault of these turns: not counted, and not before the provider wants to be asked again."""
        due_at = now + self._wait_s(held, error)
        queue.retry(connection, held, now, due_at, error.reason, counted=False)

    async def _meanwhile(self, held: Lease, error: TemporaryError) -> None:
        wait_s = self._wait_s(held, error)
        log.info("capture_retried", attempt=held.attempts, reason=error.reason, wait_s=wait_s)
        if isinstance(error, OutageError | KeyRefusedError | BudgetError):  # facts wait, vectors need not
            await self.embed_next()

    def _wait_s(self, held: Lease, error: TemporaryError) -> int:
        if error.retry_after_ms is None:
            return self._backoff_s(held)
        return min(queue.MAX_WAIT_S, max(1, -(-error.retry_after_ms // 1000)))

    def _backoff_s(self, held: Lease) -> int:
        tries = held.attempts + held.outages
        wait_s: int = self._settings.retry_base_s * 2 ** min(tries - 1, 30)
        return min(self._settings.retry_max_s, wait_s)

    async def _give_back(self, batch: Batch) -> None:
        now = self._clock.now()
        await self._end(batch, lambda c: queue.retry(c, batch.lease, now, now, None, counted=False))

    async def _end(self, batch: Batch, change: Callable[[apsw.Connection], T]) -> T:
        """Change the queue, and give back what was kept free, as one."""

        def end(connection: apsw.Connection) -> T:
            self._funding.release(connection, batch)
            return change(connection)

        return await self._write(end)

    async def _write(self, function: Callable[[apsw.Connection], T]) -> T:
        """As Database.write, but on a full disk wait for room; StorageFullError only when told to stop."""
        while True:
            try:
                return await self._database.write(function)
            except StorageFullError as full:
                await self._stand_still(full)
                if self._stop.is_set():
                    raise

    async def _stand_still(self, full: StorageFullError) -> None:
        try:
            async with asyncio.timeout((full.retry_after_ms or 0) / 1000):
                await self._stop.wait()
        except TimeoutError:
            return


def _turns(connection: apsw.Connection, held: Lease) -> Sequence[Resource]:
    found = (resources.by_key(connection, key) for key in held.resource_keys)
    return [retold.own_or_others(connection, turn) for turn in found if turn is not None]
