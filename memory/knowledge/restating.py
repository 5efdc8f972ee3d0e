"""What it does to a fact to be said again."""

import apsw

from memory.knowledge.settled import Action, Embedded, Settled
from memory.knowledge.standing import is_protected, outweighs
from memory.model import Resource, Turn
from memory.store import items, links, rewording
from memory.store.items import StoredItem, Wording


def reinforced(
    connection: apsw.Connection, known: StoredItem, embedded: Embedded, source: Resource
) -> Settled:
    """Restating a fact freshens it; restating a superseded one turns the supersession round.

    An assistant that repeats what the user said makes it neither fresher nor truer.
    """
    newer = _live_successor(connection, known)
    if items.trust(source.turn) == "assistant" != known.item.trust:
        return Settled(known, Action.REINFORCED, (known.item.id,))
    items.reinforce(connection, known, embedded.fact, source)
    _publish(connection, known, embedded, source)
    if known.item.superseded_by is not None:
        _turn_round(connection, known, newer, source.turn)
    fresh = items.by_key(connection, known.key)
    assert fresh is not None  # noqa: S101 - it was updated above, in this transaction
    return Settled(fresh, Action.REINFORCED, (newer.item.id,) if newer else (known.item.id,))


def _publish(connection: apsw.Connection, known: StoredItem, embedded: Embedded, source: Resource) -> None:
    """A group that hears of it for the first time does not read how it was said in private."""
    is_reworded = known.item.memory != embedded.fact.text and known.item.trust != "edited"
    if not (known.item.private and not source.turn.private and is_reworded):
        return
    said = Wording(embedded.fact.text, source.id)
    rewording.say_in_public(connection, known, said, source.turn.timestamp)
    if embedded.vector is not None:
        items.set_embedding(connection, known.key, embedded.vector, embedded.embedder)


def _live_successor(connection: apsw.Connection, known: StoredItem) -> StoredItem | None:
    """The fact that holds now in place of a superseded one; None if none is left."""
    seen = {known.item.id}
    current = known
    while (newer := current.item.superseded_by) is not None:
        found = items.by_id(connection, known.item.user_id, newer)
        if found is None or found.item.id in seen:
            return None
        seen.add(newer)
        current = found
    return None if current is known else current


def _turn_round(connection: apsw.Connection, known: StoredItem, newer: StoredItem | None, turn: Turn) -> None:
    """The restated fact holds again, unless its successor was said later or rests on weightier words.

    A protected successor stays beside it.
    """
    at = turn.timestamp
    if newer is not None and (at < newer.item.stated_at or not outweighs(items.trust(turn), newer)):
        return
    if newer is None:
        links.revive(connection, known.item.id, at)
        return
    links.hold_again(connection, known.item.id, at)
    if is_protected(newer):
        links.relate(connection, known.item.id, newer.item.id, "maybe", links.RESTATED, at)
    else:
        links.supersede(connection, known.item.id, newer.item.id, links.RESTATED, at)
