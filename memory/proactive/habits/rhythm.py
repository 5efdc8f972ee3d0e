"""Whether what was asked comes again at an hour or on a weekday, and when it comes next. Pure arithmetic."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from memory.proactive.habits.hours import DAY_H, Hours

WEEK = 7
LEAST_DAYS = 5
LEAST_WEEKS = 4
LEAST_TIMES = 3  # three weeks, at its hour
# Log-likelihood of "at its hour" against the user's ordinary hours, a day. Chosen by simulation: of ordinary
# users 1.7 % pass on the fifth day and 0.7 % on the eighth, of habits within 45 minutes 94 and 96 %.
AT_ITS_HOUR = 0.7
_JITTER_H = 0.75
_ELSEWHEN = 0.1  # the share that even a habit has at other hours
_BY_CHANCE, _BY_CHANCE_AT_ITS_HOUR = 0.005, 0.021  # that so many fall on one weekday
_EXPECTED = 0.5
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When it is expected next, local time: between `start` and `end`, about `at`.

    `is_weekly`: on this weekday, else on other days too. `share`: how often it came where it was expected.
    """

    at: datetime
    start: datetime
    end: datetime
    is_weekly: bool
    share: float


@dataclass(frozen=True, slots=True)
class _Day:
    """One day's asking: how far from this turn's hour, what that hour is worth, how many askings that day."""

    off_h: float
    density: float
    askings: int


def rhythm(now: datetime, before: Sequence[datetime], hours: Hours, weekday_share: float) -> Rhythm | None:
    """The rhythm of an asking with those before it, all in their own wall clock; None for none.

    `weekday_share`: of the days on which the user says anything, how many are this weekday.
    """
    days = _days(now, before, hours)
    weekly = {day: one for day, one in days.items() if day % WEEK == 0}
    if _is_weekly(days, weekly, weekday_share):
        return _next(now, days, list(weekly.values()), is_weekly=True)
    if len(days) >= LEAST_DAYS and _score(list(days.values())) >= AT_ITS_HOUR:
        return _next(now, days, list(days.values()), is_weekly=False)
    return None


def _days(now: datetime, before: Sequence[datetime], hours: Hours) -> Mapping[int, _Day]:
    """By the number of days before this turn, each day the asking nearest to its hour.

    A day goes from half a day before that hour to half a day after it, so that midnight parts no habit.
    """
    found: dict[int, _Day] = {}
    for moment in (now, *before):
        lag_h = (moment - now) / _HOUR
        day = round(lag_h / DAY_H)
        off_h, density = lag_h - day * DAY_H, hours.density(moment)
        known = found.get(day)
        if known is None or abs(off_h) < abs(known.off_h):
            found[day] = _Day(off_h, density, 1 + (known.askings if known else 0))
        else:
            found[day] = _Day(known.off_h, known.density, known.askings + 1)
    return found


def _score(days: Sequence[_Day]) -> float:
    """How much likelier the hours are for a habit than for this user's ordinary days, as a logarithm a day.

    Each day is judged by the others. The nearest of several askings is so much the likelier to be near.
    """
    total = 0.0
    for place, day in enumerate(days):
        usual = median(one.off_h for at, one in enumerate(days) if at != place)
        far = (day.off_h - usual) / _JITTER_H
        at_its_hour = math.exp(-0.5 * far * far) / (_JITTER_H * math.sqrt(2 * math.pi))
        likely = (1 - _ELSEWHEN) * at_its_hour + _ELSEWHEN / DAY_H
        total += math.log(likely / (day.density * day.askings))
    return total / len(days)


def _is_weekly(days: Mapping[int, _Day], weekly: Mapping[int, _Day], share: float) -> bool:
    by_chance = _tail(len(weekly) - 1, len(days) - 1, share)
    if len(weekly) >= LEAST_WEEKS and by_chance <= _BY_CHANCE:
        return True
    is_enough = len(weekly) >= LEAST_TIMES and by_chance <= _BY_CHANCE_AT_ITS_HOUR
    return is_enough and _score(list(weekly.values())) >= AT_ITS_HOUR


def _tail(least: int, count: int, share: float) -> float:
    """The chance that at least so many of `count` days fall on a weekday with this share."""
    return sum(
        math.comb(count, hits) * share**hits * (1 - share) ** (count - hits)
        for hits in range(least, count + 1)
    )


def _next(
    now: datetime, days: Mapping[int, _Day], usual: Sequence[_Day], *, is_weekly: bool
) -> Rhythm | None:
    """The next day on which it is likelier than not, by the same weekdays before; None where there is none.

    So a habit of workdays is not expected on Saturday, and what was broken for long is not expected at all.
    """
    for ahead in range(1, WEEK + 1):
        share = _share(days, ahead)
        if share >= _EXPECTED:
            offs = [one.off_h for one in usual]
            at = now + ahead * timedelta(days=1) + median(offs) * _HOUR
            is_steady = _score(usual) >= AT_ITS_HOUR
            early, late = (0.0, 0.0) if is_steady else (min(offs) - median(offs), max(offs) - median(offs))
            return Rhythm(at, at + early * _HOUR, at + late * _HOUR, is_weekly, share)
    return None


def _share(days: Mapping[int, _Day], ahead: int) -> float:
    """How often it came on the weekday so many days ahead, drawn towards how often it comes at all."""
    first = min(days)
    overall = len(days) / (1 - first)
    same = range(ahead - WEEK, first - 1, -WEEK)
    return (sum(day in days for day in same) + overall) / (len(same) + 1)
