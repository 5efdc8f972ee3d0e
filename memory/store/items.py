"""Facts: what was learnt, each leading back to the turns it came from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw
import msgspec
import numpy as np

from memory import fulltext
from memory.model import Fact, Item, Kind, MemoryType, Origin, Resource, Role, Source, Turn
from memory.ports import Vector
from memory.store import links
from memory.store.category_names import TOLD_IN_PUBLIC
from memory.store.sequence import next_key
from memory.turns import content_hash

_SELECT = """
  SELECT
    key, id, user_id, agent_id, session_id, kind, memory_type, content, importance, half_life_days,
    created_at, updated_at, stated_at, reinforced, valid_from, valid_until, superseded_by, pinned, private,
    trust
  FROM items
"""
_STATED_IN = _SELECT + "WHERE id IN (SELECT item_id FROM item_sources WHERE resource_id = ?)"  # noqa: S608 - constants
_CATEGORIES = f"""
  SELECT c.name FROM item_categories AS i JOIN categories AS c ON c.id = i.category_id
  WHERE i.item_id = ? AND (NOT ? OR {TOLD_IN_PUBLIC})
  ORDER BY c.name
"""  # noqa: S608 - constants
_TRUST = {
    Origin.USER: "user",
    Origin.IMPORT: "import",
    Origin.ASSISTANT: "assistant",
    Origin.TOOL: "assistant",
}
MAX_REINFORCED = 20  # restating a fact daily does not make it more true


@dataclass(frozen=True, slots=True)
class StoredItem:
    """A fact with its number, by which full text and vectors know it."""

    key: int
    item: Item


@dataclass(frozen=True, slots=True)
class Wording:
    """Words for a fact, and the turn they come from; None where a person worded it."""

    text: str
    resource_id: str | None


def trust(turn: Turn) -> str:
    """Whose words a fact of this turn rests on."""
    return _TRUST[turn.origin]


def insert(connection: apsw.Connection, fact: Fact, source: Resource, item_id: str) -> StoredItem:
    """Store a fact found in a turn; its times are the turn's."""
    key = next_key(connection)
    turn = source.turn
    connection.execute(
        """
        INSERT INTO items (
          key, id, user_id, agent_id, session_id, resource_id, kind, memory_type, content, importance,
          half_life_days, created_at, updated_at, stated_at, valid_until, private, trust, content_hash
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            key, item_id, turn.scope.user_id, turn.scope.agent_id, turn.scope.session_id, source.id,
            fact.kind, fact.memory_type, fact.text, fact.importance, fact.half_life_days, turn.timestamp,
            turn.timestamp, turn.timestamp, fact.valid_until, turn.private, trust(turn),
            content_hash(fact.text),
        ),
    )  # fmt: skip
    add_source(connection, item_id, source, fact.span)
    fulltext.put(connection, key, turn.scope.user_id, fact.text, private=turn.private)
    stored = by_id(connection, turn.scope.user_id, item_id)
    assert stored is not None  # noqa: S101 - it was inserted above, in this transaction
    return stored


def add_source(
    connection: apsw.Connection, item_id: str, resource: Resource, span: tuple[int, int] | None
) -> None:
    """Say that a turn, too, states the fact."""
    start, end = span or (None, None)
    connection.execute(
        "INSERT OR IGNORE INTO item_sources VALUES (?, ?, ?, ?, ?)",
        (item_id, resource.id, start, end, resource.turn.timestamp),
    )


def reinforce(connection: apsw.Connection, stored: StoredItem, fact: Fact, source: Resource) -> None:
    """The fact was stated again: it is fresh once more, and holds as long as the latest statement says.

    Another wording is kept as a version. Once the user says it, it rests on the user's words; once it is said
    in public, it is public, but for what a person worded; how long that holds, too, is theirs to say.
    """
    is_latest = source.turn.timestamp >= stored.item.stated_at
    stated_at = max(stored.item.stated_at, source.turn.timestamp)
    is_said_anew = is_latest and stored.item.trust != "edited"
    valid_until = fact.valid_until if is_said_anew else stored.item.valid_until
    private = stored.item.private and (source.turn.private or stored.item.trust == "edited")
    is_vouched = source.turn.origin is Origin.USER and stored.item.trust != "edited"
    connection.execute(
        """
        UPDATE items
        SET reinforced = min(reinforced + 1, ?), stated_at = ?, updated_at = ?, private = ?, valid_until = ?,
            trust = iif(?, 'user', trust)
        WHERE key = ?
        """,
        (MAX_REINFORCED, stated_at, stated_at, private, valid_until, is_vouched, stored.key),
    )
    add_source(connection, stored.item.id, source, fact.span)
    if private != stored.item.private:
        fulltext.put(connection, stored.key, stored.item.user_id, stored.item.memory, private=private)
    if fact.text != stored.item.memory:
        add_version(connection, stored.item.id, Wording(fact.text, source.id), stated_at, "restated")


def wording(connection: apsw.Connection, stored: StoredItem) -> Wording:
    """What the fact says, and in whose words."""
    said_in = connection.execute("SELECT resource_id FROM items WHERE key = ?", (stored.key,)).get
    return Wording(stored.item.memory, said_in)


def add_version(connection: apsw.Connection, item_id: str, other: Wording, at: int, cause: str) -> None:
    """Keep a wording of the fact that is not the one shown."""
    connection.execute(
        """
        INSERT INTO item_versions (item_id, version, content, replaced_at, cause, resource_id)
        SELECT ?1, coalesce(max(version), 0) + 1, ?2, ?3, ?4, ?5 FROM item_versions WHERE item_id = ?1
        """,
        (item_id, other.text, at, cause, other.resource_id),
    )


def embedding(connection: apsw.Connection, key: int, embedder: str) -> Vector | None:
    """The vector that this embedder made of a fact; None where there is none."""
    blob = connection.execute(
        "SELECT embedding FROM items WHERE key = ? AND embedder = ?", (key, embedder)
    ).get
    return None if blob is None else np.frombuffer(blob, np.float32)


def drop_embedding(connection: apsw.Connection, key: int) -> None:
    """The vector no longer fits the words; the reindex makes a new one."""
    connection.execute("UPDATE items SET embedding = NULL, embedder = NULL WHERE key = ?", (key,))


def set_embedding(connection: apsw.Connection, key: int, vector: Vector, embedder: str) -> None:
    """Give a fact its vector, stamped with its model."""
    connection.execute(
        "UPDATE items SET embedding = ?, embedder = ? WHERE key = ?", (vector.tobytes(), embedder, key)
    )


def keys_of(connection: apsw.Connection, user_id: str, item_ids: Iterable[str]) -> list[int]:
    """The numbers of a user's facts; unknown ids are left out."""
    rows = connection.execute(
        "SELECT key FROM items WHERE +user_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY key",
        (user_id, msgspec.json.encode(list(item_ids)).decode()),
    )
    return [key for (key,) in rows]


def by_id(connection: apsw.Connection, user_id: str, item_id: str) -> StoredItem | None:
    """One fact of a user, with its sources."""
    return _first(connection, _SELECT + "WHERE user_id = ? AND id = ?", (user_id, item_id))


def by_key(connection: apsw.Connection, key: int) -> StoredItem | None:
    """One fact by its number."""
    return _first(connection, _SELECT + "WHERE key = ?", (key,))


def latest_keys(connection: apsw.Connection, user_id: str, at: int, limit: int) -> list[int]:
    """The numbers of the facts a user stated last that hold, or still held at that moment; latest first."""
    rows = connection.execute(
        """
        SELECT key
        FROM items
        WHERE user_id = ? AND (superseded_by IS NULL OR superseded_at > ?)
        ORDER BY stated_at DESC
        LIMIT ?
        """,
        (user_id, at, limit),
    )
    found: list[Any] = rows.fetchall()
    return [int(key) for (key,) in found]


def latest_decisions(connection: apsw.Connection, user_id: str, at: int, limit: int) -> list[int]:
    """The numbers of the decisions that a user stated by a moment and that hold; latest first."""
    rows = connection.execute(
        """
        SELECT key FROM items
        WHERE user_id = ? AND memory_type = 'decision' AND superseded_by IS NULL AND stated_at <= ?
        ORDER BY stated_at DESC
        LIMIT ?
        """,
        (user_id, at, limit),
    )
    found: list[Any] = rows.fetchall()
    return [int(key) for (key,) in found]


def by_hash(connection: apsw.Connection, user_id: str, text: str) -> StoredItem | None:
    """The fact that says the same, letter case and blanks aside; a live one before a superseded one."""
    return _first(
        connection,
        _SELECT
        + "WHERE user_id = ? AND content_hash = ? ORDER BY superseded_by IS NOT NULL, stated_at DESC LIMIT 1",
        (user_id, content_hash(text)),
    )


def stated_in(connection: apsw.Connection, resource_id: str) -> list[StoredItem]:
    """The facts that a turn states."""
    rows = connection.execute(_STATED_IN, (resource_id,)).fetchall()
    return [_stored(connection, row) for row in rows]


def delete(connection: apsw.Connection, stored: Iterable[StoredItem]) -> None:
    """Remove facts with their words, vectors, versions and links; what they superseded stays superseded."""
    for fact in stored:
        fulltext.remove(connection, [fact.key])
        connection.execute("DELETE FROM items WHERE key = ?", (fact.key,))


def sources(connection: apsw.Connection, item_id: str) -> tuple[Source, ...]:
    """Where a fact was said, oldest first."""
    rows = connection.execute(
        """
        SELECT r.id, r.event_key, r.session_id, r.timestamp, r.role, s.span_start, s.span_end, r.tz
        FROM item_sources AS s
        JOIN resources AS r ON r.id = s.resource_id
        WHERE s.item_id = ?
        ORDER BY r.timestamp, r.key
        """,
        (item_id,),
    )
    return tuple(
        Source(
            resource_id, key, session_id, timestamp, Role(role), None if start is None else (start, end), tz
        )
        for resource_id, key, session_id, timestamp, role, start, end, tz in rows
    )


def as_public(connection: apsw.Connection, item: Item) -> Item:
    """The fact as a group may see it: by what was said there, not by what was said in private."""
    rows: list[Any] = connection.execute(
        """
        SELECT r.id FROM item_sources AS s JOIN resources AS r ON r.id = s.resource_id
        WHERE s.item_id = ? AND NOT r.private
        """,
        (item.id,),
    ).fetchall()
    public = {turn_id for (turn_id,) in rows}
    shown = tuple(source for source in item.sources if source.resource_id in public)
    item = replace(
        item,
        sources=shown,
        categories=categories(connection, item.id, public_only=True),
        session_id=shown[0].session_id if shown else None,
        superseded_by=item.superseded_by and links.public_successor(connection, item.id),
    )
    return _as_said_in(item, shown) if shown else item


def _as_said_in(item: Item, shown: Sequence[Source]) -> Item:
    """When, and how often, it was said in these turns, oldest first; no later change is told."""
    first, last = shown[0].timestamp, shown[-1].timestamp
    said_again = min(item.reinforced, len(shown) - 1)
    return replace(item, created_at=first, stated_at=last, updated_at=last, reinforced=said_again)


def categories(connection: apsw.Connection, item_id: str, *, public_only: bool = False) -> tuple[str, ...]:
    """The names a fact is filed under; for a group, those that nothing private may have given."""
    rows = connection.execute(_CATEGORIES, (item_id, public_only))
    return tuple(name for (name,) in rows)


def _first(connection: apsw.Connection, sql: str, values: Sequence[Any]) -> StoredItem | None:
    row = next(iter(connection.execute(sql, tuple(values)).fetchall()), None)
    return None if row is None else _stored(connection, row)


def _stored(connection: apsw.Connection, row: Sequence[Any]) -> StoredItem:
    (key, item_id, user_id, agent_id, session_id, kind, memory_type, content, importance, half_life) = row[
        :10
    ]
    created, updated, stated, reinforced, valid_from, valid_until, superseded, pinned, private, trust = row[
        10:
    ]
    return StoredItem(
        key,
        Item(
            item_id, user_id, agent_id, session_id, Kind(kind), MemoryType(memory_type), content, importance,
            half_life, created, updated, stated, reinforced, valid_from, valid_until, superseded,
            bool(pinned), bool(private), trust, categories(connection, item_id), sources(connection, item_id),
        ),
    )  # fmt: skip
