"""How much waits, and from which turn on."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import msgspec

_UNDERWAY = """
  SELECT min(q.resource_key) FROM capture_queue AS q INDEXED BY capture_queue_sessions
  WHERE (q.state = 'queued' OR q.state = 'leased')
    AND q.background = 0
    AND q.reason IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM capture_queue AS failed
      WHERE failed.state = 'queued'
        AND failed.background = 0
        AND failed.reason IS NOT NULL
        AND failed.user_id = q.user_id
        AND failed.session_id IS q.session_id
        AND failed.resource_key < q.resource_key
    )
"""


@dataclass(frozen=True, slots=True)
class Depth:
    """How much waits. `oldest_at` is of today's turns: what was brought in may take its time."""

    queued: int
    leased: int
    dead: int
    bytes: int
    oldest_at: int | None


def depth(connection: apsw.Connection) -> Depth:
    """Counts by state, and what they weigh."""
    waiting = """
        SELECT
          count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'leased'),
          (SELECT count(*) FROM capture_queue WHERE state = 'dead'), coalesce(sum(bytes), 0),
          min(created_at) FILTER (WHERE background = 0)
        FROM capture_queue
        WHERE state = 'queued' OR state = 'leased'
    """
    return Depth(*next(connection.execute(waiting)))


def load(connection: apsw.Connection, *, background: bool) -> tuple[int, int]:
    """How many turns of one kind wait, and their bytes: today's, or those brought in."""
    row: tuple[int, int] = next(
        connection.execute(
            """
            SELECT count(*), coalesce(sum(bytes), 0) FROM capture_queue INDEXED BY capture_queue_weight
            WHERE (state = 'queued' OR state = 'leased') AND background = ?
            """,
            (background,),
        )
    )
    return row


def is_underway(
    connection: apsw.Connection, user_id: str, session_id: str | None, through: int | None = None
) -> bool:
    """Whether a turn of the session waits for its effects, and neither it nor one before it failed.

    `through` is the number of the last turn to look at; None for all.
    """
    first = connection.execute(
        _UNDERWAY + "AND q.user_id = ?1 AND q.session_id IS ?2", (user_id, session_id)
    ).get
    return first is not None and (through is None or first <= through)


def first_underway(connection: apsw.Connection) -> int | None:
    """The number of the earliest turn, of all users, that `is_underway` and lacks even its vector."""
    return connection.execute(_UNDERWAY + "AND NOT q.embedded").get  # type: ignore[no-any-return]


def next_due(connection: apsw.Connection, now: int) -> int | None:
    """When the next turn becomes due; those due already wait for their session, not for the clock."""
    return connection.execute(  # type: ignore[no-any-return]
        "SELECT min(due_at) FROM capture_queue WHERE state = 'queued' AND due_at > ?", (now,)
    ).get


def is_busy(connection: apsw.Connection, now: int) -> bool:
    """Whether a turn is being worked on, or may be at once."""
    row = connection.execute(
        """
        SELECT EXISTS (
          SELECT 1 FROM capture_queue
          WHERE (state = 'queued' OR state = 'leased') AND (state = 'leased' OR due_at <= ?)
        )
        """,
        (now,),
    ).get
    return bool(row)


def unembedded(connection: apsw.Connection, limit: int) -> list[int]:
    """The numbers of waiting turns that have no vector yet, oldest first."""
    rows = connection.execute(
        """
        SELECT resource_key FROM capture_queue INDEXED BY capture_queue_unembedded
        WHERE state = 'queued' AND embedded = 0
        ORDER BY resource_key
        LIMIT ?
        """,
        (limit,),
    )
    return [key for (key,) in rows]


def note_embedded(connection: apsw.Connection, keys: Sequence[int]) -> None:
    """These turns wait for their facts alone."""
    connection.execute(
        "UPDATE capture_queue SET embedded = 1 WHERE resource_key IN (SELECT value FROM json_each(?))",
        (msgspec.json.encode(keys).decode(),),
    )
