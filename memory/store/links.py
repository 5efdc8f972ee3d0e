"""How facts stand to one another: superseded, maybe, related. Links can be undone; nothing is deleted."""

from dataclasses import dataclass

import apsw


@dataclass(frozen=True, slots=True)
class Link:
    """A link from the newer fact to the older."""

    from_id: str
    to_id: str
    relation: str
    rule: str
    created_at: int


def supersede(connection: apsw.Connection, newer: str, older: str, rule: str, at: int) -> None:
    """The newer fact takes the older one's place from `at` on, in the events' own time."""
    connection.execute(
        "UPDATE items SET superseded_by = ?, superseded_at = ?, updated_at = ? WHERE id = ?",
        (newer, at, at, older),
    )
    relate(connection, newer, older, "supersedes", rule, at)


def relate(connection: apsw.Connection, newer: str, older: str, relation: str, rule: str, at: int) -> None:
    """Note how two facts stand to one another."""
    connection.execute(
        "INSERT OR REPLACE INTO item_links VALUES (?, ?, ?, ?, ?)", (newer, older, relation, rule, at)
    )


def revive(connection: apsw.Connection, item_id: str, at: int) -> bool:
    """Undo a supersession; whether there was one. Facts that this one superseded stay as they are."""
    row = connection.execute("SELECT superseded_by FROM items WHERE id = ?", (item_id,)).get
    if row is None:
        return False
    connection.execute(
        "UPDATE items SET superseded_by = NULL, superseded_at = NULL, updated_at = ? WHERE id = ?",
        (at, item_id),
    )
    connection.execute("DELETE FROM item_links WHERE to_id = ? AND relation = 'supersedes'", (item_id,))
    return True


def revive_all(connection: apsw.Connection, newer: str, at: int) -> None:
    """Undo every supersession by one fact."""
    connection.execute(
        """
        UPDATE items SET superseded_by = NULL, superseded_at = NULL, updated_at = ? WHERE superseded_by = ?
        """,
        (at, newer),
    )


def links(connection: apsw.Connection, item_id: str) -> list[Link]:
    """All links of a fact, in both directions."""
    rows = connection.execute(
        """
        SELECT from_id, to_id, relation, rule, created_at
        FROM item_links
        WHERE from_id = ?1 OR to_id = ?1
        ORDER BY created_at
        """,
        (item_id,),
    )
    return [Link(*row) for row in rows]
