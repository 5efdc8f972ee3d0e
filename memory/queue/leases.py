"""Turns in hand. Every change checks the lease's token, so a worker that lost its lease changes nothing.

A lease holds one turn or, for an extractor that takes several, some of one session in their order.
"""

from dataclasses import dataclass
from typing import Any

import apsw
import msgspec

from memory.queue.arrival import IMPORT_REST_S


@dataclass(frozen=True, slots=True)
class Lease:
    """Turns in hand. `token` is the fence; `outages` counts the tries that a provider's outage ended.

    `attempts` and `outages` are those of the turn that has the most.
    """

    resource_keys: tuple[int, ...]
    token: str
    attempts: int
    outages: int = 0

    @property
    def resource_key(self) -> int:
        """The first turn."""
        return self.resource_keys[0]

    @property
    def keys(self) -> str:
        """The turns as a JSON list."""
        return msgspec.json.encode(self.resource_keys).decode()


def lease(connection: apsw.Connection, token: str, now: int, lease_s: int, turns: int = 1) -> Lease | None:
    """Take the oldest due turn that is the first of its session: a session's turns are worked on in order.

    What was brought in comes after what is said today, and rests while more of it arrives. Up to `turns` of
    those that follow it are taken too, while they are due and just as private. One that waits for its next
    try holds its session back, one that is dead does not. One that was in hand at two crashes comes after
    all others: it may be what kills.
    """
    in_background = (0,) if _is_arriving(connection, now) else (0, 1)
    orders = ((background, crashes) for crashes in (1, 2**31) for background in in_background)
    tries = (_lease(connection, token, now, lease_s, crashes, background) for background, crashes in orders)
    first = next((held for held in tries if held), None)
    return first if first is None or turns == 1 else _with_followers(connection, first, now, turns)


def _is_arriving(connection: apsw.Connection, now: int) -> bool:
    """Whether an import is going on: to work beside it would only slow it down."""
    row = connection.execute(
        """
        SELECT 1 FROM capture_queue INDEXED BY capture_queue_weight
        WHERE (state = 'queued' OR state = 'leased')
          AND background = 1 AND created_at > ?1 - ?2 AND created_at <= ?1
        LIMIT 1
        """,
        (now, IMPORT_REST_S),
    ).get
    return bool(row)


def _lease(
    connection: apsw.Connection, token: str, now: int, lease_s: int, max_crashes: int, background: int
) -> Lease | None:
    row = next(
        connection.execute(
            """
            UPDATE capture_queue
            SET state = 'leased', lease_token = ?1, leased_until = ?2 + ?3, attempts = attempts + 1,
                updated_at = ?2
            WHERE resource_key = (
              SELECT q.resource_key
              FROM capture_queue AS q INDEXED BY capture_queue_next
              WHERE q.state = 'queued'
                AND q.background = ?5
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
                    AND before.background = q.background
                    AND before.resource_key < q.resource_key
                )
              ORDER BY q.due_at, q.resource_key
              LIMIT 1
            )
            RETURNING resource_key, attempts, outages
            """,
            (token, now, lease_s, max_crashes, background),
        ),
        None,
    )
    return None if row is None else Lease((row[0],), token, row[1], row[2])


def _with_followers(connection: apsw.Connection, first: Lease, now: int, turns: int) -> Lease:
    """The lease with the turns that may come along; it stays this batch until it is done or cut."""
    rows: list[Any] = connection.execute(
        """
        SELECT q.resource_key, q.attempts + 1, q.outages, coalesce(q.batch_limit, f.batch_limit, ?3),
          coalesce(f.batch_limit, ?3), q.due_at <= ?2 AND r.private = said.private
        FROM capture_queue AS f
        JOIN resources AS said ON said.key = f.resource_key
        JOIN capture_queue AS q INDEXED BY capture_queue_sessions
          ON q.user_id = f.user_id AND q.session_id IS f.session_id AND q.resource_key > f.resource_key
        JOIN resources AS r ON r.key = q.resource_key
        WHERE f.resource_key = ?1 AND q.state = 'queued' AND q.background = f.background
        ORDER BY q.resource_key
        LIMIT ?3 - 1
        """,
        (first.resource_key, now, turns),
    ).fetchall()
    taken = [first.resource_key]
    attempts, outages = first.attempts, first.outages
    for key, tried, away, own_limit, limit, may_join in rows:
        if not may_join or len(taken) >= min(own_limit, limit):
            break
        taken.append(key)
        attempts, outages = max(attempts, tried), max(outages, away)
    held = Lease(tuple(taken), first.token, attempts, outages)
    _take_along(connection, held, now)
    return held


def _take_along(connection: apsw.Connection, held: Lease, now: int) -> None:
    connection.execute(
        """
        UPDATE capture_queue
        SET attempts = attempts + (state = 'queued'), batch_limit = ?4, state = 'leased', lease_token = ?2,
            updated_at = ?3, leased_until = (SELECT leased_until FROM capture_queue WHERE resource_key = ?5)
        WHERE resource_key IN (SELECT value FROM json_each(?1))
        """,
        (held.keys, held.token, now, len(held.resource_keys), held.resource_key),
    )


def sizes(connection: apsw.Connection, held: Lease) -> list[int]:
    """The bytes of each turn's words."""
    rows = connection.execute(
        "SELECT bytes FROM capture_queue WHERE resource_key IN (SELECT value FROM json_each(?))", (held.keys,)
    )
    return [size for (size,) in rows]


def is_whole(connection: apsw.Connection, held: Lease) -> bool:
    """Whether all turns of a lease are still in hand: none was forgotten, and the lease was not lost."""
    row = connection.execute(
        """
        SELECT count(*) FROM capture_queue
        WHERE resource_key IN (SELECT value FROM json_each(?)) AND state = 'leased' AND lease_token = ?
        """,
        (held.keys, held.token),
    ).get
    return bool(row == len(held.resource_keys))


def finish(connection: apsw.Connection, held: Lease, now: int) -> bool:
    """Mark the turns done, in the transaction that stores their effects. False: the lease was lost."""
    return _leave(connection, held, now, "done", None)


def retry(
    connection: apsw.Connection, held: Lease, now: int, due_at: int, reason: str | None, *, counted: bool
) -> bool:
    """Put the turns back until `due_at`; an outage of a provider is not counted as their own failure."""
    connection.execute(
        """
        UPDATE capture_queue
        SET state = 'queued', reason = ?1, due_at = ?2, attempts = attempts - ?3, outages = outages + ?3,
            lease_token = NULL, leased_until = NULL, updated_at = ?4
        WHERE resource_key IN (SELECT value FROM json_each(?5)) AND state = 'leased' AND lease_token = ?6
        """,
        (reason, due_at, not counted, now, held.keys, held.token),
    )
    return connection.changes() > 0


def halve(connection: apsw.Connection, held: Lease, now: int, due_at: int, reason: str) -> bool:
    """Put a batch back as two: what one turn spoils is not to be the others' end."""
    if not retry(connection, held, now, due_at, reason, counted=True):
        return False
    connection.execute(
        "UPDATE capture_queue SET batch_limit = ? WHERE resource_key IN (SELECT value FROM json_each(?))",
        (len(held.resource_keys) // 2, held.keys),
    )
    return True


def bury(connection: apsw.Connection, held: Lease, now: int, reason: str) -> bool:
    """Give the turns up, with the reason; their words stay, and `queue.retry` brings them back."""
    return _leave(connection, held, now, "dead", reason)


def _leave(connection: apsw.Connection, held: Lease, now: int, state: str, reason: str | None) -> bool:
    connection.execute(
        """
        UPDATE capture_queue
        SET state = ?1, reason = ?2, lease_token = NULL, leased_until = NULL, updated_at = ?3
        WHERE resource_key IN (SELECT value FROM json_each(?4)) AND state = 'leased' AND lease_token = ?5
        """,
        (state, reason, now, held.keys, held.token),
    )
    return connection.changes() > 0
