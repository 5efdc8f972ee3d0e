"""Moments in a zone: the message's own time, the calendar around it, and what a date mention is."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

Precision = Literal["minute", "hour", "day", "week", "month", "year"]

DAY = timedelta(days=1)
_JUST_OVER = 31 * DAY
HOUR_S = 3600
_RING_HOUR = 9  # a reminder for a whole day rings at 09:00 local
_FIRST_YEAR, _LAST_YEAR = 1900, 2199  # beyond them a number is hardly a date


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date that a text names: `text[start:end]` means the time from `at` up to `until`, in Unix seconds.

    `is_limit`: something must be done before it ("by Friday", 周五之前). Said at `said_at` in zone `tz`.
    """

    start: int
    end: int
    at: int
    until: int
    precision: Precision
    text: str
    is_limit: bool = False
    said_at: int = 0
    tz: str = "UTC"


@dataclass(frozen=True, slots=True)
class Said:
    """When and where a message was written; every relative date counts from here."""

    at: int
    tz: str

    @property
    def local(self) -> datetime:
        """The wall clock of the writer, without zone."""
        return datetime.fromtimestamp(self.at, zone_of(self.tz)).replace(tzinfo=None)

    @property
    def midnight(self) -> datetime:
        """The start of the writer's day."""
        return datetime.combine(self.local.date(), time())

    def unix(self, local: datetime) -> int:
        """Unix seconds of a wall-clock time; one that the clock skips is read as an hour later."""
        return int(local.replace(tzinfo=zone_of(self.tz)).timestamp())


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of the writer's calendar: wall-clock start, exclusive end, how exactly it was named."""

    start: datetime
    end: datetime
    precision: Precision


def zone_of(tz: str) -> ZoneInfo:
    """The IANA zone of that name; UTC for a name that nobody knows."""
    return _known_zone(tz) or ZoneInfo("UTC")


def is_zone(tz: str) -> bool:
    """Whether there is an IANA zone of that name."""
    return _known_zone(tz) is not None


def _known_zone(tz: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(tz)
    except (KeyError, ValueError, OSError):
        return None


def whole(moment: datetime, precision: Precision) -> Stretch:
    """The whole day, week (from Monday), month or year around a moment."""
    start = datetime.combine(moment.date(), time())
    if precision == "week":
        start -= DAY * start.weekday()
        return Stretch(start, start + 7 * DAY, precision)
    if precision == "month":
        start = start.replace(day=1)
        return Stretch(start, next_month(start), precision)
    if precision == "year":
        start = start.replace(month=1, day=1)
        return Stretch(start, start.replace(year=start.year + 1), precision)
    return Stretch(start, start + DAY, "day")


def next_month(first: datetime, count: int = 1) -> datetime:
    """The first day of the month `count` months after the one that `first` lies in."""
    months = first.year * 12 + first.month - 1 + count
    return first.replace(year=months // 12, month=months % 12 + 1, day=1)


def months_away(moment: datetime, count: int) -> datetime:
    """The same day of another month, or that month's last day where there is none."""
    first = next_month(moment, count)
    return first + min(moment.day - 1, (next_month(first) - first).days - 1) * DAY


def weekend(week: datetime) -> Stretch:
    """Saturday and Sunday of the week that a moment lies in."""
    monday = whole(week, "week").start
    return Stretch(monday + 5 * DAY, monday + 7 * DAY, "day")


def last_day(period: Stretch) -> Stretch:
    """The last day of a month or year; of a week its Friday."""
    back = 3 if period.precision == "week" else 1
    return whole(period.end - back * DAY, "day")


def day_of_month(said: Said, day: int, *, is_past: bool) -> datetime:
    """The nearest such day, from today on or, for the past, up to today. Raises ValueError for none."""
    if not 1 <= day <= 31:
        raise ValueError(f"no month has a day {day}")
    today = said.midnight
    step = -1 if is_past else 1
    is_right: Callable[[datetime], bool] = (lambda d: d <= today) if is_past else (lambda d: d >= today)
    for count in range(0, 3 * step, step):
        first = next_month(today, count)
        found = first + (day - 1) * DAY
        if found.month == first.month and is_right(found):
            return found
    raise ValueError(f"no near month has a day {day}")


def is_just_over(day: Stretch, said: Said) -> bool:
    """Whether a day of the year is but a month ago, so that hardly anybody would mean the next one."""
    return day.end <= said.midnight and said.midnight - day.end <= _JUST_OVER


def elapsed(said: Said, seconds: float) -> Stretch:
    """So many seconds from now, counted as they pass and not as a wall clock shows them."""
    moment = datetime.fromtimestamp(said.at + seconds, zone_of(said.tz)).replace(tzinfo=None)
    return Stretch(moment, moment + timedelta(minutes=1), "minute")


def mention(said: Said, text: str, span: tuple[int, int], stretch: Stretch, *, is_limit: bool) -> DateMention:
    """The mention of a stretch. Raises ValueError or OverflowError for years that are no date."""
    if not _FIRST_YEAR <= stretch.start.year <= _LAST_YEAR:
        raise ValueError(f"the year {stretch.start.year} is no date")
    start, end = span
    at = said.unix(stretch.start)
    until = max(said.unix(stretch.end), at + 60)
    return DateMention(start, end, at, until, stretch.precision, text[start:end], is_limit, said.at, said.tz)


def due_moment(mention: DateMention) -> int:
    """When a reminder for it should ring, Unix seconds.

    A time of day rings at that time, a day or anything longer at 09:00 of its first day. A limit rings
    before it: one hour before a time of day (half-way there if less is left), at 09:00 of the day before
    a day. What would have rung before it was said rings an hour after it was said, if it still lies ahead.
    """
    if mention.precision in ("minute", "hour"):
        ahead = max(0, mention.at - mention.said_at)
        return mention.at - min(HOUR_S, ahead // 2) if mention.is_limit else mention.at
    said = Said(mention.said_at, mention.tz)
    first = datetime.fromtimestamp(mention.at, zone_of(mention.tz)).replace(tzinfo=None)
    morning = datetime.combine(first.date(), time(_RING_HOUR))
    rings = [said.unix(morning - DAY)] if mention.is_limit else []
    rings += [said.unix(morning)]
    soon = mention.said_at + HOUR_S
    return next(
        (ring for ring in rings if ring > mention.said_at), soon if soon < mention.until else rings[-1]
    )


def is_in_calendar(at: int) -> bool:
    """Whether a Unix time has a date, with a day to spare for every zone."""
    try:
        return _FIRST_YEAR <= datetime.fromtimestamp(at, UTC).year <= _LAST_YEAR
    except (ValueError, OverflowError, OSError):
        return False
