"""Days that lie ahead in what the user told: a passport that runs out, a flight, a birthday."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

import apsw

from memory.dates.moment import zone_of
from memory.model import DAY_S, Evidence, Item, Prediction, ProactiveItem, Resource
from memory.proactive import ledger
from memory.proactive.about import DATED
from memory.proactive.asking.wording import day_of, quote
from memory.proactive.commitments.pledges import pledges
from memory.proactive.commitments.timing import written
from memory.proactive.detectors.commitment import (
    CommitmentDetector,
    predicted,
    terms_of,
    topic_terms,
)
from memory.proactive.occasions.occasion import Occasion, Sort, occasion
from memory.proactive.occasions.told import may_speak, told
from memory.proactive.sharing import share
from memory.proactive.worth import ASKED_FOR
from memory.terms import Language, language

_PROBABILITY: Final = 0.7
_SAME = 0.5  # share of the fewer words
_SAME_TIME_S = 3 * DAY_S
_QUOTED_CHARS = 160
_RUNS_OUT: Final = frozenset({Sort.DOCUMENT, Sort.CONTRACT, Sort.SUBSCRIPTION})
_TEXTS: Final[dict[Language, tuple[str, str]]] = {
    "en": ("Coming up: {words} ({when})", "Runs out: {words} ({when})"),
    "zh": ("快到了：{words}（{when}）", "快到期了：{words}（{when}）"),
}
_WHY: Final[dict[Language, str]] = {"en": "told on {day}: “{words}”", "zh": "{day} 说过：“{words}”"}


class UpcomingDetector:
    """One prediction for each fact of the turn whose day lies ahead, so early that something can be done.

    Beside a reminder of the same thing, or a commitment that comes up at about the same time, there is none.
    A fact that no longer holds takes its prediction back: the ledger says nothing that rests on one.
    """

    name = "upcoming"

    async def prepare(self) -> None:
        """Nothing to load."""

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """The days that the turn's facts name."""
        ahead = told(connection, turn)
        if not ahead:
            return []
        committed = list(_commitments(connection, turn))
        predictions = (_prediction(turn, fact, found) for fact, found in ahead)
        return [
            one
            for one in predictions
            if one is not None and not any(is_covered(one.topic, one.due_at, other) for other in committed)
        ]


def told_anew(fact: Item, turn: Resource, now: int) -> Prediction | None:
    """What a fact of a turn predicts from a later moment on; None where it has no day, or was replaced."""
    found = occasion(fact, now, turn.turn.tz) if may_speak(fact) else None
    return _prediction(turn, fact, found, now) if found else None


def _prediction(turn: Resource, fact: Item, ahead: Occasion, at: int | None = None) -> Prediction | None:
    said = turn.turn
    due = ahead.due_at(said.timestamp if at is None else at)
    if due is None:
        return None
    words: Language = language(fact.memory)
    text = _TEXTS[words][ahead.sort in _RUNS_OUT]
    return Prediction(
        detector=UpcomingDetector.name,
        topic=_topic(ahead),
        text=text.format(words=quote(ahead.words, _QUOTED_CHARS), when=written(ahead.date, words)),
        why=_WHY[words].format(day=day_of(said.timestamp, said.tz), words=quote(ahead.words, _QUOTED_CHARS)),
        probability=_PROBABILITY,
        evidence=(Evidence(turn.id, fact.id, said.event_key),),
        due_at=due,
        expires_at=max(ahead.ends_at, due + 1),
        session_id=said.scope.session_id,
    )


def _topic(ahead: Occasion) -> str:
    day = datetime.fromtimestamp(ahead.date.at, zone_of(ahead.date.tz))
    words = " ".join(sorted(_terms(ahead))) or quote(ahead.words, _QUOTED_CHARS)
    if ahead.comes_again:
        return f"{words}{ledger.RECURRING}year {day:%m-%d}"
    return f"{words}{DATED}{day:%Y-%m-%d}"


def _terms(ahead: Occasion) -> set[str]:
    return terms_of(ahead.words.replace(ahead.date.text, " "))


def _commitments(connection: apsw.Connection, turn: Resource) -> Iterator[Prediction | ProactiveItem]:
    """Those of this very turn, and those that the ledger has."""
    said = turn.turn
    for one in pledges(said.text, is_assistant=False, at=said.timestamp, tz=said.tz):
        if not one.is_told:
            yield predicted(one, said, ())
    yield from ledger.near(connection, said.scope.user_id, CommitmentDetector.name, said.timestamp, 0)


def is_covered(topic: str, due_at: int | None, commitment: Prediction | ProactiveItem) -> bool:
    """Whether a commitment reminds of the same: of what was asked for at any time, else at about its time.

    Where weeks lie between, both stand: one to act on, one as the last call.
    """
    if due_at is None or commitment.due_at is None:
        return False
    is_asked_for = commitment.probability >= ASKED_FOR
    is_near = is_asked_for or abs(due_at - commitment.due_at) <= _SAME_TIME_S
    return is_near and share(topic_terms(topic), topic_terms(commitment.topic)) >= _SAME
