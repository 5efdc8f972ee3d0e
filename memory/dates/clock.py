"""The time of day: how a clock that was named falls on a day. English and Chinese share these rules."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from memory.dates.moment import DAY, Said, Stretch

Part = Literal["dawn", "morning", "noon", "afternoon", "evening", "night"]

_PART_HOURS: dict[Part, tuple[int, int]] = {
    "dawn": (0, 6),
    "morning": (9, 12),
    "noon": (12, 14),
    "afternoon": (14, 18),
    "evening": (18, 24),
    "night": (20, 24),
}
_LATE_PARTS = ("noon", "afternoon", "evening", "night")
_FIRST_MORNING_HOUR = 7  # "at 9" is in the morning, "at 3" after noon
_EVENING_BEGINS = 4  # "at 4 in the evening" is after noon, at 2 after midnight
_NIGHT_ENDS = 5  # "at 2 in the night" is before dawn
_FIRST_MORNING_MINUTES = 6  # who writes 6:40 means a train, not a dinner


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as it was named; `is_open` if it could be before or after noon."""

    hour: int
    minute: int = 0
    has_minutes: bool = False
    is_open: bool = True


def part_of(day: datetime, part: Part) -> Stretch:
    """The part of a day, from the hour at which people expect it."""
    first, last = _PART_HOURS[part]
    return Stretch(day + timedelta(hours=first), day + timedelta(hours=last), "hour")


def clock_on(day: datetime, clock: Clock, part: Part | None) -> Stretch:
    """The clock on a day. Raises ValueError for an hour that no clock shows."""
    hour = _hour(clock, part)
    if hour >= 24:  # "24:00" and midnight end the day, 晚上两点 is after it
        day, hour = day + DAY, hour - 24
    return _stretch(day.replace(hour=hour, minute=clock.minute), clock)


def clock_alone(said: Said, clock: Clock, part: Part | None, *, is_past: bool) -> Stretch:
    """The clock with no day beside it: the next time it shows that, or for the past the last time."""
    now = said.local
    found = clock_on(said.midnight, clock, part)
    if is_past:
        return found if found.start <= now else _moved(found, -DAY)
    if found.start > now:
        return found
    later = _moved(found, timedelta(hours=12))
    if clock.is_open and part is None and found.start.hour < 12 and later.start > now:
        return later
    return _moved(found, DAY)


def _hour(clock: Clock, part: Part | None) -> int:
    hour = clock.hour
    if not 0 <= hour <= 24 or not 0 <= clock.minute <= 59:
        raise ValueError(f"no clock shows {hour}:{clock.minute}")
    if not clock.is_open or hour > 12:
        return hour
    if part in ("dawn", "morning"):
        return hour % 12 if part == "dawn" else hour
    if part == "night" and 0 < hour < _NIGHT_ENDS:
        return hour
    if part == "evening" and 0 < hour < _EVENING_BEGINS:
        return hour + 24
    if part in ("evening", "night") and hour == 12:
        return 24
    if part in _LATE_PARTS:
        return hour + 12 if hour < (11 if part == "noon" else 12) else hour
    first = _FIRST_MORNING_MINUTES if clock.has_minutes else _FIRST_MORNING_HOUR
    return hour + 12 if 0 < hour < first else hour


def _stretch(start: datetime, clock: Clock) -> Stretch:
    if clock.has_minutes:
        return Stretch(start, start + timedelta(minutes=1), "minute")
    return Stretch(start, start + timedelta(hours=1), "hour")


def _moved(stretch: Stretch, by: timedelta) -> Stretch:
    return Stretch(stretch.start + by, stretch.end + by, stretch.precision)
