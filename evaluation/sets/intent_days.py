"""Two or four weeks of twenty people of our own: what comes again, what is a habit, what only looks so."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from evaluation.dated import dated_store
from evaluation.fires import HABIT, REPEATED, Fire, watch
from evaluation.halves import parts
from evaluation.measures import Figure, Hits, hits_figures
from evaluation.reading import own_lines
from evaluation.report import Findings
from evaluation.store import Store
from evaluation.trial import Trial

_FILE = "intent_days.jsonl"
_NEAR_H = 1.5
_DAY_H = 24


@dataclass(frozen=True, slots=True)
class Habit:
    """What is asked at about this local hour, every day or on one weekday (0 is Monday)."""

    intent: str
    hour: float
    weekday: int | None
    zone: ZoneInfo

    def is_due(self, due_at: int) -> bool:
        """Whether this moment lies within 90 minutes of its hour, and on its weekday."""
        due = datetime.fromtimestamp(due_at, UTC).astimezone(self.zone)
        late_h = (due.hour + due.minute / 60 - self.hour) % _DAY_H
        return min(late_h, _DAY_H - late_h) <= _NEAR_H and self.weekday in (None, due.weekday())


@dataclass(frozen=True, slots=True)
class Person:
    """One user's turns, what each is about, where each recurring intent comes the third time; habits."""

    store: Store
    half: str
    labels: Mapping[str, str]
    recurring: Mapping[str, int]
    habits: Sequence[Habit]

    @property
    def language(self) -> str:
        """Of all they say."""
        return self.store.language


def read() -> list[Person]:
    """Those of the package."""
    return [_person(row) for row in own_lines(_FILE)]


def hits(person: Person, fires: Sequence[Fire]) -> Hits:
    """A repeated intent is right from the third asking on, by most of its turns, and once."""
    right = {intent for intent, fire in _about(person, fires, REPEATED) if _is_thrice(person, intent, fire)}
    told = sum(fire.detector == REPEATED for fire in fires)
    return Hits(told, len(right), len(person.recurring))


def habit_hits(person: Person, fires: Sequence[Fire]) -> tuple[Hits, Hits]:
    """Fires that name a habit and its time, each next one too; and habits that were named at all."""
    right = [intent for intent, fire in _about(person, fires, HABIT) if _is_habit(person, intent, fire)]
    told = sum(fire.detector == HABIT for fire in fires)
    return Hits(told, len(right), told), Hits(
        told, len(set(right)), len({one.intent for one in person.habits})
    )


def figures(persons: Sequence[Person], fires: Mapping[str, Sequence[Fire]]) -> dict[str, Figure]:
    """By half and language: precision, recall and F1 of repetitions; precision and recall of habits."""
    found: dict[str, Figure] = {}
    for name, group in parts(persons):
        told = [(person, fires[person.store.name]) for person in group]
        repeated = hits_figures([hits(*each) for each in told])
        found |= {f"days.{name}.{figure}": value for figure, value in repeated.items()}
        each_habit = [habit_hits(*each) for each in told]
        found[f"days.{name}.habit.precision"] = hits_figures([one for one, _ in each_habit])["precision"]
        found[f"days.{name}.habit.recall"] = hits_figures([one for _, one in each_habit])["recall"]
    return found


def measure(trial: Trial) -> Findings:
    """Each person turn by turn, the monitor after each. Raises StandError."""
    persons = read()[: trial.conditions.limit]
    stores = [person.store for person in persons]
    fires = watch(trial.stand, stores, {REPEATED, HABIT})
    counts = {"stores": len(stores), "turns": sum(len(store.turns) for store in stores)}
    return Findings(counts, figures(persons, fires))


def _about(person: Person, fires: Sequence[Fire], detector: str) -> Iterator[tuple[str, Fire]]:
    for fire in fires:
        intent = fire.intent(person.labels)
        if fire.detector == detector and intent is not None:
            yield intent, fire


def _is_thrice(person: Person, intent: str, fire: Fire) -> bool:
    return intent in person.recurring and fire.place >= person.recurring[intent]


def _is_habit(person: Person, intent: str, fire: Fire) -> bool:
    due = fire.due_at
    return due is not None and any(one.intent == intent and one.is_due(due) for one in person.habits)


def _person(row: Mapping[str, Any]) -> Person:
    store = dated_store(f"days-{row['user']}", row["lang"], row["events"])
    return Person(
        store,
        row["half"],
        {turn.key: event["label"] for turn, event in zip(store.turns, row["events"], strict=True)},
        {each["intent"]: each["third"] for each in row["recurring"]},
        [_habit(each) for each in row["habits"]],
    )


def _habit(row: Mapping[str, Any]) -> Habit:
    return Habit(row["intent"], row["hour"], row["weekday"], ZoneInfo(row["tz"]))
