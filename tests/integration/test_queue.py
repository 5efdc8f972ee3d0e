"""The durable queue: leases, fences, order, retries, the dead."""

from collections.abc import Callable
from typing import Any

import apsw
import pytest

from memory import queue
from memory.errors import BusyError, NotFoundError
from memory.intake import Intake
from memory.model import Origin, QueueState, Scope
from memory.queue import IMPORT_REST_S, Choice, Lease
from tests.world import World

LEASE_S = 60
YEAR_S = 365 * 86_400


async def _lease(world: World, fence: str = "t") -> Lease | None:
    return await world.database.write(lambda c: queue.lease(c, fence, world.clock.now(), LEASE_S))


async def _put(world: World, *keys: str, **fields: Any) -> None:
    for key in keys:
        await world.take(f"words of {key}", key, **fields)


async def _held(world: World, fence: str = "t") -> Lease:
    held = await _lease(world, fence)
    assert held is not None
    return held


async def _key(world: World, held: Lease) -> str:
    rows = await world.rows("SELECT event_key FROM resources WHERE key = ?", held.resource_key)
    return str(rows[0][0])


async def test_a_session_s_turns_are_taken_one_by_one_in_order(world: World) -> None:
    """No second turn of a session is in hand, and none overtakes an earlier one."""
    await _put(world, "a", "b")
    first = await _held(world)
    assert await _key(world, first) == "a"
    assert await _lease(world) is None
    assert await world.database.write(lambda c: queue.finish(c, first, world.clock.now()))
    assert await _key(world, await _held(world)) == "b"


async def test_a_turn_that_waits_for_its_next_try_is_not_overtaken_in_its_session(world: World) -> None:
    """A retry holds its own session back and no other."""
    await _put(world, "a", "b")
    held, now = await _held(world), world.clock.now()
    await world.database.write(lambda c: queue.retry(c, held, now, now + 10, "away", counted=True))
    await _put(world, "other", scope=Scope(session_id="z"))
    assert await _key(world, await _held(world)) == "other"
    assert await _lease(world) is None
    world.clock.turn(10)
    assert await _key(world, await _held(world)) == "a"


async def test_a_dead_turn_does_not_block_its_session(world: World) -> None:
    """What is given up lets the next turn go on."""
    await _put(world, "a", "b")
    held = await _held(world)
    await world.database.write(lambda c: queue.bury(c, held, world.clock.now(), "broken"))
    assert await _key(world, await _held(world)) == "b"


async def test_two_users_sessions_of_one_name_are_two_sessions(world: World) -> None:
    """Users do not wait for one another."""
    await _put(world, "a", scope=Scope("one", None, "s"))
    await _put(world, "a", scope=Scope("two", None, "s"))
    assert await _lease(world) is not None
    assert await _lease(world) is not None


@pytest.mark.parametrize("change", ["finish", "retry", "bury"])
async def test_a_worker_that_lost_its_lease_changes_nothing(world: World, change: str) -> None:
    """The token is the fence: what another has in hand stays as it is."""
    await _put(world, "a")
    lost = await _held(world, "first")
    world.clock.turn(LEASE_S + 1)
    assert await world.database.write(lambda c: queue.sweep(c, world.clock.now())) == 1
    await _held(world, "second")
    before = await world.rows("SELECT * FROM capture_queue")
    now = world.clock.now()
    outcome = {
        "finish": lambda c: queue.finish(c, lost, now),
        "retry": lambda c: queue.retry(c, lost, now, now, "x", counted=True),
        "bury": lambda c: queue.bury(c, lost, now, "x"),
    }[change]
    assert await world.database.write(outcome) is False
    assert await world.rows("SELECT * FROM capture_queue") == before


async def test_nothing_waits_for_the_time_of_a_clock_that_was_set_back(world: World) -> None:
    """Turns put back, or in hand, while it was a year ahead are due at once; an honest wait is left alone."""
    world.clock.turn(YEAR_S)
    await _put(world, "a")
    await _put(world, "held", scope=Scope(session_id="z"))
    held, now = await _held(world), world.clock.now()
    await world.database.write(lambda c: queue.retry(c, held, now, now + 60, "budget", counted=False))
    await _held(world, "lost")
    world.clock.turn(-YEAR_S)
    await _put(world, "later", scope=Scope(session_id="y"))
    later, now = await _held(world, "later"), world.clock.now()
    due_at = now + queue.MAX_WAIT_S
    await world.database.write(lambda c: queue.retry(c, later, now, due_at, "budget", counted=False))
    assert await world.database.write(lambda c: queue.sweep(c, now)) == 1
    rows = await world.rows("SELECT state, due_at FROM capture_queue ORDER BY resource_key")
    assert rows == [("queued", now), ("queued", now), ("queued", due_at)]


async def test_a_lease_in_time_is_not_swept(world: World) -> None:
    """Only what is held past its lease goes back."""
    await _put(world, "a")
    await _held(world)
    world.clock.turn(LEASE_S)
    assert await world.database.write(lambda c: queue.sweep(c, world.clock.now())) == 0


async def test_an_outage_is_no_fault_of_the_turn_but_makes_the_wait_longer(world: World) -> None:
    """The attempts stay, the outages count."""
    await _put(world, "a")
    for outages in range(3):
        held, now = await _held(world), world.clock.now()
        assert (held.attempts, held.outages) == (1, outages)
        await world.database.write(lambda c: queue.retry(c, held, now, now, "away", counted=False))


async def test_a_restart_voids_all_leases_and_buries_poison(world: World) -> None:
    """What was in hand at a crash goes back; the third time it is given up as poison."""
    await _put(world, "a")
    for crash in (1, 2, 3):
        await _held(world)
        recovered = await world.database.write(lambda c: queue.recover(c, world.clock.now(), 3))
        world.clock.turn(queue.SUSPECT_WAIT_S)
        assert recovered == ((0, 1) if crash == 3 else (1, 0))
    assert await world.entries() == [("dead", 3, "crash")]


async def test_a_turn_that_was_in_hand_at_two_crashes_lets_others_pass(world: World) -> None:
    """Who stands first while something else kills the daemon is not buried for it."""
    await _put(world, "a")
    for _ in range(2):
        await _held(world)
        await world.database.write(lambda c: queue.recover(c, world.clock.now(), 3))
    await _put(world, "other", scope=Scope(session_id="z"))
    assert await _key(world, await _held(world)) == "other"
    assert await _lease(world) is None
    world.clock.turn(queue.SUSPECT_WAIT_S)
    await _put(world, "latest", scope=Scope(session_id="y"))
    assert await _key(world, await _held(world)) == "latest"
    assert await _key(world, await _held(world)) == "a"


async def test_a_clean_stop_is_no_failure(world: World) -> None:
    """What is put back at a stop has lost no try."""
    await _put(world, "a")
    await _held(world)
    assert await world.database.write(lambda c: queue.release(c, world.clock.now())) == 1
    assert await world.entries() == [("queued", 0, None)]


async def test_a_dead_turn_comes_back_fresh(world: World) -> None:
    """A redrive forgets the tries; an id that is not there says so."""
    await _put(world, "a")
    held = await _held(world)
    await world.database.write(lambda c: queue.bury(c, held, world.clock.now(), "broken"))
    entry = (await world.database.read(lambda c: queue.entries(c, None, QueueState.DEAD, 10)))[0][1]
    assert (entry.key, entry.reason) == ("a", "broken")
    again = Choice(entry.id, None)
    now = world.clock.now()
    assert await world.database.write(lambda c: queue.redrive(c, "default", again, now)) == [entry.id]
    assert await world.entries() == [("queued", 0, None)]
    with pytest.raises(NotFoundError):
        await world.database.write(lambda c: queue.redrive(c, "another", again, now))


async def test_a_dropped_turn_gives_no_facts_and_keeps_its_words(world: World) -> None:
    """Drop gives up the work, not the words."""
    await _put(world, "a")
    dropped = await world.database.write(
        lambda c: queue.drop(c, "default", Choice(None, "queued"), world.clock.now())
    )
    assert len(dropped) == 1
    assert await _lease(world) is None
    assert await world.turns() == ["words of a"]


async def test_the_queue_hides_private_entries_from_a_group(world: World) -> None:
    """`private: false` hides the rows of private turns in the queue too."""
    await _put(world, "mine")
    await _put(world, "ours", private=False)
    seen = await world.database.read(lambda c: queue.entries(c, "default", None, 10, public_only=True))
    assert [entry.key for _, entry in seen] == ["ours"]


async def test_what_waits_is_counted_and_weighed(world: World) -> None:
    """Depth has the counts by state, the bytes and the age of the oldest; finished ones weigh nothing."""
    await _put(world, "a", "b")
    held = await _held(world)
    depth = await world.database.read(queue.depth)
    assert (depth.queued, depth.leased, depth.dead) == (1, 1, 0)
    assert depth.bytes == 2 * len("words of a")
    assert depth.oldest_at == world.clock.now()
    await world.database.write(lambda c: queue.finish(c, held, world.clock.now()))
    await world.database.write(lambda c: queue.drop(c, "default", Choice(None, "queued"), world.clock.now()))
    assert await world.database.read(queue.depth) == queue.Depth(0, 0, 0, 0, None)


async def test_what_fails_is_not_waited_for(world: World) -> None:
    """A turn is on its way until it, or one before it in its session, has failed."""
    await _put(world, "a", "b")
    assert await world.database.read(queue.first_underway) == 1
    assert await world.database.read(lambda c: queue.is_underway(c, "default", "s"))
    assert not await world.database.read(lambda c: queue.is_underway(c, "default", "another"))
    held, now = await _held(world), world.clock.now()
    await world.database.write(lambda c: queue.retry(c, held, now, now + 900, "away", counted=False))
    assert await world.database.read(queue.first_underway) is None
    assert not await world.database.read(lambda c: queue.is_underway(c, "default", "s"))


async def test_the_next_moment_of_work_is_in_the_future(world: World) -> None:
    """A turn that is due already, but has to wait for its session, makes nobody poll."""
    await _put(world, "a", "b")
    held, now = await _held(world), world.clock.now()
    assert await world.database.read(lambda c: queue.next_due(c, now)) is None
    await world.database.write(lambda c: queue.retry(c, held, now, now + 7, "away", counted=True))
    assert await world.database.read(lambda c: queue.next_due(c, now)) == now + 7


QUESTIONS: dict[str, Callable[[apsw.Connection], object]] = {
    "depth": queue.depth,
    "lease": lambda c: queue.lease(c, "t", 1, 1),
    "first_underway": queue.first_underway,
    "is_underway": lambda c: queue.is_underway(c, "default", "s"),
    "next_due": lambda c: queue.next_due(c, 1),
}


@pytest.mark.parametrize("question", QUESTIONS)
async def test_finished_entries_are_never_read_through(world: World, question: str) -> None:
    """The questions of every capture use the indexes of what waits, however much is done."""
    steps: list[str] = []

    def ask(connection: Any) -> None:
        def trace(_: Any, sql: str, values: Any) -> bool:
            if not sql.startswith("EXPLAIN"):
                plan = connection.execute("EXPLAIN QUERY PLAN " + sql, values).fetchall()
                steps.extend(row[3] for row in plan)
            return True

        connection.exec_trace = trace
        try:
            QUESTIONS[question](connection)
        finally:
            connection.exec_trace = None

    await world.database.write(ask)
    reads = [step for step in steps if step.startswith(("SCAN", "SEARCH"))]
    assert reads
    assert all("USING" in step for step in reads), reads


async def _bring(world: World, *keys: str) -> None:
    for key in keys:
        await world.take(f"words of {key}", key, origin=Origin.IMPORT)


async def test_what_is_brought_in_comes_after_what_is_said_today(world: World) -> None:
    """Of the same session, too: today's turn waits for none of a thousand old ones."""
    await _bring(world, "old", "older")
    world.clock.turn(IMPORT_REST_S)
    await _put(world, "new")
    assert (await _held(world)).resource_keys == (3,)


async def test_an_import_is_worked_on_once_it_rests(world: World) -> None:
    """While more arrives nothing of it is taken; then it goes in its order."""
    await _bring(world, "a")
    world.clock.turn(1)
    await _bring(world, "b")
    world.clock.turn(1)
    now = world.clock.now()
    assert await world.database.write(lambda c: queue.lease(c, "t", now, 60)) is None
    assert await world.database.read(lambda c: queue.next_due(c, now)) == now + 1
    world.clock.turn(1)
    assert (await _held(world)).resource_keys == (1,)


async def test_an_import_refuses_nobody_and_nobody_waits_for_it(world: World) -> None:
    """Each kind has its own limit; a compaction, and the age in health, look at today's turns."""
    await _bring(world, "a", "b")
    limits = world.settings.capture.model_copy(update={"max_queued": 1, "max_imported": 2})
    door = Intake(limits, world.new_id)
    await world.database.write(door.check_room)
    with pytest.raises(BusyError):
        await world.database.write(lambda c: door.check_room(c, imported=True))
    assert not await world.database.read(lambda c: queue.is_underway(c, "default", "s"))
    assert (await world.database.read(queue.depth)).oldest_at is None
