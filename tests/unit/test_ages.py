"""Days and ages in words."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.ages import age, local_day

NOW = 1_780_000_000  # Thursday 28 May 2026, 20:26 UTC
TODAY = date(2026, 5, 28)


@pytest.mark.parametrize(
    ("days", "english", "chinese"),
    [
        (0, "today", "今天"),
        (1, "yesterday", "昨天"),
        (2, "2 days ago", "2天前"),
        (13, "13 days ago", "13天前"),
        (14, "2 weeks ago", "2周前"),
        (59, "8 weeks ago", "8周前"),
        (60, "2 months ago", "2个月前"),
        (729, "24 months ago", "24个月前"),
        (730, "2 years ago", "2年前"),
        (-3, "today", "今天"),
    ],
)
def test_ages_are_readable(days: int, english: str, chinese: str) -> None:
    """Days, then weeks, months and years; the future is today."""
    day = TODAY - timedelta(days=days)
    assert (age(day, TODAY, "en"), age(day, TODAY, "zh")) == (english, chinese)


def test_the_day_is_the_one_of_the_zone() -> None:
    """An evening in UTC is the next morning in Shanghai."""
    assert local_day(NOW, ZoneInfo("UTC")) == TODAY
    assert local_day(NOW, ZoneInfo("Asia/Shanghai")) == date(2026, 5, 29)


@pytest.mark.parametrize("moment", [-(2**60), 2**60])
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_every_moment_has_a_day(moment: int, zone: str) -> None:
    """What lies outside the calendar is at its edge."""
    assert local_day(moment, ZoneInfo(zone)).year in (1, 9999)
