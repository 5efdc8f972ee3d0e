"""People who answer: who dismisses everything is left in peace, who uses everything misses little."""

from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from evaluation.conditions import Conditions
from evaluation.patience.person import Person
from evaluation.patience.plan import BEGIN
from evaluation.sets import patience
from evaluation.stand import Stand, stand
from memory.model import DAY_S

DAYS, QUIET_DAYS = 12, 3


def _is_silent(*_: object) -> None:
    """No bar in a test."""


@pytest.fixture(scope="module")
def lived() -> Iterator[tuple[Stand, list[Person]]]:
    """Twelve days of two English and two Chinese people, with a real daemon whose clock is turned."""
    conditions = Conditions(Path("none"), words_only=True)
    with stand(conditions, _is_silent, patience.SET.begin) as running:
        people = patience.people(4, DAYS, QUIET_DAYS)
        patience.live(running, people, DAYS)
        yield running, people


@pytest.mark.slow
def test_who_dismisses_everything_is_told_one_thing_a_day_at_most(lived: tuple[Stand, list[Person]]) -> None:
    """From the third day on; there was something to dismiss before."""
    _, people = lived
    for person in (one for one in people if one.manner == "dismisses"):
        assert sum(person.unasked(lambda day: day < 2).values()) >= 1
        assert max(person.unasked(lambda day: day >= 2).values(), default=0) <= 1
        assert any(one.is_asked_for for one in person.told if one.day >= DAYS - QUIET_DAYS - 2)


@pytest.mark.slow
def test_who_uses_everything_gets_what_is_due(lived: tuple[Stand, list[Person]]) -> None:
    """At least four fifths of all, and every reminder."""
    running, people = lived
    end = int(BEGIN.replace(tzinfo=ZoneInfo("UTC")).timestamp()) + DAYS * DAY_S
    for person in (one for one in people if one.manner == "uses"):
        due = patience.was_due(running, person, end)
        came = person.got(due)
        assert len(due) >= 10
        assert sum(came) >= 0.8 * len(came)
        assert all(person.got([item for item in due if item["probability"] >= 0.95]))
