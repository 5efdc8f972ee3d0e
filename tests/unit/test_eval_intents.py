"""The sets about intents: how fires are judged, and what those that come with memud hold."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from evaluation.dated import dated_store
from evaluation.fires import HABIT, REPEATED, Fire
from evaluation.halves import HALVES, parts
from evaluation.measures import Hits
from evaluation.sets import intent_days, intent_guards, intents
from evaluation.sets.intent_days import Habit, Person
from evaluation.sets.intent_guards import Guard
from evaluation.sets.intents import Stream
from memory.model import DAY_S
from tests.tiny_sets import GUARD_EVENTS, PERSON_EVENTS, STREAMS

BERLIN = ZoneInfo("Europe/Berlin")
WINDOW_S = 7 * DAY_S
SITTING_S = 30 * 60


def fire(keys: str, place: int = 9, detector: str = REPEATED, due: str | None = None) -> Fire:
    """On turns of one letter each; due at a local time in Berlin."""
    due_at = int(datetime.fromisoformat(due).replace(tzinfo=BERLIN).timestamp()) if due else None
    return Fire(detector, place, tuple(keys), due_at)


def tiny_person() -> Person:
    """Asks for bread at eight each day, for trams thrice, and for an owl."""
    store = dated_store("days-tiny", "en", PERSON_EVENTS)
    labels = {str(place): event["label"] for place, event in enumerate(PERSON_EVENTS)}
    habits = [Habit("bread", 8.0, None, BERLIN), Habit("trams", 20.5, 6, BERLIN)]
    return Person(store, "choose", labels, {"bread": 5, "trams": 6}, habits)


def tiny_stream() -> Stream:
    """The one of the tiny sets."""
    events = STREAMS[0]["events"]
    store = dated_store("tiny", "en", [{"at": "2026-03-02T08:00:00", "tz": "UTC", **one} for one in events])
    recurring = frozenset(STREAMS[0]["recurring"])
    return Stream(store, {str(place): one["intent"] for place, one in enumerate(events)}, recurring)


def test_a_fire_is_about_what_more_than_half_of_its_turns_share() -> None:
    """An even split, and no turn at all, are about nothing."""
    labels = {"a": "tea", "b": "tea", "c": "owl", "d": "owl"}
    assert [fire(keys).intent(labels) for keys in ("abc", "abcd", "")] == ["tea", None, None]


def test_a_strict_fire_has_three_turns_about_one_thing_at_its_head() -> None:
    """What comes after the third does not count; two are too few."""
    labels = {"a": "tea", "b": "tea", "c": "tea", "d": "owl"}
    assert [fire(keys).strict_intent(labels) for keys in ("abcd", "abdc", "ab")] == ["tea", None, None]


def test_a_stream_is_judged_leniently_and_strictly() -> None:
    """Two of three turns are enough for the first, not for the second."""
    told = [fire("021"), fire("023")]
    assert intents.hits(tiny_stream(), told) == Hits(told=2, right=1, wanted=1)
    assert intents.strict_hits(tiny_stream(), told) == Hits(told=2, right=1, wanted=1)
    assert intents.strict_hits(tiny_stream(), told[:1]) == Hits(told=1, right=0, wanted=1)


def test_a_repetition_told_before_the_third_asking_or_again_is_a_false_alarm() -> None:
    """And so is one of what does not come again; a habit's fires count elsewhere."""
    told = [fire("01", place=4), fire("015", place=5), fire("015"), fire("3"), fire("015", detector=HABIT)]
    assert intent_days.hits(tiny_person(), told) == Hits(told=4, right=1, wanted=2)


def test_each_due_time_of_a_habit_is_judged_and_each_habit_found_once() -> None:
    """Within ninety minutes of its hour, on its weekday."""
    due = ["2026-03-10T09:20:00", "2026-03-11T06:40:00", "2026-03-12T10:00:00"]
    told = [fire("015", detector=HABIT, due=each) for each in due]
    precise, found = intent_days.habit_hits(tiny_person(), told)
    assert (precise.told, precise.right, found.right, found.wanted) == (3, 2, 1, 2)


@pytest.mark.parametrize(
    ("due", "right"),
    [
        ("2026-03-29T20:30:00", True),  # a Sunday, the day on which the clock goes forward
        ("2026-03-22T21:59:00", True),
        ("2026-03-22T22:01:00", False),
        ("2026-03-23T20:30:00", False),
        (None, False),
    ],
)
def test_a_weekly_habit_is_due_on_its_day_by_the_local_clock(due: str | None, right: bool) -> None:
    """Whatever daylight saving does to the distance in seconds; without a time it is no habit."""
    precise, _ = intent_days.habit_hits(tiny_person(), [fire("246", detector=HABIT, due=due)])
    assert precise.right == right


def test_an_hour_near_midnight_is_near_the_next_day() -> None:
    """The clock is a circle."""
    habit = Habit("tea", 23.5, None, BERLIN)
    after = datetime(2026, 3, 2, 0, 30, tzinfo=BERLIN)
    assert habit.is_due(int(after.timestamp()))


def test_guards_count_false_alarms_per_ten_users_of_each_kind() -> None:
    """By hand: two users of a kind, one fire between them; no figure for a kind without users."""
    guards = [Guard(dated_store(name, "en", GUARD_EVENTS), "burst", "report") for name in ("a", "b")]
    found = intent_guards.figures(guards, {"a": [fire("0")], "b": []})
    values = {name: each.value for name, each in found.items() if each}
    assert values == {"guards.report.burst": 5.0, "guards.report.en.burst": 5.0}


def test_local_times_are_read_in_their_zone() -> None:
    """A turn says its zone, and each day is a session."""
    store = dated_store("n", "zh", [{"at": "2026-03-02T00:30:00", "tz": "Asia/Shanghai", "text": "早"}])
    (turn,) = store.turns
    assert (turn.tz, turn.session_id) == ("Asia/Shanghai", "n-2026-03-02")
    assert turn.timestamp == int(datetime.fromisoformat("2026-03-01T16:30:00+00:00").timestamp())


def test_the_streams_of_the_package_ask_each_intent_three_to_five_times() -> None:
    """Seventy-two of them; whatever else is in a stream comes twice at most."""
    streams = intents.read_own()
    assert sum(len(stream.recurring) for stream in streams) == 72
    for stream in streams:
        counts = Counter(stream.intents.values())
        assert all(3 <= counts.pop(intent) <= 5 for intent in stream.recurring)
        del counts["single"]
        assert max(counts.values()) <= 2


def test_the_days_of_the_package_hold_what_their_labels_say() -> None:
    """Twenty people, by the rule: the third sitting within seven days, half an hour between two."""
    persons = intent_days.read()
    assert len(persons) == 20
    assert sum(len(person.recurring) for person in persons) >= 50
    assert sum(len(person.habits) for person in persons) >= 16
    for person in persons:
        asked = {intent: thirds(person, intent) for intent in set(person.labels.values()) - {"other"}}
        assert {intent: place for intent, place in asked.items() if place is not None} == person.recurring


@pytest.mark.parametrize("read", [intents.read_own, intent_days.read, intent_guards.read])
def test_no_sentence_is_in_both_halves(read: Callable[[], Sequence[Stream | Person | Guard]]) -> None:
    """What was chosen on the first is not known on the second; times go forward."""
    halves: dict[str, set[str]] = {half: set() for half in HALVES}
    for one in read():
        times = [turn.timestamp for turn in one.store.turns]
        assert times == sorted(set(times))
        halves[one.half] |= {turn.text for turn in one.store.turns}
    assert all(halves.values())
    assert not set.intersection(*halves.values())


def test_each_kind_of_guard_has_users_of_both_languages_in_both_halves() -> None:
    """Three each, twelve a kind."""
    counts = Counter((one.kind, part) for part, group in parts(intent_guards.read()) for one in group)
    assert counts == {
        (kind, f"{half}{language}"): 6 if not language else 3
        for kind in intent_guards.KINDS
        for half in HALVES
        for language in ("", ".en", ".zh")
    }


def thirds(person: Person, intent: str) -> int | None:
    """The place of the third sitting within seven days, if there is one."""
    sittings: list[tuple[int, int]] = []
    for place, turn in enumerate(person.store.turns):
        if person.labels[turn.key] != intent:
            continue
        if sittings and turn.timestamp - sittings[-1][0] < SITTING_S:
            continue
        sittings.append((turn.timestamp, place))
        if len(sittings) >= 3 and turn.timestamp - sittings[-3][0] <= WINDOW_S:
            return place
    return None
