"""The queue as a person sees it, and its levers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memory.errors import NotFoundError
from memory.model import QueueState


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as `queue.list` shows it; without the words."""

    id: str
    resource_id: str
    key: str
    session_id: str | None
    state: QueueState
    attempts: int
    due_at: int
    reason: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry by id, or all of a state (`queued` or `dead`)."""

    entry_id: str | None
    state: str | None


def entries(
    connection: apsw.Connection,
    user_id: str | None,
    state: QueueState | None,
    limit: int,
    *,
    after: int = 0,
    public_only: bool = False,
) -> list[tuple[int, Entry]]:
    """What one user, or all, have in the queue past a number, oldest first; done ones only when asked for."""
    rows = connection.execute(
        """
        SELECT
          q.resource_key, q.id, r.id, r.event_key, q.session_id, q.state, q.attempts, q.due_at, q.reason,
          q.created_at
        FROM capture_queue AS q
        JOIN resources AS r ON r.key = q.resource_key
        WHERE (?1 IS NULL OR q.user_id = ?1)
          AND q.resource_key > ?4
          AND (q.state = ?2 OR (?2 IS NULL AND q.state <> 'done'))
          AND (NOT ?5 OR NOT r.private)
        ORDER BY q.resource_key
        LIMIT ?3
        """,
        (user_id, state, limit, after, public_only),
    )
    found: list[Any] = rows.fetchall()
    return [(int(key), _entry(rest)) for key, *rest in found]


def redrive(connection: apsw.Connection, user_id: str | None, choice: Choice, now: int) -> list[str]:
    """Bring dead turns of one user, or of all, back to life, and let waiting ones be due now; their ids."""
    rows = connection.execute(
        """
        UPDATE capture_queue
        SET state = 'queued', attempts = 0, outages = 0, crashes = 0, batch_limit = NULL, due_at = ?4,
            reason = NULL, updated_at = ?4
        WHERE (?1 IS NULL OR user_id = ?1) AND state IN ('queued', 'dead') AND (?2 IS NULL OR id = ?2)
          AND (?3 IS NULL OR state = ?3)
        RETURNING id
        """,
        (user_id, choice.entry_id, choice.state, now),
    ).fetchall()
    return _changed(rows, choice)


def drop(connection: apsw.Connection, user_id: str | None, choice: Choice, now: int) -> list[str]:
    """Give turns of one user, or of all, up: no facts are drawn from them, their words stay; their ids."""
    rows = connection.execute(
        """
        UPDATE capture_queue SET state = 'done', reason = 'dropped', updated_at = ?4
        WHERE (?1 IS NULL OR user_id = ?1) AND state IN ('queued', 'dead') AND (?2 IS NULL OR id = ?2)
          AND (?3 IS NULL OR state = ?3)
        RETURNING id
        """,
        (user_id, choice.entry_id, choice.state, now),
    ).fetchall()
    return _changed(rows, choice)


def _changed(rows: Sequence[Sequence[Any]], choice: Choice) -> list[str]:
    if choice.entry_id is not None and not rows:
        raise NotFoundError(
            f"{choice.entry_id} neither waits nor is dead", hint="`memud queue list` shows what does"
        )
    return [str(row[0]) for row in rows]


def _entry(row: Sequence[Any]) -> Entry:
    entry_id, resource_id, key, session_id, state, attempts, due_at, reason, created_at = row
    return Entry(
        entry_id, resource_id, key, session_id, QueueState(state), attempts, due_at, reason, created_at
    )
