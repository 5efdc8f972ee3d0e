"""What a person says in some weeks: habits, topics that come back, reminders, promises, and small talk."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from evaluation.dated import dated_store
from evaluation.reading import own_lines
from evaluation.store import Store
from memory.terms import Language

BEGIN = datetime(2026, 3, 2)  # noqa: DTZ001 - a Monday, local wherever the person is
ZONES: Mapping[Language, str] = {"en": "Europe/Berlin", "zh": "Asia/Shanghai"}
_FILE = "patience.jsonl"
# An intent comes back on these days of its week, at these hours; two run side by side.
_ASKED = ((0, "10:10"), (1, "14:20"), (3, "19:05"), (4, "11:40"), (5, "16:30"))
_ASKED_BESIDE = ((1, "10:25"), (2, "15:10"), (4, "18:35"), (5, "12:05"), (6, "17:15"))
_AT = {"reminder": "12:30", "promise": "13:10", "question": "18:20", "date": "19:40", "decision": "20:10"}
_DAYS = {  # of a week, Monday is 0
    "reminder": (0, 1, 2, 3, 4, 5, 6),
    "promise": (0, 2, 4),
    "question": (1, 5),
    "date": (0, 3),
    "decision": (2,),
}
_TALK_AT = ("07:55", "21:10")

_Said = tuple[int, str, str]  # the day from 0, the time, the words


def plan(name: str, language: Language, shift: int, days: int) -> Store:
    """One person's turns in so many days. `shift` tells people apart: they begin at other places of the
    lists; the whole is the same each time.
    """
    rows = [row for row in own_lines(_FILE) if row["lang"] == language]
    said = [*_habits(rows), *_intents(rows, shift, days), *_singles(rows, shift, days), *_talk(rows, days)]
    chosen = sorted(one for one in said if one[0] < days)
    zone = ZONES[language]
    events = [
        {"at": f"{BEGIN + timedelta(days=day):%Y-%m-%d}T{at}", "tz": zone, "text": text}
        for day, at, text in chosen
    ]
    return dated_store(name, language, events)


def _of(rows: Sequence[Mapping[str, Any]], kind: str) -> list[Mapping[str, Any]]:
    return [row for row in rows if row["kind"] == kind]


def _habits(rows: Sequence[Mapping[str, Any]]) -> Iterator[_Said]:
    """Each at its time, some minutes early or late, in other words each time."""
    for row in _of(rows, "habit"):
        begin = datetime.fromisoformat(f"2026-03-02T{row['at']}")
        places = count()
        for day in range(7 * 52):
            if day % 7 in row["weekdays"]:
                place = next(places)
                at = begin + timedelta(minutes=(7 * place) % 19 - 9)
                yield day, f"{at:%H:%M}", row["says"][place % len(row["says"])]


def _intents(rows: Sequence[Mapping[str, Any]], shift: int, days: int) -> Iterator[_Said]:
    """Two a week, so that the sixth week would ask for the first ones again."""
    topics = _of(rows, "intent")
    for week in range(days // 7 + 1):
        for place, times in enumerate((_ASKED, _ASKED_BESIDE)):
            topic = topics[(2 * (week + shift) + place) % len(topics)]
            for (day, at), text in zip(times, topic["says"], strict=True):
                yield 7 * week + day, at, text


def _singles(rows: Sequence[Mapping[str, Any]], shift: int, days: int) -> Iterator[_Said]:
    for kind, weekdays in _DAYS.items():
        (row,) = _of(rows, kind)
        places = count(shift)
        for day in range(days):
            if day % 7 in weekdays:
                yield day, _AT[kind], row["says"][next(places) % len(row["says"])]


def _talk(rows: Sequence[Mapping[str, Any]], days: int) -> Iterator[_Said]:
    (row,) = _of(rows, "talk")
    places = count()
    for day in range(days):
        for at in _TALK_AT:
            yield day, at, row["says"][next(places) % len(row["says"])]
