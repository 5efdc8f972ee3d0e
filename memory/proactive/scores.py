"""How good a user's predictions were: by state, by detector, by day, and by how sure they were."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

import apsw

from memory.dates.moment import zone_of
from memory.model import DAY_S, ProactiveState, Scope
from memory.proactive.trust import Trust
from memory.proactive.worth import ASKED_FOR
from memory.store import resources

_BINS: Final = 10
_RIGHT: Final = (ProactiveState.USED, ProactiveState.HIT)


@dataclass(frozen=True, slots=True)
class DetectorScore:
    """One detector: what it was right and wrong about, and how far it is trusted now.

    `precision` is right / (right + wrong), None for none; `posterior` is what the trust in it amounts to,
    with all that is known since the beginning. `throttled_by`: `precision`, its own, or `dismissals`,
    three in a row of any; None where it is not. `retry_at`: when one item may come again all the same.
    """

    detector: str
    right: int
    wrong: int
    prompted: int
    dismissed: int
    precision: float | None
    posterior: float
    throttled_by: str | None
    retry_at: int | None


@dataclass(frozen=True, slots=True)
class DayScore:
    """One detector on one local day."""

    day: str
    detector: str
    right: int
    wrong: int
    precision: float


@dataclass(frozen=True, slots=True)
class Bin:
    """The predictions whose probability lay from `low` to `high`: how many came true, beside how many should.

    `predicted` is their mean probability, `observed` the share that was right.
    """

    low: float
    high: float
    n: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class TopicScore:
    """A topic that the user dismissed: how often, and what share of its probability is left.

    `text` is what was said of it last.
    """

    topic: str
    text: str
    dismissed: int
    left: float


@dataclass(frozen=True, slots=True)
class Scores:
    """All of it. `brier` is the mean square of probability - outcome, None for none; 0 is best."""

    states: dict[str, int]
    detectors: tuple[DetectorScore, ...]
    days: tuple[DayScore, ...]
    reliability: tuple[Bin, ...]
    brier: float | None
    topics: tuple[TopicScore, ...]


@dataclass(frozen=True, slots=True)
class _Judged:
    detector: str
    topic: str
    text: str
    probability: float
    state: ProactiveState
    at: int
    was_told: bool

    @property
    def is_right(self) -> bool:
        return self.state in _RIGHT


def scores(
    connection: apsw.Connection, scope: Scope, until: int, days: int, known: tuple[Trust, int]
) -> Scores:
    """The scores of the last `days` by a moment; reminders are no guesses and have no part in it.

    `known`: the trust by that moment, and when a throttled detector may speak again.
    """
    judged = _judged(connection, scope, until - days * DAY_S, until)
    zone = zone_of(resources.latest_zone(connection, scope.user_id, until))
    return Scores(
        _states(connection, scope, until),
        tuple(_by_detector(judged, *known)),
        tuple(_by_day(judged, zone)),
        tuple(_bins(judged)),
        _brier(judged),
        tuple(_topics(judged, known[0])),
    )


def _judged(connection: apsw.Connection, scope: Scope, since: int, until: int) -> list[_Judged]:
    rows = connection.execute(
        """
        SELECT
          detector, topic, text, probability, state, decided_at,
          coalesce(delivered_at <= decided_at, 0)
        FROM proactive_items
        WHERE user_id = ?1
          AND decided_at BETWEEN ?2 AND ?3
          AND (NOT ?4 OR NOT private)
          AND NOT (due_at IS NOT NULL AND probability >= ?5)
        ORDER BY decided_at, id
        """,
        (scope.user_id, since, until, scope.public_only, ASKED_FOR),
    )
    return [
        _Judged(detector, topic, text, probability, ProactiveState(state), at, bool(was_told))
        for detector, topic, text, probability, state, at, was_told in rows
    ]


def _states(connection: apsw.Connection, scope: Scope, until: int) -> dict[str, int]:
    rows = connection.execute(
        """
        SELECT state, count(*) FROM proactive_items
        WHERE user_id = ? AND created_at <= ? AND (NOT ? OR NOT private)
        GROUP BY state
        """,
        (scope.user_id, until, scope.public_only),
    )
    found = {str(state): int(count) for state, count in rows}
    return {state.value: found.get(state.value, 0) for state in ProactiveState}


def _by_detector(judged: Sequence[_Judged], trust: Trust, retry_at: int) -> Iterable[DetectorScore]:
    """Also the throttled ones of which nothing was judged of late."""
    groups: defaultdict[str, list[_Judged]] = defaultdict(list, {name: [] for name in trust.detectors})
    for one in judged:
        groups[one.detector].append(one)
    for name, ones in sorted(groups.items()):
        right = sum(one.is_right for one in ones)
        yield DetectorScore(
            name,
            right,
            len(ones) - right,
            sum(one.state is ProactiveState.HIT and one.was_told for one in ones),
            sum(one.state is ProactiveState.DISMISSED for one in ones),
            round(right / len(ones), 4) if ones else None,
            round(trust.precision(name), 4),
            _throttled_by(trust, name),
            retry_at if trust.is_throttled(name) else None,
        )


def _throttled_by(trust: Trust, detector: str) -> str | None:
    if trust.is_imprecise(detector):
        return "precision"
    return "dismissals" if trust.is_spent else None


def _by_day(judged: Sequence[_Judged], zone: tzinfo) -> Iterable[DayScore]:
    groups: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for one in judged:
        groups[f"{datetime.fromtimestamp(one.at, zone):%Y-%m-%d}", one.detector].append(one.is_right)
    for (day, detector), rights in sorted(groups.items()):
        right = sum(rights)
        yield DayScore(day, detector, right, len(rights) - right, round(right / len(rights), 4))


def _bins(judged: Sequence[_Judged]) -> Iterable[Bin]:
    groups: defaultdict[int, list[_Judged]] = defaultdict(list)
    for one in judged:
        groups[min(_BINS - 1, int(one.probability * _BINS))].append(one)
    for place, ones in sorted(groups.items()):
        predicted = sum(one.probability for one in ones) / len(ones)
        observed = sum(one.is_right for one in ones) / len(ones)
        low, high = round(place / _BINS, 2), round((place + 1) / _BINS, 2)
        yield Bin(low, high, len(ones), round(predicted, 4), round(observed, 4))


def _brier(judged: Sequence[_Judged]) -> float | None:
    if not judged:
        return None
    return round(sum((one.probability - one.is_right) ** 2 for one in judged) / len(judged), 4)


def _topics(judged: Sequence[_Judged], trust: Trust) -> Iterable[TopicScore]:
    dismissed: defaultdict[str, list[str]] = defaultdict(list)
    for one in judged:
        if one.state is ProactiveState.DISMISSED:
            dismissed[one.topic].append(one.text)
    for topic, texts in sorted(dismissed.items()):
        yield TopicScore(topic, texts[-1], len(texts), round(trust.halved(topic), 4))
