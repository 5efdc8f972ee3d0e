"""Two gateways that poll without pause, while the clock jumps and the process is stopped and goes on."""

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory.model import DAY_S
from tests.conftest import StartDaemon
from tests.day import ZONE, Day, start_day, unix

MONDAY = unix("2026-11-30 10:00")
LIMIT = 2
REMINDERS = (
    "remind me today at 12:00 to call Ana", "remind me tomorrow at 2am to turn the bread",
    "remind me tomorrow at 11:00 to pay the rent", "remind me tomorrow at 11:00 to water the ferns",
)  # fmt: skip
PROMISES = tuple(
    f"I'll {deed} {day} at {hour}."
    for day in ("today", "tomorrow")
    for deed, hour in (
        ("ring the plumber", "13:00"), ("send Tom the slides", "14:00"), ("return the drill", "15:00"),
        ("post the parcel", "16:00"), ("take the bins out", "23:30"),
    )
)  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """What a gateway was given, and the clock before and after it asked."""

    text: str
    item_id: str
    since: int
    until: int

    @property
    def is_reminder(self) -> bool:
        """Whether the user asked for it."""
        return self.text.startswith("Reminder:")


@dataclass
class Gateways:
    """Their claims, and a count of their rounds."""

    day: Day
    claims: list[Claim] = field(default_factory=list)
    rounds: Counter[str] = field(default_factory=Counter)
    turn: threading.Condition = field(default_factory=threading.Condition)
    is_over: bool = False

    def poll(self, session_id: str) -> None:
        """Ask, and ask again, until it is over; one by `next`, the other by `recall` as well."""
        with self.day.daemon.client() as client:
            while not self.is_over:
                since = self.day.clock.now()
                items = client.proactive_next(limit=100, session_id=session_id)["results"]
                if session_id == "b":
                    shown = client.recall("anything on today?", session_id=session_id)["proactive"]
                    items += [item for item in shown if item["state"] == "delivered"]
                until = self.day.clock.now()
                with self.turn:
                    self.claims += [Claim(item["text"], item["id"], since, until) for item in items]
                    self.rounds[session_id] += 1
                    self.turn.notify_all()

    def wait(self) -> None:
        """Until each has asked anew, twice: what was under way is over, and one was all in the new time."""
        with self.turn:
            wanted = {name: self.rounds[name] + 2 for name in ("a", "b")}
            assert self.turn.wait_for(lambda: all(self.rounds[name] >= wanted[name] for name in wanted), 60)

    def at(self, moment: int) -> None:
        """Let it be this late, while they poll and the daemon looks."""
        self.day.clock.set(moment)
        self.day.settle()
        self.wait()

    def asleep_until(self, moment: int) -> None:
        """The machine sleeps, and wakes at that time; who asks meanwhile waits."""
        os.kill(self.day.daemon.pid, signal.SIGSTOP)
        self.day.clock.set(moment)
        os.kill(self.day.daemon.pid, signal.SIGCONT)
        self.at(moment)


@contextmanager
def polling(day: Day) -> Iterator[Gateways]:
    """Both at work."""
    gateways = Gateways(day)
    threads = [threading.Thread(target=gateways.poll, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    try:
        yield gateways
    finally:
        gateways.is_over = True
        for thread in threads:
            thread.join()


@pytest.fixture
def day(start_daemon: StartDaemon, tmp_path: Path) -> Day:
    """A Monday with errands for two days, two of them at night."""
    day = start_day(start_daemon, tmp_path, MONDAY, MEMUD_PROACTIVE__DAILY_LIMIT=str(LIMIT))
    for text in (*REMINDERS, *PROMISES):
        day.say(text)
    day.settle()
    return day


def _local(moment: int) -> datetime:
    return datetime.fromtimestamp(moment, ZoneInfo(ZONE))


def _due(day: Day) -> dict[str, int]:
    with day.daemon.client() as client:
        return {item["id"]: item["due_at"] or 0 for item in client.proactive_list(limit=1000)["results"]}


@pytest.mark.slow
def test_each_thing_is_said_once_whatever_the_clock_does(day: Day) -> None:
    """Back and forth by hours, a day and a year, asleep and awake: each reminder once, at its time; of the
    rest no more than the day has room for, and none of it at night."""
    with polling(day) as gateways:
        for hours in (2.1, 1, 3.5):
            gateways.at(MONDAY + round(hours * 3600))
        gateways.asleep_until(MONDAY + 14 * 3600)  # midnight
        gateways.at(MONDAY + 14 * 3600 - DAY_S)
        gateways.asleep_until(MONDAY + 17 * 3600)  # three in the morning
        gateways.at(MONDAY + 365 * DAY_S)
        for hours in (17, 24, 25.5, 28.5, 30.5, 38, 48):
            gateways.at(MONDAY + round(hours * 3600))
    reminders = [claim for claim in gateways.claims if claim.is_reminder]
    assert max(Counter(claim.item_id for claim in gateways.claims).values()) == 1
    assert len(reminders) == len(REMINDERS)
    due = _due(day)
    assert [claim for claim in reminders if due[claim.item_id] > max(claim.since, claim.until)] == []
    rest = [claim for claim in gateways.claims if not claim.is_reminder and claim.since == claim.until]
    assert rest
    assert max(Counter(_local(claim.until).date() for claim in rest).values()) <= LIMIT
    assert [claim for claim in rest if not 7 <= _local(claim.until).hour < 23] == []


@pytest.mark.slow
def test_what_was_put_off_comes_once_more_whatever_the_clock_does(day: Day) -> None:
    """Snoozed until an hour that is slept through, jumped over and come back from: shown twice in all."""
    with polling(day) as gateways:
        gateways.at(MONDAY + 2 * 3600)
        (first,) = [claim for claim in gateways.claims if "call Ana" in claim.text]
        with day.daemon.client() as client:
            client.proactive_resolve(first.item_id, "snoozed", until=MONDAY + 5 * 3600)
        for hours in (4.9, 1, 4.99):
            gateways.at(MONDAY + round(hours * 3600))
        assert [claim.item_id for claim in gateways.claims].count(first.item_id) == 1
        gateways.asleep_until(MONDAY + 6 * 3600)
        for hours in (3, 6, 7):
            gateways.at(MONDAY + round(hours * 3600))
    assert [claim.item_id for claim in gateways.claims].count(first.item_id) == 2
