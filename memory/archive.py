"""Where the cleanup puts what it removes, so that `restore` can bring it back for a while."""

from typing import Any

import apsw
import msgspec

from memory import fulltext
from memory.store.items import StoredItem
from memory.store.sequence import next_key

_FIELDS = (
    "id", "user_id", "agent_id", "session_id", "resource_id", "kind", "memory_type", "content", "importance",
    "half_life_days", "created_at", "updated_at", "stated_at", "reinforced", "valid_from", "valid_until",
    "superseded_by", "superseded_at", "pinned", "private", "trust", "content_hash",
)  # fmt: skip

_READ = """
  SELECT
    id, user_id, agent_id, session_id, resource_id, kind, memory_type, content, importance, half_life_days,
    created_at, updated_at, stated_at, reinforced, valid_from, valid_until, superseded_by, superseded_at,
    pinned, private, trust, content_hash
  FROM items WHERE key = ?
"""

_WRITE = """
  INSERT INTO items (
    key, id, user_id, agent_id, session_id, resource_id, kind, memory_type, content, importance,
    half_life_days, created_at, updated_at, stated_at, reinforced, valid_from, valid_until, superseded_by,
    superseded_at, pinned, private, trust, content_hash
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def put(connection: apsw.Connection, stored: StoredItem, cause: str, now: int) -> None:
    """Copy a fact into the archive, with its sources; the caller removes it from the items."""
    row = next(connection.execute(_READ, (stored.key,)))
    sources = connection.execute(
        "SELECT resource_id, span_start, span_end, stated_at FROM item_sources WHERE item_id = ?",
        (stored.item.id,),
    ).fetchall()
    body = {"fields": dict(zip(_FIELDS, row, strict=True)), "sources": sources}
    connection.execute(
        "INSERT OR REPLACE INTO archive VALUES (?, ?, 'item', ?, ?, ?)",
        (stored.item.id, stored.item.user_id, cause, msgspec.json.encode(body).decode(), now),
    )


def take_back(connection: apsw.Connection, user_id: str, item_id: str, now: int) -> bool:
    """Bring an archived fact back, fresh from now; whether there was one. Its vector is made anew."""
    body = connection.execute(
        "SELECT body FROM archive WHERE user_id = ? AND id = ? AND kind = 'item'", (user_id, item_id)
    ).get
    if body is None:
        return False
    archived = msgspec.json.decode(body)
    fields: dict[str, Any] = archived["fields"] | {"stated_at": now, "updated_at": now, "valid_until": None}
    key = next_key(connection)
    connection.execute(_WRITE, (key, *(fields[name] for name in _FIELDS)))
    for resource_id, start, end, stated_at in archived["sources"]:
        connection.execute(
            """
            INSERT INTO item_sources SELECT ?1, id, ?3, ?4, ?5 FROM resources WHERE id = ?2
            """,
            (item_id, resource_id, start, end, stated_at),
        )
    fulltext.put(connection, key, user_id, fields["content"], private=bool(fields["private"]))
    connection.execute("DELETE FROM archive WHERE id = ?", (item_id,))
    return True


def drop_older(connection: apsw.Connection, before: int, limit: int) -> int:
    """Remove for good what was archived before a moment; the number removed."""
    connection.execute(
        "DELETE FROM archive WHERE id IN (SELECT id FROM archive WHERE archived_at < ? LIMIT ?)",
        (before, limit),
    )
    return connection.changes()
