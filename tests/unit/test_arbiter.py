"""The arbiter: what is said, when, how often, to whom."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import apsw
import pytest

from config.settings import ProactiveSettings, load
from memory.model import DAY_S, Evidence, Modality, Origin, Prediction, ProactiveState, Role, Scope, Turn
from memory.proactive import recording
from memory.proactive.arbiter import AT_MOST_IN_RECALL, Arbiter
from memory.proactive.resolving import resolve
from memory.store import resources
from memory.turns import content_hash
from migrations import runner

ANA = Scope("ana", None, "s1")
BERLIN = "Europe/Berlin"
HOUR_S = 3600


def unix(local: str, tz: str = BERLIN) -> int:
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(tz)).timestamp())


NOON = unix("2026-11-30 12:00")


@pytest.fixture
def settings() -> ProactiveSettings:
    return load().proactive


@pytest.fixture
def arbiter(settings: ProactiveSettings) -> Arbiter:
    return Arbiter(settings)


@pytest.fixture
def connection() -> Iterator[apsw.Connection]:
    opened = apsw.Connection(":memory:")
    opened.pragma("foreign_keys", "ON")
    runner.apply(opened)
    yield opened
    opened.close()


def say(
    connection: apsw.Connection, key: str, at: int = NOON - HOUR_S, tz: str = BERLIN, *, private: bool = True
) -> None:
    turn = Turn(
        key, ANA, Role.USER, None, key, key, Modality.CHAT, at, tz, Origin.USER, private, content_hash(key)
    )
    resources.insert(connection, turn, f"t-{key}", at)


def predict(
    connection: apsw.Connection,
    name: str,
    *,
    topic: str = "",
    detector: str = "habit",
    probability: float = 0.8,
    due_at: int | None = None,
    expires_at: int = NOON + 9 * DAY_S,
    at: int = NOON - HOUR_S,
    private: bool = True,
) -> str:
    say(connection, name, at, private=private)
    evidence = (Evidence(f"t-{name}"),)
    made = Prediction(detector, topic or name, name, "w", probability, evidence, due_at, expires_at, "s0")
    assert recording.record(connection, "ana", made, f"p-{name}", at)
    return f"p-{name}"


def chosen(arbiter: Arbiter, connection: apsw.Connection, now: int = NOON, scope: Scope = ANA) -> list[str]:
    return [item.id for item in arbiter.choose(connection, scope, now, 100)]


def beside(arbiter: Arbiter, connection: apsw.Connection, *recalled: str, now: int = NOON) -> list[str]:
    return [item.id for item in arbiter.upcoming(connection, ANA, now, recalled)]


def test_an_empty_store_is_silent(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """Nothing known, nothing said."""
    assert chosen(arbiter, connection) == []
    assert beside(arbiter, connection) == []


def test_what_has_a_date_waits_for_it(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """To the second; what has none may be said at once."""
    predict(connection, "later", due_at=NOON + 60)
    predict(connection, "anytime")
    assert chosen(arbiter, connection) == ["p-anytime"]
    assert chosen(arbiter, connection, NOON + 60) == ["p-later", "p-anytime"]


def test_what_was_delivered_is_not_said_again(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """Neither by poll nor beside a prompt."""
    recording.deliver(connection, [predict(connection, "a")], NOON)
    assert chosen(arbiter, connection, NOON + 5) == []
    assert beside(arbiter, connection, "t-a", now=NOON + 5) == []


def test_what_is_unlikely_or_over_is_not_said(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """Under the least probability, or past its end."""
    predict(connection, "weak", probability=0.3)
    predict(connection, "gone", expires_at=NOON)
    assert chosen(arbiter, connection) == []


def test_a_topic_cools_down(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """Another item of the same topic waits a day; one call never holds it twice."""
    recording.deliver(connection, [predict(connection, "a", topic="tea", expires_at=NOON - 60)], NOON - 120)
    predict(connection, "b", topic="tea", at=NOON - 30)
    predict(connection, "c", topic="tea", detector="other", at=NOON - 20)
    assert chosen(arbiter, connection) == []
    assert chosen(arbiter, connection, NOON - 120 + DAY_S) == ["p-b"]


def test_only_a_few_things_are_said_in_a_day(
    arbiter: Arbiter, settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """The day is the user's own: after local midnight there is room again."""
    names = [predict(connection, f"n{n}") for n in range(settings.daily_limit + 4)]
    anywhere = Scope("ana")
    first = chosen(arbiter, connection, scope=anywhere)
    assert len(first) == settings.daily_limit
    recording.deliver(connection, first, NOON)
    assert chosen(arbiter, connection, NOON + 60, anywhere) == []
    rest = chosen(arbiter, connection, unix("2026-12-01 07:30"), anywhere)
    assert set(rest) == set(names) - set(first)


def test_a_session_is_told_fewer_things_than_a_day_has_room_for(
    arbiter: Arbiter, settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """The rest of the day's room is another session's."""
    for n in range(settings.daily_limit + 4):
        predict(connection, f"n{n}")
    here = chosen(arbiter, connection)
    assert len(here) == settings.session_limit < settings.daily_limit
    recording.deliver(connection, here, NOON, "s1")
    assert chosen(arbiter, connection, NOON + 60) == []
    elsewhere = chosen(arbiter, connection, NOON + 60, Scope("ana", None, "s2"))
    assert len(elsewhere) == settings.daily_limit - settings.session_limit


def test_what_was_asked_for_takes_no_room_from_the_rest(
    arbiter: Arbiter, settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """Ten reminders in a morning leave the day as long as it was."""
    asked = [predict(connection, f"r{n}", probability=0.99, due_at=NOON - 600) for n in range(10)]
    assert chosen(arbiter, connection) == asked
    recording.deliver(connection, asked, NOON - 500, "s1")
    predict(connection, "hint")
    assert chosen(arbiter, connection) == ["p-hint"]


def test_what_is_worth_most_gets_the_room(
    arbiter: Arbiter, settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """Probability times value; a promise goes before a habit that is as likely."""
    for n in range(settings.session_limit):
        predict(connection, f"habit{n}")
    promise = predict(connection, "promise", detector="commitment", due_at=NOON - 60)
    surest = predict(connection, "surest", probability=0.94)
    said = chosen(arbiter, connection)
    assert len(said) == settings.session_limit
    assert {promise, surest} < set(said)


def test_what_was_put_off_comes_back_on_a_full_day(
    arbiter: Arbiter, settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """The user named the time."""
    later = predict(connection, "later")
    resolve(connection, "ana", later, ProactiveState.SNOOZED, NOON, NOON - 60)
    full = [predict(connection, f"n{n}") for n in range(settings.daily_limit)]
    recording.deliver(connection, full, NOON - 50)
    assert chosen(arbiter, connection) == [later]


def test_what_was_just_said_is_not_told_back(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """Neither what rests on the last turn nor what that turn is about, until the talk has moved on."""
    predict(connection, "green tea prices", at=NOON - 60)
    assert chosen(arbiter, connection) == []
    say(connection, "something else", NOON - 30)
    assert chosen(arbiter, connection) == ["p-green tea prices"]
    say(connection, "any tea with lower prices, a green one?", NOON - 10)
    assert chosen(arbiter, connection) == []
    assert beside(arbiter, connection, "t-green tea prices") == []
    assert chosen(arbiter, connection, NOON + HOUR_S) == ["p-green tea prices"]


def test_what_is_due_comes_though_it_was_just_spoken_of(
    arbiter: Arbiter, connection: apsw.Connection
) -> None:
    """A reminder in ten minutes comes in ten minutes; before that it is no news."""
    predict(connection, "the oven", detector="commitment", probability=0.99, due_at=NOON, at=NOON - 600)
    assert beside(arbiter, connection, "t-the oven", now=NOON - 300) == []
    assert chosen(arbiter, connection) == ["p-the oven"]


def dismiss(connection: apsw.Connection, item_id: str, at: int) -> None:
    recording.deliver(connection, [item_id], at)
    resolve(connection, "ana", item_id, ProactiveState.DISMISSED, None, at)


def test_a_detector_that_is_dismissed_again_and_again_throttles_itself(
    arbiter: Arbiter, settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """Then one item in a week, to prove itself; what was asked for comes all the same."""
    for n in range(4):
        dismiss(connection, predict(connection, f"n{n}"), NOON - 30 + n)
    predict(connection, "one", probability=0.94)
    predict(connection, "two", probability=0.94)
    predict(connection, "alarm", probability=0.99, due_at=NOON)
    assert chosen(arbiter, connection) == ["p-alarm"]
    week = NOON + settings.retry_days * DAY_S
    assert chosen(arbiter, connection, week - 60) == ["p-alarm"]
    assert chosen(arbiter, connection, week) == ["p-alarm", "p-one"]


def test_who_dismissed_two_in_a_row_is_told_one_a_day(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """Whatever the detectors are worth; reminders come all the same."""
    for n, detector in enumerate(("habit", "overtaken")):
        dismiss(connection, predict(connection, f"n{n}", detector=detector), NOON - DAY_S + n)
    for n, detector in enumerate(("repeated_intent", "open_question")):
        predict(connection, f"m{n}", detector=detector, probability=0.9, at=NOON - 2 * DAY_S)
    predict(connection, "alarm", probability=0.99, due_at=NOON)
    say(connection, "x", NOON - 60)
    assert chosen(arbiter, connection) == ["p-alarm", "p-m0"]


def test_a_detector_that_is_right_with_others_is_no_reason_for_this_user(
    arbiter: Arbiter, connection: apsw.Connection
) -> None:
    """What one user dismisses is nothing to another."""
    for n in range(4):
        dismiss(connection, predict(connection, f"n{n}"), NOON - 30 + n)
    assert arbiter.trust(connection, "ana", NOON).is_throttled("habit")
    assert not arbiter.trust(connection, "ben", NOON).is_throttled("habit")


def test_a_daily_topic_is_not_pushed_later_each_day(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """Told a little late yesterday, it still comes at its time today; without a time it waits the day out."""
    told = predict(connection, "a", topic="weather", due_at=NOON - 600, expires_at=NOON + 60)
    recording.deliver(connection, [told], NOON)
    predict(connection, "b", topic="weather", due_at=NOON - 600 + DAY_S, at=NOON + 120)
    predict(connection, "c", topic="weather", detector="other", at=NOON + 120)
    assert chosen(arbiter, connection, NOON - 600 + DAY_S) == ["p-b"]


def test_a_clock_that_was_set_back_gives_no_second_day(
    arbiter: Arbiter, settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """What was told later on the same day counts; for a look at the past it had not been told yet."""
    full = [predict(connection, f"n{n}") for n in range(settings.daily_limit)]
    recording.deliver(connection, full, NOON + HOUR_S)
    predict(connection, "more")
    assert chosen(arbiter, connection) == []
    replayed = arbiter.choose(connection, Scope("ana"), NOON, 100, known_until=NOON)
    assert len(replayed) == settings.daily_limit


def test_what_the_user_asked_for_is_always_delivered(
    arbiter: Arbiter, settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """A reminder rings though the day is full, and in the middle of the night."""
    full = [predict(connection, f"n{n}") for n in range(settings.daily_limit)]
    recording.deliver(connection, full, NOON)
    night = unix("2026-12-01 03:00")
    predict(connection, "alarm", probability=0.99, due_at=night)
    predict(connection, "hint")
    assert chosen(arbiter, connection, night - 60) == []
    assert chosen(arbiter, connection, night) == ["p-alarm"]


def test_a_day_without_room_leaves_what_the_user_asked_for(
    settings: ProactiveSettings, connection: apsw.Connection
) -> None:
    """`daily_limit = 0` silences everything but reminders."""
    predict(connection, "guess")
    predict(connection, "deadline", detector="commitment", probability=0.75, due_at=NOON)
    predict(connection, "reminder", detector="commitment", probability=0.99, due_at=NOON)
    arbiter = Arbiter(settings.model_copy(update={"daily_limit": 0}))
    assert chosen(arbiter, connection) == ["p-reminder"]


@pytest.mark.parametrize(
    ("local", "is_said"),
    [("22:59", True), ("23:00", False), ("03:00", False), ("06:59", False), ("07:00", True)],
)
def test_at_night_it_is_quiet(
    arbiter: Arbiter, connection: apsw.Connection, local: str, *, is_said: bool
) -> None:
    """From eleven to seven, on the user's clock."""
    predict(connection, "hint", at=unix("2026-11-30 08:00"))
    assert bool(chosen(arbiter, connection, unix(f"2026-12-01 {local}"))) is is_said


def test_the_night_is_where_the_user_was_last(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """Noon in Berlin is seven in the evening in Shanghai and four in the morning in Los Angeles."""
    predict(connection, "hint")
    say(connection, "x", NOON - 60, "America/Los_Angeles")
    assert chosen(arbiter, connection) == []
    say(connection, "y", NOON - 30, "Asia/Shanghai")
    assert chosen(arbiter, connection) == ["p-hint"]


def test_a_group_never_hears_what_is_private(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """What was said in public alone is said in public."""
    predict(connection, "secret", probability=0.99, due_at=NOON - 5)
    predict(connection, "open", private=False)
    assert chosen(arbiter, connection, scope=Scope("ana", public_only=True)) == ["p-open"]


def test_items_follow_the_user_into_another_session_and_never_another_user(
    arbiter: Arbiter, connection: apsw.Connection
) -> None:
    """Set in one session, heard in the next."""
    predict(connection, "a")
    assert chosen(arbiter, connection, scope=Scope("ana", "agent", "s9")) == ["p-a"]
    assert chosen(arbiter, connection, scope=Scope("ben", None, "s0")) == []


def test_beside_an_unrelated_prompt_only_what_is_due_is_said(
    arbiter: Arbiter, connection: apsw.Connection
) -> None:
    """An open prediction is no reason to speak."""
    predict(connection, "hint")
    predict(connection, "later", due_at=NOON + 60)
    assert beside(arbiter, connection) == []
    assert beside(arbiter, connection, "t-other") == []
    assert beside(arbiter, connection, now=NOON + 60) == ["p-later"]


def test_beside_its_own_topic_an_item_is_said(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """When one of the recalled turns is its evidence, even before it is due."""
    predict(connection, "hint")
    predict(connection, "later", due_at=NOON + 60)
    assert beside(arbiter, connection, "t-hint") == ["p-hint"]
    assert beside(arbiter, connection, "t-x", "t-later") == ["p-later"]


def test_a_prompt_is_not_buried_under_items(arbiter: Arbiter, connection: apsw.Connection) -> None:
    """A few at most, the most urgent."""
    for n in range(9):
        predict(connection, f"n{n}", probability=0.99, due_at=NOON - 90 + n)
    assert beside(arbiter, connection) == [f"p-n{n}" for n in range(AT_MOST_IN_RECALL)]


def test_switched_off_it_says_nothing(settings: ProactiveSettings, connection: apsw.Connection) -> None:
    """Not even what is due."""
    predict(connection, "a", probability=0.99, due_at=NOON - 5)
    assert chosen(Arbiter(settings.model_copy(update={"enabled": False})), connection) == []


@pytest.mark.parametrize("now", [0, -1, 2**63 - 1, -(2**63), 253_402_300_800])
def test_an_absurd_moment_is_answered_with_silence(
    arbiter: Arbiter, connection: apsw.Connection, now: int
) -> None:
    """Outside the calendar nothing is due."""
    predict(connection, "a")
    assert chosen(arbiter, connection, now) == []
    assert beside(arbiter, connection, "t-a", now=now) == []
