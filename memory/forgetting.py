"""`forget`: purges a fact or turn with all that it was said in and all that was derived from it alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import msgspec

from memory import archive, fulltext
from memory.errors import NotFoundError
from memory.model import Item, Resource
from memory.store import (
    categories,
    editing,
    extractions,
    items,
    links,
    recalls,
    resources,
    rewording,
    tombstones,
)
from memory.store.items import StoredItem
from memory.terms import meaningful_terms
from memory.turns import content_hash


@dataclass(frozen=True, slots=True)
class Purge:
    """What a forget removes, or would. `keys` are to be taken out of the vector index after the commit."""

    item: Item | None
    items: tuple[Item, ...]
    resource_ids: tuple[str, ...]
    keys: tuple[int, ...]

    @property
    def item_ids(self) -> tuple[str, ...]:
        """The ids of the facts."""
        return tuple(item.id for item in self.items)


@dataclass(frozen=True, slots=True)
class Plan:
    """The facts and turns that go; facts that other turns state too lose only these turns' words."""

    memory_id: str
    facts: Sequence[StoredItem]
    turns: Sequence[Resource]
    kept: Sequence[StoredItem]

    @property
    def purge(self) -> Purge:
        """The same as the caller sees it."""
        return Purge(
            next((fact.item for fact in self.facts if fact.item.id == self.memory_id), None),
            tuple(fact.item for fact in self.facts),
            tuple(turn.id for turn in self.turns),
            (*(fact.key for fact in (*self.facts, *self.kept)), *(turn.key for turn in self.turns)),
        )

    @property
    def ids(self) -> str:
        """The ids of all that goes, as a JSON list."""
        gone = self.purge
        return msgspec.json.encode([self.memory_id, *gone.item_ids, *gone.resource_ids]).decode()


def plan(connection: apsw.Connection, user_id: str, memory_id: str) -> Plan:
    """What goes when this fact (live or archived) or turn is forgotten. Reads only.

    Raises NotFoundError.
    """
    target = items.by_id(connection, user_id, memory_id)
    archived = archive.sources(connection, user_id, memory_id)
    turn_ids = [memory_id] if archived is None else archived
    if target is not None:
        turn_ids = [source.resource_id for source in target.item.sources]
    turns = [turn for turn_id in turn_ids if (turn := resources.by_id(connection, user_id, turn_id))]
    if target is None and archived is None and not turns:
        raise NotFoundError(
            f"no fact and no turn has the id {memory_id}", hint="`memud list` and `memud search` show ids"
        )
    gone = {turn.id for turn in turns}
    facts = {} if target is None else {target.item.id: target}
    kept: dict[str, StoredItem] = {}
    for turn in turns:
        for fact in items.stated_in(connection, turn.id):
            is_gone = {source.resource_id for source in fact.item.sources} <= gone
            (facts if is_gone else kept)[fact.item.id] = fact
    return Plan(memory_id, list(facts.values()), turns, list(kept.values()))


def preview(connection: apsw.Connection, user_id: str, memory_id: str) -> Purge:
    """What `forget` would remove."""
    return plan(connection, user_id, memory_id).purge


def forget(connection: apsw.Connection, user_id: str, memory_id: str, now: int) -> Purge:
    """Purge, and lay tombstones so that no replay or import brings it back.

    No word of it stays in the database file once the caller has emptied the write-ahead log.
    """
    planned = plan(connection, user_id, memory_id)
    connection.pragma("secure_delete", "ON")
    try:
        words = _words(connection, user_id, planned)
        _lay_tombstones(connection, user_id, planned, now)
        _purge_derived(connection, user_id, planned)
        for fact in planned.facts:
            links.hand_on(connection, fact.item.id, now)
        items.delete(connection, planned.facts)
        resources.delete(connection, planned.turns)
        for fact in planned.kept:
            rewording.unsay(connection, fact, [turn.id for turn in planned.turns], now)
        categories.dissolve(connection, user_id, words)
        fulltext.scrub(connection)
        # Pages that were freed before today may still hold words: they leave the file.
        connection.pragma("incremental_vacuum")
    finally:
        connection.pragma("secure_delete", "FAST")
    return planned.purge


def _lay_tombstones(connection: apsw.Connection, user_id: str, planned: Plan, now: int) -> None:
    for turn in planned.turns:
        tombstones.lay(connection, user_id, "event_key", turn.turn.event_key, now)
        tombstones.lay(connection, user_id, "content", turn.turn.content_hash, now)
    for fact in planned.facts:
        tombstones.lay(connection, user_id, "content", content_hash(fact.item.memory), now)


def _purge_derived(connection: apsw.Connection, user_id: str, planned: Plan) -> None:
    """Take back what repeats the words: predictions, notices, summaries, the recall log, the archive."""
    gone = planned.ids
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
    subjects = msgspec.json.encode([row[0] for row in derived]).decode()
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
    recalls.forget(connection, user_id, gone, _words(connection, user_id, planned))
    archive.purge(connection, user_id, gone)
    extractions.forget_shown(connection, user_id, gone)  # what was answered about the turns goes with them


def _words(connection: apsw.Connection, user_id: str, planned: Plan) -> set[str]:
    """The terms of all that goes, other wordings and archived facts included."""
    told = [turn.turn.text for turn in planned.turns]
    for fact in planned.facts:
        told += [fact.item.memory, *(text for text, _ in editing.versions(connection, fact.item.id))]
    told += archive.wordings(connection, user_id, planned.ids)
    return {term for text in told for term in meaningful_terms(text)}
