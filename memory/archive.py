"""Where the cleanup puts what it removes, so that `restore` can bring it back for a while."""

from typing import Any

import apsw
import msgspec

from memory import fulltext
from memory.ids import NewId
from memory.store import categories, filings, items
from memory.store.items import StoredItem, Wording
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

_DERIVED = """
  SELECT id, body FROM archive
  WHERE user_id = ?1
    AND (
      id IN (SELECT value FROM json_each(?2))
      OR EXISTS (
        SELECT 1 FROM json_each(body, '$.sources') AS s
        WHERE json_extract(s.value, '$[0]') IN (SELECT value FROM json_each(?2))
      )
    )
"""


def put(connection: apsw.Connection, stored: StoredItem, cause: str, now: int) -> None:
    """Copy a fact into the archive, with its sources, wordings and categories; the caller removes it."""
    row = next(connection.execute(_READ, (stored.key,)))
    sources = connection.execute(
        "SELECT resource_id, span_start, span_end, stated_at FROM item_sources WHERE item_id = ?",
        (stored.item.id,),
    ).fetchall()
    versions = connection.execute(
        """
        SELECT content, replaced_at, cause, resource_id FROM item_versions
        WHERE item_id = ? ORDER BY version
        """,
        (stored.item.id,),
    ).fetchall()
    body = {
        "fields": dict(zip(_FIELDS, row, strict=True)),
        "sources": sources,
        "versions": versions,
        "categories": stored.item.categories,
        "filed": filings.state(connection, stored.item.id),
    }
    connection.execute(
        "INSERT OR REPLACE INTO archive VALUES (?, ?, 'item', ?, ?, ?)",
        (stored.item.id, stored.item.user_id, cause, msgspec.json.encode(body).decode(), now),
    )


def take_back(connection: apsw.Connection, user_id: str, item_id: str, now: int, new_id: NewId) -> bool:
    """Bring an archived fact back, live and fresh from now; whether there was one. It needs a new vector."""
    body = connection.execute(
        "SELECT body FROM archive WHERE user_id = ? AND id = ? AND kind = 'item'", (user_id, item_id)
    ).get
    if body is None:
        return False
    archived = msgspec.json.decode(body)
    fields: dict[str, Any] = archived["fields"] | _freshness(now)
    key = next_key(connection)
    connection.execute(_WRITE, (key, *(fields[name] for name in _FIELDS)))
    _take_back_parts(connection, item_id, archived)
    _file_again(connection, user_id, item_id, archived, new_id)
    fulltext.put(connection, key, user_id, fields["content"], private=bool(fields["private"]))
    connection.execute("DELETE FROM archive WHERE id = ?", (item_id,))
    return True


def sources(connection: apsw.Connection, user_id: str, item_id: str) -> list[str] | None:
    """The ids of the turns that an archived fact came from; None: it is not in the archive."""
    body = connection.execute(
        "SELECT body FROM archive WHERE user_id = ? AND id = ? AND kind = 'item'", (user_id, item_id)
    ).get
    return None if body is None else [source[0] for source in msgspec.json.decode(body)["sources"]]


def wordings(connection: apsw.Connection, user_id: str, gone: str) -> list[str]:
    """The words of the facts that `purge` would remove."""
    rows = connection.execute(_DERIVED, (user_id, gone))
    bodies = [msgspec.json.decode(body) for _, body in rows]
    return [
        text
        for body in bodies
        for text in (body["fields"]["content"], *(version[0] for version in body["versions"]))
    ]


def purge(connection: apsw.Connection, user_id: str, gone: str) -> None:
    """Remove the facts with these ids, and those from turns with these ids; `gone` is a JSON list."""
    derived = connection.execute(_DERIVED, (user_id, gone)).fetchall()
    connection.executemany("DELETE FROM archive WHERE id = ?", [(archived_id,) for archived_id, _ in derived])


def _freshness(now: int) -> dict[str, Any]:
    return {
        "stated_at": now,
        "updated_at": now,
        "valid_until": None,
        "superseded_by": None,
        "superseded_at": None,
    }


def _take_back_parts(connection: apsw.Connection, item_id: str, archived: dict[str, Any]) -> None:
    for resource_id, start, end, stated_at in archived["sources"]:
        connection.execute(
            """
            INSERT INTO item_sources SELECT ?1, id, ?3, ?4, ?5 FROM resources WHERE id = ?2
            """,
            (item_id, resource_id, start, end, stated_at),
        )
    connection.execute(
        """
        UPDATE items SET trust = 'edited' -- its turns are gone, but a person vouches for it: it is no orphan
        WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM item_sources WHERE item_id = ?1)
        """,
        (item_id,),
    )
    for content, replaced_at, cause, resource_id in archived["versions"]:
        items.add_version(connection, item_id, Wording(content, resource_id), replaced_at, cause)


def _file_again(
    connection: apsw.Connection, user_id: str, item_id: str, archived: dict[str, Any], new_id: NewId
) -> None:
    """As it was filed; a category that went meanwhile is made again where a person had chosen it."""
    is_chosen = archived.get("filed", "chosen") == "chosen"
    found = []
    for name in archived["categories"]:
        known = categories.find(connection, user_id, name)
        if known is None and is_chosen:
            known = categories.make(connection, user_id, name, "person", new_id)
        found += [known.id] if known else []
    if found or is_chosen:
        categories.file(connection, item_id, found, "chosen" if is_chosen else "filed")


def drop_older(connection: apsw.Connection, user_id: str | None, before: int, limit: int) -> int:
    """Remove for good what was archived before a moment, of one user or of all; the number removed."""
    connection.execute(
        """
        DELETE FROM archive WHERE id IN (
          SELECT id FROM archive WHERE archived_at < ?1 AND (?2 IS NULL OR user_id = ?2) LIMIT ?3
        )
        """,
        (before, user_id, limit),
    )
    return connection.changes()
