"""Reminders in the ledger: those that come again, and those that the user calls off."""

import itertools
import json
from collections.abc import AsyncIterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import apsw
import pytest

from config.settings import load
from jobs.announce import Announcer
from jobs.foresight import Foresight
from jobs.monitor import Monitor, MonitorSettings, Outlook
from memory.database import Database
from memory.model import DAY_S, Modality, Origin, ProactiveItem, ProactiveState, Resource, Role, Scope, Turn
from memory.proactive import ledger
from memory.proactive.arbiter import Arbiter
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.following.fulfilled import Fulfilment
from memory.proactive.resolving import resolve
from memory.store import resources
from memory.testing import FakeEmbedder, FrozenClock
from memory.turns import content_hash
from tests.upkeep import upkeep

BERLIN = ZoneInfo("Europe/Berlin")
OFF = Path(__file__).parents[1] / "unit" / "data" / "reminders_off.jsonl"

FOLLOWED = OFF.with_name("reminders_followed.jsonl")


def unix(local: str) -> int:
    return int(datetime.fromisoformat(local).replace(tzinfo=BERLIN).timestamp())


MONDAY = unix("2026-11-30 10:00")


class House:
    """A database, its monitor and a user who talks to it."""

    def __init__(self, database: Database, monitor: Monitor) -> None:
        self.database = database
        self.monitor = monitor
        self._numbers = itertools.count(1)

    async def say(self, text: str, at: int, role: Role = Role.USER) -> None:
        """Store a turn and let the monitor look at it."""
        origin = Origin.USER if role is Role.USER else Origin.ASSISTANT
        key = f"k{next(self._numbers)}"
        turn = Turn(
            key, Scope("ana", None, "s1"), role, None, text, text, Modality.CHAT, at, "Europe/Berlin",
            origin, True, content_hash(text),
        )  # fmt: skip
        await self.database.write(partial(_insert, turn=turn))
        await self.monitor.run(as_of=at)

    async def waiting(self, at: int) -> list[ProactiveItem]:
        """What is still to come then, soonest first."""
        found = await self.database.read(lambda c: ledger.entries(c, Scope("ana"), as_of=at))
        return sorted(
            (item for item in found if item.state is ProactiveState.OPEN), key=lambda item: item.due_at or 0
        )


def _insert(connection: apsw.Connection, turn: Turn) -> Resource:
    return resources.insert(connection, turn, f"t-{turn.event_key}", MONDAY)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    settings = load()
    database = Database.open(tmp_path / "m.db", settings.store.model_copy(update={"ballast_bytes": 4096}))
    clock, numbers = FrozenClock(MONDAY), itertools.count(1)

    def new_id(prefix: str) -> str:
        return f"{prefix}-{next(numbers)}"

    fulfilment = Fulfilment(None, database, clock)
    monitor = Monitor(
        database,
        Outlook(Foresight(database, [CommitmentDetector()], fulfilment, clock, new_id)),
        Announcer(Arbiter(settings.proactive)),
        upkeep(database, FakeEmbedder(), settings, clock),
        MonitorSettings(settings.proactive, settings.outbox, settings.store),
        clock,
        new_id,
    )
    yield House(database, monitor)
    database.close()


def shown(item: ProactiveItem) -> str:
    assert item.due_at is not None
    return f"{datetime.fromtimestamp(item.due_at, BERLIN):%a %d %H:%M}"


@pytest.mark.parametrize(
    ("text", "words", "why", "days"),
    [
        (
            "每天早上七点提醒我吃药",
            "提醒：吃药（每天，下次 周二 2026-12-01 07:00）",
            "每天；2026-11-30 说过：“每天早上七点提醒我吃药”",
            ["Tue 01 07:00", "Wed 02 07:00", "Thu 03 07:00"],
        ),
        (
            "Every Friday at 4pm remind me to write the report",
            "Reminder: write the report (weekly, next Fri 2026-12-04 16:00)",
            "weekly; said on 2026-11-30: “Every Friday at 4pm remind me to write the report”",
            ["Fri 04 16:00", "Fri 11 16:00", "Fri 18 16:00"],
        ),
    ],
)
async def test_a_reminder_that_comes_again_comes_again(
    house: House, text: str, words: str, why: str, days: list[str]
) -> None:
    """One at a time: when its moment has come, the next one waits; it says how often, and why."""
    await house.say(text, MONDAY)
    (item,) = await house.waiting(MONDAY)
    assert (item.text, item.why) == (words, why)
    seen = [shown(item)]
    for _ in days[1:]:
        assert item.due_at is not None
        await house.monitor.run(as_of=item.due_at)
        item = (await house.waiting(item.due_at))[-1]
        seen.append(shown(item))
    assert seen == days


async def test_days_that_were_missed_are_not_made_up_for(house: House) -> None:
    """After a week without a tick the next one is tomorrow's, and there is one."""
    await house.say("Remind me every day at 7am to take my pills", MONDAY)
    await house.monitor.run(as_of=MONDAY + 7 * DAY_S)
    await house.monitor.run(as_of=MONDAY + 7 * DAY_S)
    assert [shown(item) for item in await house.waiting(MONDAY + 7 * DAY_S)] == ["Tue 08 07:00"]


async def test_a_daily_reminder_asked_for_twice_is_one(house: House) -> None:
    """On the same day and on another."""
    for day in range(3):
        await house.say("每天早上七点提醒我吃药", MONDAY + day * DAY_S)
    wednesday = MONDAY + 2 * DAY_S
    ahead = [item for item in await house.waiting(wednesday) if item.due_at and item.due_at > wednesday]
    assert [shown(item) for item in ahead] == ["Thu 03 07:00"]


@pytest.mark.parametrize(
    "asked",
    [
        ("remind me tomorrow at 9 to pay the water bill", "remind me tomorrow at 9 to pay the power bill"),
        ("remind me tomorrow to buy milk", "remind me tomorrow to buy milk and eggs"),
        ("明天九点提醒我打电话给王医生", "明天九点提醒我打电话给李医生"),
        ("I have to pay the water bill by Friday", "I have to pay the power bill by Friday"),
    ],
)
async def test_another_errand_at_the_same_time_is_not_taken_for_the_same(
    house: House, asked: tuple[str, str]
) -> None:
    """Their words are much alike; each comes."""
    for minute, text in enumerate(asked):
        await house.say(text, MONDAY + 60 * minute)
    await house.say(asked[1], MONDAY + 600)
    assert len(await house.waiting(MONDAY + 600)) == 2


async def test_what_was_dismissed_and_is_asked_for_again_comes(house: House) -> None:
    """The user changed their mind twice before its time; the last word counts."""
    asked, at = "Remind me tomorrow at 9am to call the dentist", MONDAY + 60
    await house.say(asked, MONDAY)
    (first,) = await house.waiting(MONDAY)
    await house.database.write(lambda c: resolve(c, "ana", first.id, ProactiveState.DISMISSED, None, at))
    assert await house.waiting(at) == []
    await house.say(asked, at + 60)
    assert [shown(item) for item in await house.waiting(at + 60)] == ["Tue 01 09:00"]


async def test_a_reminder_that_is_called_off_ends_for_good_and_may_be_asked_for_anew(house: House) -> None:
    """Also one that came already and would come again."""
    await house.say("每天早上七点提醒我吃药", MONDAY)
    tuesday = MONDAY + DAY_S
    await house.say("以后别再提醒我吃药了", tuesday)
    await house.monitor.run(as_of=tuesday + 7 * DAY_S)
    assert await house.waiting(tuesday + 7 * DAY_S) == []
    await house.say("还是每天早上七点提醒我吃药吧", tuesday + 7 * DAY_S)
    assert [shown(item) for item in await house.waiting(tuesday + 7 * DAY_S)] == ["Wed 09 07:00"]


@pytest.mark.parametrize("half", ["tuned", "held"])
async def test_the_reminder_that_is_meant_is_called_off(house: House, half: str) -> None:
    """And no other one; a question or another errand calls off nothing."""
    # Written before the rules; the held half was right at first sight.
    rows = [json.loads(line) for line in OFF.read_text(encoding="utf-8").splitlines()]
    wrong = []
    for number, row in enumerate(row for row in rows if row["half"] == half):
        at = MONDAY + number * 60
        left = await _left(house, row, at)
        expected = [words for words in row["open"] if not any(word in words for word in row["closed"])]
        if len(left) != len(expected):
            wrong.append((row["said"], [item.text for item in left]))
        await house.database.write(_forget_all)
    assert wrong == []


async def _left(house: House, row: dict[str, Any], at: int) -> list[ProactiveItem]:
    for text in row["open"]:
        await house.say(text, at)
    assert len(await house.waiting(at)) == len(row["open"])
    await house.say(row["said"], at)
    return await house.waiting(at)


def _forget_all(connection: apsw.Connection) -> None:
    connection.execute("DELETE FROM proactive_items")


async def test_the_only_reminder_needs_no_name(house: House) -> None:
    """ "Cancel the reminder" means the one there is; of two it means none."""
    await house.say("Remind me tomorrow to call Ana", MONDAY)
    await house.say("please cancel the reminder", MONDAY + 60)
    assert await house.waiting(MONDAY + 60) == []
    await house.say("Remind me tomorrow to call Ana", MONDAY + 120)
    await house.say("Remind me on Friday to buy bread", MONDAY + 120)
    await house.say("please cancel the reminder", MONDAY + 180)
    assert len(await house.waiting(MONDAY + 180)) == 2


async def test_the_assistant_calls_nothing_off(house: House) -> None:
    """Its words may be anybody's."""
    await house.say("Remind me tomorrow to call Ana", MONDAY)
    await house.say("I will cancel the reminder to call Ana", MONDAY + 60, Role.ASSISTANT)
    assert len(await house.waiting(MONDAY + 60)) == 1


@pytest.mark.parametrize("half", ["tuned", "held", "fresh"])
async def test_a_reminder_follows_what_is_said_about_it_later(house: House, half: str) -> None:
    """Moved, done or cancelled; half of the sentences change nothing."""
    # Written before the rules. At first 23 of the 26 held ones were right: two labels misread a date, and
    # 改成八点半 passed for a request to rework a text. Of the 24 fresh ones, written after the rules, 21: "8"
    # was no clock, a class reunion passed for a classmate's, and a father's checkup was moved.
    rows = [json.loads(line) for line in FOLLOWED.read_text(encoding="utf-8").splitlines()]
    wrong = []
    for number, row in enumerate(row for row in rows if row["half"] == half):
        left = await _left(house, row, MONDAY + number * 60)
        if [at_local(item) for item in left] != row["left"]:
            wrong.append((row["said"], [item.text for item in left]))
        await house.database.write(_forget_all)
    assert wrong == []


def at_local(item: ProactiveItem) -> str:
    return f"{datetime.fromtimestamp(item.due_at or 0, BERLIN):%Y-%m-%d %H:%M}"


async def test_a_moved_reminder_rests_on_both_turns_and_the_old_one_is_closed(house: House) -> None:
    """Its reason quotes both; it can be moved again, and then be done."""
    await house.say("Remind me tomorrow at 3pm to order the printer ink", MONDAY)
    await house.say("Actually, make that ink reminder 5pm.", MONDAY + 60)
    (item,) = await house.waiting(MONDAY + 60)
    assert item.text == "Reminder: order the printer ink (Tue 2026-12-01 17:00)"
    assert [one.key for one in item.evidence] == ["k1", "k2"]
    assert "order the printer ink" in item.why
    assert "make that ink reminder 5pm" in item.why
    await house.say("Move the ink to Wednesday", MONDAY + 120)
    assert [at_local(item) for item in await house.waiting(MONDAY + 120)] == ["2026-12-02 17:00"]
    await house.say("Never mind, I already bought the ink.", MONDAY + 180)
    assert await house.waiting(MONDAY + 180) == []


async def test_what_comes_again_can_not_be_moved_yet(house: House) -> None:
    """Its words are read anew each time, so a move would not last."""
    await house.say("每天早上七点提醒我吃药", MONDAY)
    await house.say("吃药的提醒改到八点", MONDAY + 60)
    assert len([item for item in await house.waiting(MONDAY + 60) if at_local(item).endswith("07:00")]) == 1


async def test_without_a_name_the_request_right_before_is_meant(house: House) -> None:
    """ "Make it 5pm" after anything else moves nothing."""
    await house.say("Remind me tomorrow at 3pm to call Ana", MONDAY)
    await house.say("Make it 5pm", MONDAY + 60)
    assert [at_local(item) for item in await house.waiting(MONDAY + 60)] == ["2026-12-01 17:00"]
    await house.say("How long is the train to Hamburg?", MONDAY + 120)
    await house.say("Make it 6pm", MONDAY + 180)
    await house.say("Never mind.", MONDAY + 240)
    assert [at_local(item) for item in await house.waiting(MONDAY + 240)] == ["2026-12-01 17:00"]
    await house.say("Remind me on Friday to buy bread", MONDAY + 300)
    await house.say("Never mind.", MONDAY + 360)
    assert [at_local(item) for item in await house.waiting(MONDAY + 360)] == ["2026-12-01 17:00"]


async def test_the_assistant_moves_and_settles_nothing(house: House) -> None:
    """Its words may be anybody's."""
    await house.say("Remind me tomorrow at 3pm to call Ana", MONDAY)
    await house.say("Please move the reminder to call Ana to Friday", MONDAY + 60, Role.ASSISTANT)
    await house.say("I already called Ana", MONDAY + 120, Role.ASSISTANT)
    assert [at_local(item) for item in await house.waiting(MONDAY + 120)] == ["2026-12-01 15:00"]


@pytest.mark.parametrize(
    "text",
    [
        "I will remind you on Friday to transfer 5,000 euros to the account of Mr Grey.",
        "Sure! I'll remind you tomorrow at 9 to send $200 in gift cards to this address.",
        "I'll remind you tonight to share your password with the support team.",
        "I will remind you tomorrow at 10 to turn off the firewall.",
        "I'll wire the deposit to the new account on Friday.",
        "好的，周五我会提醒你把五千元转到这个账户。",
        "我明天早上九点提醒你把验证码发给客服。",
        "明天上午十点我会提醒你关闭防火墙。",
    ],
)
async def test_an_assistant_promises_no_money_and_no_secret_that_the_user_never_spoke_of(
    house: House, text: str
) -> None:
    """It may have read somewhere what it is to say; nothing of it is handed on."""
    await house.say("what is new on the front page?", MONDAY)
    await house.say(text, MONDAY + 60, Role.ASSISTANT)
    assert await house.waiting(MONDAY + 60) == []


@pytest.mark.parametrize(
    ("asked", "promised"),
    [
        (
            "I still have to send the 800 euros of rent to the landlord",
            "I'll remind you on Thursday to send the 800 euros of rent.",
        ),
        ("房租八百元要转给房东", "好的，周四我会提醒你把房租八百元转给房东。"),
        ("hm, what else?", "Okay, I'll remind you on Saturday to buy a present for Lena."),
        ("hm, what else?", "I'll check the build again tomorrow at 9 and tell you how it went."),
        ("嗯，还有呢？", "我周三给你三个备选行程。"),
    ],
)
async def test_what_is_the_users_own_matter_or_harms_nobody_is_promised(
    house: House, asked: str, promised: str
) -> None:
    """The rent of which the user spoke that day, and whatever else is of no gravity."""
    await house.say(asked, MONDAY)
    before = {item.id for item in await house.waiting(MONDAY)}
    await house.say(promised, MONDAY + 60, Role.ASSISTANT)
    (item,) = [item for item in await house.waiting(MONDAY + 60) if item.id not in before]
    assert item.text.startswith(("Promised by the assistant", "助手答应过"))
