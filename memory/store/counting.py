"""The store in numbers."""

import apsw

_TOTALS = """
  SELECT
    (SELECT count(DISTINCT user_id) FROM resources WHERE ?1 IS NULL OR user_id = ?1),
    (SELECT count(*) FROM resources WHERE ?1 IS NULL OR user_id = ?1),
    (SELECT count(*) FROM items WHERE superseded_by IS NULL AND (?1 IS NULL OR user_id = ?1)),
    (SELECT count(*) FROM items WHERE superseded_by IS NOT NULL AND (?1 IS NULL OR user_id = ?1)),
    (SELECT count(*) FROM items WHERE pinned AND (?1 IS NULL OR user_id = ?1)),
    (SELECT count(*) FROM categories WHERE ?1 IS NULL OR user_id = ?1),
    (SELECT count(*) FROM proactive_items
     WHERE state IN ('open', 'snoozed') AND (?1 IS NULL OR user_id = ?1)),
    (SELECT count(*) FROM capture_queue WHERE state IN ('queued', 'leased') AND (?1 IS NULL OR user_id = ?1)),
    (SELECT count(*) FROM capture_queue WHERE state = 'dead' AND (?1 IS NULL OR user_id = ?1)),
    (SELECT count(*) FROM archive WHERE ?1 IS NULL OR user_id = ?1),
    (SELECT count(*) FROM tombstones WHERE ?1 IS NULL OR user_id = ?1)
"""
_NAMES = (
    "users", "resources", "items", "superseded", "pinned", "categories", "proactive", "queued", "dead",
    "archived", "tombstones",
)  # fmt: skip


def totals(connection: apsw.Connection, user_id: str | None) -> dict[str, int]:
    """Counts by name, of one user or of all."""
    row = next(connection.execute(_TOTALS, (user_id,)))
    return {name: int(count) for name, count in zip(_NAMES, row, strict=True)}


def texts(connection: apsw.Connection, user_id: str) -> int:
    """How many turns and facts a user has."""
    row = connection.execute(
        "SELECT coalesce(sum(texts), 0) FROM text_counts WHERE user_id = ?", (user_id,)
    ).get
    return int(row)


def texts_until(connection: apsw.Connection, user_id: str, moment: int) -> int:
    """How many turns and facts of a user were last said by a moment, in Unix seconds."""
    row = connection.execute(
        """
        SELECT (SELECT count(*) FROM resources WHERE user_id = ?1 AND timestamp <= ?2)
             + (SELECT count(*) FROM items WHERE user_id = ?1 AND stated_at <= ?2)
        """,
        (user_id, moment),
    ).get
    return int(row)


def texts_between(connection: apsw.Connection, user_id: str, start: int, end: int) -> int:
    """How many turns and facts of a user were said from `start` up to `end`, in Unix seconds."""
    row = connection.execute(
        """
        SELECT (SELECT count(*) FROM resources WHERE user_id = ?1 AND timestamp >= ?2 AND timestamp < ?3)
             + (SELECT count(*) FROM items WHERE user_id = ?1 AND stated_at >= ?2 AND stated_at < ?3)
        """,
        (user_id, start, end),
    ).get
    return int(row)


def due_between(connection: apsw.Connection, user_id: str, start: int, end: int) -> int:
    """How many facts of a user hold until a moment from `start` up to `end`, in Unix seconds."""
    row = connection.execute(
        "SELECT count(*) FROM items WHERE user_id = ? AND valid_until >= ? AND valid_until < ?",
        (user_id, start, end),
    ).get
    return int(row)


def sizes(connection: apsw.Connection, least: int) -> dict[str, int]:
    """How many turns and facts each user has, of those who have `least` of them."""
    rows = connection.execute(
        """
        SELECT user_id, sum(texts) FROM text_counts
        GROUP BY user_id
        HAVING sum(texts) >= ?
        ORDER BY user_id
        """,
        (least,),
    )
    return {str(user_id): int(size) for user_id, size in rows}


def is_only_user(connection: apsw.Connection, user_id: str) -> bool:
    """Whether the store holds nobody else's turns and facts."""
    row = connection.execute(
        """
        SELECT NOT (
          EXISTS (SELECT 1 FROM resources WHERE user_id > ?1)
          OR EXISTS (SELECT 1 FROM resources WHERE user_id < ?1)
          OR EXISTS (SELECT 1 FROM items WHERE user_id > ?1)
          OR EXISTS (SELECT 1 FROM items WHERE user_id < ?1)
        )
        """,
        (user_id,),
    ).get
    return bool(row)
