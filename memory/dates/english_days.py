"""The days of English: which words name one, and which stretch of the calendar they mean."""

import contextlib
import functools
import re
from collections.abc import Callable
from datetime import datetime
from typing import cast

from memory.dates.clock import part_of
from memory.dates.moment import (
    DAY,
    Precision,
    Said,
    Stretch,
    day_of_month,
    elapsed,
    last_day,
    months_away,
    next_month,
    weekend,
    whole,
)

WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NEAR_DAYS = 45
_MOST_DAYS = 31
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_MONTH_AS_WORD = r"(?:may|march|mar)"  # "may 3 people come" names no date
_AFTER_MAY = r"(?:be|have|not|help|well|I|we|you|it|he|she|they)"  # "the last may be wrong"
SPELLED = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_NUMBER = (
    rf"(?:\d{{1,4}}(?:\.\d)?|an?|{SPELLED}|fifteen|(?:twenty|thirty|forty|fifty)(?:-five)?|sixty|ninety|"
    r"(?:a\s+|three\s+)quarters?\s+of\s+an|half\s+an|an?\s+couple\s+of|a\s+few)"
)
_SIDE = r"(?:this|next|last|(?:this\s+|the\s+)?coming)"
_YEAR = r"(?:,?\s+(?:19|20)\d\d\b)?"
_NTH = r"\d{1,2}(?:st|nd|rd|th)"
_CLAUSE_WORD = r"(?:at|and|or|for|with|to|in|if|when|because|but|so|then|from|by|we|i|he|she|they|is|works)"

_MISSPELT = r"(?:tmrw?|tmw|tom+or+ow|tom+orr?w|2mor+ow|2moro|2mrw)"  # of tomorrow

Reader = Callable[[str, Said, bool], Stretch]
"""Reads words at the moment they were said; the flag says that they speak of the past. Raises ValueError."""


@functools.lru_cache(maxsize=1024)  # the same turn is recalled again and again
def _by_library(words: str, base: datetime, *, is_past: bool) -> datetime:
    import dateparser  # 70 ms, and only texts with a date need it

    settings = {
        "RELATIVE_BASE": base,
        "PREFER_DATES_FROM": "past" if is_past else "future",
        "PARSERS": ["relative-time", "absolute-time"],
    }
    found = dateparser.parse(words, languages=["en"], settings=settings)
    if found is None:
        raise ValueError("not a date")
    return cast(datetime, found).replace(tzinfo=None)


def named_day(words: str, said: Said, is_past: bool) -> Stretch:
    words = re.sub(rf"^{WEEKDAY},?\s+(?:the\s+)?(?=\w)", "", words)
    number = re.search(r"\d+", words)
    if number and "/" not in words and int(number[0]) > _MOST_DAYS:
        raise ValueError("no such day of a month")  # the library would take it for a year
    return whole(_by_library(words, said.midnight, is_past=is_past), "day")


def _slashed(words: str, said: Said, is_past: bool) -> Stretch:
    """12/11 is December 11th or 12 November: whichever is nearer, in the direction that is meant."""
    first, second = (int(number) for number in words.split("/"))
    found = list[Stretch]()
    for month, day in ((first, second), (second, first)):
        with contextlib.suppress(ValueError):
            found.append(_of_year(month, day, said, is_past=is_past))
    if not found:
        raise ValueError("no calendar has it")
    return min(found, key=lambda one: abs(one.start - said.midnight))


def _of_year(month: int, day: int, said: Said, *, is_past: bool) -> Stretch:
    this = said.midnight.replace(month=month, day=day)
    if is_past != (this < said.midnight) and this != said.midnight:
        this = this.replace(year=this.year + (-1 if is_past else 1))
    return whole(this, "day")


def _iso(words: str, _said: Said, _is_past: bool) -> Stretch:
    return whole(datetime.fromisoformat("-".join(f"{int(n):02}" for n in words.split("-"))), "day")


def _weekday(words: str, said: Said, is_past: bool) -> Stretch:
    name = re.sub(r"^(?:this\s+|the\s+)?coming\s+", "this ", words)
    name = re.sub(rf"\b{_SHORT}$", lambda day: day[0][:3], name)
    return whole(_by_library(name, said.midnight, is_past=is_past), "day")


def _word(words: str, said: Said, _is_past: bool) -> Stretch:
    if words.startswith(("this", "tonight")):
        return whole(said.midnight, "day")
    name = re.sub(rf"\b{_MISSPELT}\b", "tomorrow", words).replace("last night", "yesterday")
    return whole(_by_library(name, said.midnight, is_past=False), "day")


def _nth(words: str, said: Said, is_past: bool) -> Stretch:
    return whole(day_of_month(said, int(re.sub(r"\D", "", words)), is_past=is_past), "day")


def _weekday_nth(words: str, said: Said, is_past: bool) -> Stretch:
    """ "Tuesday the 1st" is the nearest such day on either side: "it was moved to Tuesday the 1st"."""
    weekday, number = _WEEKDAYS.index(words[:3]), int(re.sub(r"\D", "", words))
    near = sorted(range(-_NEAR_DAYS, _NEAR_DAYS + 1), key=abs)
    days = (said.midnight + DAY * away for away in near)
    fitting = [day for day in days if (day.day, day.weekday()) == (number, weekday)]
    return whole(fitting[0] if fitting else day_of_month(said, number, is_past=is_past), "day")


def _month(words: str, said: Said, is_past: bool) -> Stretch:
    side, name = words.split()
    is_past = side in ("last", "since") or (is_past and side != "next")
    month = _by_library(f"{name} 1", said.midnight, is_past=is_past)
    this = said.midnight.replace(day=1)
    return whole(this if month.month == this.month and side not in ("last", "next") else month, "month")


def _month_of_year(words: str, said: Said, _is_past: bool) -> Stretch:
    return whole(_by_library(re.sub(r"(?=\d{4})", "1 ", words), said.midnight, is_past=False), "month")


def _year(words: str, _said: Said, _is_past: bool) -> Stretch:
    return whole(datetime(int(words[-4:]), 1, 1), "year")  # noqa: DTZ001 - a wall clock, zone comes later


def _day_of_week(words: str, said: Said, _is_past: bool) -> Stretch:
    """ "Monday next week", "next week on Thursday"."""
    name = re.search(WEEKDAY, words)
    if name is None:
        raise ValueError("no weekday")
    step = 1 if "next" in words else -1 if "last" in words else 0
    monday = whole(_weeks_away(said, step), "week").start
    return whole(monday + DAY * _WEEKDAYS.index(name[0][:3]), "day")


def _week_from(words: str, said: Said, _is_past: bool) -> Stretch:
    """ "a week from Friday", "Friday week", "two weeks tomorrow"."""
    count = 2 if words.startswith(("two", "2")) or "fortnight" in words else 1
    name = re.search(rf"{WEEKDAY}|today|tomorrow|now", words)
    if name is None or name[0] in ("today", "now"):
        start = said.midnight
    else:
        start = whole(_by_library(name[0], said.midnight, is_past=False), "day").start
    return whole(start + 7 * count * DAY, "day")


def _holiday(words: str, said: Said, is_past: bool) -> Stretch:
    month, day = next(date for name, date in _HOLIDAYS.items() if words.startswith(name))
    return _of_year(month, day, said, is_past=is_past)


_HOLIDAYS = {
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "xmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new year": (1, 1),
    "halloween": (10, 31),
    "valentine's": (2, 14),
}


def _european(words: str, said: Said, is_past: bool) -> Stretch:
    """24.12.2026, and "by 24.12." of the nearest such year."""
    day, month, year = [*(int(number) for number in re.findall(r"\d+", words)), 0][:3]
    this = said.midnight.replace(year=year or said.midnight.year, month=month, day=day)
    if not year and is_past != (this < said.midnight) and this != said.midnight:
        this = this.replace(year=this.year + (-1 if is_past else 1))
    return whole(this, "day")


def _period(words: str, said: Said, _is_past: bool) -> Stretch:
    side, unit = words.split()
    step = {"this": 0, "next": 1, "last": -1}[side]
    if unit == "month":
        return whole(next_month(said.midnight.replace(day=1), step), "month")
    if unit == "year":
        return whole(said.midnight.replace(day=1, year=said.midnight.year + step), "year")
    return whole(_weeks_away(said, step), "week")


def _weekend(words: str, said: Said, is_past: bool) -> Stretch:
    step = 1 if words.startswith("next") else -1 if words.startswith("last") else 0
    return weekend(_weeks_away(said, step - (1 if is_past and step == 0 else 0)))


def _end_of(words: str, said: Said, is_past: bool) -> Stretch:
    side = "next" if "next" in words else "this"
    unit = re.search(r"week|month|year", words.replace("eow", "week"))
    return (
        last_day(_period(f"{side} {unit[0]}", said, is_past)) if unit else part_of(said.midnight, "evening")
    )


def _offset(words: str, said: Said, is_past: bool) -> Stretch:
    if is_past and not words.endswith(("ago", "now")):
        raise ValueError("a length of time")  # "it was built in a day"
    words = re.sub(r"^within\b", "in", words)
    words = re.sub(r"\ban?\s+couple\s+of\b", "2", re.sub(r"\ba\s+few\b", "3", words))
    words = re.sub(r"\bhalf\s+an\s+hours?\b", "30 minutes", words)
    words = re.sub(r"\bthree\s+quarters\s+of\s+an\s+hour\b", "45 minutes", words)
    words = re.sub(r"\ba\s+quarter\s+of\s+an\s+hour\b", "15 minutes", words)
    words = re.sub(r"\b[a-z]+(?:-five)?\b", lambda word: str(_TENS.get(word[0], word[0])), words)
    words = re.sub(r"\ban?\s+hour\s+and\s+a\s+half\b", "90 minutes", words)
    found = _by_library(words, said.local, is_past=False)
    if re.search(r"min|hour|hr", words):
        return elapsed(said, (found - said.local).total_seconds())
    months = re.search(r"month|year", words)
    return whole(_same_day(found, said) if months else found, _exactness(words))


_TENS = {"fifteen": 15, "sixty": 60, "ninety": 90} | {
    f"{name}{tail}": value + more
    for name, value in (("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50))
    for tail, more in (("", 0), ("-five", 5))
}


def _exactness(words: str) -> Precision:
    """Who says "five years ago" names a year, "two months ago" a month; what lies ahead is a day."""
    if not words.endswith("ago"):
        return "day"
    if "year" in words:
        return "year"
    return "month" if "month" in words else "day"


def _same_day(found: datetime, said: Said) -> datetime:
    """The library lands on the right month; the day of the month is the writer's own."""
    this = said.midnight
    return months_away(this, (found.year - this.year) * 12 + found.month - this.month)


def _weeks_away(said: Said, count: int) -> datetime:
    return datetime.fromordinal(said.midnight.toordinal() + 7 * count)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_UNITS = r"(?:minute|min|hour|hr|day|week|month|year)s?"
_HALF = r"(?:\s+and\s+a\s+half)?"
DAYS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (_compiled(r"(?<![A-Za-z0-9_./-])\d{4}-\d{1,2}-\d{1,2}(?![A-Za-z0-9_/-])"), _iso),
    (_compiled(r"(?<![A-Za-z0-9_./-])\d{1,2}/\d{1,2}/\d{4}(?![A-Za-z0-9_/-])"), named_day),
    (
        _compiled(
            r"(?:(?<=\bby\s)|(?<=\bon\s)|(?<=\bbefore\s)|(?<=\buntil\s)|(?<=\bfor\s)|(?<=\bdue\s))\d{1,2}/\d{1,2}(?![\w/%-]|\s+(?:of|cup|tsp|full|done))"
        ),
        _slashed,
    ),
    (
        _compiled(
            rf"(?:\b{WEEKDAY},?\s+)?\b(?:{MONTH}\.?\s+{_NTH}|(?!{_MONTH_AS_WORD}\b){MONTH}\.?\s+\d{{1,2}}"
            rf"|(?-i:May|March)\s+\d{{1,2}})\b(?!\s?[ap]m|:){_YEAR}"
        ),
        named_day,
    ),
    (
        _compiled(
            rf"(?:\b{WEEKDAY},?\s+(?:the\s+)?)?\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}\b{_YEAR}"
        ),
        named_day,
    ),
    # Of a day that no calendar has (29 February 2027) no month is left.
    (
        _compiled(
            r"(?<!\b\d\s)(?<!\b\d\d\s)(?<!\d(?:st|nd|rd|th)\s)(?<!\d\sof\s)(?<!\d(?:st|nd|rd|th)\sof\s)"
            rf"\b{MONTH}\s+(?:19|20)\d\d\b"
        ),
        _month_of_year,
    ),
    (
        _compiled(
            rf"\b(?!this\s+(?-i:may|mar(?:ch)?)\b|(?!in\b)\w+\s+(?-i:may)\s+{_AFTER_MAY}\b)"
            rf"(?:in|by|before|since|until|last|next|this)\s+{MONTH}\b(?!\s*\d|')"
        ),
        _month,
    ),
    (_compiled(r"\b(?:in|since|by|until)\s+(?:19|20)\d\d\b(?![-/:.]?\d)"), _year),
    (
        _compiled(
            rf"\b(?:in|within)\s+{_NUMBER}\s+{_UNITS}\b{_HALF}|\b{_NUMBER}\s+{_UNITS}{_HALF}\s+(?:ago|from\s+now)\b"
        ),
        _offset,
    ),
    (
        _compiled(
            r"\b(?:the\s+)?end\s+of\s+(?:the\s+|this\s+|next\s+)?(?:day|week|month|year)\b|\b(?:EOD|EOW|COB|close\s+of\s+business)\b"
            rf"(?!\s+(?:on\s+)?(?:(?:next\s+)?{WEEKDAY}|today|tomorrow|{MONTH}|the\s+\d))"
        ),
        _end_of,
    ),
    (_compiled(r"\b(?:this|next|last|the)\s+weekend\b"), _weekend),
    (
        _compiled(
            rf"\b{WEEKDAY},?\s+(?:of\s+)?(?:next|this|last)\s+week\b|\b(?:next|this|last)\s+week,?\s+(?:on\s+)?{WEEKDAY}\b"
        ),
        _day_of_week,
    ),
    (
        _compiled(
            rf"\b(?:a|one|two|2)\s+weeks?\s+(?:(?:from|on)\s+{WEEKDAY}|(?:from\s+)?(?:today|tomorrow))\b|\b{WEEKDAY}\s+week\b"
            r"|\bin\s+a\s+fortnight\b|\ba\s+fortnight\s+from\s+(?:now|today)\b"
        ),
        _week_from,
    ),
    (
        _compiled(
            r"\b(?:christmas\s+(?:eve|day)|boxing\s+day|new\s+year's\s+(?:eve|day)|halloween|valentine's\s+day)\b"
            r"|(?:(?<=\bby\s)|(?<=\bbefore\s)|(?<=\buntil\s))(?:christmas|xmas|new\s+year(?:'s)?)\b(?!\s+\w*(?:part|dinner|break|holiday|tree))"
        ),
        _holiday,
    ),
    (
        _compiled(
            r"(?<![\d.])\d{1,2}\.\d{1,2}\.(?:19|20)\d\d(?![\d.])|(?:(?<=\bby\s)|(?<=\bon\s)|(?<=\bbefore\s)|(?<=\buntil\s))\d{1,2}\.\d{1,2}\.(?!\d)"
        ),
        _european,
    ),
    (_compiled(r"\b(?:the\s+)?last\s+day\s+of\s+(?:the|this|next)\s+(?:month|year)\b"), _end_of),
    (_compiled(r"\b(?:this|next|last)\s+(?:week|month|year)\b(?!\s+of\b)"), _period),
    (
        _compiled(
            rf"\b(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday)\b|\b(?:today|tonight|tomorrow|{_MISSPELT}|yesterday"
            r"|this\s+(?:morning|afternoon|evening)|last\s+night)\b"
        ),
        _word,
    ),
    (_compiled(rf"\b{WEEKDAY},?\s+(?:the\s+)?{_NTH}\b(?!\s+(?:of\s+)?{MONTH}\b)"), _weekday_nth),
    (_compiled(rf"\b(?:{_SIDE}\s+)?{WEEKDAY}\b"), _weekday),
    (
        _compiled(
            rf"\b{_SIDE}\s+{_SHORT}\b|\b{_SHORT}\b(?=,?\s+(?:at\s+)?\d{{1,2}}(?::\d\d|\s?[ap]m))"
            rf"|(?:(?<=\bon\s)|(?<=\bby\s)|(?<=\bbefore\s)|(?<=\buntil\s)|(?<=\bme\s)){_SHORT}\b"
            r"(?=\s*(?:$|[.,;!?]|(?:to|at|morning|afternoon|evening|night|about)\b))"
        ),
        _weekday,
    ),
    (_compiled(rf"\bthe\s+{_NTH}(?=\s*(?:$|[.,;:!?)]|{_CLAUSE_WORD}\b))"), _nth),
)
