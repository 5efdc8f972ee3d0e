"""The known facts that a new one has to be compared with."""

from dataclasses import dataclass
from math import isnan

import apsw

from memory import fulltext
from memory.knowledge.settled import Embedded
from memory.knowledge.standing import is_protected
from memory.model import Resource, Turn
from memory.ports import Filter
from memory.store import items, links
from memory.store.items import StoredItem
from memory.store.speakers import Voice, voice
from memory.terms import query_terms
from memory.vectors.generations import Generations

NEIGHBOURS = 8
LATEST = 30  # where vectors are missing, so many of the latest facts are compared


@dataclass(frozen=True, slots=True)
class Near:
    """A known fact near to a new one; `cosine` is None where vectors of one model are missing."""

    stored: StoredItem
    cosine: float | None
    voice: Voice

    @property
    def is_open(self) -> bool:
        """Whether it is the speaker's own to go on with, neither pinned nor edited."""
        return self.voice is Voice.SAME and not is_protected(self.stored)


class Neighbourhood:
    """Looks in a transaction of the writer, so that a fact stored just before is seen."""

    def __init__(self, generations: Generations) -> None:
        self._generations = generations

    def find(self, connection: apsw.Connection, embedded: Embedded, source: Resource) -> list[Near]:
        """The nearest facts that held when it was said: by vector, and by words lest one has none yet."""
        at = source.turn.timestamp
        cosines = self._cosines(connection, embedded, source.turn)
        stored = (items.by_key(connection, key) for key in cosines)
        live = [fact for fact in stored if fact is not None and _held(connection, fact, at)]
        heard = [
            Near(fact, cosines[fact.key], voice(connection, fact.item.id, source.turn.sender))
            for fact in live
        ]
        has_all = embedded.vector is not None and not self._generations.is_changing
        return [near for near in heard if near.voice is not Voice.OTHER][
            : 2 * NEIGHBOURS if has_all else LATEST
        ]

    def _cosines(
        self, connection: apsw.Connection, embedded: Embedded, turn: Turn
    ) -> dict[int, float | None]:
        """What is near, by number, with its cosine; None where there is no vector of the same model."""
        user_id, index = turn.scope.user_id, self._generations.index
        words = query_terms(embedded.fact.text)
        others = [match.key for match in fulltext.search(connection, user_id, words, NEIGHBOURS)]
        if embedded.vector is None or self._generations.is_changing:
            # "I moved to Rome" shares no word with "I live in Oslo"
            others += items.latest_keys(connection, user_id, turn.timestamp, LATEST)
        if embedded.vector is None:
            return dict.fromkeys(others)
        found = index.search(user_id, embedded.vector, 4 * NEIGHBOURS, Filter())  # turns among them
        keys = list(dict.fromkeys([*found.keys.tolist(), *others]))
        cosines = index.cosines(user_id, keys, embedded.vector).tolist()
        return {key: None if isnan(cosine) else cosine for key, cosine in zip(keys, cosines, strict=True)}


def _held(connection: apsw.Connection, fact: StoredItem, at: int) -> bool:
    """Whether a fact holds, or held at that moment: what arrives late finds its place among what was said."""
    if fact.item.superseded_by is None:
        return True
    ended_at = links.superseded_at(connection, fact.item.id)
    return ended_at is not None and fact.item.stated_at <= at < ended_at
