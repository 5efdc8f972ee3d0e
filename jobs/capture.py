"""The queue's worker: turns what was acknowledged into vectors and facts, each turn exactly once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import structlog

from config.settings import CaptureSettings
from memory import queue
from memory.database import Database
from memory.errors import MemudError, TemporaryError
from memory.ids import NewId
from memory.knowledge.settle import Embedded, Settled, Settler
from memory.model import Fact, Item, Resource, Scope
from memory.ports import Clock, Embedder, Extractor, Filter, Vector, VectorIndex
from memory.queue import Lease
from memory.store import items, resources
from memory.vectors import loading

log = structlog.get_logger()

KNOWN_FACTS = 8


@dataclass(frozen=True, slots=True)
class Learning:
    """What a turn is worked on with. `embedder` is None where only full text is to be had."""

    embedder: Embedder | None
    extractor: Extractor
    settler: Settler
    index: VectorIndex


@dataclass(frozen=True, slots=True)
class _Effects:
    """What a turn gives, computed outside any transaction."""

    vector: Vector | None
    facts: Sequence[Embedded]


class CaptureWorker:
    """Leases turns, works on them, stores the effects in the transaction that marks the turn done.

    A temporary fault puts the turn back with a later `due_at`; another fault counts, and after
    `max_attempts` the turn is dead with its reason. Its words are stored and found all the while.
    """

    def __init__(
        self, database: Database, learning: Learning, settings: CaptureSettings, clock: Clock, new_id: NewId
    ) -> None:
        self._database = database
        self._learning = learning
        self._settings = settings
        self._clock = clock
        self._new_id = new_id
        self._work = asyncio.Event()
        self._finished = asyncio.Event()

    def wake(self) -> None:
        """Something was queued."""
        self._work.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Work until told to stop; what is in hand then is finished first."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._ring_on(stop))
            for _ in range(self._settings.workers):
                group.create_task(self._loop(stop))

    async def settled(self, scope: Scope) -> None:
        """Return once no turn of the session is on its way any more."""
        finished = self._finished
        while await self._database.read(lambda c: queue.is_underway(c, scope.user_id, scope.session_id)):
            await finished.wait()
            finished = self._finished

    async def _ring_on(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._work.set()

    async def _loop(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            self._work.clear()
            if not await self._work_on_next() and not stop.is_set():
                await self._wait()

    async def _wait(self) -> None:
        """Until something is queued, or the next retry is due."""
        due_at = await self._database.read(queue.next_due)
        timeout_s = None if due_at is None else max(0.05, due_at - self._clock.now())
        try:
            async with asyncio.timeout(timeout_s):
                await self._work.wait()
        except TimeoutError:
            return

    async def _work_on_next(self) -> bool:
        token, now = self._new_id("lease"), self._clock.now()
        held = await self._database.write(lambda c: queue.lease(c, token, now, self._settings.lease_s))
        if held is None:
            return False
        await self._work_on(held)
        self._finished.set()
        self._finished = asyncio.Event()
        return True

    async def _work_on(self, held: Lease) -> None:
        resource = await self._database.read(lambda c: resources.by_key(c, held.resource_key))
        if resource is None:  # forgotten meanwhile; its queue entry went with it
            return
        try:
            effects = await self._effects(resource)
            await self._store(held, resource, effects)
        except TemporaryError as error:
            await self._put_back(held, error.reason, counted=False)
        except MemudError as error:
            await self._fail(held, error.reason)
        except Exception as error:  # the job loop goes on; the turn carries the reason
            log.exception("capture_failed", resource_id=resource.id, attempt=held.attempts)
            await self._fail(held, type(error).__name__)
        else:
            self._work.set()  # the session's next turn may be taken now

    async def _effects(self, resource: Resource) -> _Effects:
        """Vectors and facts; the slow part, which holds no transaction."""
        text = resource.turn.text
        vector = next(iter(await self._embed([text])), None)
        known = await self._database.read(lambda c: self._known(c, resource, vector))
        facts = await self._learning.extractor.extract(resource, known)
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
        keys = await self._database.write(lambda c: self._apply(c, held, resource, effects, now))
        rows = await self._database.read(lambda c: [loading.row(c, key) for key in keys])
        self._learning.index.put([row for row in rows if row is not None])

    def _apply(
        self, connection: apsw.Connection, held: Lease, resource: Resource, effects: _Effects, now: int
    ) -> list[int]:
        """All effects of a turn, and that it is done; nothing at all when the lease was lost."""
        if not queue.finish(connection, held, now):
            return []
        if effects.vector is not None and self._learning.embedder is not None:
            resources.set_embedding(connection, resource.key, effects.vector, self._learning.embedder.name)
        settled = [self._learning.settler.settle(connection, fact, resource) for fact in effects.facts]
        return [resource.key, *(fact.stored.key for fact in settled)]

    async def _fail(self, held: Lease, reason: str) -> None:
        now = self._clock.now()
        if held.attempts >= self._settings.max_attempts:
            await self._database.write(lambda c: queue.bury(c, held, now, reason))
            log.warning("capture_dead", attempts=held.attempts, reason=reason)
        else:
            await self._put_back(held, reason, counted=True)

    async def _put_back(self, held: Lease, reason: str, *, counted: bool) -> None:
        now = self._clock.now()
        wait_s = min(self._settings.retry_max_s, self._settings.retry_base_s * 2 ** (held.attempts - 1))
        await self._database.write(lambda c: queue.retry(c, held, now, now + wait_s, reason, counted=counted))
        log.info("capture_retried", attempt=held.attempts, reason=reason, wait_s=wait_s)
