"""What subscribers are sent, kept until they have seen it; their cursor is a number that only grows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec

from memory.model import Scope


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell. `cursor` resumes after it."""

    cursor: int
    topic: str
    user_id: str | None
    payload: Any
    created_at: int


def post(
    connection: apsw.Connection,
    topic: str,
    payload: object,
    now: int,
    *,
    user_id: str | None = None,
    subject_id: str | None = None,
    private: bool = True,
) -> int:
    """Keep a notice, in the transaction that makes it true. `subject_id` lets `forget` take it back."""
    connection.execute(
        """
        INSERT INTO outbox (user_id, topic, payload, subject_id, private, created_at)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        (user_id, topic, msgspec.json.encode(payload).decode(), subject_id, private, now),
    )
    return connection.last_insert_rowid()


def after(
    connection: apsw.Connection, cursor: int, topics: Sequence[str], scope: Scope, limit: int
) -> list[Notice]:
    """What came after a cursor, for one user and these topics, in order."""
    rows = connection.execute(
        """
        SELECT seq, topic, user_id, payload, created_at
        FROM outbox
        WHERE seq > ?1
          AND (user_id IS NULL OR user_id = ?2)
          AND topic IN (SELECT value FROM json_each(?3))
          AND (NOT ?5 OR NOT private)
        ORDER BY seq
        LIMIT ?4
        """,
        (cursor, scope.user_id, msgspec.json.encode(list(topics)).decode(), limit, scope.public_only),
    )
    return [
        Notice(seq, topic, owner, msgspec.json.decode(payload), created_at)
        for seq, topic, owner, payload, created_at in rows
    ]


def head(connection: apsw.Connection) -> int:
    """The newest cursor ever given out; 0 for none."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").get
    return int(row) if row is not None else 0


def trim(connection: apsw.Connection, keep_rows: int) -> int:
    """Drop all but the newest; the number dropped."""
    connection.execute("DELETE FROM outbox WHERE seq <= ? - ?", (head(connection), keep_rows))
    return connection.changes()
