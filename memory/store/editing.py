"""Changes to a fact by a person; the wording before stays as a version."""

from collections.abc import Mapping
from typing import Any

import apsw

from memory import fulltext
from memory.ids import NewId
from memory.store import categories, items, recalls
from memory.store.items import StoredItem
from memory.turns import content_hash


def apply(
    connection: apsw.Connection, stored: StoredItem, changes: Mapping[str, Any], now: int, new_id: NewId
) -> None:
    """Set the given fields, named as on the wire; what is not given stays."""
    item, before = stored.item, items.wording(connection, stored)
    memory = changes.get("memory", item.memory)
    private = changes.get("private", item.private)
    connection.execute(
        """
        UPDATE items
        SET content = ?, content_hash = ?, kind = ?, memory_type = ?, importance = ?, half_life_days = ?,
            valid_until = ?, private = ?, trust = 'edited', updated_at = ?
        WHERE key = ?
        """,
        (
            memory, content_hash(memory), changes.get("kind", item.kind),
            changes.get("memory_type", item.memory_type), changes.get("importance", item.importance),
            changes.get("half_life_days", item.half_life_days), changes.get("valid_until", item.valid_until),
            private, now, stored.key,
        ),
    )  # fmt: skip
    if memory != item.memory:
        items.add_version(connection, item.id, before, now, "edited")
        items.drop_embedding(connection, stored.key)
        connection.execute("UPDATE items SET resource_id = NULL WHERE key = ?", (stored.key,))
        recalls.edited(connection, item.user_id, item.id)
    if memory != item.memory or private != item.private:
        fulltext.put(connection, stored.key, item.user_id, memory, private=private)
    if "categories" in changes:
        categories.choose(connection, stored, changes["categories"], new_id)


def pin(connection: apsw.Connection, stored: StoredItem, pinned: bool, now: int) -> None:
    """Set or lift the pin."""
    connection.execute("UPDATE items SET pinned = ?, updated_at = ? WHERE key = ?", (pinned, now, stored.key))


def versions(connection: apsw.Connection, item_id: str) -> list[tuple[str, int]]:
    """(wording, when it was replaced), newest first."""
    rows = connection.execute(
        "SELECT content, replaced_at FROM item_versions WHERE item_id = ? ORDER BY version DESC", (item_id,)
    )
    return [(str(content), int(at)) for content, at in rows]


def was_reworded(connection: apsw.Connection, item_id: str, since: int) -> bool:
    """Whether a person gave the fact other words at or after a moment."""
    row = connection.execute(
        """
        SELECT EXISTS (
          SELECT 1 FROM item_versions WHERE item_id = ? AND cause = 'edited' AND replaced_at >= ?
        )
        """,
        (item_id, since),
    ).get
    return bool(row)
