"""Conversations on disk, as the demo reads them."""

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bench.scenes import say
from bench.scenes.conversation import (
    Conversation,
    PlantedSecrets,
    own_words_worth_finding,
    read,
    share_no_word,
)

SHIPPED = Path(__file__).parents[2] / "bench" / "conversation.jsonl"
NOW = 1_795_500_000


def conversation(folder: Path, *lines: str | bytes) -> Conversation:
    """What is read from a file of these lines."""
    path = folder / "conversation.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    return read(path, PlantedSecrets(), now=NOW)


def said(content: object, **more: object) -> str:
    """One line by a user."""
    return json.dumps({"role": "user", "content": content, **more})


@pytest.mark.parametrize(
    "line",
    [
        "{torn",
        "[1]",
        "[" * 100_000,
        b"\xff\xfe",
        said(5),
        json.dumps({"role": "robot", "content": "x"}),
        said("x", timestamp="yesterday"),
        said("x", timestamp=float("inf")),
        said("x", timestamp=2**62),
        said("x", timestamp=True),
        said("x", context=[1]),
    ],
)
def test_a_bad_line_is_named_by_its_number_and_the_others_are_kept(line: str | bytes, tmp_path: Path) -> None:
    """Whatever is wrong with a line, it costs that line alone."""
    found = conversation(tmp_path, said("before"), "", line, said("after"))
    ((number, reason),) = found.bad
    assert number == 3
    assert reason.en.isascii()
    assert reason.en != reason.zh
    assert [good.event["content"] for good in found.lines] == ["before", "after"]


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (1_795_000_000, 1_795_000_000),
        (1_795_000_000_123, 1_795_000_000),
        ("2026-11-18T15:06:40+01:00", 1_795_010_800),
        (None, NOW),
    ],
    ids=["seconds", "milliseconds", "ISO 8601", "none"],
)
def test_times_are_read_as_agents_write_them(written: object, seconds: int, tmp_path: Path) -> None:
    """Seconds, milliseconds and ISO 8601 are the same moment; an event without a time happens now."""
    line = conversation(tmp_path, said("x", timestamp=written)).lines[0]
    assert line.event["timestamp"] == seconds


def test_an_event_without_a_key_is_known_by_its_line(tmp_path: Path) -> None:
    """So that sending the file again is a duplicate."""
    assert [line.event["key"] for line in conversation(tmp_path, said("a"), said("b", key="k")).lines] == [
        "line-1",
        "k",
    ]


def test_the_end_is_never_in_the_future(tmp_path: Path) -> None:
    """The daemon takes an event of the future for one of now, and so does the end."""
    assert conversation(tmp_path, said("a", timestamp=NOW + 10**6)).end == NOW + 60


def test_words_are_what_a_person_would_look_for(tmp_path: Path) -> None:
    """Neither a channel's envelope nor a recalled block belongs to the words."""
    envelope = 'Sender (untrusted metadata):\n```json\n{"name": "Wei"}\n```\n\n'
    block = "<memud-recall>\n- old\n</memud-recall>\n\n"
    line = conversation(tmp_path, said([{"type": "text", "text": f"{envelope}{block}buy oolong"}])).lines[0]
    assert line.words == "buy oolong"


def test_unrelated_means_no_shared_word_in_either_script(tmp_path: Path) -> None:
    """A prompt that shares a word or two neighbouring Han characters is no test of silence."""
    lines = conversation(tmp_path, said("whales and oolong"), said("明天去植物园")).lines
    assert not share_no_word("Why do whales sing?", lines)
    assert not share_no_word("植物为什么是绿的", lines)
    assert share_no_word("火山爆发之前有什么征兆？", lines)


def test_the_shipped_conversation_has_what_the_demo_shows() -> None:
    """Every line can be used, machine turns and crossing are there, and its secrets are new each time."""
    once, twice = PlantedSecrets(), PlantedSecrets()
    shipped = read(SHIPPED, once, now=NOW)
    read(SHIPPED, twice, now=NOW)
    assert not shipped.bad
    assert 55 <= len(shipped.lines) <= 80
    assert len({line.event["key"] for line in shipped.lines}) == len(shipped.lines)
    assert len({line.session_id for line in shipped.lines}) == 2
    assert {"heartbeat", "cron"} <= {line.event.get("trigger") for line in shipped.lines}
    assert len(once.values) == 2
    assert not set(once.values) & set(twice.values)
    assert len(own_words_worth_finding(shipped.lines, at_most=10)) == 10


def test_dates_are_written_as_readers_of_each_language_write_them() -> None:
    """At the speaker's place, the day and its name."""
    at = int(datetime(2026, 11, 20, 14, tzinfo=UTC).timestamp())
    assert say.day(at) == ("20 Nov", "11月20日")
    assert say.moment(at, ZoneInfo("Europe/Berlin")) == ("Fri 20 Nov 15:00", "11月20日 周五 15:00")
