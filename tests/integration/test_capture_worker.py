"""The worker: each turn's effects exactly once, whatever fails in between."""

import asyncio
from collections.abc import Sequence

from jobs.capture import CaptureWorker
from memory import queue
from memory.errors import InvalidError, TemporaryError
from memory.knowledge.learning import Learning
from memory.model import Item, Resource, Scope
from memory.ports import Proposal
from memory.testing import FakeEmbedder, FakeExtractor
from tests.world import World, finished

TOO_LONG_S = 10


def _worker(world: World, extractor: object, **changes: int) -> CaptureWorker:
    settings = world.settings.capture.model_copy(update=changes)
    learning = Learning(world.embedder, extractor, world.settler, world.generations)  # type: ignore[arg-type]
    return CaptureWorker(world.database, learning, settings, world.clock, world.new_id)


class HeldExtractor(FakeExtractor):
    """Finds what FakeExtractor finds once it is let go; `begun` tells which turns are in hand."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.let_go = asyncio.Event()

    async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
        """Each turn's whole text as one fact, later."""
        for resource in turns:
            self.begun.put_nowait(resource.turn.text)
        await self.let_go.wait()
        return await super().extract(turns, known)


async def test_a_turn_gives_its_vector_and_facts_in_one_step(world: World) -> None:
    """Done means: the turn has its vector, its facts, and they are in the index."""
    turn_id = await world.say("I play the cello.", "k")
    assert await world.entries() == [("done", 1, None)]
    (fact,) = await world.facts()
    assert [source.resource_id for source in fact.sources] == [turn_id]
    assert await world.rows("SELECT count(*) FROM resources WHERE embedder = ?", FakeEmbedder.name) == [(1,)]
    assert len(world.index) == 2


async def test_an_outage_postpones_and_counts_no_try(world: World) -> None:
    """The wait is stored, doubles, and is bounded; the turn never dies of it."""
    worker = _worker(world, FakeExtractor([TemporaryError("away")] * 12), retry_base_s=2, retry_max_s=60)
    await world.take("I play the cello.", "k")
    waits = []
    for _ in range(7):
        assert await worker.work_on_next()
        assert not await worker.work_on_next()
        ((due_at,),) = await world.rows("SELECT due_at FROM capture_queue")
        waits.append(due_at - world.clock.now())
        world.clock.turn(waits[-1])
    assert waits == [2, 4, 8, 16, 32, 60, 60]
    assert await world.entries() == [("queued", 0, "temporary")]


async def test_a_turn_that_keeps_failing_is_dead_with_its_reason(world: World) -> None:
    """After the last try it is given up; its words are still there and `retry` brings it back."""
    extractor = FakeExtractor([InvalidError("odd"), ValueError("odder"), InvalidError("odd")])
    worker = _worker(world, extractor, max_attempts=3)
    await world.take("I play the cello.", "k")
    for state in ("queued", "queued", "dead"):
        assert await worker.work_on_next()
        ((found, _, reason),) = await world.entries()
        assert found == state
        world.clock.turn(900)
    assert reason == "invalid"
    assert await world.turns() == ["I play the cello."]
    assert await world.facts() == []
    again = queue.Choice(None, "dead")
    await world.database.write(lambda c: queue.redrive(c, "default", again, world.clock.now()))
    assert await worker.work_on_next()
    assert len(await world.facts()) == 1


async def test_a_lost_lease_stores_nothing(world: World) -> None:
    """Effects that come after the lease was taken away are dropped; the next worker's are stored once."""
    slow = HeldExtractor()
    worker = _worker(world, slow)
    await world.take("I play the cello.", "k")
    async with asyncio.TaskGroup() as group:
        working = group.create_task(worker.work_on_next())
        await asyncio.wait_for(slow.begun.get(), TOO_LONG_S)
        world.clock.turn(61)
        await world.database.write(lambda c: queue.sweep(c, world.clock.now()))
        await world.learn()
        slow.let_go.set()
        await working
    (fact,) = await world.facts()
    assert fact.reinforced == 0
    assert await world.entries() == [("done", 2, None)]


async def test_a_turn_forgotten_while_in_hand_leaves_nothing(world: World) -> None:
    """The worker's result for it is dropped, and the queue goes on."""
    slow = HeldExtractor()
    worker = _worker(world, slow)
    taken = await world.take("I play the cello.", "k")
    assert taken.stored is not None
    async with asyncio.TaskGroup() as group:
        working = group.create_task(worker.work_on_next())
        await asyncio.wait_for(slow.begun.get(), TOO_LONG_S)
        await world.curation.forget(Scope(), taken.stored.id, dry_run=False)
        slow.let_go.set()
        await working
    assert await world.facts() == []
    assert await world.entries() == []
    assert len(world.index) == 0


async def test_sessions_are_worked_on_side_by_side_and_each_in_order(world: World) -> None:
    """Two workers hold turns of two sessions at a time; within a session the order of arrival holds."""
    slow = HeldExtractor()
    worker = _worker(world, slow, workers=2)
    for key in ("a1", "a2", "b1"):
        await world.take(f"turn {key}", key, scope=Scope(session_id=key[0]))
    stop = asyncio.Event()
    async with asyncio.timeout(TOO_LONG_S), asyncio.TaskGroup() as group:
        group.create_task(worker.run(stop))
        assert {await slow.begun.get(), await slow.begun.get()} == {"turn a1", "turn b1"}
        slow.let_go.set()
        assert await slow.begun.get() == "turn a2"
        await worker.settled(Scope(session_id="a"))
        stop.set()
    assert [fact.memory for fact in await world.facts()][-1] == "turn a2"


async def test_a_stop_finishes_what_is_in_hand(world: World) -> None:
    """A turn that is being worked on at the stop is done, not lost and not doubled."""
    slow = HeldExtractor()
    worker = _worker(world, slow)
    await world.take("I play the cello.", "k")
    stop = asyncio.Event()
    async with asyncio.timeout(TOO_LONG_S), asyncio.TaskGroup() as group:
        group.create_task(worker.run(stop))
        await slow.begun.get()
        stop.set()
        slow.let_go.set()
    assert await world.entries() == [("done", 1, None)]


async def test_new_work_wakes_an_idle_worker(world: World) -> None:
    """Nobody polls: a wake after the commit is enough."""
    worker = _worker(world, FakeExtractor())
    stop = asyncio.Event()
    async with asyncio.timeout(TOO_LONG_S), asyncio.TaskGroup() as group:
        group.create_task(worker.run(stop))
        await world.take("I play the cello.", "k")
        worker.wake()
        await worker.settled(Scope(session_id="s"))
        stop.set()
    assert len(await world.facts()) == 1


async def test_a_hang_counts_as_a_failure(world: World) -> None:
    """An extractor that never answers loses its turn when the lease ends, and the worker is free again."""
    worker = _worker(world, HeldExtractor(), lease_s=1)
    await world.take("I play the cello.", "k")
    await finished(asyncio.ensure_future(worker.work_on_next()))
    assert await world.entries() == [("queued", 1, "timeout")]


async def test_the_same_turn_twice_gives_one_fact(world: World) -> None:
    """A turn that is worked on again after a crash between the tries has its effect once."""
    await world.take("I play the cello.", "k")
    await world.database.write(lambda c: queue.lease(c, "dead-owner", world.clock.now(), 60))
    await world.database.write(lambda c: queue.recover(c, world.clock.now(), 3))
    await world.learn()
    assert len(await world.facts()) == 1
