"""Batches in the queue: which turns are taken together, when, and how a batch comes apart."""

from typing import Any

import pytest

from memory import queue
from memory.model import Scope
from memory.ports import Batching
from memory.queue import Lease
from memory.store import resources
from tests.world import World

LEASE_S = 60
BATCHING = Batching(turns=3, quiet_s=30)


async def _put(world: World, *keys: str, **fields: Any) -> None:
    """Take turns in as `capture` does where an extractor takes several."""
    for key in keys:
        taken = await world.take(f"words of {key}", key, **fields)
        assert taken.stored is not None
        stored, now = taken.stored, world.clock.now()

        def put_again(connection: Any) -> None:
            connection.execute("DELETE FROM capture_queue WHERE resource_key = ?", (stored.key,))
            queue.put(connection, stored, f"q-{stored.id}", now, BATCHING)

        await world.database.write(put_again)


async def _lease(world: World, fence: str = "t") -> Lease | None:
    now = world.clock.now()
    return await world.database.write(lambda c: queue.lease(c, fence, now, LEASE_S, BATCHING.turns))


async def _keys(world: World, held: Lease | None) -> list[str]:
    if held is None:
        return []
    turns = [await world.database.read(lambda c: resources.by_key(c, key)) for key in held.resource_keys]
    return [turn.turn.event_key for turn in turns if turn]


async def test_turns_wait_until_the_session_is_quiet(world: World) -> None:
    """Each new turn pushes the moment on; in the quiet they are taken together, in order."""
    await _put(world, "a")
    world.clock.turn(20)
    await _put(world, "b")
    world.clock.turn(20)
    assert await _lease(world) is None
    world.clock.turn(10)
    assert await _keys(world, await _lease(world)) == ["a", "b"]


async def test_enough_turns_do_not_wait(world: World) -> None:
    """The last that fits makes the batch due; what comes after it is the next batch."""
    await _put(world, "a", "b", "c", "d")
    assert await _keys(world, await _lease(world)) == ["a", "b", "c"]
    assert await _lease(world) is None


async def test_sessions_wait_for_themselves_alone(world: World) -> None:
    """Talk in one session does not push another's moment on, nor join its batch."""
    await _put(world, "a")
    world.clock.turn(29)
    await _put(world, "z", scope=Scope(session_id="other"))
    world.clock.turn(1)
    assert await _keys(world, await _lease(world)) == ["a"]
    assert await _lease(world) is None


async def test_a_flush_ends_the_waiting(world: World) -> None:
    """At a session's end its turns are due at once, whatever arrives afterwards."""
    await _put(world, "a")
    latest = await world.database.write(lambda c: queue.flush(c, "default", "s", world.clock.now()))
    await _put(world, "b")
    held = await _lease(world)
    assert await _keys(world, held) == ["a"]
    assert held is not None
    assert held.resource_keys[-1] == latest


async def test_what_is_private_is_not_read_beside_what_is_public(world: World) -> None:
    """A batch ends where the privacy changes, so no model words a public fact with private words."""
    await _put(world, "a")
    await _put(world, "b", private=False)
    await _put(world, "c")
    for key in ("a", "b", "c"):
        held = await _lease(world)
        assert held is not None
        assert await _keys(world, held) == [key]
        await world.database.write(lambda c: queue.finish(c, held, world.clock.now()))


async def test_a_batch_is_done_with_one_token(world: World) -> None:
    """All its turns leave together; a lost lease leaves none."""
    await _put(world, "a", "b", "c")
    held, now = await _lease(world), world.clock.now()
    assert held is not None
    stranger = Lease(held.resource_keys, "another", 1)
    assert not await world.database.write(lambda c: queue.finish(c, stranger, now))
    assert await world.database.read(lambda c: queue.is_whole(c, held))
    assert await world.database.write(lambda c: queue.finish(c, held, now))
    assert await world.entries() == [("done", 1, None)] * 3


async def test_a_failed_batch_is_halved_down_to_the_turn_that_spoils_it(world: World) -> None:
    """Three fail, then one alone and two; the tries are counted."""
    await _put(world, "a", "b", "c")
    held, now = await _lease(world), world.clock.now()
    assert held is not None
    await world.database.write(lambda c: queue.halve(c, held, now, now, "answer"))
    for keys in (["a"], ["b"], ["c"]):
        alone = await _lease(world)
        assert alone is not None
        assert await _keys(world, alone) == keys
        assert alone.attempts == 2
        await world.database.write(lambda c: queue.finish(c, alone, now))


async def test_a_batch_that_was_put_back_comes_again_as_it_was(world: World) -> None:
    """After an outage the same turns are taken together, so that a stored answer still fits them."""
    await _put(world, "a", "b")
    world.clock.turn(30)
    held, now = await _lease(world), world.clock.now()
    assert held is not None
    await world.database.write(lambda c: queue.retry(c, held, now, now, "outage", counted=False))
    await _put(world, "c")
    assert await _keys(world, await _lease(world)) == ["a", "b"]


@pytest.mark.parametrize(("crashes", "keys"), [(1, ["a", "b", "c"]), (2, ["a"])])
async def test_after_two_crashes_turns_come_alone(world: World, crashes: int, keys: list[str]) -> None:
    """One crash keeps the batch and its answer; the second takes it apart, so that poison dies alone."""
    await _put(world, "a", "b", "c")
    for _ in range(crashes):
        await _lease(world)
        await world.database.write(lambda c: queue.recover(c, world.clock.now(), 3))
        world.clock.turn(queue.SUSPECT_WAIT_S)
    assert await _keys(world, await _lease(world)) == keys


async def test_a_turn_with_its_vector_holds_no_detector_back(world: World) -> None:
    """The monitor reads on past turns that wait for their facts alone; a compaction still waits for them."""
    await _put(world, "a", "b")
    waiting = await world.database.read(lambda c: queue.unembedded(c, 10))
    assert len(waiting) == 2
    await world.database.write(lambda c: queue.note_embedded(c, waiting))
    assert await world.database.read(lambda c: queue.unembedded(c, 10)) == []
    assert await world.database.read(queue.first_underway) is None
    assert await world.database.read(lambda c: queue.is_underway(c, "default", "s"))
    assert not await world.database.read(lambda c: queue.is_underway(c, "default", "s", waiting[0] - 1))
