"""Which predictions come true with a turn: the user turns to what was foreseen."""

import apsw

from memory.database import Database
from memory.embed.anchors import Anchors
from memory.embed.cohort import open_anchors
from memory.model import ProactiveItem, ProactiveState, Resource
from memory.ports import Clock, Embedder, Vector
from memory.proactive import ledger
from memory.proactive.about import is_about
from memory.proactive.asking import asked
from memory.proactive.asking.belonging import is_of
from memory.proactive.asking.telling import is_telling
from memory.proactive.asking.triangle import is_near
from memory.proactive.detector import is_reminder
from memory.proactive.following.meant import is_own
from memory.proactive.worth import worth_of

APART_S = 30 * 60  # what is said sooner still belongs to what the prediction was made of
EARLY_S = 2 * 3600  # so long before its time the user may come to it
_MEMBERS = 12  # of the evidence that are compared


class Fulfilment:
    """Looks at each new turn of a user for the predictions that it fulfils, told or not.

    What the user will ask again is known by its meaning where there are vectors, all else by its words. What
    has its own time comes true around that time and after it; a reminder only once it was handed out, or
    the user would never hear it. A pure look at the ledger and the turn's own time: a replay finds the same.
    """

    def __init__(self, embedder: Embedder | None, database: Database, clock: Clock) -> None:
        self._embedder = embedder
        self._database = database
        self._clock = clock
        self._anchors: Anchors | None = None

    async def prepare(self) -> None:
        """Have the anchors in the embedder's vectors. Raises TemporaryError like it."""
        if self._embedder is not None and self._anchors is None:
            self._anchors = await open_anchors(self._database, self._embedder, self._clock.now())

    def by(self, connection: apsw.Connection, turn: Resource) -> list[str]:
        """The ids of what the turn fulfils. Runs in a reader's thread."""
        said = turn.turn
        if not is_own(turn) or not is_telling(said.text):
            return []
        items = ledger.undecided(connection, said.scope.user_id, said.timestamp)
        open_items = [item for item in items if _is_its_time(item, turn)]
        vector = self._vector(connection, turn) if open_items else None
        return [item.id for item in open_items if self._is_met(connection, item, turn, vector)]

    def _is_met(
        self, connection: apsw.Connection, item: ProactiveItem, turn: Resource, vector: Vector | None
    ) -> bool:
        if worth_of(item.detector).asks_again and vector is not None and self._anchors is not None:
            members = self._vectors(connection, [one.resource_id for one in item.evidence[:_MEMBERS]])
            if members:  # of what has its own time the hour says as much as the words
                is_met = is_near if item.due_at is None else is_of
                return is_met(self._anchors, vector, members)
        return is_about(turn.turn.text, item.topic)

    def _vector(self, connection: apsw.Connection, turn: Resource) -> Vector | None:
        return next(iter(self._vectors(connection, [turn.id])), None)

    def _vectors(self, connection: apsw.Connection, ids: list[str]) -> list[Vector]:
        return asked.of_turns(connection, ids, self._embedder.name) if self._embedder else []


def _is_its_time(item: ProactiveItem, turn: Resource) -> bool:
    at = turn.turn.timestamp
    if any(one.resource_id == turn.id for one in item.evidence) or at < item.created_at + APART_S:
        return False
    if is_reminder(item) and item.state is not ProactiveState.DELIVERED:
        return False
    return item.due_at is None or at >= item.due_at - EARLY_S
