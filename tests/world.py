"""The store with its queue, worker and verbs in one process: real SQLite, fakes for models and time only."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.settings import Settings
from jobs.capture import CaptureWorker
from memory import queue
from memory.database import Database
from memory.extract.funding import Funding
from memory.ids import NewId
from memory.intake import Event, Intake, Taken
from memory.knowledge.curation import Curation
from memory.knowledge.filing import Filer
from memory.knowledge.learning import Learning
from memory.knowledge.settle import Settler
from memory.model import Item, Origin, Role, Scope
from memory.ports import Embedder, Extractor
from memory.store import items, resources
from memory.testing import FrozenClock
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Generation, Generations


@dataclass(frozen=True, slots=True)
class World:
    """What a test of the store needs, wired as the daemon wires it."""

    database: Database
    settings: Settings
    clock: FrozenClock
    new_id: NewId
    embedder: Embedder | None
    index: ExactIndex
    generations: Generations
    intake: Intake
    settler: Settler
    worker: CaptureWorker
    curation: Curation

    @classmethod
    def build(
        cls,
        database: Database,
        settings: Settings,
        clock: FrozenClock,
        new_id: NewId,
        *,
        embedder: Embedder | None,
        extractor: Extractor,
        older: Sequence[Generation] = (),
        funding: Funding | None = None,
    ) -> "World":
        """Everything put together; texts may have vectors of `older` models, facts be paid for."""
        index = ExactIndex(embedder.dimension if embedder else 1)
        generations = Generations(Generation(embedder, index) if embedder else None, older)
        settler = Settler(generations, new_id, Filer(new_id))
        learning = Learning(embedder, extractor, settler, generations)
        return cls(
            database,
            settings,
            clock,
            new_id,
            embedder,
            index,
            generations,
            Intake(settings.capture, new_id, batching=extractor.batching),
            settler,
            CaptureWorker(database, learning, settings.capture, clock, new_id, funding),
            Curation(database, learning, clock, new_id),
        )

    async def take(self, text: Any, key: str, *, scope: Scope | None = None, **fields: Any) -> Taken:
        """Take one event in, as `capture` does."""
        event = Event(key, scope or Scope(session_id="s"), fields.pop("role", Role.USER), text, **fields)
        now = self.clock.now()
        prepared = self.intake.prepare(event, now)
        taken = await self.database.write(lambda c: self.intake.take(c, prepared, now))
        self.worker.wake()
        return taken

    async def say(self, text: Any, key: str, **fields: Any) -> str:
        """Take a turn in and learn from it; the turn's id. A second passes after it."""
        taken = await self.take(text, key, **fields)
        assert taken.stored is not None
        if fields.get("origin") is Origin.IMPORT:
            self.clock.turn(queue.IMPORT_REST_S)
        await self.learn()
        self.clock.turn(1)
        return taken.stored.id

    async def learn(self) -> None:
        """Work on what is due."""
        while await self.worker.work_on_next():
            pass

    async def learn_all(self) -> None:
        """Work until nothing waits any more, turning the clock as far as the queue asks."""
        for _ in range(20_000):
            await self.learn()
            now = self.clock.now()
            due_at = await self.database.read(lambda c: queue.next_due(c, now))
            if due_at is None:
                return
            self.clock.turn(due_at - now)
        raise AssertionError("the queue does not come to its end")

    async def facts(self, user_id: str = "default") -> list[Item]:
        """All facts of a user, superseded ones too, oldest first."""

        def read(connection: Any) -> list[Item]:
            rows = connection.execute("SELECT key FROM items WHERE user_id = ? ORDER BY key", (user_id,))
            stored = (items.by_key(connection, key) for (key,) in rows.fetchall())
            return [fact.item for fact in stored if fact is not None]

        return await self.database.read(read)

    async def turns(self, user_id: str = "default") -> list[str]:
        """The words of all turns of a user."""
        found = await self.database.read(lambda c: resources.recent(c, Scope(user_id), 10_000))
        return [turn.turn.text for turn in found]

    async def rows(self, sql: str, *values: Any) -> list[Any]:
        """What a query gives."""
        return await self.database.read(lambda c: c.execute(sql, values).fetchall())

    async def entries(self) -> list[tuple[str, int, str | None]]:
        """(state, attempts, reason) of the queue's entries, oldest first."""
        return await self.rows("SELECT state, attempts, reason FROM capture_queue ORDER BY resource_key")


def bytes_of(database: Path) -> bytes:
    """Everything that SQLite has on disk."""
    files = (database.with_name(database.name + suffix) for suffix in ("", "-wal", "-shm"))
    return b"".join(file.read_bytes() for file in files if file.exists())


async def finished(
    *waiting: "asyncio.Task[Any] | asyncio.Future[Any]", within_s: float = 10.0
) -> Sequence[Any]:
    """Their results; a test that waits longer hangs."""
    async with asyncio.timeout(within_s):
        return await asyncio.gather(*waiting)
