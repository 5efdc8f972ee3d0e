"""How each fact is filed: not yet, by itself, by a person, or nowhere. The states are told in the schema."""

from collections.abc import Sequence
from typing import Any

import apsw
import msgspec

from memory.store import items
from memory.store.items import StoredItem


def state(connection: apsw.Connection, item_id: str) -> str:
    """How a fact is filed."""
    found: str | None = connection.execute("SELECT state FROM item_filings WHERE item_id = ?", (item_id,)).get
    return found or "waiting"


def mark(connection: apsw.Connection, item_id: str, state: str) -> None:
    """Note how a fact is filed."""
    connection.execute("UPDATE item_filings SET state = ? WHERE item_id = ?", (state, item_id))


def in_state(
    connection: apsw.Connection, user_id: str | None, states: Sequence[str], after: int, limit: int
) -> list[StoredItem]:
    """The next facts that are filed so, by number; of one user or of all."""
    rows: list[Any] = connection.execute(
        """
        SELECT i.key FROM item_filings AS f JOIN items AS i ON i.id = f.item_id
        WHERE f.state IN ('waiting', 'loose', 'lone') AND f.state IN (SELECT value FROM json_each(?))
          AND (? IS NULL OR f.user_id = ?) AND i.key > ?
        ORDER BY i.key LIMIT ?
        """,
        (msgspec.json.encode(states).decode(), user_id, user_id, after, limit),
    ).fetchall()
    return [fact for (key,) in rows if (fact := items.by_key(connection, key))]


def count_waiting(connection: apsw.Connection, user_id: str | None) -> int:
    """How many facts nobody has looked at yet."""
    row = connection.execute(
        "SELECT count(*) FROM item_filings WHERE state = 'waiting' AND (?1 IS NULL OR user_id = ?1)",
        (user_id,),
    ).get
    return int(row)


def leave_alone(connection: apsw.Connection, user_id: str) -> None:
    """What fits nothing has been compared with one another too."""
    connection.execute(
        "UPDATE item_filings SET state = 'lone' WHERE state = 'loose' AND user_id = ?", (user_id,)
    )


def reopen(connection: apsw.Connection, user_id: str) -> None:
    """Look once more at what fits nothing: there is a new category."""
    connection.execute(
        """
        UPDATE item_filings SET state = 'waiting' WHERE state IN ('loose', 'lone') AND user_id = ?
        """,
        (user_id,),
    )


def users_with_loose(connection: apsw.Connection, user_id: str | None) -> list[str]:
    """Who has facts that fit nothing and have not been compared with one another; one user, or all."""
    rows = connection.execute(
        """
        SELECT DISTINCT user_id FROM item_filings
        WHERE state = 'loose' AND (?1 IS NULL OR user_id = ?1) ORDER BY user_id
        """,
        (user_id,),
    )
    return [str(owner) for (owner,) in rows]
