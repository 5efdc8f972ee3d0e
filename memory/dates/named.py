"""A time as a question names it ("June 3", "last week", 上周三), before it has a place in the calendar."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from memory.dates.moment import DAY, Said, Stretch, day_of_month, next_month, whole

Reader = Callable[[Said, bool], Stretch]
"""The stretch that some words mean for who asks at a moment; True: the question looks back."""

Portion = Literal["early", "middle", "late", "first half", "second half"] | int
"""Which part of a period; a number is its first, second, ... or last (-1) seven days."""

_YEARS_TO_LOOK = 9  # a 29 February may be eight years away


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """What of a date was said; the rest follows from its neighbours or from when it is asked."""

    year: int | None = None
    years_away: int | None = None
    month: int | None = None
    day: int | None = None

    def read(self, said: Said, is_past: bool) -> Stretch:
        """The day, month or year. Raises ValueError for one that no calendar has."""
        if self.year is None and self.years_away is None:
            return self._near(said, is_past)
        return self._in_year(self._year(said))

    def completed(self, other: "CalendarDate") -> "CalendarDate":
        """With the year and the month of a neighbour, where this one has none: the 3 of "3 and 9 June"."""
        date = self
        if date.year is None and date.years_away is None:
            date = replace(date, year=other.year, years_away=other.years_away)
        if date.month is None and date.day is not None and other.day is not None:
            date = replace(date, month=other.month)
        return date

    def _year(self, said: Said) -> int:
        if self.year is not None:
            return self.year
        return said.midnight.year + (self.years_away or 0)

    def _in_year(self, year: int) -> Stretch:
        start = datetime(year, self.month or 1, self.day or 1)  # noqa: DTZ001 - a wall clock, zone comes later
        return whole(start, "day" if self.day else "month" if self.month else "year")

    def _near(self, said: Said, is_past: bool) -> Stretch:
        """The nearest in time: the present one, else the latest before it or the first after it."""
        if self.month is None:
            return whole(day_of_month(said, self.day or 0, is_past=is_past), "day")
        for away in range(_YEARS_TO_LOOK):
            year = said.midnight.year - away if is_past else said.midnight.year + away
            try:
                found = self._in_year(year)
            except ValueError:
                continue
            if found.start <= said.midnight if is_past else found.end > said.midnight:
                return found
        raise ValueError("no near year has that day")


@dataclass(frozen=True, slots=True)
class Named:
    """Some words that name a time: a calendar date, or what `read` makes of them.

    `is_weak`: they mean a time only beside another one ("3" in "3 to 9 June"). `is_void`: they name
    none, and cover other words that would. `comes_again`: the same words fit many times (a bare weekday).
    `is_beside`: they count from a date beside them ("the week" before June 3), and are weak.
    """

    start: int
    end: int
    date: CalendarDate | None = None
    read: Reader | None = None
    portion: Portion | None = None
    is_weak: bool = False
    is_void: bool = False
    comes_again: bool = False
    is_beside: bool = False

    def stretch(self, said: Said, is_past: bool) -> Stretch:
        """What it means to who asks at a moment. Raises ValueError for what no calendar has."""
        read = self.date.read if self.date else self.read
        if read is None:
            raise ValueError("nothing was named")
        found = read(said, is_past)
        return found if self.portion is None else portion_of(found, self.portion)

    @property
    def is_open(self) -> bool:
        """Whether a neighbour in a range decides which of several times is meant."""
        return self.comes_again or bool(self.date and self.date.year is None and self.date.years_away is None)


def beside(first: Named, anchor: Named, span: tuple[int, int], *, is_before: bool) -> Named:
    """A time that counts from another one: "the Sunday before June 3", 春节前一周."""

    def read(said: Said, is_past: bool) -> Stretch:
        found = anchor.stretch(said, is_past)
        return first.stretch(Said(said.unix(found.start if is_before else found.end), said.tz), is_before)

    return Named(*span, read=read)


def portion_of(period: Stretch, portion: Portion) -> Stretch:
    """A part of a week, month or year; of a day all of it."""
    start, end, days = period.start, period.end, (period.end - period.start).days
    if days <= 1:
        return period
    if isinstance(portion, int):
        first = end - 7 * DAY if portion < 0 else start + 7 * DAY * (portion - 1)
        if first >= end:
            raise ValueError("the period has no such week")
        return Stretch(first, min(first + 7 * DAY, end), "week")
    if portion in ("first half", "second half"):
        middle = next_month(start, 6) if period.precision == "year" else start + DAY * (days // 2)
        return Stretch(start, middle, "day") if portion == "first half" else Stretch(middle, end, "day")
    bounds = [next_month(start, 4), next_month(start, 8)] if period.precision == "year" else None
    early, late = bounds or (start + DAY * (days // 3), start + DAY * (days // 3 * 2))
    found = {"early": (start, early), "middle": (early, late), "late": (late, end)}[portion]
    return Stretch(*found, "day")
