"""`forget`: purges a fact or turn with all that it was said in and all that was derived from it alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import msgspec

from memory import fulltext
from memory.errors import NotFoundError
from memory.model import Item, Resource
from memory.store import items, links, resources, tombstones
from memory.store.items import StoredItem


@dataclass(frozen=True, slots=True)
class Purge:
    """What a forget removes, or would. `keys` are to be taken out of the vector index after the commit."""

    item: Item | None
    item_ids: tuple[str, ...]
    resource_ids: tuple[str, ...]
    keys: tuple[int, ...]


def plan(
    connection: apsw.Connection, user_id: str, memory_id: str
) -> tuple[list[StoredItem], list[Resource]]:
    """The facts and turns that go when this one is forgotten. Reads only.

    Raises NotFoundError.
    """
    target = items.by_id(connection, user_id, memory_id)
    turn_ids = [s.resource_id for s in target.item.sources] if target else [memory_id]
    turns = [turn for turn_id in turn_ids if (turn := resources.by_id(connection, user_id, turn_id))]
    if target is None and not turns:
        raise NotFoundError(
            f"no fact and no turn has the id {memory_id}", hint="`memud list` and `memud search` show ids"
        )
    gone = {turn.id for turn in turns}
    facts = {} if target is None else {target.item.id: target}
    for turn in turns:
        for fact in items.stated_in(connection, turn.id):
            if {source.resource_id for source in fact.item.sources} <= gone:
                facts[fact.item.id] = fact
    return list(facts.values()), turns


def forget(connection: apsw.Connection, user_id: str, memory_id: str, now: int) -> Purge:
    """Purge, and lay tombstones so that no replay or import brings it back.

    Freed pages are overwritten; `scrub` afterwards takes the words out of the full-text segments.
    """
    facts, turns = plan(connection, user_id, memory_id)
    connection.pragma("secure_delete", "ON")
    try:
        purge = _purge(connection, user_id, memory_id, facts, turns, now)
        fulltext.scrub(connection)
    finally:
        connection.pragma("secure_delete", "FAST")
    return purge


def preview(connection: apsw.Connection, user_id: str, memory_id: str) -> Purge:
    """What `forget` would remove."""
    facts, turns = plan(connection, user_id, memory_id)
    return _purged(memory_id, facts, turns)


def _purge(
    connection: apsw.Connection,
    user_id: str,
    memory_id: str,
    facts: Sequence[StoredItem],
    turns: Sequence[Resource],
    now: int,
) -> Purge:
    for turn in turns:
        tombstones.lay(connection, user_id, "event_key", turn.turn.event_key, now)
        tombstones.lay(connection, user_id, "content", turn.turn.content_hash, now)
    for fact in facts:
        tombstones.lay(connection, user_id, "content", items.hash_of(fact.item.memory), now)
    purge = _purged(memory_id, facts, turns)
    gone = msgspec.json.encode([*purge.item_ids, *purge.resource_ids]).decode()
    _purge_derived(connection, user_id, gone)
    for fact in facts:
        links.revive_all(connection, fact.item.id, now)  # without the newer word the older one holds again
    items.delete(connection, facts)
    resources.delete(connection, turns)
    return purge


def _purge_derived(connection: apsw.Connection, user_id: str, gone: str) -> None:
    """Take back what repeats the words: predictions, summaries, notices, the recall log, the archive."""
    derived = connection.execute(
        """
        DELETE FROM proactive_items
        WHERE user_id = ?1
          AND id IN (SELECT proactive_id FROM proactive_evidence
                     WHERE resource_id IN (SELECT value FROM json_each(?2)))
        RETURNING id
        """,
        (user_id, gone),
    ).fetchall()
    subjects = msgspec.json.encode([*msgspec.json.decode(gone), *(row[0] for row in derived)]).decode()
    connection.execute("DELETE FROM outbox WHERE subject_id IN (SELECT value FROM json_each(?))", (subjects,))
    connection.execute(
        """
        DELETE FROM session_summaries
        WHERE user_id = ?1
          AND id IN (SELECT summary_id FROM summary_sources
                     WHERE resource_id IN (SELECT value FROM json_each(?2)))
        """,
        (user_id, gone),
    )
    connection.execute(
        """
        DELETE FROM recall_log
        WHERE user_id = ?1
          AND EXISTS (SELECT 1 FROM json_each(ids) AS i WHERE i.value IN (SELECT value FROM json_each(?2)))
        """,
        (user_id, gone),
    )
    connection.execute(
        "DELETE FROM archive WHERE user_id = ?1 AND id IN (SELECT value FROM json_each(?2))", (user_id, gone)
    )
    connection.execute(
        """
        UPDATE categories SET dirty = 1, summary = ''
        WHERE id IN (SELECT category_id FROM item_categories
                     WHERE item_id IN (SELECT value FROM json_each(?)))
        """,
        (gone,),
    )


def _purged(memory_id: str, facts: Sequence[StoredItem], turns: Sequence[Resource]) -> Purge:
    item = next((fact.item for fact in facts if fact.item.id == memory_id), None)
    return Purge(
        item,
        tuple(fact.item.id for fact in facts),
        tuple(turn.id for turn in turns),
        tuple(fact.key for fact in facts) + tuple(turn.key for turn in turns),
    )
