"""The queue's worker: turns what was acknowledged into vectors and facts, each turn exactly once."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import apsw
import structlog

from config.settings import CaptureSettings
from jobs.bell import Bell
from memory import queue
from memory.database import Database
from memory.errors import MemudError, StorageFullError, TemporaryError
from memory.ids import NewId
from memory.knowledge.learning import Learning
from memory.knowledge.settle import Embedded
from memory.model import Fact, Item, Origin, Resource, Scope
from memory.ports import Clock, Filter, Vector
from memory.queue import Lease
from memory.store import items, resources, tombstones
from memory.turns import content_hash
from memory.vectors import loading

log = structlog.get_logger()

KNOWN_FACTS = 8
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Effects:
    """What a turn gives, computed outside any transaction."""

    vector: Vector | None
    facts: Sequence[Embedded]


class CaptureWorker:
    """Leases turns, works on them, stores the effects in the transaction that marks the turn done.

    A temporary fault puts the turn back with a later `due_at`; another fault counts, and after
    `max_attempts` the turn is dead with its reason. Its words are stored and found all the while. On a
    full disk the worker stands still, with what it has in hand, until there is room.
    """

    def __init__(
        self, database: Database, learning: Learning, settings: CaptureSettings, clock: Clock, new_id: NewId
    ) -> None:
        self._database = database
        self._learning = learning
        self._settings = settings
        self._clock = clock
        self._new_id = new_id
        self._work = Bell()
        self._finished = Bell()
        self._stop = asyncio.Event()

    def wake(self) -> None:
        """Something was queued."""
        self._work.ring()

    async def run(self, stop: asyncio.Event) -> None:
        """Work until told to stop; what is in hand then is finished first."""
        self._stop = stop
        async with asyncio.TaskGroup() as group:
            group.create_task(self._work.ring_at(stop))
            for _ in range(self._settings.workers):
                group.create_task(self._loop(stop))

    async def settled(self, scope: Scope) -> None:
        """Return once no turn of the session is on its way any more."""
        finished = self._finished.next_ring()
        while await self._database.read(lambda c: queue.is_underway(c, scope.user_id, scope.session_id)):
            await finished.wait()
            finished = self._finished.next_ring()

    async def _loop(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            work = self._work.next_ring()
            try:
                if not await self.work_on_next() and not stop.is_set():
                    await self._wait(work)
            except StorageFullError:
                return  # told to stop while the disk is full; the lease is given back with the others

    async def _wait(self, work: asyncio.Event) -> None:
        """Until something is queued or done, or the next retry is due."""
        now = self._clock.now()
        due_at = await self._database.read(lambda c: queue.next_due(c, now))
        try:
            async with asyncio.timeout(None if due_at is None else due_at - now):
                await work.wait()
        except TimeoutError:
            return

    async def work_on_next(self) -> bool:
        """Work on one turn; False when none may be taken now."""
        token, now = self._new_id("lease"), self._clock.now()
        held = await self._write(lambda c: queue.lease(c, token, now, self._settings.lease_s))
        if held is None:
            return False
        await self._work_on(held)
        self._finished.ring()
        self._work.ring()  # the session's next turn may be taken now
        return True

    async def _work_on(self, held: Lease) -> None:
        resource = await self._database.read(lambda c: resources.by_key(c, held.resource_key))
        if resource is None:  # forgotten meanwhile; its queue entry went with it
            return
        try:
            async with asyncio.timeout(self._settings.lease_s):
                effects = await self._effects(resource)
            await self._store(held, resource, effects)
        except StorageFullError:
            raise
        except TemporaryError as error:
            await self._put_back(held, error.reason, counted=False)
        except TimeoutError:
            await self._fail(held, "timeout")
        except MemudError as error:
            await self._fail(held, error.reason)
        except Exception as error:  # the job loop goes on; the turn carries the reason
            name = type(error).__name__
            log.error("capture_failed", resource_id=resource.id, attempt=held.attempts, error=name)
            await self._fail(held, name)

    async def _effects(self, resource: Resource) -> _Effects:
        """Vectors and facts; the slow part, which holds no transaction."""
        text = resource.turn.text
        vector = next(iter(await self._embed([text])), None)
        known = await self._database.read(lambda c: self._known(c, resource, vector))
        found = await self._learning.extractor.extract([resource], known)
        facts = [proposal.fact for proposal in found]
        return _Effects(vector, await self._embed_facts(facts, text, vector))

    async def _embed_facts(
        self, facts: Sequence[Fact], turn_text: str, turn_vector: Vector | None
    ) -> list[Embedded]:
        name = self._learning.embedder.name if self._learning.embedder else ""
        others = [fact.text for fact in facts if fact.text != turn_text]
        vectors = dict(zip(others, await self._embed(others), strict=False))
        return [
            Embedded(fact, turn_vector if fact.text == turn_text else vectors.get(fact.text), name)
            for fact in facts
        ]

    async def _embed(self, texts: Sequence[str]) -> list[Vector]:
        if self._learning.embedder is None or not texts:
            return []
        return list(await self._learning.embedder.passages(texts))

    def _known(self, connection: apsw.Connection, resource: Resource, vector: Vector | None) -> list[Item]:
        """The facts nearest to the turn, for an extractor that compares."""
        if vector is None:
            return []
        near = self._learning.index.search(resource.turn.scope.user_id, vector, 4 * KNOWN_FACTS, Filter())
        stored = (items.by_key(connection, key) for key in near.keys.tolist())
        return [fact.item for fact in stored if fact and fact.item.superseded_by is None][:KNOWN_FACTS]

    async def _store(self, held: Lease, resource: Resource, effects: _Effects) -> None:
        now = self._clock.now()
        keys = await self._write(lambda c: self._apply(c, held, resource, effects, now))
        if (embedder := self._learning.embedder) is not None:
            index, name = self._learning.index, embedder.name
            await self._database.read(lambda c: loading.refresh(c, index, keys, name))

    def _apply(
        self, connection: apsw.Connection, held: Lease, resource: Resource, effects: _Effects, now: int
    ) -> list[int]:
        """All effects of a turn, and that it is done; nothing at all when the lease was lost."""
        if not queue.finish(connection, held, now):
            return []
        if effects.vector is not None and self._learning.embedder is not None:
            resources.set_embedding(connection, resource.key, effects.vector, self._learning.embedder.name)
        facts = [fact for fact in effects.facts if not _is_forgotten(connection, resource, fact)]
        settled = [self._learning.settler.settle(connection, fact, resource) for fact in facts]
        return [resource.key, *(fact.stored.key for fact in settled)]

    async def _fail(self, held: Lease, reason: str) -> None:
        now = self._clock.now()
        if held.attempts >= self._settings.max_attempts:
            await self._write(lambda c: queue.bury(c, held, now, reason))
            log.warning("capture_dead", attempts=held.attempts, reason=reason)
        else:
            await self._put_back(held, reason, counted=True)

    async def _put_back(self, held: Lease, reason: str, *, counted: bool) -> None:
        now = self._clock.now()
        tries = held.attempts + held.outages
        wait_s = min(self._settings.retry_max_s, self._settings.retry_base_s * 2 ** min(tries - 1, 30))
        await self._write(lambda c: queue.retry(c, held, now, now + wait_s, reason, counted=counted))
        log.info("capture_retried", attempt=held.attempts, reason=reason, wait_s=wait_s)

    async def _write(self, function: Callable[[apsw.Connection], T]) -> T:
        """As Database.write, but on a full disk wait for room; StorageFullError only when told to stop."""
        while True:
            try:
                return await self._database.write(function)
            except StorageFullError as full:
                await self._pause((full.retry_after_ms or 0) / 1000)
                if self._stop.is_set():
                    raise

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stop.wait()
        except TimeoutError:
            return


def _is_forgotten(connection: apsw.Connection, resource: Resource, fact: Embedded) -> bool:
    """Whether an import would bring back what the user had forgotten, in a sentence of another shape."""
    turn, fact_hash = resource.turn, content_hash(fact.fact.text)
    is_import = turn.origin is Origin.IMPORT
    return is_import and tombstones.is_forgotten(connection, turn.scope.user_id, fact_hash)
