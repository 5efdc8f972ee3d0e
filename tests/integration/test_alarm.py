"""The alarm: what a look does, what it leaves alone, and that nothing ends it."""

import asyncio
from collections.abc import Callable

import apsw
import pytest

from config.settings import Settings
from jobs.alarm import Alarm
from jobs.announce import Announcer
from jobs.foresight import Foresight
from memory import outbox
from memory.database import Database
from memory.errors import TemporaryError
from memory.ids import NewId
from memory.model import Prediction, Resource, Scope
from memory.proactive.arbiter import Arbiter
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.following.fulfilled import Fulfilment
from memory.testing import FrozenClock
from tests.world import World

TOO_LONG_S = 20


class Watched(CommitmentDetector):
    """Counts what it is asked; raises what it is given, one at each preparation."""

    def __init__(self) -> None:
        self.prepared = 0
        self.looked_at = 0
        self.errors: list[Exception] = []

    async def prepare(self) -> None:
        self.prepared += 1
        if self.errors:
            raise self.errors.pop(0)

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        self.looked_at += 1
        return super().detect(connection, turn)


@pytest.fixture
def detector() -> Watched:
    return Watched()


@pytest.fixture
def alarm_of(
    database: Database, settings: Settings, clock: FrozenClock, new_id: NewId, detector: Watched
) -> Callable[..., Alarm]:
    """An alarm over the database; another one is as after a restart."""

    def make(on_news: Callable[[], None] = lambda: None, **changes: object) -> Alarm:
        proactive = settings.proactive.model_copy(update=changes)
        foresight = Foresight(database, [detector], Fulfilment(None, database, clock), clock, new_id)
        return Alarm(database, foresight, Announcer(Arbiter(proactive)), clock, new_id, proactive, on_news)

    return make


async def told(database: Database) -> list[str]:
    """What subscribers were told."""
    found = await database.read(lambda c: outbox.after(c, 0, ["proactive"], Scope(), 100))
    return [notice.payload["text"].split(" (")[0] for notice in found]


async def test_a_look_says_when_the_next_item_is_due(
    world: World, alarm_of: Callable[..., Alarm], clock: FrozenClock
) -> None:
    """In Unix seconds; nothing once all is told."""
    alarm, now = alarm_of(), clock.now()
    await world.say("remind me in 2 minutes to call Ana", "k1")
    assert await alarm.look() == now + 120
    assert await told(world.database) == []
    clock.turn(119)
    assert await alarm.look() is None
    assert await told(world.database) == ["Reminder: call Ana"]


async def test_over_an_unchanged_store_nothing_is_looked_at_nor_written(
    world: World, alarm_of: Callable[..., Alarm], detector: Watched, clock: FrozenClock
) -> None:
    """However often it looks, and after a restart."""
    await world.say("remind me in 2 days to call Ana", "k1")
    await alarm_of().look()
    assert detector.looked_at == 1
    before = await world.database.write(lambda c: c.total_changes())
    alarm = alarm_of()
    for _ in range(5):
        clock.turn(60)
        await alarm.look()
    assert (detector.prepared, detector.looked_at) == (1, 1)
    assert await world.database.write(lambda c: c.total_changes()) == before


async def test_what_goes_wrong_in_a_look_is_made_up_for_in_the_next(
    world: World, alarm_of: Callable[..., Alarm], detector: Watched, clock: FrozenClock
) -> None:
    """A fault that may pass, and one that nobody thought of: the alarm goes on, and tells."""
    detector.errors = [TemporaryError("the embedder is away"), RuntimeError("broken")]
    stop, news = asyncio.Event(), asyncio.Event()
    await world.say("remind me in 1 minute to call Ana", "k1")
    clock.turn(60)
    async with asyncio.timeout(TOO_LONG_S), asyncio.TaskGroup() as group:
        group.create_task(alarm_of(news.set, look_s=0.001).run(stop))
        await news.wait()
        stop.set()
    assert detector.prepared == 3
    assert await told(world.database) == ["Reminder: call Ana"]


async def test_where_nothing_may_be_said_it_does_not_look(
    world: World, alarm_of: Callable[..., Alarm], detector: Watched
) -> None:
    """`proactive.enabled = false`: it ends at once."""
    await world.say("remind me in 1 minute to call Ana", "k1")
    async with asyncio.timeout(TOO_LONG_S):
        await alarm_of(enabled=False).run(asyncio.Event())
    assert detector.prepared == 0
