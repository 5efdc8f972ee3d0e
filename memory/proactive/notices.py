"""What users were told: the notices to subscribers, and when which topic was brought up last."""

from dataclasses import dataclass

import apsw

from memory import outbox
from memory.model import ProactiveItem
from memory.proactive.worth import ASKED_FOR


def unannounced(connection: apsw.Connection, now: int) -> dict[str, set[str]]:
    """The ids, by user, of what may be told by now and was not told to subscribers yet."""
    rows = connection.execute(
        """
        SELECT user_id, id FROM proactive_items INDEXED BY proactive_untold
        WHERE (state = 'open' OR state = 'snoozed')
          AND announced = 0
          AND created_at <= ?1
          AND coalesce(due_at, created_at) <= ?1
          AND expires_at > ?1
        """,
        (now,),
    )
    found: dict[str, set[str]] = {}
    for user_id, item_id in rows:
        found.setdefault(user_id, set()).add(item_id)
    return found


def next_due(connection: apsw.Connection, after: int) -> int | None:
    """When the next item that was not told yet is due, or made, after a moment; None: nothing waits."""
    return connection.execute(  # type: ignore[no-any-return]
        """
        SELECT min(coalesce(due_at, created_at)) FROM proactive_items INDEXED BY proactive_untold
        WHERE (state = 'open' OR state = 'snoozed') AND announced = 0 AND coalesce(due_at, created_at) > ?
        """,
        (after,),
    ).get


def announce(connection: apsw.Connection, item: ProactiveItem, now: int) -> None:
    """Tell subscribers, once for each item, and once more after it was snoozed."""
    connection.execute(
        "UPDATE proactive_items SET announced = ?1, updated_at = ?1 WHERE id = ?2 AND announced = 0",
        (max(now, 1), item.id),
    )
    if connection.changes():
        private = connection.execute("SELECT private FROM proactive_items WHERE id = ?", (item.id,)).get
        outbox.post(
            connection, "proactive", item, now,
            user_id=item.user_id, subject_id=item.id, private=bool(private),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """One item that a user was told of. `at` is when last, `session_id` where, if by an answer."""

    id: str
    detector: str
    topic: str
    is_asked_for: bool
    session_id: str | None
    at: int


def brought_up(connection: apsw.Connection, user_id: str, since: int, until: int) -> list[Told]:
    """What was delivered or announced to a user between two moments, the oldest first."""
    rows = connection.execute(
        """
        SELECT
          id, detector, topic, due_at IS NOT NULL AND probability >= ?4, told_in,
          max(
            iif(delivered_at BETWEEN ?2 AND ?3, delivered_at, 0),
            iif(announced BETWEEN ?2 AND ?3, announced, 0)
          ) AS told_at
        FROM proactive_items
        WHERE id IN (
          SELECT id FROM proactive_items INDEXED BY proactive_delivered
          WHERE user_id = ?1 AND delivered_at BETWEEN ?2 AND ?3
          UNION
          SELECT id FROM proactive_items INDEXED BY proactive_announced
          WHERE user_id = ?1 AND announced BETWEEN ?2 AND ?3
        )
        ORDER BY told_at, id
        """,
        (user_id, since, until, ASKED_FOR),
    )
    return [
        Told(item_id, detector, topic, bool(asked_for), session_id, at)
        for item_id, detector, topic, asked_for, session_id, at in rows
    ]
