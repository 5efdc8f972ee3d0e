"""Days and ages as a person reads them: the local day of a moment, and how long ago that was, in words."""

from datetime import date, datetime, tzinfo

from memory.terms import Language

_FIRST_DAY_S = -62_135_510_400  # the second day of year 1, so that no zone leaves the calendar
_LAST_DAY_S = 253_402_128_000  # the last but one of year 9999

# Up to so many days they are counted in units of so many.
_UNITS_DAYS = ((14, 1), (60, 7), (730, 30), (None, 365))
_WORDS: dict[Language, tuple[str, str, tuple[str, str, str, str]]] = {
    "en": ("today", "yesterday", ("{} days ago", "{} weeks ago", "{} months ago", "{} years ago")),
    "zh": ("今天", "昨天", ("{}天前", "{}周前", "{}个月前", "{}年前")),
}


def local_day(moment: int, zone: tzinfo) -> date:
    """The day of a moment (Unix seconds) in a zone; what lies outside the calendar is at its edge."""
    inside = min(max(moment, _FIRST_DAY_S), _LAST_DAY_S)
    return datetime.fromtimestamp(inside, zone).date()


def age(day: date, today: date, language: Language) -> str:
    """How long ago a day was: "6 days ago", 6天前; what lies ahead is today."""
    now, day_before, ago = _WORDS[language]
    days = (today - day).days
    if days <= 1:
        return day_before if days == 1 else now
    place, length = next(
        (place, length) for place, (bound, length) in enumerate(_UNITS_DAYS) if bound is None or days < bound
    )
    return ago[place].format(days // length)
