"""In which turn's words a fact is told: in public ones where it is public, and in none that are forgotten."""

from collections.abc import Sequence
from typing import Any

import apsw
import msgspec

from memory import fulltext
from memory.store import growth, items, links
from memory.store.items import StoredItem, Wording
from memory.turns import content_hash

_LEFT = """
  SELECT s.resource_id, v.content
  FROM item_sources AS s
  JOIN resources AS r ON r.id = s.resource_id
  LEFT JOIN item_versions AS v
    ON v.item_id = s.item_id AND v.resource_id = s.resource_id AND v.cause = 'restated'
  WHERE s.item_id = ?
  ORDER BY r.private, v.content IS NOT NULL, s.stated_at DESC
  LIMIT 1
"""
_AS_SHOWN = """
  SELECT s.resource_id
  FROM item_sources AS s
  WHERE s.item_id = ?1
    AND NOT EXISTS (
      SELECT 1 FROM item_versions AS v WHERE v.item_id = ?1 AND v.resource_id = s.resource_id
    )
"""


def say_in_public(connection: apsw.Connection, stored: StoredItem, said: Wording, at: int) -> None:
    """Tell what was private until now in the words of its first public turn; `stored` is how it was before.

    The private words stay as a version. Without the turn's own vector it waits for one.
    """
    shown: list[Any] = connection.execute(_AS_SHOWN, (stored.item.id,)).fetchall()
    for (turn_id,) in shown:
        if turn_id != said.resource_id:
            before = Wording(stored.item.memory, turn_id)
            items.add_version(connection, stored.item.id, before, at, "restated")
    _say(connection, stored, said)
    fulltext.put(connection, stored.key, stored.item.user_id, said.text, private=False)


def unsay(connection: apsw.Connection, stored: StoredItem, turn_ids: Sequence[str], now: int) -> None:
    """Take the words of these turns, already removed, out of a fact that others state too.

    What the fact ended by being said there holds again.
    """
    gone = msgspec.json.encode(list(turn_ids)).decode()
    said_in = items.wording(connection, stored).resource_id
    is_list = growth.is_put_together(connection, stored.item.id)
    growth.drop_earlier(connection, stored.item.id, gone)
    connection.execute(
        "DELETE FROM item_versions WHERE item_id = ? AND resource_id IN (SELECT value FROM json_each(?))",
        (stored.item.id, gone),
    )
    if is_list:
        growth.tell_anew(connection, stored)
    elif said_in in turn_ids:
        _say(connection, stored, _left(connection, stored))
    _date(connection, stored)
    dated = items.by_key(connection, stored.key)
    assert dated is not None  # noqa: S101 - it was dated above, in this transaction
    links.unsay_again(connection, stored.item.id, dated.item.stated_at, now)


def _left(connection: apsw.Connection, stored: StoredItem) -> Wording:
    """In the words of a turn that is left: one that said the same has no version of its own."""
    resource_id, other = next(connection.execute(_LEFT, (stored.item.id,)))
    return Wording(stored.item.memory if other is None else other, resource_id)


def _say(connection: apsw.Connection, stored: StoredItem, said: Wording) -> None:
    connection.execute(
        "UPDATE items SET content = ?, content_hash = ?, resource_id = ? WHERE key = ?",
        (said.text, content_hash(said.text), said.resource_id, stored.key),
    )
    if said.text != stored.item.memory:
        items.drop_embedding(connection, stored.key)
        connection.execute(
            "DELETE FROM item_versions WHERE item_id = ? AND resource_id = ?",
            (stored.item.id, said.resource_id),
        )


def _date(connection: apsw.Connection, stored: StoredItem) -> None:
    """As old and as fresh as the turns that are left, and as private, unless a person said otherwise."""
    connection.execute(
        """
        UPDATE items
        SET created_at = max(created_at, (SELECT min(stated_at) FROM item_sources WHERE item_id = items.id)),
            stated_at = (SELECT max(stated_at) FROM item_sources WHERE item_id = items.id),
            private = CASE WHEN trust = 'edited' THEN private ELSE NOT EXISTS (
              SELECT 1 FROM item_sources AS s JOIN resources AS r ON r.id = s.resource_id
              WHERE s.item_id = items.id AND NOT r.private
            ) END
        WHERE key = ?
        """,
        (stored.key,),
    )
    content, private = next(
        connection.execute("SELECT content, private FROM items WHERE key = ?", (stored.key,))
    )
    fulltext.put(connection, stored.key, stored.item.user_id, content, private=bool(private))
