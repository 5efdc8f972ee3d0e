"""What is recalled says when it was said, and its words can be read months later."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from memud_client import Client

from tests.daemons import DaemonProcess

SHANGHAI = "Asia/Shanghai"
TOLD = [
    ("2026-05-28 22:30", "America/New_York", "The plumber comes tomorrow to repair the boiler."),
    ("2026-05-28 07:30", SHANGHAI, "明天下午三点我要去看牙医。"),
]


def unix(local: str, tz: str) -> int:
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(tz)).timestamp())


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A daemon that was told things on the evening of a day in New York, and on its morning in Shanghai."""
    process = DaemonProcess(tmp_path_factory.mktemp("dated"), env={"TZ": SHANGHAI})
    process.start()
    with process.client() as client:
        events: list[dict[str, Any]] = [
            {"role": "user", "content": text, "timestamp": unix(local, tz), "tz": tz}
            for local, tz, text in TOLD
        ]
        client.capture(events, session_id="s")
        client.session_compact("s")
        yield client
    assert process.stop() == 0


@pytest.mark.parametrize(
    ("query", "age", "line"),
    [
        ("when does the plumber come to repair the boiler", "6 days ago", "tomorrow (2026-05-29)"),
        ("我什么时候去看牙医", "6天前", "明天下午三点（2026-05-29 15:00）"),
    ],
)
def test_a_result_has_the_writer_s_day_and_an_age_in_the_asker_s_language(
    client: Client, query: str, age: str, line: str
) -> None:
    """By whichever of the two days it is where the asker sits; the block says the same."""
    as_of = unix("2026-06-03 12:00", SHANGHAI)
    recalled = client.recall(query, threshold=0, as_of=as_of)
    (found,) = client.search(query, as_of=as_of)["results"][:1]
    assert (found["date"], found["age"]) == ("2026-05-28", age)
    assert found["source"]["tz"] in (SHANGHAI, "America/New_York")
    assert any(f"2026-05-28{comma}{age}" in recalled["context"] for comma in (", ", "，"))
    assert line in recalled["context"]


@pytest.mark.parametrize(
    ("memory", "kept"),
    [
        ("My flight to Oslo leaves tomorrow at 9 am.", "tomorrow at 9 am (2026-05-29 09:00)"),
        ("我下周五要交季度报告。", "下周五（2026-06-05）"),
        ("The user is flying to Oslo tomorrow.", "tomorrow (2026-05-29)"),
        ("用户昨天搬到了杭州。", "昨天（2026-05-27）"),
        ("我明天去看牙医，我对花生过敏。", "明天（2026-05-29）"),
    ],
)
def test_a_fact_that_is_added_gets_absolute_dates(client: Client, memory: str, kept: str) -> None:
    """From the time it is said to be of."""
    added = client.add(memory, timestamp=unix("2026-05-28 12:00", SHANGHAI))
    assert kept in added["item"]["memory"]


@pytest.mark.parametrize(
    "options", [{"infer": False}, {"kind": "semantic"}, {"memory_type": "preference"}], ids=str
)
def test_what_is_verbatim_or_lasts_keeps_its_words(client: Client, options: dict[str, Any]) -> None:
    """Each in its own words; "Friday" may be every Friday."""
    memory = f"The choir sings on Friday, {options}."
    assert client.add(memory, **options)["item"]["memory"] == memory
