"""Real daemons and what falls due in them: told in time, also after a sleep and a restart, and once."""

import os
import signal
from pathlib import Path

import pytest

from memory.model import DAY_S
from tests.conftest import StartDaemon
from tests.day import Day, start_day, unix

YEAR_S = 365 * DAY_S
MONDAY = unix("2026-11-30 10:00")


@pytest.fixture
def day(start_daemon: StartDaemon, tmp_path: Path) -> Day:
    """A Monday, ten o'clock."""
    return start_day(start_daemon, tmp_path, MONDAY, MEMUD_PROACTIVE__DAILY_LIMIT="2")


CALL, CALL_SAID = "remind me in 2 minutes to call Ana", "Reminder: call Ana"


def test_a_reminder_in_two_minutes_is_told_in_two_minutes(day: Day) -> None:
    """Nobody runs the monitor, which comes only every five minutes; and it is told once."""
    day.say(CALL)
    day.wait_for_a_prediction()
    day.clock.set(MONDAY + 119)
    day.settle()
    assert day.next() == []
    day.clock.set(MONDAY + 120)
    (notice,) = day.told(1)
    assert notice["payload"]["text"].startswith(CALL_SAID)
    assert notice["created_at"] == MONDAY + 120
    day.settle()
    with day.daemon.client() as client:
        (item,) = client.proactive_next()["results"]
        assert (item["id"], item["state"]) == (notice["payload"]["id"], "delivered")
        assert client.proactive_next()["results"] == []


def test_a_chinese_reminder_is_told_in_time(day: Day) -> None:
    """两分钟后 is two minutes later in every language."""
    day.say("两分钟后提醒我给妈妈打电话", tz="Asia/Shanghai")
    day.wait_for_a_prediction()
    day.clock.set(MONDAY + 120)
    assert day.texts(1)[0].startswith("提醒：给妈妈打电话")


def test_what_fell_due_in_a_sleep_is_told_after_it(day: Day) -> None:
    """The process stood still and its own clock with it; the wall clock did not."""
    day.say("remind me at 11:00 to water the ferns")
    day.wait_for_a_prediction()
    os.kill(day.daemon.pid, signal.SIGSTOP)
    day.clock.set(MONDAY + 8 * 3600)
    os.kill(day.daemon.pid, signal.SIGCONT)
    (notice,) = day.told(1)
    assert "water the ferns" in notice["payload"]["text"]
    assert notice["created_at"] == MONDAY + 8 * 3600


def test_what_fell_due_while_it_was_off_is_told_at_the_start(day: Day) -> None:
    """Stopped before and started after; killed after, what was told is not told again."""
    day.say("remind me at 11:00 to water the ferns")
    day.wait_for_a_prediction()
    day.daemon.stop()
    day.clock.set(MONDAY + 2 * 3600)
    day.daemon.start()
    (notice,) = day.told(1)
    day.daemon.kill()
    day.daemon.start()
    day.say("remind me in 1 minute to call Ana")
    day.wait_for_a_prediction(2)
    day.clock.set(MONDAY + 2 * 3600 + 60)
    assert [one.split(" (")[0] for one in day.texts(1, notice["cursor"])] == ["Reminder: call Ana"]


def test_a_turn_before_a_kill_is_looked_at_after_it(day: Day) -> None:
    """What was acknowledged and not yet looked at is looked at in the next life."""
    day.say(CALL)
    day.daemon.kill()
    day.clock.set(MONDAY + 180)
    day.daemon.start()
    assert day.texts(1)[0].startswith(CALL_SAID)


def test_what_comes_again_comes_every_day(day: Day) -> None:
    """The next time is in the ledger as soon as one was told."""
    day.say("remind me every day at 11:00 to take the pill")
    day.wait_for_a_prediction()
    for n in range(3):
        day.clock.set(MONDAY + 3600 + n * DAY_S)
        notices = day.told(n + 1)
        assert notices[-1]["created_at"] == MONDAY + 3600 + n * DAY_S
        day.wait_for_a_prediction(n + 2)


def test_a_snoozed_item_comes_once_at_its_time(day: Day) -> None:
    """Not before, and not by the monitor's beat; another channel that asks then finds it once."""
    day.say(CALL)
    day.wait_for_a_prediction()
    day.clock.set(MONDAY + 120)
    (first,) = day.told(1)
    with day.daemon.client() as client:
        client.proactive_next(ids=[first["payload"]["id"]])
        client.proactive_resolve(first["payload"]["id"], "snoozed", until=MONDAY + 1000)
    day.clock.set(MONDAY + 999)
    day.settle()
    assert day.next() == []
    day.clock.set(MONDAY + 1000)
    (again,) = day.told(1, first["cursor"])
    assert again["payload"]["id"] == first["payload"]["id"]
    assert len(day.next()) == 1
    day.settle()
    assert day.next() == []


def test_two_channels_show_an_item_once(day: Day) -> None:
    """Each claims it before it shows it; one gets it, whoever is first."""
    day.say(CALL)
    day.wait_for_a_prediction()
    day.clock.set(MONDAY + 120)
    (notice,) = day.told(1)
    claimed: list[str] = []
    with day.daemon.client() as desk, day.daemon.client() as agent:
        for client in (desk, agent, desk):
            reply = client.proactive_next(ids=[notice["payload"]["id"], "p-unknown"])
            claimed += [item["id"] for item in reply["results"]]
        assert agent.recall("what now?", session_id="other")["proactive"] == []
    assert claimed == [notice["payload"]["id"]]


def test_a_clock_that_jumps_and_comes_back_tells_once_and_loses_nothing(day: Day) -> None:
    """A day back, a year forward, back again: each reminder at its time, none twice, and no flood."""
    day.say("remind me every day at 11:00 to take the pill")
    day.say("remind me tomorrow at 12:00 to call the bank")
    day.say("remind me at 10:30 to call Ana")
    day.wait_for_a_prediction(3)
    day.clock.set(MONDAY + 1800)
    (first,) = day.told(1)
    for jump in (-DAY_S, YEAR_S, 0):
        day.clock.set(MONDAY + 1800 + jump)
        day.settle()
    day.clock.set(MONDAY + 3600)
    (second,) = day.told(1, first["cursor"])
    day.clock.set(MONDAY + DAY_S + 3600)
    (third,) = day.told(1, second["cursor"])
    day.clock.set(MONDAY + DAY_S + 7200)
    (fourth,) = day.told(1, third["cursor"])
    said = [notice["payload"]["text"].split(" (")[0] for notice in (first, second, third, fourth)]
    assert said == [
        "Reminder: call Ana", "Reminder: take the pill", "Reminder: take the pill", "Reminder: call the bank",
    ]  # fmt: skip


def test_two_zones_in_one_session_are_each_their_own(day: Day) -> None:
    """Nine o'clock in Shanghai is seven hours before nine o'clock in Berlin."""
    day.say("明天上午九点提醒我给物业打电话", tz="Asia/Shanghai")
    day.say("remind me tomorrow at 9am to call the landlord")
    day.wait_for_a_prediction(2)
    shanghai = unix("2026-12-01 02:00")
    day.clock.set(shanghai)
    (first,) = day.told(1)
    day.clock.set(shanghai + 7 * 3600)
    (second,) = day.told(1, first["cursor"])
    assert first["payload"]["text"].startswith("提醒：给物业打电话")
    assert second["payload"]["text"].startswith("Reminder: call the landlord")
    assert [one["created_at"] for one in (first, second)] == [shanghai, shanghai + 7 * 3600]
