"""Four weeks of our own with people who dismiss everything, and with people who use everything.

The daemon's own clock goes on by quarters of an hour; in the first week it listens and says nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memud_client import types

from evaluation.ingest import fill
from evaluation.measures import Figure, figure
from evaluation.patience.person import Manner, Person
from evaluation.patience.plan import BEGIN, ZONES, plan
from evaluation.report import Findings
from evaluation.stand import Stand
from evaluation.store import Store
from evaluation.trial import EvalSet, Trial
from memory.model import DAY_S
from memory.proactive.worth import ASKED_FOR
from memory.terms import Language

DAYS = 28
_QUIET_DAYS = 7
_STEP_S = 15 * 60  # an agent asks so often
_LEAD_S = 12 * 3600  # before the first local midnight, wherever that is
_TIMES_OF_ALL = 3  # people of each language and manner
_FIRST = int(BEGIN.replace(tzinfo=ZoneInfo("UTC")).timestamp()) - _LEAD_S
_MOST = 1000
_BY_THEN_S = DAY_S  # what became due on the last day may still be on its way
_FLOORS = {
    "dismisses.days 3-5": "<= 1",
    "dismisses.later": "<= 1",
    "dismisses.most from day 3": "<= 1",
    "uses.all": ">= 0.80",
}
_WAITING = ("open", "delivered", "snoozed")
_MANNERS: tuple[Manner, ...] = ("dismisses", "uses")
_LANGUAGES: tuple[Language, ...] = ("en", "zh")


def people(limit: int | None, days: int = DAYS, quiet_days: int = _QUIET_DAYS) -> list[Person]:
    """Everybody, or the first `limit`: the languages and manners in turn."""
    everybody = [
        _person(manner, language, shift, days, quiet_days)
        for shift in range(_TIMES_OF_ALL)
        for language in _LANGUAGES
        for manner in _MANNERS
    ]
    return everybody[:limit]


def live(stand: Stand, persons: Sequence[Person], days: int = DAYS) -> None:
    """Step by step: what is said, a tick of the monitor, and what it brings up. Raises StandError."""
    steps = range(_FIRST, _FIRST + days * DAY_S + 2 * _LEAD_S, _STEP_S)
    for place, start in enumerate(steps, start=1):
        now = start + _STEP_S
        stand.turn_clock(now)
        said = [Store(one.store.name, one.store.language, one.says(start, now)) for one in persons]
        if any(store.turns for store in said):
            fill(stand, [store for store in said if store.turns])
        stand.client.job_run("monitor")
        for person in persons:
            person.listen(stand.client, now)
        stand.progress("watch", place, len(steps))


def figures(
    persons: Sequence[Person],
    due: Mapping[str, Sequence[types.ProactiveItem]],
    days: int = DAYS - _QUIET_DAYS,
) -> dict[str, Figure | None]:
    """Items a day for those who dismiss; for those who use, the share of what was due that came.

    Of those who dismiss: on the first two days, from the third to the fifth, and after it; the most of one
    day from the third on. Reminders are not counted there, and among what is due apart.
    """
    found: dict[str, Figure | None] = {}
    for name, group in _groups(persons, "dismisses"):
        for part, first, end in (("days 1-2", 0, 2), ("days 3-5", 2, 5), ("later", 5, days)):
            found[f"{name}.{part}"] = figure(_items_a_day(group, first, end))
        found[f"{name}.most from day 3"] = figure(max(_items_a_day([one], 2, days)) for one in group)
    for name, group in _groups(persons, "uses"):
        for part, is_asked_for in (("unasked", False), ("reminders", True)):
            found[f"{name}.{part}"] = figure(
                came
                for one in group
                for came in one.got(
                    [item for item in due[one.store.name] if _is_asked_for(item) is is_asked_for]
                )
            )
        found[f"{name}.all"] = figure(came for one in group for came in one.got(list(due[one.store.name])))
    return found


def was_due(stand: Stand, person: Person, until: int) -> list[types.ProactiveItem]:
    """What there was to be said to a person by a moment, told or not.

    But for what was over before the person was there to be told, and what the person called off.
    """
    told = {one.id for one in person.told}
    since = int(person.since.timestamp())
    name = person.store.name
    before = stand.client.proactive_list(user_id=name, as_of=since, limit=_MOST)["results"]
    gone = {item["id"] for item in before if item["state"] not in _WAITING}
    found = stand.client.proactive_list(user_id=name, limit=_MOST)["results"]
    return [
        item
        for item in found
        if max(item["created_at"], item["due_at"] or 0) < until - _BY_THEN_S
        and item["id"] not in gone
        and (item["id"] in told or item["state"] != "dismissed")
    ]


def measure(trial: Trial) -> Findings:
    """All of it. Raises StandError."""
    persons = people(trial.conditions.limit)
    live(trial.stand, persons)
    end = int(BEGIN.replace(tzinfo=ZoneInfo("UTC")).timestamp()) + DAYS * DAY_S
    due = {one.store.name: was_due(trial.stand, one, end) for one in persons}
    counts = {
        "stores": len(persons),
        "turns": sum(len(one.store.turns) for one in persons),
        "due": sum(len(items) for items in due.values()),
        "told": sum(len(one.told) for one in persons),
    }
    return Findings(counts, figures(persons, due), floors=_FLOORS)


def _person(manner: Manner, language: Language, shift: int, days: int, quiet_days: int) -> Person:
    zone = ZoneInfo(ZONES[language])
    since: datetime = BEGIN.replace(tzinfo=zone) + timedelta(days=quiet_days)
    return Person(plan(f"{manner}-{language}-{shift}", language, shift, days), manner, zone, since)


def _groups(persons: Sequence[Person], manner: Manner) -> Iterator[tuple[str, list[Person]]]:
    """All of a manner, then each language of it."""
    group = [one for one in persons if one.manner == manner]
    if group:
        yield manner, group
    for language in _LANGUAGES:
        if part := [one for one in group if one.store.language == language]:
            yield f"{manner}.{language}", part


def _items_a_day(group: Sequence[Person], first: int, end: int) -> list[int]:
    return [
        person.unasked(lambda one: first <= one < end).get(day, 0)
        for person in group
        for day in range(first, end)
    ]


def _is_asked_for(item: types.ProactiveItem) -> bool:
    return item["due_at"] is not None and item["probability"] >= ASKED_FOR


SET = EvalSet("patience", (), measure, begin=_FIRST)
