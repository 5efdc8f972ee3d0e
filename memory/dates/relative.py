"""Times that count from when a question is asked: a day, week, month or year so far from it."""

from datetime import datetime, timedelta
from typing import Literal

from memory.dates.moment import DAY, Said, Stretch, months_away, next_month, weekend, whole
from memory.dates.named import CalendarDate, Reader


def days_away(count: int) -> Reader:
    """The day so many days from today."""
    return lambda said, _: whole(said.midnight + DAY * count, "day")


def weeks_away(count: int) -> Reader:
    """The calendar week, from Monday, so many weeks from this one."""
    return lambda said, _: whole(said.midnight + 7 * DAY * count, "week")


def months_from_this(count: int) -> Reader:
    """The calendar month so many months from this one."""
    return lambda said, _: whole(next_month(said.midnight.replace(day=1), count), "month")


def years_from_this(count: int) -> Reader:
    """The calendar year so many years from this one."""
    return CalendarDate(years_away=count).read


def weekday_of_week(weekday: int, weeks: int) -> Reader:
    """A weekday (Monday is 0) of the calendar week so many weeks from this one."""
    return lambda said, _: whole(whole(said.midnight, "week").start + DAY * (weekday + 7 * weeks), "day")


def weekday_before(weekday: int) -> Reader:
    """The latest such day before today."""
    return lambda said, _: whole(
        said.midnight - DAY * ((said.midnight.weekday() - weekday - 1) % 7 + 1), "day"
    )


def weekday_after(weekday: int) -> Reader:
    """The first such day after today."""
    return lambda said, _: whole(
        said.midnight + DAY * ((weekday - said.midnight.weekday() - 1) % 7 + 1), "day"
    )


def weekday_near(weekday: int) -> Reader:
    """The latest such day before today; ahead, the first from today on."""

    def read(said: Said, is_past: bool) -> Stretch:
        if is_past:
            return weekday_before(weekday)(said, True)
        return whole(said.midnight + DAY * ((weekday - said.midnight.weekday()) % 7), "day")

    return read


def weekend_of_week(weeks: int) -> Reader:
    """Saturday and Sunday of the calendar week so many weeks from this one."""
    return lambda said, _: weekend(said.midnight + 7 * DAY * weeks)


def weekend_near(said: Said, is_past: bool) -> Stretch:
    """The latest weekend that has begun; ahead, this week's."""
    this = weekend(said.midnight)
    return weekend(said.midnight - 7 * DAY) if is_past and this.start > said.midnight else this


def month_on_side(month: int, side: int) -> Reader:
    """The month of this year (side 0), the latest before the present month (-1), the first after it (1)."""

    def read(said: Said, _: bool) -> Stretch:
        this = said.midnight.replace(day=1)
        away = month - this.month
        if side < 0:
            away = -((this.month - month - 1) % 12 + 1)
        elif side > 0:
            away = (month - this.month - 1) % 12 + 1
        return whole(next_month(this, away), "month")

    return read


def day_of_month_away(day: int, months: int) -> Reader:
    """A day of the calendar month so many months from this one."""

    def read(said: Said, _: bool) -> Stretch:
        first = next_month(said.midnight.replace(day=1), months)
        return whole(first.replace(day=day), "day")

    return read


Unit = Literal["moment", "day", "week", "month", "year"]


def offset(count: float, unit: Unit) -> Reader:
    """So many units from today (back for less than 0), as widely as people mean it.

    Days are exact; of weeks it is the seven days around, of months the month around, of years the year.
    A moment, counted in hours, is the day that it lies in.
    """

    def read(said: Said, _: bool) -> Stretch:
        if unit == "moment":
            return whole(said.local + timedelta(hours=_bounded(count)), "day")
        if unit in ("day", "week"):
            middle = said.midnight + DAY * round(_bounded(count) * (7 if unit == "week" else 1))
            around = 3 if unit == "week" and count == int(count) else 0
            return Stretch(middle - DAY * around, middle + DAY * (around + 1), "day")
        months = round(_bounded(count) * (12 if unit == "year" else 1))
        middle = months_away(said.midnight, months)
        around = 182 if abs(months) >= 12 else 15
        return Stretch(middle - DAY * around, middle + DAY * (around + 1), "day")

    return read


def few_ago(unit: Unit) -> Reader:
    """ "A few days ago": two to six of them."""

    def read(said: Said, is_past: bool) -> Stretch:
        return Stretch(offset(-6, unit)(said, is_past).start, offset(-2, unit)(said, is_past).end, "day")

    return read


def latest(count: float, unit: Unit) -> Reader:
    """The last so many units up to the end of today."""

    def read(said: Said, _: bool) -> Stretch:
        today = said.midnight
        return Stretch(_moved(today, -count, unit), today + DAY, "day")

    return read


def adjacent(count: float, unit: Unit) -> Reader:
    """So many units that end where they are counted from; ahead, that begin there."""

    def read(said: Said, is_past: bool) -> Stretch:
        here = said.midnight
        there = _moved(here, -count if is_past else count, unit)
        return Stretch(min(here, there), max(here, there), "day")

    return read


def at_distance(count: float, unit: Unit) -> Reader:
    """So many units before the day that they are counted from, or after the one that ends there."""

    def read(said: Said, is_past: bool) -> Stretch:
        if is_past:
            return offset(-count, unit)(said, is_past)
        return offset(count, unit)(Said(said.unix(said.midnight - DAY), said.tz), is_past)

    return read


def _moved(moment: datetime, count: float, unit: Unit) -> datetime:
    if unit in ("month", "year"):
        return months_away(moment, round(_bounded(count) * (12 if unit == "year" else 1)))
    return moment + DAY * round(_bounded(count) * {"day": 1, "week": 7, "moment": 1 / 24}[unit])


def _bounded(count: float) -> float:
    if abs(count) > 2000:
        raise ValueError("too far away for a date")
    return count
