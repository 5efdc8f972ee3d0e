"""When something is to be done: the dates of a sentence, put together and weighed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.dates import DateMention, due_moment, find_dates
from memory.dates.moment import zone_of
from memory.terms import Language

_CLOCK_ALONE = re.compile(
    r"\W*(?:(?:by|before|at|around|until|till|from|due|no\s+later\s+than)\s+|@\s?)?(?:\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?)?"
    r"(?:\s?o'?clock)?|noon|midday|midnight)(?:\s+in\s+the\s+(?:morning|afternoon|evening))?\W*"
    r"|(?:凌晨|半夜|清晨|一大早|一早|早上|早晨|上午|早|中午|下午|傍晚|晚上|夜里|晚)?的?\s?[\d零〇一二两三四五六七八九十]{1,3}"
    r"(?:[点點:：]\S{0,3})(?:之前|以前|前)?",
    re.IGNORECASE,
)
_BY = re.compile(r"by\b", re.IGNORECASE)
_BEFORE = re.compile(r"before\b", re.IGNORECASE)
_SIDE_BY_SIDE = 2  # characters: a comma and a space
_HALF = re.compile(
    r"[ap]\.?m\b|noon|night|morning|afternoon|evening|(?:1[3-9]|2[0-3])\s*[:.：点]|[早晚午晨夜]|凌晨|十[三-九]点|二十点",
    re.IGNORECASE,
)
_HALF_A_DAY_S = 43_200
_NAP_S = 4 * 3600  # who is woken sooner sleeps by day
_FIRST_HOUR, _LAST_HOUR = 15, 19  # where an alarm was hardly meant
_WEEKDAYS = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class Timing:
    """A moment that a sentence names, in one place of it or in two ("tomorrow ... at 3pm")."""

    date: DateMention
    spans: tuple[tuple[int, int], ...]

    @property
    def is_today(self) -> bool:
        """Whether it is the whole day of the message, and no limit."""
        return self.date.at <= self.date.said_at and not self.date.is_limit

    def distance(self, place: tuple[int, int]) -> int:
        """How many characters lie between it and a place of the sentence."""
        return min(max(start - place[1], place[0] - end, 0) for start, end in self.spans)


def timings(dates: Sequence[DateMention], at: int, tz: str) -> list[Timing]:
    """The moments that lie ahead; a clock without a day belongs to a day that is named beside it."""
    found = [date for date in dates if date.precision != "year"]
    return [one for one in _joined(found, at, tz) if one.date.until > at and due_moment(one.date) > at]


def due_at(date: DateMention, *, is_reminder: bool, ahead_s: int = 0) -> int:
    """When to bring it up, Unix seconds.

    What is promised by a day, or wanted to be reminded of by it, comes up on the morning of that day; what
    must be done before it earlier. A reminder wanted some time ahead comes that much earlier,
    unless that moment has passed.
    """
    if ahead_s:
        due = due_moment(replace(date, is_limit=False))
        return due - ahead_s if due - ahead_s > date.said_at else due
    is_day = date.precision not in ("minute", "hour")
    if _BEFORE.match(date.text) or (is_reminder and not (is_day and _BY.match(date.text))):
        return due_moment(date)
    return due_moment(replace(date, is_limit=False) if date.is_limit and is_day else date)


def before_noon(timing: Timing) -> Timing:
    """An early hour that was read as an afternoon's, where somebody is to be woken: 5:45, six."""
    date = timing.date
    earlier = date.at - _HALF_A_DAY_S
    if earlier <= date.said_at and date.at - date.said_at > _NAP_S:
        earlier += 2 * _HALF_A_DAY_S
    hour = datetime.fromtimestamp(date.at, zone_of(date.tz)).hour
    is_open = date.precision in ("minute", "hour") and not _HALF.search(date.text)
    if not (is_open and _FIRST_HOUR <= hour < _LAST_HOUR and earlier > date.said_at):
        return timing
    return replace(timing, date=replace(date, at=earlier, until=earlier + date.until - date.at))


def is_clock(date: DateMention) -> bool:
    """Whether it is a clock without a day."""
    return bool(_CLOCK_ALONE.fullmatch(date.text))


def written(date: DateMention, language: Language) -> str:
    """The absolute date, with its weekday where a day is meant, and its time where one is named."""
    zone = zone_of(date.tz)
    first = datetime.fromtimestamp(date.at, zone)
    last = datetime.fromtimestamp(date.until - 1, zone)
    day = f"{first:%Y-%m-%d}"
    if date.precision in ("week", "month") or first.date() != last.date():
        return f"{day} – {last:%Y-%m-%d}" if language == "en" else f"{day} 至 {last:%Y-%m-%d}"
    if date.precision == "minute" or (date.precision == "hour" and date.until - date.at == 3600):
        day += f" {first:%H:%M}"
    if language == "en":
        limit = ("before " if _BEFORE.match(date.text) else "by ") if date.is_limit else ""
        return f"{limit}{first:%a} {day}"
    return f"周{_WEEKDAYS[first.weekday()]} {day}" + (" 之前" if date.is_limit else "")


def _joined(dates: Sequence[DateMention], at: int, tz: str) -> Iterator[Timing]:
    clocks = [date for date in dates if is_clock(date)]
    for timing in _days([date for date in dates if date not in clocks]):
        whole = _together(timing.date, clocks[0], at, tz) if clocks else None
        if whole:
            clock = clocks.pop(0)
            yield Timing(whole, (*timing.spans, (clock.start, clock.end)))
        else:
            yield timing
    for clock in clocks:
        yield Timing(clock, ((clock.start, clock.end),))


def _days(dates: Iterable[DateMention]) -> list[Timing]:
    """The days that are named; side by side ("Tuesday the 1st") they are one, which the second names best."""
    found: list[Timing] = []
    for date in dates:
        span = (date.start, date.end)
        last = found[-1] if found else None
        if last and date.start - last.date.end <= _SIDE_BY_SIDE:
            found[-1] = Timing(
                replace(date, is_limit=date.is_limit or last.date.is_limit), (*last.spans, span)
            )
        else:
            found.append(Timing(date, (span,)))
    return found


def _together(day: DateMention, clock: DateMention, at: int, tz: str) -> DateMention | None:
    """The day at that clock, as the words would mean it side by side."""
    if day.precision not in ("day", "hour"):
        return None
    found = find_dates(f"{day.text} {clock.text}", at, tz)
    return found[0] if len(found) == 1 else None
