"""Sentences in both languages, and the dates in them."""

from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

_WEEKDAYS_ZH = "一二三四五六日"


class Say(NamedTuple):
    """One sentence in both languages."""

    en: str
    zh: str


def day(at: int, zone: tzinfo = UTC) -> Say:
    """The day, without its year."""
    local = datetime.fromtimestamp(at, zone)
    return Say(f"{local.day} {local:%b}", f"{local.month}月{local.day}日")


def moment(at: int, zone: tzinfo) -> Say:
    """The day and its time."""
    local = datetime.fromtimestamp(at, zone)
    date = day(at, zone)
    weekday = _WEEKDAYS_ZH[local.weekday()]
    return Say(f"{local:%a} {date.en} {local:%H:%M}", f"{date.zh} 周{weekday} {local:%H:%M}")
