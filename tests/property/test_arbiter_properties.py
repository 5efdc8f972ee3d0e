"""The arbiter under any course of things: what it never does, and what it always does."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import apsw
from hypothesis import given, settings
from hypothesis import strategies as st

from config.settings import ProactiveSettings, load
from memory.model import (
    DAY_S,
    Evidence,
    Modality,
    Origin,
    Prediction,
    ProactiveItem,
    ProactiveState,
    Role,
    Scope,
    Turn,
)
from memory.proactive import ledger, recording
from memory.proactive.arbiter import NO_END, Arbiter
from memory.proactive.resolving import resolve
from memory.proactive.trust import RECOVERED_FROM, THROTTLED_UNDER, Outcome, trust
from memory.proactive.worth import is_asked_for
from memory.store import resources
from memory.turns import content_hash
from migrations import runner

HOUR_S = 3600
SLACK_S = 2 * HOUR_S  # what has a time of its own may come so much sooner
SETTINGS: ProactiveSettings = load().proactive
ZONES = ("Europe/Berlin", "Asia/Shanghai", "America/Los_Angeles", "Australia/Lord_Howe", "Pacific/Apia")
# Around nights in which Berlin, Los Angeles and Lord Howe change their clocks, and an ordinary one.
BEGINNINGS = [
    int(datetime.fromisoformat(f"{day}T09:00").replace(tzinfo=ZoneInfo("UTC")).timestamp())
    for day in ("2026-03-28", "2026-10-24", "2026-03-07", "2026-10-03", "2026-12-01")
]
DETECTORS = ("habit", "repeated_intent", "commitment", "overtaken")
TOPICS = ("tea", "trains", "茶", "火车")


@dataclass(frozen=True)
class Go:
    """The clock goes on, or back."""

    by_s: int


@dataclass(frozen=True)
class Move:
    """The user says something in another zone."""

    zone: str


@dataclass(frozen=True)
class Foresee:
    """A detector predicts; `due_in_s` None: at any time."""

    detector: str
    topic: str
    probability: float
    due_in_s: int | None


@dataclass(frozen=True)
class Poll:
    """An agent asks in a session, and the user answers what comes."""

    session: str
    outcome: ProactiveState | None


Step = Go | Move | Foresee | Poll
OUTCOMES_OF_A_POLL = [None, ProactiveState.USED, ProactiveState.DISMISSED, ProactiveState.SNOOZED]
REMINDERS = st.builds(
    Foresee, st.just("commitment"), st.sampled_from(TOPICS), st.just(0.99), st.sampled_from([0, HOUR_S])
)
GUESSES = st.builds(
    Foresee,
    st.sampled_from(DETECTORS),
    st.sampled_from(TOPICS),
    st.sampled_from([0.2, 0.8, 0.9]),
    st.sampled_from([None, 0, HOUR_S]),
)
POLLS = st.builds(Poll, st.sampled_from(["a", "b"]), st.sampled_from(OUTCOMES_OF_A_POLL))
GOING = st.builds(Go, st.sampled_from([-6 * HOUR_S, -60, 60, HOUR_S, 10 * HOUR_S, 23 * HOUR_S, 30 * HOUR_S]))
STEPS = st.lists(
    st.one_of(GUESSES, GUESSES, POLLS, POLLS, GOING, REMINDERS, st.builds(Move, st.sampled_from(ZONES))),
    max_size=40,
)


@dataclass(frozen=True)
class Told:
    """One telling."""

    item: ProactiveItem
    session: str
    at: int


@dataclass
class World:
    """One user's ledger, a clock and what was told."""

    connection: apsw.Connection
    now: int
    zone: str = ZONES[0]
    made: int = 0
    told: list[Told] = field(default_factory=list)

    def say(self, name: str) -> str:
        """A turn of the user that is about nothing else."""
        turn = Turn(
            name, Scope("ana", None, "s"), Role.USER, None, name, name, Modality.CHAT, self.now, self.zone,
            Origin.USER, True, content_hash(name),
        )  # fmt: skip
        return resources.insert(self.connection, turn, f"t-{name}", self.now).id

    def take(self, step: Step, arbiter: Arbiter) -> None:
        """One step on."""
        self.made += 1
        match step:
            case Go(by_s):
                self.now += by_s
            case Move(zone):
                self.zone = zone
                self.say(f"x{self.made}")
            case Foresee():
                self._foresee(step)
            case Poll(session, outcome):
                self._poll(arbiter, session, outcome)

    def _foresee(self, step: Foresee) -> None:
        due_at = None if step.due_in_s is None else self.now + step.due_in_s
        evidence = (Evidence(self.say(f"said {self.made}")),)
        made = Prediction(
            step.detector, step.topic, "text", "why", step.probability, evidence, due_at, self.now + 2 * DAY_S
        )
        recording.record(self.connection, "ana", made, f"p-{self.made}", self.now)

    def _poll(self, arbiter: Arbiter, session: str, outcome: ProactiveState | None) -> None:
        scope = Scope("ana", None, session)
        due = ledger.waiting(self.connection, scope, self.now, NO_END)
        asked = {item.id for item in due if is_asked_for(item) and (item.due_at or 0) <= self.now}
        chosen = arbiter.choose(self.connection, scope, self.now, 100)
        assert asked <= {item.id for item in chosen}, "what was asked for comes when it is due"
        for item in chosen:
            self._check(item, session)
            self.told.append(Told(item, session, self.now))
        recording.deliver(self.connection, [item.id for item in chosen], self.now, session)
        for item in chosen:
            if outcome is not None:
                until = self.now + HOUR_S if outcome is ProactiveState.SNOOZED else None
                resolve(self.connection, "ana", item.id, outcome, until, self.now)

    def _check(self, item: ProactiveItem, session: str) -> None:
        assert item.evidence
        if is_asked_for(item):
            return
        unasked = [one for one in self.told if not is_asked_for(one.item)]
        assert item.id not in {one.item.id for one in unasked}, "told once"
        assert not _is_night(self._local()), "quiet at night"
        today = [one for one in unasked if self._is_today(one.at)]
        assert len(today) < SETTINGS.daily_limit
        assert sum(one.session == session for one in today) < SETTINGS.session_limit
        wait_s = SETTINGS.cooldown_s - (0 if item.due_at is None else SLACK_S)
        same = [one for one in self.told if one.item.topic == item.topic and one.item.id != item.id]
        assert all(abs(self.now - one.at) >= wait_s for one in same), "a topic cools down"

    def _local(self) -> datetime:
        zone = resources.latest_zone(self.connection, "ana", self.now)
        return datetime.fromtimestamp(self.now, ZoneInfo(zone))

    def _is_today(self, at: int) -> bool:
        midnight = self._local().replace(hour=0, minute=0, second=0, fold=0)
        return midnight.timestamp() <= at < (midnight + timedelta(days=1)).timestamp()


def _is_night(local: datetime) -> bool:
    return local.time() >= time(23) or local.time() < time(7)


@contextmanager
def world(begin: int) -> Iterator[World]:
    connection = apsw.Connection(":memory:")
    runner.apply(connection)
    try:
        yield World(connection, begin)
    finally:
        connection.close()


@settings(deadline=None)
@given(begin=st.sampled_from(BEGINNINGS), steps=STEPS)
def test_whatever_happens_nobody_is_nagged_and_no_reminder_is_lost(begin: int, steps: Sequence[Step]) -> None:
    """Clocks that jump, zones that change, nights with an hour more or less: every bound holds."""
    arbiter = Arbiter(SETTINGS)
    with world(begin) as lived:
        lived.say("hello there")
        for step in steps:
            lived.take(step, arbiter)


OUTCOMES = st.lists(
    st.builds(
        Outcome,
        st.sampled_from(DETECTORS),
        st.sampled_from(TOPICS),
        is_right=st.booleans(),
        is_dismissed=st.just(False),
        was_told=st.booleans(),
        at=st.integers(0, 60 * DAY_S),
    ),
    max_size=40,
)
HALF_LIFE_S = SETTINGS.feedback_half_life_days * DAY_S
NOW = 60 * DAY_S


@given(outcomes=OUTCOMES, detector=st.sampled_from(DETECTORS), stated=st.floats(0, 1))
def test_a_dismissal_halves_its_topic_at_least(outcomes: list[Outcome], detector: str, stated: float) -> None:
    """Whatever was known before; and it makes no other topic likelier."""
    before = trust(outcomes, NOW, HALF_LIFE_S)
    after = trust([*outcomes, Outcome(detector, "tea", False, True, True, NOW)], NOW, HALF_LIFE_S)
    likely = before.probability(detector, "tea", stated)
    assert after.probability(detector, "tea", stated) <= likely / 2 + 1e-9
    assert after.probability(detector, "茶", stated) <= before.probability(detector, "茶", stated) + 1e-9


@given(outcomes=OUTCOMES, detector=st.sampled_from(DETECTORS), stated=st.floats(0, 1))
def test_trust_is_a_probability_and_throttles_by_its_two_marks(
    outcomes: list[Outcome], detector: str, stated: float
) -> None:
    """Under a half always, from three fifths never; in between as it was."""
    known = trust(outcomes, NOW, HALF_LIFE_S)
    assert 0 <= known.probability(detector, "tea", stated) <= 1
    if known.precision(detector) < THROTTLED_UNDER:
        assert known.is_throttled(detector)
    if known.precision(detector) >= RECOVERED_FROM:
        assert not known.is_throttled(detector)


@given(outcomes=OUTCOMES, detector=st.sampled_from(DETECTORS))
def test_whatever_was_wrong_a_throttle_ends(outcomes: list[Outcome], detector: str) -> None:
    """By hits that nobody was told of, and by time alone."""
    right = [Outcome(detector, f"topic {n}", True, False, False, NOW + n) for n in range(320)]
    assert not trust([*outcomes, *right], NOW + 320, HALF_LIFE_S).is_throttled(detector)
    assert not trust(outcomes, NOW + 50 * HALF_LIFE_S, HALF_LIFE_S).is_throttled(detector)
