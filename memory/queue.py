"""The durable capture queue: what was acknowledged and still waits for its effects.

queued -> leased -> done. A lease that ends otherwise goes back to queued with a later `due_at`, or to dead.
Every change of a leased entry checks the lease's token, so a worker that lost its lease changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memory.errors import NotFoundError
from memory.model import QueueState, Resource

SUSPECT_WAIT_S = 10


@dataclass(frozen=True, slots=True)
class Lease:
    """A turn in hand. `token` is the fence; `outages` counts the tries that a provider's outage ended."""

    resource_key: int
    token: str
    attempts: int
    outages: int = 0


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
class Depth:
    """How much waits."""

    queued: int
    leased: int
    dead: int
    bytes: int
    oldest_at: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry by id, or all of a state (`queued` or `dead`)."""

    entry_id: str | None
    state: str | None


def put(connection: apsw.Connection, resource: Resource, entry_id: str, now: int) -> None:
    """Let a stored turn wait for its effects; in the transaction that stores the turn."""
    scope = resource.turn.scope
    connection.execute(
        """
        INSERT INTO capture_queue (
          resource_key, id, user_id, session_id, bytes, due_at, created_at, updated_at
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            resource.key, entry_id, scope.user_id, scope.session_id, len(resource.turn.text.encode()), now,
            now, now,
        ),
    )  # fmt: skip


def lease(connection: apsw.Connection, token: str, now: int, lease_s: int) -> Lease | None:
    """Take the oldest due turn that is the first of its session: a session's turns are worked on in order.

    One that waits for its next try holds its session back, one that is dead does not. One that was in hand
    at two crashes comes after all others: it may be what kills.
    """
    return _lease(connection, token, now, lease_s, 1) or _lease(connection, token, now, lease_s, 2**31)


def _lease(connection: apsw.Connection, token: str, now: int, lease_s: int, max_crashes: int) -> Lease | None:
    row = next(
        connection.execute(
            """
            UPDATE capture_queue
            SET state = 'leased', lease_token = ?1, leased_until = ?2 + ?3, attempts = attempts + 1,
                updated_at = ?2
            WHERE resource_key = (
              SELECT q.resource_key
              FROM capture_queue AS q INDEXED BY capture_queue_due
              WHERE q.state = 'queued'
                AND q.due_at <= ?2
                AND q.crashes <= ?4
                AND NOT EXISTS (
                  SELECT 1 FROM capture_queue AS held
                  WHERE held.state = 'leased'
                    AND held.user_id = q.user_id
                    AND held.session_id IS q.session_id
                )
                AND NOT EXISTS (
                  SELECT 1 FROM capture_queue AS before
                  WHERE before.state = 'queued'
                    AND before.user_id = q.user_id
                    AND before.session_id IS q.session_id
                    AND before.resource_key < q.resource_key
                )
              ORDER BY q.due_at, q.resource_key
              LIMIT 1
            )
            RETURNING resource_key, attempts, outages
            """,
            (token, now, lease_s, max_crashes),
        ),
        None,
    )
    return None if row is None else Lease(row[0], token, row[1], row[2])


def finish(connection: apsw.Connection, held: Lease, now: int) -> bool:
    """Mark the turn done, in the transaction that stores its effects. False: the lease was lost."""
    return _leave(connection, held, now, "done", None)


def retry(
    connection: apsw.Connection, held: Lease, now: int, due_at: int, reason: str, *, counted: bool
) -> bool:
    """Put the turn back until `due_at`; an outage of a provider is not counted as the turn's own failure."""
    connection.execute(
        """
        UPDATE capture_queue
        SET state = 'queued', reason = ?1, due_at = ?2, attempts = attempts - ?3, outages = outages + ?3,
            lease_token = NULL, leased_until = NULL, updated_at = ?4
        WHERE resource_key = ?5 AND state = 'leased' AND lease_token = ?6
        """,
        (reason, due_at, not counted, now, held.resource_key, held.token),
    )
    return connection.changes() == 1


def bury(connection: apsw.Connection, held: Lease, now: int, reason: str) -> bool:
    """Give the turn up, with the reason; its words stay, and `queue.retry` brings it back."""
    return _leave(connection, held, now, "dead", reason)


def recover(connection: apsw.Connection, now: int, max_crashes: int) -> tuple[int, int]:
    """At start every lease is void, as its owner is dead: (put back, given up as poison).

    A turn that was in hand at an earlier crash, too, waits a while: it may be what kills, or only stand
    first while something else does, and then it gets through.
    """
    connection.execute(
        """
        UPDATE capture_queue
        SET state = 'dead', reason = 'crash', lease_token = NULL, leased_until = NULL, crashes = crashes + 1,
            updated_at = ?1
        WHERE state = 'leased' AND crashes + 1 >= ?2
        """,
        (now, max_crashes),
    )
    buried = connection.changes()
    connection.execute(
        """
        UPDATE capture_queue
        SET state = 'queued', lease_token = NULL, leased_until = NULL, crashes = crashes + 1,
            due_at = ?1 + ?2 * crashes, updated_at = ?1
        WHERE state = 'leased'
        """,
        (now, SUSPECT_WAIT_S),
    )
    return connection.changes(), buried


def sweep(connection: apsw.Connection, now: int) -> int:
    """Put back what a worker has held past its lease; the number put back."""
    connection.execute(
        """
        UPDATE capture_queue
        SET state = 'queued', lease_token = NULL, leased_until = NULL, due_at = ?1, reason = 'lease_expired',
            updated_at = ?1
        WHERE state = 'leased' AND leased_until < ?1
        """,
        (now,),
    )
    return connection.changes()


def depth(connection: apsw.Connection) -> Depth:
    """Counts by state, and what they weigh."""
    waiting = """
        SELECT
          count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'leased'),
          (SELECT count(*) FROM capture_queue WHERE state = 'dead'), coalesce(sum(bytes), 0), min(created_at)
        FROM capture_queue
        WHERE state = 'queued' OR state = 'leased'
    """
    return Depth(*next(connection.execute(waiting)))


def is_underway(connection: apsw.Connection, user_id: str, session_id: str | None) -> bool:
    """Whether a turn of the session waits for its effects, and neither it nor one before it failed."""
    return _first_underway(connection, user_id, session_id) is not None


def first_underway(connection: apsw.Connection) -> int | None:
    """The number of the earliest turn, of all users, that `is_underway`; None for none."""
    return _first_underway(connection, None, None)


def _first_underway(connection: apsw.Connection, user_id: str | None, session_id: str | None) -> int | None:
    return connection.execute(  # type: ignore[no-any-return]
        """
        SELECT min(q.resource_key) FROM capture_queue AS q INDEXED BY capture_queue_sessions
        WHERE (q.state = 'queued' OR q.state = 'leased')
          AND q.reason IS NULL
          AND (?1 IS NULL OR (q.user_id = ?1 AND q.session_id IS ?2))
          AND NOT EXISTS (
            SELECT 1 FROM capture_queue AS failed
            WHERE failed.state = 'queued'
              AND failed.reason IS NOT NULL
              AND failed.user_id = q.user_id
              AND failed.session_id IS q.session_id
              AND failed.resource_key < q.resource_key
          )
        """,
        (user_id, session_id),
    ).get


def release(connection: apsw.Connection, now: int) -> int:
    """At a clean stop: put back what is in hand, not counting it as a failure; the number put back."""
    connection.execute(
        """
        UPDATE capture_queue
        SET state = 'queued', lease_token = NULL, leased_until = NULL, attempts = attempts - 1, due_at = ?1,
            updated_at = ?1
        WHERE state = 'leased'
        """,
        (now,),
    )
    return connection.changes()


def next_due(connection: apsw.Connection, now: int) -> int | None:
    """When the next turn becomes due; those due already wait for their session, not for the clock."""
    return connection.execute(  # type: ignore[no-any-return]
        "SELECT min(due_at) FROM capture_queue WHERE state = 'queued' AND due_at > ?", (now,)
    ).get


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
        SET state = 'queued', attempts = 0, outages = 0, crashes = 0, due_at = ?4, reason = NULL,
            updated_at = ?4
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


def _leave(connection: apsw.Connection, held: Lease, now: int, state: str, reason: str | None) -> bool:
    connection.execute(
        """
        UPDATE capture_queue
        SET state = ?1, reason = ?2, lease_token = NULL, leased_until = NULL, updated_at = ?3
        WHERE resource_key = ?4 AND state = 'leased' AND lease_token = ?5
        """,
        (state, reason, now, held.resource_key, held.token),
    )
    return connection.changes() == 1


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
