"""How good the predictions were: precision, Brier score and reliability, counted over a small ledger."""

from collections.abc import Iterator

import apsw
import pytest

from config.settings import load
from memory.model import DAY_S, Evidence, Modality, Origin, Prediction, ProactiveState, Role, Scope, Turn
from memory.proactive import recording, resolving
from memory.proactive.arbiter import Arbiter
from memory.proactive.scores import Bin, DayScore, Scores, TopicScore, scores
from memory.store import resources
from memory.turns import content_hash
from migrations import runner

BEGIN = 1_796_029_200  # Monday, 30 November 2026, 10:00 in Berlin
HOUR_S = 3600
ANA = Scope("ana")
USED, DISMISSED = ProactiveState.USED, ProactiveState.DISMISSED


@pytest.fixture
def connection() -> Iterator[apsw.Connection]:
    opened = apsw.Connection(":memory:")
    opened.pragma("foreign_keys", "ON")
    runner.apply(opened)
    yield opened
    opened.close()


def predict(
    connection: apsw.Connection,
    name: str,
    probability: float = 0.8,
    *,
    due_at: int | None = None,
    private: bool = True,
) -> str:
    turn = Turn(
        name, Scope("ana", None, "s"), Role.USER, None, name, name, Modality.CHAT, BEGIN, "Europe/Berlin",
        Origin.USER, private, content_hash(name),
    )  # fmt: skip
    resources.insert(connection, turn, f"t-{name}", BEGIN)
    made = Prediction(
        "habit", name, name, "w", probability, (Evidence(f"t-{name}"),), due_at, BEGIN + 9 * DAY_S
    )
    assert recording.record(connection, "ana", made, f"p-{name}", BEGIN)
    return f"p-{name}"


def resolve(connection: apsw.Connection, item_id: str, outcome: ProactiveState, at: int) -> None:
    resolving.resolve(connection, "ana", item_id, outcome, None, at)


def scored(
    connection: apsw.Connection, until: int = BEGIN + 20 * DAY_S, days: int = 30, scope: Scope = ANA
) -> Scores:
    arbiter = Arbiter(load().proactive)
    known = arbiter.trust(connection, "ana", until), arbiter.retry_at(connection, "ana", until)
    return scores(connection, scope, until, days, known)


def test_of_an_empty_ledger_nothing_is_claimed(connection: apsw.Connection) -> None:
    """No precision, no Brier score: null, not zero."""
    found = scored(connection)
    assert (found.detectors, found.days, found.reliability, found.brier, found.topics) == (
        (),
        (),
        (),
        None,
        (),
    )
    assert sum(found.states.values()) == 0


def test_what_became_of_predictions_is_counted(connection: apsw.Connection) -> None:
    """By detector, local day and tenth of the probability; late at night it is the next day in Berlin."""
    resolve(connection, predict(connection, "a", 0.9), USED, BEGIN + HOUR_S)
    recording.fulfil(connection, [predict(connection, "b", 0.84)], BEGIN + 14 * HOUR_S, BEGIN + 14 * HOUR_S)
    resolve(connection, predict(connection, "c", 0.86), DISMISSED, BEGIN + 15 * HOUR_S)
    predict(connection, "d", 0.6)
    recording.expire(connection, BEGIN + 10 * DAY_S)
    found = scored(connection)
    (habit,) = found.detectors
    assert (habit.right, habit.wrong, habit.dismissed, habit.precision) == (2, 2, 1, 0.5)
    assert found.days == (
        DayScore("2026-11-30", "habit", 1, 0, 1.0),
        DayScore("2026-12-01", "habit", 1, 1, 0.5),
        DayScore("2026-12-09", "habit", 0, 1, 0.0),
    )
    assert found.reliability == (
        Bin(0.6, 0.7, 1, 0.6, 0.0),
        Bin(0.8, 0.9, 2, 0.85, 0.5),
        Bin(0.9, 1.0, 1, 0.9, 1.0),
    )
    assert found.brier == pytest.approx((0.01 + 0.16**2 + 0.86**2 + 0.36) / 4, abs=1e-4)
    assert {state: n for state, n in found.states.items() if n} == {
        "used": 1,
        "hit": 1,
        "dismissed": 1,
        "miss": 1,
    }


def test_a_hit_after_the_item_was_told_was_prompted(connection: apsw.Connection) -> None:
    """One before it came by itself."""
    told, untold = predict(connection, "told"), predict(connection, "untold")
    recording.deliver(connection, [told], BEGIN + HOUR_S)
    recording.fulfil(connection, [told, untold], BEGIN + 2 * HOUR_S, BEGIN + 2 * HOUR_S)
    (habit,) = scored(connection).detectors
    assert (habit.right, habit.prompted) == (2, 1)


def test_what_was_asked_for_is_no_guess(connection: apsw.Connection) -> None:
    """A reminder that is dismissed says nothing about the detector."""
    reminder = predict(connection, "reminder", 0.99, due_at=BEGIN + HOUR_S)
    resolve(connection, reminder, DISMISSED, BEGIN + 2 * HOUR_S)
    found = scored(connection)
    assert found.detectors == ()
    assert found.states["dismissed"] == 1


def test_what_is_throttled_says_until_when(connection: apsw.Connection) -> None:
    """With the precision that throttles it, and the topics that were dismissed."""
    for n in range(3):
        item_id = predict(connection, f"topic {n}")
        recording.deliver(connection, [item_id], BEGIN + n)
        resolve(connection, item_id, DISMISSED, BEGIN + HOUR_S)
    found = scored(connection, BEGIN + HOUR_S)
    (habit,) = found.detectors
    assert habit.throttled_by == "precision"
    assert habit.posterior < 0.5
    assert habit.retry_at == BEGIN + 2 + load().proactive.retry_days * DAY_S
    assert found.topics == tuple(TopicScore(f"topic {n}", f"topic {n}", 1, 0.5) for n in range(3))


def test_only_what_was_known_by_a_moment_counts(connection: apsw.Connection) -> None:
    """And only of the days that were asked for."""
    resolve(connection, predict(connection, "a"), USED, BEGIN + DAY_S)
    resolve(connection, predict(connection, "b"), DISMISSED, BEGIN + 3 * DAY_S)
    assert [one.day for one in scored(connection, BEGIN + 2 * DAY_S).days] == ["2026-12-01"]
    assert [one.day for one in scored(connection, BEGIN + 4 * DAY_S, days=2).days] == ["2026-12-03"]


def test_a_group_learns_no_private_topic(connection: apsw.Connection) -> None:
    """What rests on private turns is not counted there."""
    resolve(connection, predict(connection, "secret"), DISMISSED, BEGIN + HOUR_S)
    resolve(connection, predict(connection, "open", private=False), DISMISSED, BEGIN + HOUR_S)
    found = scored(connection, scope=Scope("ana", public_only=True))
    assert [one.topic for one in found.topics] == ["open"]
    assert found.states["dismissed"] == 1


@pytest.mark.parametrize("until", [-(2**62), -1, 0, 2**62])
def test_an_absurd_moment_is_answered(connection: apsw.Connection, until: int) -> None:
    """Nothing was known long ago; all of it is too old in an age to come."""
    resolve(connection, predict(connection, "a"), DISMISSED, BEGIN)
    assert scored(connection, until).brier is None
