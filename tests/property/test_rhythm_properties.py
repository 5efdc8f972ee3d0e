"""Rhythms by simulation: how often ordinary hours pass for a habit, and how often a habit is found."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory.proactive.habits.hours import hours_of
from memory.proactive.habits.rhythm import Rhythm, rhythm

DAY = datetime.fromisoformat("2026-03-02")
MOMENTS = st.datetimes(DAY, DAY + timedelta(days=28))
_DRAWS = 2_000

Draw = Callable[[np.random.Generator, int], Sequence[float]]


def ordinary(random: np.random.Generator, count: int) -> Sequence[float]:
    """Hours of who writes in the morning and in the evening."""
    mornings = random.normal(10, 1.8, count)
    hours: Sequence[float] = (
        np.where(random.random(count) < 0.5, mornings, random.normal(21, 1.6, count)) % 24
    ).tolist()
    return hours


def habitual(random: np.random.Generator, count: int) -> Sequence[float]:
    """Some hour of the day, within 45 minutes."""
    hours: Sequence[float] = ((random.uniform(7, 23) + random.normal(0, 0.75, count)) % 24).tolist()
    return hours


def daily(hours: Sequence[float]) -> list[datetime]:
    return [DAY + timedelta(days=day, hours=hour) for day, hour in enumerate(hours)]


def share_found(draw: Draw, days: int) -> float:
    """Of users who ask on so many days, of how many a habit is told on the last."""
    random = np.random.default_rng(20261130)
    hours = hours_of(one for _ in range(8) for one in daily(ordinary(random, 28)))
    asked = (daily(draw(random, days)) for _ in range(_DRAWS))
    found = [rhythm(moments[-1], moments[:-1], hours, 1 / 7) for moments in asked]
    return sum(one is not None for one in found) / _DRAWS


def test_ordinary_hours_rarely_pass_for_a_habit() -> None:
    """At most 3 in 100 by the fifth day, and fewer the longer they are watched."""
    assert share_found(ordinary, 5) <= 0.03
    assert share_found(ordinary, 10) <= 0.01


def test_who_asks_three_times_a_day_has_no_habit_by_that() -> None:
    """One of many askings is always near to an hour, and counts for less."""
    random = np.random.default_rng(7)
    hours = hours_of(one for _ in range(8) for one in daily(ordinary(random, 28)))
    found = 0
    for _ in range(_DRAWS):
        moments = sorted(one for _ in range(3) for one in daily(ordinary(random, 7)))
        found += rhythm(moments[-1], moments[:-1], hours, 1 / 7) is not None
    assert found / _DRAWS <= 0.03


def test_a_habit_is_found_on_its_fifth_day() -> None:
    """At least 9 in 10, and nearly all by the tenth."""
    assert share_found(habitual, 5) >= 0.90
    assert share_found(habitual, 10) >= 0.97


@given(
    st.lists(MOMENTS, min_size=3, max_size=40),
    st.lists(MOMENTS, max_size=40),
    st.floats(0.02, 0.9),
)
def test_what_is_expected_lies_ahead(moments: list[datetime], others: list[datetime], share: float) -> None:
    """Within eight days, start before end, and likelier than not."""
    moments.sort()
    found: Rhythm | None = rhythm(moments[-1], moments[:-1], hours_of(others), share)
    if found is not None:
        assert moments[-1] < found.start <= found.at <= found.end
        assert found.at <= moments[-1] + timedelta(days=8)
        assert 0.5 <= found.share <= 1
