"""The ledger of predictions: what was expected, on what evidence, and what became of it."""

from collections.abc import Sequence
from typing import Any

import apsw
import msgspec

from memory import outbox
from memory.errors import InvalidError, NotFoundError
from memory.model import Evidence, Prediction, ProactiveItem, ProactiveState, Scope

_SELECT = """
  SELECT
    id, user_id, session_id, detector, topic, text, why, probability, created_at, due_at, expires_at, state
  FROM proactive_items
"""


def record(
    connection: apsw.Connection, user_id: str, prediction: Prediction, item_id: str, now: int
) -> ProactiveItem:
    """Store a prediction. Raises InvalidError when it rests on nothing.

    It is as private as its evidence.
    """
    if not prediction.evidence:
        raise InvalidError("a prediction without evidence is a guess")
    connection.execute(
        """
        INSERT INTO proactive_items (
          id, user_id, session_id, detector, topic, text, why, probability, created_at, updated_at, due_at,
          expires_at, private
        ) VALUES (
          ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11,
          EXISTS (SELECT 1 FROM resources
                  WHERE private AND id IN (SELECT value FROM json_each(?12)))
        )
        """,
        (
            item_id, user_id, prediction.session_id, prediction.detector, prediction.topic, prediction.text,
            prediction.why, prediction.probability, now, prediction.due_at, prediction.expires_at,
            msgspec.json.encode([one.resource_id for one in prediction.evidence]).decode(),
        ),
    )  # fmt: skip
    for position, one in enumerate(prediction.evidence):
        connection.execute(
            "INSERT OR IGNORE INTO proactive_evidence VALUES (?, ?, ?, ?)",
            (item_id, one.resource_id, one.item_id, position),
        )
    item = _one(connection, user_id, item_id)
    return item


def announce(connection: apsw.Connection, item: ProactiveItem, now: int) -> None:
    """Tell subscribers, once for each item."""
    connection.execute("UPDATE proactive_items SET announced = 1 WHERE id = ? AND NOT announced", (item.id,))
    if connection.changes():
        private = connection.execute("SELECT private FROM proactive_items WHERE id = ?", (item.id,)).get
        outbox.post(
            connection, "proactive", item, now,
            user_id=item.user_id, subject_id=item.id, private=bool(private),
        )  # fmt: skip


def entries(
    connection: apsw.Connection,
    scope: Scope,
    *,
    state: ProactiveState | None = None,
    detector: str | None = None,
    as_of: int | None = None,
    limit: int = 100,
) -> list[ProactiveItem]:
    """What is in the ledger, newest first."""
    rows = connection.execute(
        _SELECT
        + """
        WHERE user_id = ?1
          AND (NOT ?2 OR NOT private)
          AND (?3 IS NULL OR state = ?3)
          AND (?4 IS NULL OR detector = ?4)
          AND (?5 IS NULL OR created_at <= ?5)
        ORDER BY created_at DESC, id
        LIMIT ?6
        """,
        (scope.user_id, scope.public_only, state, detector, as_of, limit),
    )
    return [_item(connection, row) for row in rows.fetchall()]


def waiting(connection: apsw.Connection, scope: Scope, now: int) -> list[ProactiveItem]:
    """What may still be delivered: open, or snoozed until now; not expired. The most urgent first."""
    rows = connection.execute(
        _SELECT
        + """
        WHERE user_id = ?1
          AND (NOT ?2 OR NOT private)
          AND (state = 'open' OR (state = 'snoozed' AND due_at <= ?3))
          AND created_at <= ?3
          AND expires_at > ?3
        ORDER BY due_at IS NULL, due_at, probability DESC, id
        """,
        (scope.user_id, scope.public_only, now),
    )
    return [_item(connection, row) for row in rows.fetchall()]


def due(connection: apsw.Connection, now: int) -> list[ProactiveItem]:
    """What has come due and was not told to subscribers yet, of all users."""
    rows = connection.execute(
        _SELECT
        + """
        WHERE state IN ('open', 'snoozed') AND NOT announced AND due_at <= ?1 AND expires_at > ?1
        ORDER BY due_at, id
        """,
        (now,),
    )
    return [_item(connection, row) for row in rows.fetchall()]


def deliveries_since(connection: apsw.Connection, user_id: str, since: int) -> list[tuple[str, int]]:
    """(topic, when) of what was delivered to a user since a moment."""
    rows = connection.execute(
        "SELECT topic, delivered_at FROM proactive_items WHERE user_id = ? AND delivered_at >= ?",
        (user_id, since),
    )
    return [(str(topic), int(at)) for topic, at in rows]


def deliver(connection: apsw.Connection, ids: Sequence[str], now: int) -> None:
    """Mark items as handed out."""
    connection.executemany(
        """
        UPDATE proactive_items SET state = 'delivered', delivered_at = ?, updated_at = ?
        WHERE id = ? AND state IN ('open', 'snoozed')
        """,
        [(now, now, item_id) for item_id in ids],
    )


def resolve(
    connection: apsw.Connection,
    user_id: str,
    item_id: str,
    outcome: ProactiveState,
    until: int | None,
    now: int,
) -> ProactiveItem:
    """Note what the user did with an item; a snoozed one comes due again at `until`."""
    if outcome is ProactiveState.SNOOZED and (until is None or until <= now):
        raise InvalidError("snoozed until when?", hint="give `until`, Unix seconds in the future")
    connection.execute(
        """
        UPDATE proactive_items
        SET state = ?1, updated_at = ?2, due_at = coalesce(?3, due_at), announced = announced AND ?3 IS NULL,
            expires_at = max(expires_at, coalesce(?3 + 86400, expires_at))
        WHERE user_id = ?4 AND id = ?5
        """,
        (outcome, now, until, user_id, item_id),
    )
    return _one(connection, user_id, item_id)


def expire(connection: apsw.Connection, now: int, user_id: str | None = None) -> int:
    """Close what nobody needs any more; the number closed."""
    connection.execute(
        """
        UPDATE proactive_items SET state = 'expired', updated_at = ?1
        WHERE state IN ('open', 'snoozed', 'delivered') AND expires_at <= ?1 AND (?2 IS NULL OR user_id = ?2)
        """,
        (now, user_id),
    )
    return connection.changes()


def has_open_topic(connection: apsw.Connection, user_id: str, detector: str, topic: str, now: int) -> bool:
    """Whether the topic is in the ledger already and not yet over."""
    row = connection.execute(
        """
        SELECT EXISTS (
          SELECT 1 FROM proactive_items
          WHERE user_id = ? AND detector = ? AND topic = ? AND expires_at > ?
        )
        """,
        (user_id, detector, topic, now),
    ).get
    return bool(row)


def _one(connection: apsw.Connection, user_id: str, item_id: str) -> ProactiveItem:
    for row in connection.execute(_SELECT + "WHERE user_id = ? AND id = ?", (user_id, item_id)).fetchall():
        return _item(connection, row)
    raise NotFoundError(f"no prediction has the id {item_id}", hint="`memud proactive` shows ids")


def _item(connection: apsw.Connection, row: Sequence[Any]) -> ProactiveItem:
    item_id, user_id, session_id, detector, topic, text, why, probability = row[:8]
    created_at, due_at, expires_at, state = row[8:]
    rows: list[Any] = connection.execute(
        """
        SELECT e.resource_id, e.item_id, r.event_key
        FROM proactive_evidence AS e
        JOIN resources AS r ON r.id = e.resource_id
        WHERE e.proactive_id = ?
        ORDER BY e.position
        """,
        (item_id,),
    ).fetchall()
    return ProactiveItem(
        item_id, user_id, session_id, detector, topic, text, why, probability,
        tuple(Evidence(turn_id, fact_id, key) for turn_id, fact_id, key in rows), created_at, due_at, expires_at, ProactiveState(state),
    )  # fmt: skip
