"""How far a user's predictions are trusted, judged by what became of those before."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

# The priors, as counts of right and wrong predictions. Of a user nobody knows, four in five are taken to be
# right; of a detector, as many as are right with this user at all, and that weighs four predictions; what an
# item's own detector says of it weighs four as well. See docs/decisions/0010-a-ledger-that-scores-itself.md.
PRIOR_RIGHT: Final = 4.0
PRIOR_WRONG: Final = 1.0
PRIOR_WEIGHT: Final = 4.0
# Who comes to a topic unprompted has not said that they want to be told of it.
UNTOLD_WEIGHT: Final = 0.25
THROTTLED_UNDER: Final = 0.5
RECOVERED_FROM: Final = 0.6  # not at the same mark, or one outcome would turn it on and off
_MOST_WEIGHT: Final = 8.0  # of a detector's record against what it says of one item
_TRYING: Final = 2  # dismissals in a row
_SPENT: Final = 3
_ANY_OTHER: Final = ""  # stands for every detector that has no outcome yet


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one prediction; `at` is when that was known, Unix seconds.

    `was_told`: it had been handed out, or the user said what became of it.
    """

    detector: str
    topic: str
    is_right: bool
    is_dismissed: bool
    was_told: bool
    at: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How many were right and wrong, the older ones counting less; `dismissed` is among the wrong."""

    right: float = 0.0
    wrong: float = 0.0
    dismissed: float = 0.0

    def faded(self, share: float) -> "Tally":
        """The same, after its outcomes have grown older."""
        return Tally(self.right * share, self.wrong * share, self.dismissed * share)

    def with_one(self, outcome: Outcome, share: float = 1.0) -> "Tally":
        """One outcome more, or what its age has left of it."""
        weight = share if outcome.was_told else share * UNTOLD_WEIGHT
        return Tally(
            self.right + weight * outcome.is_right,
            self.wrong + weight * (not outcome.is_right),
            self.dismissed + share * outcome.is_dismissed,
        )

    def mean(self, prior: float, weight: float = PRIOR_WEIGHT) -> float:
        """The mean of the Beta posterior, where the prior's mean weighs so many outcomes."""
        return (weight * prior + self.right) / (weight + self.right + self.wrong)


@dataclass(frozen=True, slots=True)
class Trust:
    """The record of one user at one moment. What a user asked for has no part in it."""

    user: Tally
    detectors: Mapping[str, Tally]
    topics: Mapping[str, Tally]
    throttled: Collection[str] = ()
    dismissed_in_row: int = 0  # since something that was told was right

    @property
    def is_tried(self) -> bool:
        """Whether the user's patience is: two dismissals in a row."""
        return self.dismissed_in_row >= _TRYING

    @property
    def is_spent(self) -> bool:
        """Whether the user's patience is: three dismissals in a row."""
        return self.dismissed_in_row >= _SPENT

    def precision(self, detector: str) -> float:
        """How many of a detector's predictions are likely right with this user: the posterior's mean."""
        prior_weight = PRIOR_RIGHT + PRIOR_WRONG
        general = self.user.mean(PRIOR_RIGHT / prior_weight, prior_weight)
        return self.detectors.get(detector, Tally()).mean(general)

    def is_throttled(self, detector: str) -> bool:
        """Whether its precision fell under a half and has not risen to three fifths since, or the user's
        patience is spent.
        """
        return self.is_spent or self.is_imprecise(detector)

    def is_imprecise(self, detector: str) -> bool:
        """Whether it is throttled for its own record."""
        return (detector if detector in self.detectors else _ANY_OTHER) in self.throttled

    def probability(self, detector: str, topic: str, stated: float) -> float:
        """What the detector states, put right by its record and the topic's; each dismissal halves it."""
        record = self.detectors.get(detector, Tally())
        told = record.right + record.wrong
        likely = record.faded(min(1.0, _MOST_WEIGHT / told) if told else 1.0).mean(stated)
        on_topic = self.topics.get(topic, Tally())
        return on_topic.mean(likely) * self.halved(topic)

    def halved(self, topic: str) -> float:
        """What the dismissals of a topic leave of its probability: a half of each, and more with time."""
        return float(0.5 ** self.topics.get(topic, Tally()).dismissed)


def trust(outcomes: Iterable[Outcome], now: int, half_life_s: float) -> Trust:
    """The record that these outcomes make by a moment; each counts half as much after a half-life.

    A pure function of them, so that a replay trusts what was trusted then.
    """
    record, topics, last = _Record(), defaultdict[str, Tally](Tally), 0
    for outcome in sorted(outcomes, key=lambda one: one.at):
        record.fade(_left(outcome.at - last, half_life_s))
        record.add(outcome)
        record.throttle()
        share = _left(now - outcome.at, half_life_s)
        topics[outcome.topic] = topics[outcome.topic].with_one(outcome, share)
        last = outcome.at
    record.fade(_left(now - last, half_life_s))
    record.throttle()
    return record.trust(topics)


class _Record:
    """A trust in the making, outcome by outcome."""

    def __init__(self) -> None:
        self._user = Tally()
        self._detectors: dict[str, Tally] = {}
        self._throttled: frozenset[str] = frozenset()
        self._dismissed_in_row = 0

    def fade(self, share: float) -> None:
        self._user = self._user.faded(share)
        self._detectors = {name: tally.faded(share) for name, tally in self._detectors.items()}

    def add(self, outcome: Outcome) -> None:
        self._user = self._user.with_one(outcome)
        if outcome.is_dismissed:
            self._dismissed_in_row += 1
        elif outcome.is_right and outcome.was_told:
            self._dismissed_in_row = 0
        if outcome.detector not in self._detectors and _ANY_OTHER in self._throttled:
            self._throttled |= {outcome.detector}
        self._detectors[outcome.detector] = self._detectors.get(outcome.detector, Tally()).with_one(outcome)

    def throttle(self) -> None:
        known = self.trust({})
        self._throttled = frozenset(
            name
            for name in (_ANY_OTHER, *self._detectors)
            if known.precision(name) < (RECOVERED_FROM if name in self._throttled else THROTTLED_UNDER)
        )

    def trust(self, topics: Mapping[str, Tally]) -> Trust:
        return Trust(self._user, self._detectors, topics, self._throttled, self._dismissed_in_row)


def _left(age_s: int, half_life_s: float) -> float:
    """What an age leaves of an outcome."""
    return float(0.5 ** (max(0, age_s) / half_life_s))
