"""The ledger of predictions, read: what was expected, on what evidence, and what had become of it by when.

Expiry is a matter of the moment asked about, so a replay sees what was seen live. `recording` writes it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import apsw
import msgspec

from memory.errors import NotFoundError
from memory.model import Evidence, Prediction, ProactiveItem, ProactiveState, Scope

RECURRING: Final = " @ every "  # in the topic of what comes again

# `:now` is the moment asked about; None reads the states as they are stored. What the user has done with
# an item holds at every moment: nothing dismissed comes back because somebody asks about the past. Whether a
# prediction was right is known from its own moment on, a delivery if it came by `:known`.
_SELECT = """
  SELECT
    id, user_id, session_id, detector, topic, text, why, probability, created_at, due_at, expires_at,
    CASE
      WHEN :now IS NULL OR state IN ('used', 'dismissed') THEN state
      WHEN state IN ('hit', 'miss') AND decided_at <= :now THEN state
      WHEN expires_at <= :now THEN 'expired'
      WHEN state = 'snoozed' THEN state
      WHEN delivered_at <= :known THEN 'delivered'
      ELSE 'open'
    END AS state_then
  FROM proactive_items
"""
_AS_STORED: Mapping[str, None] = {"now": None, "known": None}

# A fact that was replaced by then, or given other words since, no longer says what was predicted from it.
_HAS_LAPSED = """
  EXISTS (
    SELECT 1 FROM proactive_evidence AS e JOIN items AS i ON i.id = e.item_id
    WHERE e.proactive_id = proactive_items.id
      AND (
        i.superseded_at <= :now
        OR EXISTS (
          SELECT 1 FROM item_versions AS v
          WHERE v.item_id = i.id AND v.cause = 'edited' AND v.replaced_at > proactive_items.updated_at
        )
      )
  )
"""

_COME = """
  INDEXED BY proactive_recurring
  WHERE recurs = 1
    AND detector = :detector
    AND (:user IS NULL OR user_id = :user)
    AND due_at <= :at
    AND state <> 'dismissed'
    AND NOT EXISTS (
      SELECT 1 FROM proactive_items AS later
      WHERE later.user_id = proactive_items.user_id
        AND later.detector = proactive_items.detector
        AND later.topic = proactive_items.topic
        AND later.due_at > proactive_items.due_at
    )
"""


def restated(item: ProactiveItem, evidence: Evidence) -> Prediction:
    """The item predicted again, by one more piece of evidence."""
    return Prediction(
        item.detector, item.topic, item.text, item.why, item.probability, (evidence,), item.due_at,
        item.expires_at, item.session_id,
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
    """What is in the ledger, newest first; with `as_of` what was in it then, in the state it had then."""
    rows = connection.execute(
        _SELECT
        + """
        WHERE user_id = :user
          AND (NOT :public_only OR NOT private)
          AND (:state IS NULL OR state_then = :state)
          AND (:detector IS NULL OR detector = :detector)
          AND (:now IS NULL OR created_at <= :now)
        ORDER BY created_at DESC, id
        LIMIT :limit
        """,
        {
            "user": scope.user_id, "public_only": scope.public_only, "state": state, "detector": detector,
            "now": as_of, "known": as_of, "limit": limit,
        },
    )  # fmt: skip
    return _items(connection, rows.fetchall())


def one(connection: apsw.Connection, user_id: str, item_id: str) -> ProactiveItem:
    """An item of a user, in the state that is stored. Raises NotFoundError."""
    rows = connection.execute(
        _SELECT + "WHERE user_id = :user AND id = :id", {"user": user_id, "id": item_id, **_AS_STORED}
    ).fetchall()
    if not rows:
        raise NotFoundError(f"no prediction has the id {item_id}", hint="`memud proactive` shows ids")
    return _items(connection, rows)[0]


def waiting(
    connection: apsw.Connection, scope: Scope, now: int, known_until: int | None = None
) -> list[ProactiveItem]:
    """What is still to be delivered at a moment: open, or snoozed until then. The most urgent first.

    What was delivered after `known_until`, else after that moment, was not yet. Without evidence nothing is
    said, nor from a fact that no longer holds.
    """
    rows = connection.execute(
        _SELECT
        + """
        WHERE user_id = :user
          AND expires_at > :now
          AND created_at <= :now
          AND (NOT :public_only OR NOT private)
          AND (state_then = 'open' OR (state_then = 'snoozed' AND due_at <= :now))
          AND NOT """
        + _HAS_LAPSED
        + """
        ORDER BY due_at IS NULL, due_at, probability DESC, id
        """,
        {
            "user": scope.user_id, "public_only": scope.public_only, "now": now,
            "known": now if known_until is None else known_until,
        },
    )  # fmt: skip
    return [item for item in _items(connection, rows.fetchall()) if item.evidence]


def near(
    connection: apsw.Connection, user_id: str, detector: str, at: int, window_s: int
) -> list[ProactiveItem]:
    """A detector's items, whatever became of them, whose time has come or comes within the window."""
    rows = connection.execute(
        _SELECT
        + """
        WHERE user_id = :user
          AND detector = :detector
          AND expires_at > :at
          AND created_at <= :at + :window
        ORDER BY created_at, id
        """,
        {"user": user_id, "detector": detector, "at": at, "window": window_s, **_AS_STORED},
    )
    return _items(connection, rows.fetchall())


def topic_of(connection: apsw.Connection, user_id: str, detector: str, turn_ids: Sequence[str]) -> str | None:
    """The topic of the detector's last item that rests on any of these turns, whatever became of it."""
    return connection.execute(  # type: ignore[no-any-return]
        """
        SELECT i.topic
        FROM proactive_evidence AS e
        JOIN proactive_items AS i ON i.id = e.proactive_id
        WHERE e.resource_id IN (SELECT value FROM json_each(?1)) AND i.user_id = ?2 AND i.detector = ?3
        ORDER BY i.created_at DESC, i.id
        LIMIT 1
        """,
        (msgspec.json.encode(list(turn_ids)).decode(), user_id, detector),
    ).get


def outdated(connection: apsw.Connection, now: int, user_id: str | None) -> list[ProactiveItem]:
    """What is still to come and rests on a fact that no longer holds as it did."""
    rows = connection.execute(
        _SELECT
        + """
        WHERE (state = 'open' OR state = 'snoozed' OR state = 'delivered')
          AND (:user IS NULL OR user_id = :user)
          AND """
        + _HAS_LAPSED
        + "ORDER BY created_at, id",
        {"user": user_id, "now": now, "known": now},
    )
    return _items(connection, rows.fetchall())


def undecided(
    connection: apsw.Connection, user_id: str, at: int, made_until: int, due_until: int, unasked: float
) -> list[ProactiveItem]:
    """What lasts at a moment and has not come true, nor did the user say what became of it.

    Made and due by then, where it has a time of its own; of that what is at least as likely as `unasked` only
    once it was handed out.
    """
    rows = connection.execute(
        _SELECT
        + """
        WHERE user_id = :user
          AND expires_at > :at
          AND created_at <= :made
          AND state NOT IN ('used', 'dismissed', 'hit')
          AND (due_at IS NULL OR due_at <= :due AND (probability < :unasked OR state = 'delivered'))
        ORDER BY created_at, id
        """,
        {
            "user": user_id,
            "at": at,
            "made": made_until,
            "due": due_until,
            "unasked": unasked,
            **_AS_STORED,
        },
    )
    return _items(connection, rows.fetchall())


def come(connection: apsw.Connection, detector: str, now: int, user_id: str | None) -> list[ProactiveItem]:
    """The last item of each topic that comes again, where its time has come and nobody dismissed it."""
    rows = connection.execute(
        _SELECT + _COME, {"detector": detector, "user": user_id, "at": now, **_AS_STORED}
    )
    return _items(connection, rows.fetchall())


def _items(connection: apsw.Connection, rows: Sequence[Sequence[Any]]) -> list[ProactiveItem]:
    evidence = _evidence(connection, [row[0] for row in rows])
    return [_item(row, tuple(evidence.get(row[0], ()))) for row in rows]


def _item(row: Sequence[Any], evidence: tuple[Evidence, ...]) -> ProactiveItem:
    item_id, user_id, session_id, detector, topic, text, why, probability = row[:8]
    created_at, due_at, expires_at, state = row[8:]
    return ProactiveItem(
        item_id, user_id, session_id, detector, topic, text, why, probability, evidence, created_at, due_at,
        expires_at, ProactiveState(state),
    )  # fmt: skip


def _evidence(connection: apsw.Connection, ids: Sequence[str]) -> dict[str, list[Evidence]]:
    """By item, in order; in one query, since a look at a new turn reads all that a user has to come."""
    found: dict[str, list[Evidence]] = {}
    if not ids:
        return found
    rows: list[Any] = connection.execute(
        """
        SELECT e.proactive_id, e.resource_id, e.item_id, r.event_key
        FROM proactive_evidence AS e
        JOIN resources AS r ON r.id = e.resource_id
        WHERE e.proactive_id IN (SELECT value FROM json_each(?))
        ORDER BY e.proactive_id, e.position
        """,
        (msgspec.json.encode(list(ids)).decode(),),
    ).fetchall()
    for item_id, turn_id, fact_id, key in rows:
        found.setdefault(item_id, []).append(Evidence(turn_id, fact_id, key))
    return found
