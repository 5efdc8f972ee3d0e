"""How moments and words of turns are told to a person, in English and in Chinese."""

from datetime import datetime

from memory.dates.moment import zone_of
from memory.terms import Language

QUOTED_CHARS = 80
_WEEKDAYS = "一二三四五六日"


def local(moment: int, tz: str) -> datetime:
    """The wall clock of a zone, without the zone."""
    return datetime.fromtimestamp(moment, zone_of(tz)).replace(tzinfo=None)


def day_of(moment: int, tz: str) -> str:
    """The local day of a moment, as it is written."""
    return f"{local(moment, tz):%Y-%m-%d}"


def weekday(day: datetime, words: Language) -> str:
    """The name of its weekday."""
    return f"周{_WEEKDAYS[day.weekday()]}" if words == "zh" else f"{day:%A}"


def month_and_day(day: datetime) -> str:
    """The date as Chinese says it, without its year."""
    return f"{day.month}月{day.day}日"


def quote(text: str, max_chars: int = QUOTED_CHARS) -> str:
    """The beginning of a text, in one line; "…" stands for the rest."""
    words = " ".join(text.split())
    return words if len(words) <= max_chars else words[: max_chars - 1] + "…"
