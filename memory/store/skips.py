"""How many turns were not kept, by day and reason; the turns themselves are not kept anywhere."""

import apsw


def count(connection: apsw.Connection, user_id: str, reason: str, now: int) -> None:
    """One more."""
    connection.execute(
        """
        INSERT INTO skipped_turns (user_id, day, reason, count) VALUES (?, date(?, 'unixepoch'), ?, 1)
        ON CONFLICT DO UPDATE SET count = count + 1
        """,
        (user_id, now, reason),
    )


def totals(connection: apsw.Connection, user_id: str | None) -> dict[str, int]:
    """By reason, of one user or of all."""
    rows = connection.execute(
        """
        SELECT reason, sum(count) FROM skipped_turns WHERE ?1 IS NULL OR user_id = ?1
        GROUP BY reason ORDER BY reason
        """,
        (user_id,),
    )
    return {str(reason): int(total) for reason, total in rows}
