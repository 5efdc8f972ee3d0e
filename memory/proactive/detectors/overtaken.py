"""Decisions about to be overtaken: doubted later, up for a vote, or contradicted by what may be so."""

from collections.abc import Iterator
from typing import Final

import apsw
import numpy as np

from memory.database import Database
from memory.dates import due_moment, find_dates
from memory.dates.moment import is_in_calendar
from memory.extract.own import is_hostile, is_own
from memory.model import DAY_S, Evidence, Item, MemoryType, Prediction, Resource
from memory.ports import Clock, Embedder, Vector
from memory.proactive import ledger
from memory.proactive.asking import asked
from memory.proactive.asking.lens import Lens
from memory.proactive.asking.wording import day_of, quote
from memory.proactive.doubting.doubt import doubts, telling
from memory.store import items, links
from memory.store.items import StoredItem
from memory.terms import Language, language

_KEPT_S: Final = 7 * DAY_S
_PROBABILITY: Final = 0.65
_LATEST: Final = 200  # decisions that are looked at; who decides more is heard by what was decided last
_SHARED: Final = 2  # words that both say; one is enough where the vectors agree
_NEAR: Final = 0.10  # similarity corrected for hubs; what asks the same thing again has .25
_QUOTED_CHARS: Final = 120
_OWN: Final = frozenset({"user", "edited", "import"})
_TEXTS: Final[dict[Language, str]] = {
    "en": "Decided on {then}: “{decision}”. On {now} you said: “{doubt}”. Does the decision still stand?",
    "zh": "{then} 决定过：“{decision}”；{now} 你又说：“{doubt}”。原来的决定还算数吗？",
}
_WHY: Final[dict[Language, str]] = {
    "en": "a decision of {then}, and what was said about it on {now}",
    "zh": "{then} 的决定，以及 {now} 你对它的说法",
}


class OvertakenDetector:
    """A decision of the user's that holds, and a later turn that doubts it, in so many words.

    Near means: two telling words in common, or one and vectors that agree; without an embedder, two words.
    A fact that may contradict a decision counts as well. A decision that was replaced is none to ask about.
    """

    name = "overtaken"

    def __init__(self, embedder: Embedder | None, database: Database, clock: Clock) -> None:
        self._embedder = embedder
        self._lens = Lens(embedder, database, clock)

    async def prepare(self) -> None:
        """Have the anchors in the embedder's vectors, where there is one. Raises TemporaryError like it."""
        await self._lens.prepare()

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """One prediction for each decision that the turn doubts."""
        said = turn.turn
        if not is_own(said) or not is_in_calendar(said.timestamp):
            return []
        found = {item.id: (item, words) for item, words in self._doubted(connection, turn)}
        return [_prediction(connection, turn, item, words) for item, words in found.values()]

    def _doubted(self, connection: apsw.Connection, turn: Resource) -> Iterator[tuple[Item, str]]:
        """The decisions, each with the words that doubt it."""
        told = list(doubts(turn.turn.text))
        if told and not is_hostile(turn.turn.text):
            decided = _decisions(connection, turn)
            for sentence in told:
                for stored in decided:
                    if self._is_near(connection, turn, sentence.text, stored):
                        yield stored.item, sentence.text
        yield from _contradicted(connection, turn)

    def _is_near(self, connection: apsw.Connection, turn: Resource, words: str, decision: StoredItem) -> bool:
        shared = telling(words) & telling(decision.item.memory)
        if len(shared) >= _SHARED or not shared:
            return bool(shared)
        return self._similarity(connection, turn, decision) >= _NEAR

    def _similarity(self, connection: apsw.Connection, turn: Resource, decision: StoredItem) -> float:
        """How near their vectors are; 0 where there are none."""
        if self._embedder is None or self._lens.anchors is None:
            return 0.0
        name = self._embedder.name
        one: Vector | None = next((vector for _, vector in asked.of_turns(connection, [turn.id], name)), None)
        other = items.embedding(connection, decision.key, name)
        if one is None or other is None:
            return 0.0
        return float(self._lens.anchors.similarities(np.array([one]), np.array([other]))[0, 0])


def _decisions(connection: apsw.Connection, turn: Resource) -> list[StoredItem]:
    """What the user had decided before the turn and what still holds, the latest first."""
    said = turn.turn
    keys = items.latest_decisions(connection, said.scope.user_id, said.timestamp, _LATEST)
    found = (items.by_key(connection, key) for key in keys)
    return [stored for stored in found if stored is not None and _is_older(stored.item, turn)]


def _is_older(item: Item, turn: Resource) -> bool:
    is_other = all(source.resource_id != turn.id for source in item.sources)
    return bool(item.sources) and is_other and item.trust in _OWN


def _contradicted(connection: apsw.Connection, turn: Resource) -> Iterator[tuple[Item, str]]:
    """The decisions that a fact of the turn may contradict."""
    facts = {stored.item.id: stored.item for stored in items.stated_in(connection, turn.id)}
    said = turn.turn
    for fact_id, partners in links.maybe_partners(connection, list(facts), None, now=said.timestamp).items():
        for partner in partners:
            stored = items.by_id(connection, said.scope.user_id, partner)
            if stored and stored.item.memory_type is MemoryType.DECISION and _is_older(stored.item, turn):
                yield stored.item, facts[fact_id].memory


def _prediction(connection: apsw.Connection, turn: Resource, decision: Item, doubt: str) -> Prediction:
    said = turn.turn
    evidence = Evidence(turn.id, key=said.event_key)
    topic = _topic(decision)
    near = ledger.near(connection, said.scope.user_id, OvertakenDetector.name, said.timestamp, 0)
    known = next((item for item in near if item.topic == topic), None)
    if known is not None:
        return ledger.restated(known, evidence)
    source = decision.sources[-1]
    words: Language = language(doubt)
    dates = {"then": day_of(source.timestamp, source.tz), "now": day_of(said.timestamp, said.tz)}
    due = _decided_anew_at(doubt, said.timestamp, said.tz)
    return Prediction(
        detector=OvertakenDetector.name,
        topic=topic,
        text=_TEXTS[words].format(
            decision=quote(decision.memory, _QUOTED_CHARS), doubt=quote(doubt, _QUOTED_CHARS), **dates
        ),
        why=_WHY[words].format(**dates),
        probability=_PROBABILITY,
        evidence=(Evidence(source.resource_id, decision.id, source.key), evidence),
        due_at=due,
        expires_at=max(due or 0, said.timestamp) + _KEPT_S,
        session_id=said.scope.session_id,
    )


def _topic(decision: Item) -> str:
    return " ".join(sorted(telling(decision.memory))) or quote(decision.memory, _QUOTED_CHARS)


def _decided_anew_at(doubt: str, at: int, tz: str) -> int | None:
    """The morning of the day that is named for it; None: at any time."""
    exact = [date for date in find_dates(doubt, at, tz) if date.precision in ("day", "hour", "minute")]
    return next((due for date in exact if (due := due_moment(date)) > at), None)
