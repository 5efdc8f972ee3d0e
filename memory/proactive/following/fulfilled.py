"""Which predictions come true with a turn: the user turns to what was foreseen."""

from collections.abc import Set

import apsw

from memory.database import Database
from memory.embed.anchors import Seen
from memory.extract.own import is_own
from memory.model import ProactiveItem, Resource
from memory.ports import Clock, Embedder
from memory.proactive import ledger
from memory.proactive.about import are_about, terms_of
from memory.proactive.asking.belonging import is_of
from memory.proactive.asking.heard import Heard
from memory.proactive.asking.lens import Lens
from memory.proactive.asking.telling import is_telling
from memory.proactive.asking.triangle import is_near
from memory.proactive.worth import ASKED_FOR, worth_of
from memory.terms import content_terms

APART_S = 30 * 60  # what is said sooner still belongs to what the prediction was made of
EARLY_S = 2 * 3600  # so long before its time the user may come to it
_MEMBERS = 12  # of the evidence that are compared


class Fulfilment:
    """Looks at each new turn of a user for the predictions that it fulfils, told or not.

    What the user will ask again is known by its meaning where there are vectors, all else by its words. What
    has its own time comes true around that time and after it; a reminder only once it was handed out, or
    the user would never hear it. A pure look at the ledger and the turn's own time: a replay finds the same.
    """

    def __init__(
        self, embedder: Embedder | None, database: Database, clock: Clock, heard: Heard | None = None
    ) -> None:
        self._lens = Lens(embedder, database, clock)
        self._heard = heard or (Heard(embedder.name) if embedder else None)
        self._topics: dict[str, Set[str]] = {}

    async def prepare(self) -> None:
        """Have the anchors in the embedder's vectors. Raises TemporaryError like it."""
        self._topics.clear()
        if self._heard is not None:
            self._heard.refresh()
        await self._lens.prepare()

    def by(self, connection: apsw.Connection, turn: Resource) -> list[str]:
        """The ids of what the turn fulfils. Runs in a reader's thread."""
        said = turn.turn
        if not is_own(turn.turn) or not is_telling(said.text):
            return []
        open_items = _at_its_time(connection, turn)
        seen = self._seen(connection, turn) if open_items else None
        words = set(content_terms(said.text)) if open_items else set[str]()
        return [item.id for item in open_items if self._is_met(connection, item, words, seen)]

    def _is_met(
        self, connection: apsw.Connection, item: ProactiveItem, words: Set[str], seen: Seen | None
    ) -> bool:
        if worth_of(item.detector).asks_again and seen is not None and self._heard and self._lens.anchors:
            ids = [one.resource_id for one in item.evidence[:_MEMBERS]]
            members = self._heard.turns(connection, self._lens.anchors, ids)
            if len(members):  # of what has its own time the hour says as much as the words
                return (is_near if item.due_at is None else is_of)(seen, members)
        return are_about(words, self._terms(item.topic))

    def _terms(self, topic: str) -> Set[str]:
        """The topic's words, looked for once a look."""
        if topic not in self._topics:
            self._topics[topic] = terms_of(topic)
        return self._topics[topic]

    def _seen(self, connection: apsw.Connection, turn: Resource) -> Seen | None:
        if self._heard is None or self._lens.anchors is None:
            return None
        return self._heard.turn(connection, self._lens.anchors, turn.id)


def _at_its_time(connection: apsw.Connection, turn: Resource) -> list[ProactiveItem]:
    """What may come true when the turn is said, and does not rest on it."""
    user_id, at = turn.turn.scope.user_id, turn.turn.timestamp
    items = ledger.undecided(connection, user_id, at, at - APART_S, at + EARLY_S, ASKED_FOR)
    return [item for item in items if all(one.resource_id != turn.id for one in item.evidence)]
