"""The ledger of predictions, written: what goes in, and what becomes of it.

Times follow the events: a prediction was made when the last of its evidence was said, whenever the monitor
came round to it. The caller holds the transaction.
"""

from collections.abc import Sequence
from typing import Any

import apsw
import msgspec

from memory.errors import InvalidError
from memory.model import Evidence, Prediction, ProactiveItem
from memory.proactive import ledger
from memory.proactive.worth import ASKED_FOR, expecting

MAX_EVIDENCE = 24  # what is asked for the hundredth time is no better proven


def record(
    connection: apsw.Connection, user_id: str, prediction: Prediction, item_id: str, now: int
) -> ProactiveItem | None:
    """Store a prediction; None where it is no new one.

    A topic whose time is not over when this one was predicted is not told twice: its evidence grows. What
    rests on turns that are forgotten, or another user's, is not stored at all. An item is as private as its
    evidence. Raises InvalidError for a prediction that rests on nothing.
    """
    if not prediction.evidence:
        raise InvalidError("a prediction without evidence is a guess")
    made_at = _said_at(connection, user_id, prediction.evidence)
    if made_at is None:
        return None
    known = _known(connection, user_id, prediction, made_at)
    if known is not None:
        _support(connection, known, prediction.evidence, now)
        return None
    _insert(connection, user_id, prediction, item_id, (made_at, now))
    _support(connection, item_id, prediction.evidence, now)
    return ledger.one(connection, user_id, item_id)


def is_known(connection: apsw.Connection, user_id: str, prediction: Prediction) -> bool:
    """Whether `record` would find nothing new in it."""
    made_at = _said_at(connection, user_id, prediction.evidence)
    return made_at is None or _known(connection, user_id, prediction, made_at) is not None


def renew(
    connection: apsw.Connection, item: ProactiveItem, prediction: Prediction, item_id: str, now: int
) -> None:
    """Store the next of a prediction that comes again; it is there from the moment the last was due."""
    connection.execute("UPDATE proactive_items SET recurs = 0 WHERE id = ?", (item.id,))
    _insert(connection, item.user_id, prediction, item_id, (item.due_at or now, now))
    _support(connection, item_id, prediction.evidence, now)


def deliver(
    connection: apsw.Connection, ids: Sequence[str], now: int, session_id: str | None = None
) -> list[str]:
    """Mark items as handed out in a session, each once; the ids of those that nobody had been given before.

    What is shown before it is due, beside its topic, stays open: it must still come at its time.
    """
    rows: list[Any] = connection.execute(
        """
        UPDATE proactive_items
        SET state = 'delivered', decided_at = NULL, delivered_at = ?1, told_in = ?3, updated_at = ?1
        WHERE id IN (SELECT value FROM json_each(?2))
          AND (due_at IS NULL OR due_at <= ?1)
          AND (state IN ('open', 'snoozed') OR (state IN ('expired', 'miss') AND expires_at > ?1))
        RETURNING id
        """,
        (now, msgspec.json.encode(list(ids)).decode(), session_id),
    ).fetchall()
    return [str(item_id) for (item_id,) in rows]


def fulfil(connection: apsw.Connection, ids: Sequence[str], at: int, now: int) -> None:
    """The user turned to these topics at `at`: they are hits. What the user said of one stands."""
    connection.executemany(
        """
        UPDATE proactive_items SET state = 'hit', decided_at = min(?1, ?2), updated_at = ?2
        WHERE id = ?3 AND state NOT IN ('used', 'dismissed', 'hit')
        """,
        [(at, now, item_id) for item_id in ids],
    )


def call_off(connection: apsw.Connection, ids: Sequence[str], at: int, now: int) -> None:
    """Close items because the user said so at `at`; from then on the same may be asked for anew.

    Moved, done or cancelled, it was no wrong prediction: nothing is learnt from it. A hit stays one.
    """
    connection.executemany(
        """
        UPDATE proactive_items
        SET state = iif(state = 'hit', state, 'dismissed'),
            decided_at = iif(state = 'hit', decided_at, NULL),
            expires_at = min(expires_at, ?1),
            updated_at = ?2
        WHERE id = ?3
        """,
        [(at, now, item_id) for item_id in ids],
    )


def expire(connection: apsw.Connection, now: int, user_id: str | None = None) -> int:
    """Close what is over; the number closed. A miss is what the user was expected to turn to."""
    connection.execute(
        """
        UPDATE proactive_items INDEXED BY proactive_expiring
        SET updated_at = ?1,
            state = iif(detector IN (SELECT value FROM json_each(?3)), 'miss', 'expired'),
            decided_at = iif(detector IN (SELECT value FROM json_each(?3)), expires_at, NULL)
        WHERE (state = 'open' OR state = 'snoozed' OR state = 'delivered')
          AND expires_at <= ?1
          AND (?2 IS NULL OR user_id = ?2)
        """,
        (now, user_id, msgspec.json.encode(expecting()).decode()),
    )
    return connection.changes()


def _said_at(connection: apsw.Connection, user_id: str, evidence: Sequence[Evidence]) -> int | None:
    """When the last of the evidence was said; None when not all of it is there, and this user's."""
    ids = {one.resource_id for one in evidence}
    count, latest = next(
        connection.execute(
            """
            SELECT count(*), max(timestamp) FROM resources
            WHERE +user_id = ? AND id IN (SELECT value FROM json_each(?))
            """,
            (user_id, msgspec.json.encode(sorted(ids)).decode()),
        )
    )
    return int(latest) if count == len(ids) else None


def _known(connection: apsw.Connection, user_id: str, prediction: Prediction, made_at: int) -> str | None:
    """The item of the same topic whose time and this one's overlap; what is due after its end is the next.

    What was settled does not stand for what the user asks for anew.
    """
    return connection.execute(  # type: ignore[no-any-return]
        """
        SELECT id FROM proactive_items
        WHERE user_id = ?1 AND detector = ?2 AND topic = ?3 AND expires_at > ?4 AND created_at < ?5
          AND (due_at IS NULL OR ?6 IS NULL OR ?6 < expires_at)
          AND NOT (?7 AND state IN ('used', 'dismissed') AND decided_at <= ?4)
        ORDER BY created_at DESC, id
        LIMIT 1
        """,
        (
            user_id, prediction.detector, prediction.topic, made_at, prediction.expires_at, prediction.due_at,
            prediction.due_at is not None and prediction.probability >= ASKED_FOR,
        ),
    ).get  # fmt: skip


def _insert(
    connection: apsw.Connection, user_id: str, prediction: Prediction, item_id: str, times: tuple[int, int]
) -> None:
    """`times`: when it was made and when it is stored."""
    connection.execute(
        """
        INSERT INTO proactive_items (
          id, user_id, session_id, detector, topic, text, why, probability, created_at, updated_at, due_at,
          expires_at, recurs, private
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
        """,
        (
            item_id, user_id, prediction.session_id, prediction.detector, prediction.topic, prediction.text,
            prediction.why, prediction.probability, *times, prediction.due_at, prediction.expires_at,
            ledger.RECURRING in prediction.topic,
        ),
    )  # fmt: skip


def _support(connection: apsw.Connection, item_id: str, evidence: Sequence[Evidence], now: int) -> None:
    """Add evidence to an item, up to a bound; the item becomes as private as it."""
    held = int(
        connection.execute("SELECT count(*) FROM proactive_evidence WHERE proactive_id = ?", (item_id,)).get
    )
    for position, one in enumerate(evidence[: max(0, MAX_EVIDENCE - held)], held):
        connection.execute(
            "INSERT OR IGNORE INTO proactive_evidence VALUES (?, ?, ?, ?)",
            (item_id, one.resource_id, one.item_id, position),
        )
    connection.execute(
        """
        UPDATE proactive_items SET updated_at = ?2, private = EXISTS (
          SELECT 1 FROM proactive_evidence AS e
          JOIN resources AS r ON r.id = e.resource_id
          WHERE e.proactive_id = ?1 AND r.private
        )
        WHERE id = ?1
        """,
        (item_id, now),
    )
