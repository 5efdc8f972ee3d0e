"""A list that grew: one fact put together from the words of several turns, each of which it keeps.

It stands in place of the shorter list by the rule `grown`. Its own turn has a wording among its versions,
which is how it is told from facts that are shown in the words of one turn.
"""

from typing import Any

import apsw

from memory import fulltext
from memory.lists import shares_members, together
from memory.store import items, links
from memory.store.items import StoredItem, Wording
from memory.turns import content_hash

GROWN = "grown"  # the rule by which the longer list holds in place of the shorter one


def put_together(connection: apsw.Connection, longer: StoredItem, said: Wording, shorter: StoredItem) -> None:
    """The longer list rests on the turns of both, takes the shorter one's place, and needs a vector."""
    at = longer.item.stated_at
    items.add_version(connection, longer.item.id, said, at, "restated")
    own_turns = {said.resource_id}
    for turn_id, text in _wordings(connection, shorter):
        if turn_id not in own_turns:
            items.add_version(connection, longer.item.id, Wording(text, turn_id), at, "restated")
    connection.execute(
        """
        INSERT OR IGNORE INTO item_sources
        SELECT ?1, resource_id, span_start, span_end, stated_at FROM item_sources WHERE item_id = ?2
        """,
        (longer.item.id, shorter.item.id),
    )
    links.supersede(connection, longer.item.id, shorter.item.id, GROWN, at)


def is_put_together(connection: apsw.Connection, item_id: str) -> bool:
    """Whether the fact is shown in words that no single turn said."""
    row = connection.execute(
        """
        SELECT EXISTS (
          SELECT 1 FROM items AS i
          JOIN item_versions AS v ON v.item_id = i.id AND v.resource_id = i.resource_id
          WHERE i.id = ?
        )
        """,
        (item_id,),
    ).get
    return bool(row)


def holder(connection: apsw.Connection, stored: StoredItem) -> StoredItem:
    """The list that a shorter one has grown into; itself, where it has not."""
    while (longer := stored.item.superseded_by) and _grew_from(connection, longer, stored.item.id):
        found = items.by_id(connection, stored.item.user_id, longer)
        if found is None:
            break
        stored = found
    return stored


def parts(connection: apsw.Connection, stored: StoredItem) -> list[tuple[str, str]]:
    """What a list is put together from, oldest first: turn, words. Empty for any other fact."""
    return _wordings(connection, stored) if is_put_together(connection, stored.item.id) else []


def take_out(connection: apsw.Connection, stored: StoredItem, turn_ids: list[str]) -> None:
    """Shorten a list by what these turns added; at least one turn must be left to it."""
    for turn_id in turn_ids:
        connection.execute(
            "DELETE FROM item_sources WHERE item_id = ? AND resource_id = ?", (stored.item.id, turn_id)
        )
        connection.execute(
            "DELETE FROM item_versions WHERE item_id = ? AND resource_id = ?", (stored.item.id, turn_id)
        )
    tell_anew(connection, stored)


def tell_anew(connection: apsw.Connection, stored: StoredItem) -> None:
    """Put a list together from the turns that are left to it."""
    left = _wordings(connection, stored)
    if not left:
        return
    text = together([words for _, words in left])
    connection.execute(
        "UPDATE items SET content = ?, content_hash = ?, resource_id = ? WHERE key = ?",
        (text, content_hash(text), left[-1][0], stored.key),
    )
    if len(left) == 1:  # shown in its own words again
        connection.execute(
            "DELETE FROM item_versions WHERE item_id = ? AND resource_id = ?", (stored.item.id, left[0][0])
        )
    items.drop_embedding(connection, stored.key)
    fulltext.put(connection, stored.key, stored.item.user_id, text, private=stored.item.private)


def drop_earlier(connection: apsw.Connection, item_id: str, gone: str) -> None:
    """Drop what a list was before an edit where that names what these turns added; `gone` is a JSON list."""
    rows: list[Any] = connection.execute(
        """
        SELECT edited.version, edited.content, said.content
        FROM item_versions AS edited
        JOIN item_versions AS said ON said.item_id = edited.item_id AND said.cause = 'restated'
        WHERE edited.item_id = ?1 AND edited.cause = 'edited'
          AND said.resource_id IN (SELECT value FROM json_each(?2))
        """,
        (item_id, gone),
    ).fetchall()
    for version, whole, part in rows:
        if shares_members(whole, part):
            connection.execute(
                "DELETE FROM item_versions WHERE item_id = ? AND version = ?", (item_id, version)
            )


def undo(connection: apsw.Connection, shorter: StoredItem) -> None:
    """Take a list out of those that it grew into: for one that is to hold again by itself."""
    turn_ids = [source.resource_id for source in shorter.item.sources]
    current = shorter
    while (longer := current.item.superseded_by) and _grew_from(connection, longer, current.item.id):
        found = items.by_id(connection, shorter.item.user_id, longer)
        if found is None:
            return
        take_out(connection, found, turn_ids)
        current = found


def _grew_from(connection: apsw.Connection, longer_id: str, shorter_id: str) -> bool:
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM item_links WHERE from_id = ? AND to_id = ? AND rule = ?)",
        (longer_id, shorter_id, GROWN),
    ).get
    return bool(row)


def _wordings(connection: apsw.Connection, stored: StoredItem) -> list[tuple[str, str]]:
    """In the order in which they were said; a turn without a version said it as it is shown."""
    rows: list[Any] = connection.execute(
        """
        SELECT s.resource_id, coalesce(v.content, i.content)
        FROM item_sources AS s
        JOIN items AS i ON i.id = s.item_id
        JOIN resources AS r ON r.id = s.resource_id
        LEFT JOIN item_versions AS v ON v.item_id = s.item_id AND v.resource_id = s.resource_id
        WHERE s.item_id = ?
        ORDER BY s.stated_at, r.key
        """,
        (stored.item.id,),
    ).fetchall()
    return [(str(turn_id), str(text)) for turn_id, text in rows]
