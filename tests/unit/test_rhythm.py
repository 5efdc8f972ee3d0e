"""Rhythms: what counts as an hour or a weekday at which something comes again, and when it comes next."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from memory.proactive.habits.hours import Hours, hours_of
from memory.proactive.habits.rhythm import Rhythm, rhythm

MONDAY = datetime.fromisoformat("2026-03-02")
# Somebody who writes in the morning, at noon and in the evening of each day.
ORDINARY = hours_of(
    MONDAY + timedelta(days=day, hours=hour, minutes=(17 * day) % 60)
    for day in range(28)
    for hour in (8, 9, 10, 12, 13, 19, 20, 21, 22)
)


def moment(local: str) -> datetime:
    return datetime.fromisoformat(local)


def moments(*days_and_clocks: tuple[int, str]) -> list[datetime]:
    """So many days after that Monday, at so many hours and minutes."""
    return [
        MONDAY + timedelta(days=day, hours=int(clock[:2]), minutes=int(clock[3:]))
        for day, clock in days_and_clocks
    ]


def found(moments: Sequence[datetime], hours: Hours = ORDINARY) -> Rhythm | None:
    return rhythm(moments[-1], moments[:-1], hours, 1 / 7)


def at(days: Sequence[int], clock: str = "09:30") -> list[datetime]:
    return moments(*((day, clock) for day in days))


def test_five_days_at_one_hour_are_a_habit_and_four_are_none() -> None:
    """Expected on the next day, at its hour."""
    five = moments((0, "09:40"), (1, "09:15"), (2, "09:30"), (3, "09:50"), (4, "09:20"))
    assert found(five[:4]) is None
    next_one = found(five)
    assert next_one is not None
    assert next_one.at == moment("2026-03-07 09:30")
    assert not next_one.is_weekly


def test_what_is_asked_at_any_hour_is_none() -> None:
    """However often."""
    clocks = ("08:10", "21:30", "12:40", "10:05", "19:20", "22:45", "09:00", "13:30")
    assert found(moments(*enumerate(clocks))) is None


def test_the_hour_has_to_stand_out_from_what_is_ordinary() -> None:
    """Who only ever writes around nine shows no habit by asking around nine."""
    mornings = hours_of(at(range(28), "09:10") + at(range(28), "09:40"))
    spread = moments((0, "08:30"), (1, "10:20"), (2, "09:00"), (3, "08:50"), (4, "10:00"))
    assert found(spread, mornings) is None
    assert found(spread, hours_of(at(range(28), "20:00"))) is not None


def test_midnight_parts_no_habit() -> None:
    """Ten to twelve today and ten past twelve the night after are one day apart."""
    nights = moments((0, "23:50"), (2, "00:10"), (2, "23:55"), (4, "00:05"), (4, "23:45"))
    next_one = found(nights)
    assert next_one is not None
    assert abs(next_one.at - moment("2026-03-07 23:55")) <= timedelta(minutes=10)


def test_a_habit_of_workdays_is_not_expected_on_saturday() -> None:
    """After a weekend without it, Friday is followed by Monday."""
    next_one = found(at([0, 1, 2, 3, 4, 7, 8, 9, 10, 11]))
    assert next_one is not None
    assert next_one.at.date() == moment("2026-03-16 00:00").date()


def test_one_weekday_in_four_weeks_is_a_habit_at_any_hour() -> None:
    """Expected a week later, from its earliest hour to its latest."""
    mondays = moments((0, "09:00"), (7, "20:30"), (14, "13:10"), (21, "10:00"))
    assert found(mondays[:3]) is None
    next_one = found(mondays)
    assert next_one is not None
    assert next_one.is_weekly
    assert next_one.start == moment("2026-03-30 09:00")
    assert next_one.end == moment("2026-03-30 20:30")


def test_three_weeks_are_enough_at_one_hour() -> None:
    """Weekday and hour bear each other out."""
    next_one = found(at([0, 7, 14], "17:00"))
    assert next_one is not None
    assert next_one.is_weekly
    assert next_one.at == moment("2026-03-23 17:00")


def test_weekdays_at_random_are_no_habit() -> None:
    """Four times on Monday among as many other days is chance, at varying hours."""
    clocks = ("08:10", "21:30", "12:40", "10:05", "19:20", "22:45", "09:00", "13:30", "20:10")
    assert found(moments(*zip((0, 2, 5, 7, 11, 14, 16, 19, 21), clocks, strict=True))) is None


@pytest.mark.parametrize("back_after", [2, 3])
def test_a_habit_that_comes_back_is_expected_again(back_after: int) -> None:
    """Ten days, a few without it, and the next."""
    next_one = found(at([*range(10), 9 + back_after]))
    assert next_one is not None
    assert next_one.at.date() == (MONDAY + timedelta(days=10 + back_after)).date()


def test_a_habit_that_was_broken_for_long_is_not() -> None:
    """One asking after two weeks without makes none of five days."""
    assert found(at([0, 1, 2, 3, 4, 19])) is None


def test_a_second_asking_at_another_hour_does_no_harm() -> None:
    """The evening's look takes nothing from the morning's."""
    both = moments(*((day, clock) for day in range(6) for clock in ("09:30", "20:00")))[:-1]
    next_one = found(both)
    assert next_one is not None
    assert next_one.at == moment("2026-03-08 09:30")


def test_of_who_said_little_an_ordinary_day_is_assumed() -> None:
    """The densities sum to one; nights are quieter than days."""
    none = hours_of([])
    assert sum(none.bins) / 2 == pytest.approx(1, abs=0.01)
    assert none.density(MONDAY.replace(hour=3)) < none.density(MONDAY.replace(hour=10)) / 2
    assert sum(ORDINARY.bins) / 2 == pytest.approx(1, abs=0.01)


def test_much_said_in_one_half_hour_counts_once() -> None:
    """A long talk one evening makes no evening person."""
    talk = [MONDAY.replace(hour=20, minute=minute) for minute in range(30)]
    assert hours_of(talk) == hours_of(talk[:1])
