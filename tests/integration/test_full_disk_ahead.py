"""A disk that is full when something comes due, is claimed, answered or foreseen: later nothing is amiss."""

from pathlib import Path
from typing import Literal

import pytest
from memud_client import Client, StorageFullError

from memory.errors import StorageFullError as Full
from tests.clocked_daemon import FileClock
from tests.conftest import StartDaemon
from tests.day import Day, unix
from tests.filler import capture_until_full, filled
from tests.weeks import House, talk

MONDAY = unix("2026-11-30 10:00")
DUE = MONDAY + 3600

Outcome = Literal["used", "dismissed", "snoozed"]


@pytest.fixture
def day(small_disk: Path, start_daemon: StartDaemon, tmp_path: Path) -> Day:
    """A Monday on a small disk, with a reminder for eleven o'clock."""
    clock = FileClock(tmp_path / "clock")
    clock.set(MONDAY)
    env = {"MEMUD_PROACTIVE__LOOK_S": "0.02", "MEMUD_STORE__BALLAST_BYTES": "65536"}
    program = ("tests.clocked_daemon", str(tmp_path / "clock"))
    day = Day(clock, start_daemon(program=program, env=env, state_dir=small_disk))
    day.say("remind me at 11:00 to water the ferns")
    day.wait_for_a_prediction()
    return day


@pytest.fixture
def filler(small_disk: Path) -> Path:
    """A file that is to take all the room."""
    return small_disk / "filler"


def _states(day: Day) -> list[str]:
    with day.daemon.client() as client:
        return [item["state"] for item in client.proactive_list()["results"]]


def _resolve(client: Client, item_id: str, outcome: Outcome) -> None:
    if outcome == "snoozed":
        client.proactive_resolve(item_id, outcome, until=DUE + 900)
    else:
        client.proactive_resolve(item_id, outcome)


def test_what_comes_due_on_a_full_disk_is_told_once_there_is_room(day: Day, filler: Path) -> None:
    """Nobody can claim it, it is not taken to be told, and when there is room it comes by itself, once."""
    filled(filler)
    with day.daemon.client() as client:
        capture_until_full(client)
        day.clock.set(DUE)
        for _ in range(3):
            with pytest.raises(StorageFullError):
                client.proactive_next()
        assert _states(day) == ["open"]
    filler.unlink()
    (notice,) = day.told(1)
    assert "water the ferns" in notice["payload"]["text"]
    assert len(day.next()) == 1
    assert day.next() == []
    assert _states(day) == ["delivered"]


@pytest.mark.parametrize("outcome", ["used", "dismissed", "snoozed"])
def test_an_answer_on_a_full_disk_is_refused_and_can_be_given_again(
    day: Day, filler: Path, outcome: Outcome
) -> None:
    """The item stays as it was; the answer counts when there is room, and a snoozed one comes again."""
    day.clock.set(DUE)
    (notice,) = day.told(1)
    assert len(day.next()) == 1
    item_id = notice["payload"]["id"]
    filled(filler)
    with day.daemon.client() as client:
        capture_until_full(client)
        with pytest.raises(StorageFullError):
            _resolve(client, item_id, outcome)
        assert _states(day) == ["delivered"]
        filler.unlink()
        _resolve(client, item_id, outcome)
        assert _states(day) == [outcome]
    day.clock.set(DUE + 900)
    day.settle()
    assert len(day.next()) == (outcome == "snoozed")


async def test_a_look_on_a_full_disk_is_made_up_for(small_disk: Path, tmp_path: Path) -> None:
    """It raises, the cursor stays, and with room the same is foreseen as on a disk that was never full."""
    said, filler = talk(5, 60), small_disk / "filler"
    house, plain = House(small_disk / "a.db"), House(tmp_path / "b.db")
    for one in (house, plain):
        await one.hear(said)
    await house.foresight(20).run(None, dry_run=False)
    filled(filler)
    foresight = house.foresight(1_000)
    with pytest.raises(Full):
        await foresight.run(None, dry_run=False)
    filler.unlink()
    await foresight.run(None, dry_run=False)
    await plain.foresight(1_000).run(None, dry_run=False)
    assert await house.ledger() == await plain.ledger()
    for one in (house, plain):
        one.database.close()
