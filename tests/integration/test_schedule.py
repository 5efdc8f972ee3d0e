"""The bells on a real event loop, and what is due by the wall clock."""

import asyncio
import time

import pytest

from daemon.schedule import Bell, Schedule, is_due

WEEK_S = 7 * 86_400
NOW = 1_780_000_000


async def test_a_bell_rings_again_and_again_on_the_loop() -> None:
    """Each ring is heard by the loop that started the schedule."""
    rings: asyncio.Queue[asyncio.AbstractEventLoop] = asyncio.Queue()
    bell = Bell("often", 0.01, lambda: rings.put_nowait(asyncio.get_running_loop()))
    schedule = Schedule([bell])
    schedule.start()
    assert {await rings.get() for _ in range(3)} == {asyncio.get_running_loop()}
    schedule.shutdown()


async def test_missed_rings_are_made_up_for_by_one() -> None:
    """A process that stood still for many periods hears one ring, not many and not none."""
    rung = asyncio.Event()
    rings: list[float] = []

    def ring() -> None:
        rings.append(time.monotonic())
        rung.set()

    schedule = Schedule([Bell("often", 0.05, ring)])
    schedule.start()
    time.sleep(0.5)  # noqa: ASYNC251 - this is the fault itself: a loop that stands still
    await rung.wait()
    assert len(rings) == 1
    schedule.shutdown()


async def test_a_bell_that_breaks_rings_again() -> None:
    """One bad ring does not silence the bell, nor the others."""
    broken: list[int] = []
    whole = asyncio.Event()

    def breaks() -> None:
        broken.append(1)
        if len(broken) > 2:
            whole.set()
        raise ValueError

    schedule = Schedule([Bell("broken", 0.01, breaks)])
    schedule.start()
    await whole.wait()
    assert len(broken) >= 3
    schedule.shutdown()


async def test_a_paused_schedule_does_not_ring() -> None:
    """After `pause` nothing new is begun, so that a drain can end."""
    rings: list[int] = []
    heard = asyncio.Event()
    paused = Schedule([Bell("paused", 0.01, lambda: rings.append(1))])
    other = Schedule([Bell("other", 0.1, heard.set)])
    paused.start()
    other.start()
    paused.pause()
    await heard.wait()
    assert rings == []
    paused.shutdown()
    other.shutdown()


async def test_what_a_bell_started_survives_the_shutdown() -> None:
    """The schedule only rings: shutting it down cancels no work."""
    heard, done = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await heard.wait()
        await asyncio.sleep(0)
        done.set()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(work())
        schedule = Schedule([Bell("once", 0.01, heard.set)])
        schedule.start()
        await heard.wait()
        schedule.shutdown()
        schedule.shutdown()
    assert done.is_set()


@pytest.mark.parametrize(
    ("last_ok", "due"),
    [
        (None, True),
        (NOW - WEEK_S, True),
        (NOW - WEEK_S + 1, False),
        (NOW, False),
        (NOW + 300, False),
        (NOW + 301, True),
        (NOW + 5 * WEEK_S, True),
    ],
)
def test_a_job_is_due_by_its_last_success(last_ok: int | None, due: bool) -> None:
    """Never run, too long ago, or in a future that the clock has left: it has to run."""
    assert is_due(last_ok, NOW, WEEK_S) is due
