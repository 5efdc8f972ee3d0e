"""Habits over a real store: in whose wall clock, when the next time is due, and what becomes of the rest."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from config.settings import Settings
from memory.ids import NewId
from memory.model import DAY_S, Prediction, ProactiveItem, ProactiveState, Resource, Scope
from memory.proactive import ledger, recording
from memory.proactive.detectors.habit import HabitDetector
from memory.proactive.detectors.repeated_intent import RepeatedIntentDetector
from memory.proactive.following.follow import follow
from tests.foresight import House, Line, Scene, open_house

ASKED = "What is the price of NVDA {}?"
WORDS = ("now", "today", "again", "please", "this time", "right now", "at last", "once more")
SCENE = Scene(lambda database, embedder, clock: HabitDetector(embedder, database, clock), {})


def unix(local: str, tz: str) -> int:
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(tz)).timestamp())


def local(moment: int | None, tz: str) -> str:
    assert moment is not None
    return f"{datetime.fromtimestamp(moment, ZoneInfo(tz)):%Y-%m-%d %H:%M}"


async def ask(house: House, local: str, tz: str, word: int = 0) -> Resource:
    """The same thing, in that zone's wall clock."""
    day = (unix(local, tz) - house.begin) / DAY_S
    return await house.store(Line(ASKED.format(WORDS[word % len(WORDS)]), day), tz=tz)


async def ask_daily(house: House, days: Sequence[str], clock: str, tz: str) -> Prediction:
    for word, day in enumerate(days):
        turn = await ask(house, f"{day} {clock}", tz, word)
    (found,) = await house.look(turn)
    return found


@pytest.fixture
async def house(tmp_path: Path, settings: Settings, new_id: NewId) -> AsyncIterator[House]:
    async with open_house(SCENE, tmp_path, settings, new_id) as opened:
        yield opened


async def test_the_next_time_is_due_a_little_before_it(house: House) -> None:
    """Half an hour ahead, over two hours after; the turns are the evidence, the reason names the latest."""
    days = [f"2027-03-0{day}" for day in range(1, 6)]
    found = await ask_daily(house, days, "09:30", "Europe/Berlin")
    assert local(found.due_at, "Europe/Berlin") == "2027-03-06 09:00"
    assert local(found.expires_at, "Europe/Berlin") == "2027-03-06 11:30"
    assert len(found.evidence) == 5
    assert found.text == (
        "Around 09:30 you usually ask about “price of NVDA” (on 5 days since 2027-03-01): prepare it?"
    )
    assert "2027-03-05 09:30" in found.why


@pytest.mark.parametrize(
    ("first", "due"),
    [("2027-03-24", "2027-03-29 09:00"), ("2027-10-27", "2027-11-01 09:00")],
    ids=["put forward", "put back"],
)
async def test_a_clock_that_is_changed_breaks_no_habit(house: House, first: str, due: str) -> None:
    """Half past nine stays half past nine."""
    days = [f"{first[:-2]}{int(first[-2:]) + later}" for later in range(5)]
    found = await ask_daily(house, days, "09:30", "Europe/Berlin")
    assert local(found.due_at, "Europe/Berlin") == due


async def test_a_journey_breaks_no_habit(house: House) -> None:
    """Three mornings in Berlin, two in Tokyo: the next is expected at Tokyo's half past nine."""
    for word, day in enumerate(("01", "02", "03")):
        await ask(house, f"2027-03-{day} 09:30", "Europe/Berlin", word)
    for word, day in enumerate(("05", "06"), 3):
        turn = await ask(house, f"2027-03-{day} 09:30", "Asia/Tokyo", word)
    (found,) = await house.look(turn)
    assert local(found.due_at, "Asia/Tokyo") == "2027-03-07 09:00"


async def test_the_same_moment_in_another_zone_is_another_hour(house: House) -> None:
    """What follows no wall clock is no habit, though it comes every 24 hours."""
    zones = ("Europe/Berlin", "Asia/Tokyo", "America/New_York", "Asia/Kolkata", "Pacific/Honolulu")
    for word, tz in enumerate(zones):
        at = unix("2027-03-01 12:30", "UTC") + word * DAY_S
        clock = datetime.fromtimestamp(at, ZoneInfo(tz)).replace(tzinfo=None).isoformat()
        turn = await ask(house, clock, tz, word)
    assert await house.look(turn) == []


async def test_a_weekly_habit_is_told_of_its_weekday(house: House) -> None:
    """In Chinese, too."""
    for word, day in enumerate(("01", "08", "15")):
        at = (unix(f"2027-03-{day} 17:00", "Asia/Shanghai") - house.begin) / DAY_S
        when = ("", "现在", "今天")[word]
        turn = await house.store(Line(f"英伟达股价{when}多少", at), tz="Asia/Shanghai")
    (found,) = await house.look(turn)
    assert local(found.due_at, "Asia/Shanghai") == "2027-03-22 16:30"
    assert found.text == "每到周一17:00前后，你常会问到“英伟达股价”（3月1日以来已有3天），要不要先准备好？"


async def _items(house: House, detector: str) -> list[ProactiveItem]:
    found = await house.world.database.read(lambda c: ledger.entries(c, Scope("ana"), detector=detector))
    return found[::-1]


async def test_each_further_asking_predicts_the_next_under_one_name(house: House) -> None:
    """One item a day, each with its own time, also where the words of the day are others."""
    days = [f"2027-03-0{day}" for day in range(1, 9)]
    for word, day in enumerate(days):
        turn = await ask(house, f"{day} 09:30", "Europe/Berlin", word)
        await house.record(await house.look(turn))
    items = await _items(house, "habit")
    assert [local(item.due_at, "Europe/Berlin")[:10] for item in items] == [
        f"2027-03-0{day}" for day in range(6, 10)
    ]
    assert len({item.topic for item in items}) == 1


async def test_a_habit_takes_the_place_of_the_repeated_intent(house: House) -> None:
    """Of one thing one item waits; what is asked on is no repeated intent beside it."""
    world, embedder = house.world, house.world.embedder
    assert embedder is not None
    repeated = RepeatedIntentDetector(embedder, world.database, world.clock, 7 * DAY_S)
    for word, day in enumerate(range(1, 8)):
        await repeated.prepare()
        turn = await ask(house, f"2027-03-0{day} 09:30", "Europe/Berlin", word)
        asked = await world.database.read(partial(repeated.detect, turn=turn))
        found = [*asked, *(await house.look(turn))]
        change = await world.database.read(partial(follow, turn=turn, found=found))
        at = turn.turn.timestamp
        await world.database.write(partial(recording.call_off, ids=change.closed, at=at, now=at))
        await house.record(change.found)
    assert [item.state for item in await _items(house, "repeated_intent")] == [ProactiveState.DISMISSED]
    assert len(await _items(house, "habit")) == 3


async def test_who_asks_at_any_hour_has_a_repeated_intent_alone(house: House) -> None:
    """Other hours each day are no habit."""
    clocks = ("08:10", "21:30", "12:40", "10:05", "19:20", "22:45")
    for word, clock in enumerate(clocks):
        turn = await ask(house, f"2027-03-0{word + 1} {clock}", "Europe/Berlin", word)
        assert await house.look(turn) == []


async def test_what_was_said_later_is_not_known_yet(house: House) -> None:
    """A conversation that arrives in another order predicts by its own past."""
    for word, day in enumerate((6, 5, 4, 3)):
        await ask(house, f"2027-03-0{day} 09:30", "Europe/Berlin", word)
    assert await house.look(await ask(house, "2027-03-02 09:30", "Europe/Berlin", 4)) == []
