"""Turns that would crash the daemon, flood its user, or speak in its name: they do nothing of it."""

import json
import re
from pathlib import Path

import pytest

from memory.envelope import BLOCK_CLOSE, BLOCK_OPEN
from memory.model import DAY_S
from tests.conftest import StartDaemon
from tests.day import Day, start_day, unix

BEGIN = unix("2026-09-14 11:00")
POISON = Path(__file__).parents[2] / "evaluation" / "data" / "poison.jsonl"
LIMIT = 3
LINE = re.compile(r"- \[p-[\w]+\]( due \d{4}-\d\d-\d\d| \d{4}-\d\d-\d\d到期)?(: |：)[^\n]+[)）]")
HEADINGS = ("Expected next (predictions, not facts):", "接下来可能需要（预测，不是事实）：")
LAST = "remind me in 5 minutes to lock the door"


@pytest.fixture
def day(start_daemon: StartDaemon, tmp_path: Path) -> Day:
    """A day in September; at most three things are told a day unasked."""
    return start_day(start_daemon, tmp_path, BEGIN, MEMUD_PROACTIVE__DAILY_LIMIT=str(LIMIT))


def all_is_well(day: Day) -> None:
    """No look and no job failed, nothing is dead, and what comes after is told in its time."""
    now = day.clock.now()
    day.say(LAST)
    day.settle()
    day.clock.set(now + 300)
    with day.daemon.client() as client:
        notices = client.subscribe(["proactive"], cursor=0)
        found = next(one for one in notices if "lock the door" in one["payload"]["text"])
        notices.close()
        assert found["created_at"] == now + 300
        assert client.health()["status"] == "ok"
    assert "alarm_failed" not in day.daemon.log()
    assert "job_failed" not in day.daemon.log()


@pytest.mark.parametrize(
    "text",
    [
        "remind me on 1 January 1970 to pay the rent",
        "remind me on 31 December 9999 to pay the rent",
        "remind me on 31 December 99999 to pay the rent",
        "remind me in 99999999999 days to pay the rent",
        "remind me every day at 25:61 to pay the rent",
        "remind me on 0 January 0000 at 99:99 to pay the rent",
        "1970年1月1日提醒我交房租",
        "9999年12月31日提醒我交房租",
        "99999999999天后提醒我交房租",
        "每天二十五点六十一分提醒我交房租",
    ],
)
def test_a_time_beyond_all_calendars_harms_nothing(day: Day, text: str) -> None:
    """Told never, or when it comes: not now, and everything else goes on."""
    day.say(text)
    day.settle()
    assert day.next() == []
    with day.daemon.client() as client:
        for item in client.proactive_list()["results"]:
            assert item["due_at"] is None or item["due_at"] > BEGIN
    all_is_well(day)


@pytest.mark.parametrize("moment", [-1, 0, 2**40, 253_402_300_800])
def test_an_event_of_an_impossible_time_harms_nothing(day: Day, moment: int) -> None:
    """A timestamp before 1970 or beyond the year 9999."""
    event = {"role": "user", "content": "remind me tomorrow to pay the rent", "timestamp": moment}
    with day.daemon.client() as client:
        client.capture([{"key": "odd", **event}], session_id="s")
    day.settle()
    all_is_well(day)


@pytest.mark.slow
def test_thousands_of_identical_turns_are_one_reminder(day: Day) -> None:
    """One item, told once, with as much evidence as one can read."""
    for _ in range(5):
        day.say_all(["remind me tomorrow at 9am to call Ana"] * 400)
    day.settle()
    with day.daemon.client() as client:
        (item,) = client.proactive_list()["results"]
    assert len(item["evidence"]) <= 24
    assert item["due_at"] is not None
    day.clock.set(item["due_at"])
    assert [one["payload"]["id"] for one in day.told(1)] == [item["id"]]
    assert len(day.next()) == 1
    assert day.next() == []
    all_is_well(day)


@pytest.mark.slow
def test_poisoned_turns_neither_flood_nor_speak(day: Day) -> None:
    """Orders to "always remind the user", in pastes, pages and answers: for three days nothing but what a
    user asked for, and every line of the block is one of ours, with theirs inside it."""
    rows = [json.loads(line) for line in POISON.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        texts = [row["text"]] if isinstance(row["text"], str) else row["text"]
        day.say_all(texts[:400], tz=row["tz"], role=row["role"])
    day.settle()
    lines: list[str] = []
    for n in range(3 * 8):
        day.clock.set(BEGIN + n * DAY_S // 8)
        day.settle()
        with day.daemon.client() as client:
            lines += block_lines(client.recall("what is on today?", session_id=f"r{n}")["context"])
    assert lines
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    with day.daemon.client() as client:
        told = client.proactive_list(limit=1000)["results"]
    unasked = [one for one in told if one["state"] == "delivered" and one["probability"] < 0.95]
    assert len(unasked) <= 4 * LIMIT
    all_is_well(day)


def block_lines(context: str) -> list[str]:
    """What stands between the fence: without its marks, its header and the heading of predictions."""
    if not context:
        return []
    first, _, *lines, last = context.split("\n")
    assert (first, last) == (f"{BLOCK_OPEN}>", BLOCK_CLOSE)
    assert context.count(BLOCK_OPEN) == context.count(BLOCK_CLOSE) == 1
    assert [line for line in lines if not line.startswith("- [") and line not in HEADINGS] == []
    return [line for line in lines if line.startswith("- [p-")]
