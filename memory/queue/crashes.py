"""Leases that end otherwise: by a crash, a clean stop, or a worker that is too slow."""

import apsw

SUSPECT_WAIT_S = 10
MAX_WAIT_S = 90_000  # a day and an hour: a spent budget waits for its next day


def recover(connection: apsw.Connection, now: int, max_crashes: int) -> tuple[int, int]:
    """At start every lease is void, as its owner is dead: (put back, given up as poison).

    A turn that was in hand at an earlier crash, too, waits a while, and comes alone then: it may be what
    kills, or only stand beside what does, and then it gets through.
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
            due_at = ?1 + ?2 * crashes, updated_at = ?1, batch_limit = iif(crashes, 1, batch_limit)
        WHERE state = 'leased'
        """,
        (now, SUSPECT_WAIT_S),
    )
    return connection.changes(), buried


def look_anew(connection: apsw.Connection, now: int) -> int:
    """At start what waited for a person or another day's budget is due: that may be set right by now."""
    connection.execute(
        """
        UPDATE capture_queue SET due_at = ?1, updated_at = ?1
        WHERE state = 'queued' AND due_at > ?1 AND reason IN ('key_refused', 'budget')
        """,
        (now,),
    )
    return connection.changes()


def sweep(connection: apsw.Connection, now: int) -> int:
    """Put back what a worker has held past its lease; the number put back.

    Where the clock was set back, nothing waits for the time that it showed before.
    """
    connection.execute(
        "UPDATE capture_queue SET due_at = ?1, updated_at = ?1 WHERE state = 'queued' AND due_at > ?1 + ?2",
        (now, MAX_WAIT_S),
    )
    connection.execute(
        """
        UPDATE capture_queue
        SET state = 'queued', lease_token = NULL, leased_until = NULL, due_at = ?1, reason = 'lease_expired',
            updated_at = ?1
        WHERE state = 'leased' AND (leased_until < ?1 OR leased_until > ?1 + ?2)
        """,
        (now, MAX_WAIT_S),
    )
    return connection.changes()


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
