"""The clock was set back: what a clock that ran ahead wrote into the ledger is put right."""

from typing import Any, Final

import apsw

from memory.proactive.ledger import RECURRING

# What time alone has closed is open again, or told already where it was told.
_REOPEN: Final = """
  UPDATE proactive_items INDEXED BY proactive_by_change
  SET state = iif(delivered_at IS NULL, 'open', 'delivered'), decided_at = NULL
  WHERE updated_at > ?1 AND state IN ('expired', 'miss') AND expires_at > ?1
"""
# The next time of what comes again was reckoned from a day that has not come.
_UNSAY: Final = """
  DELETE FROM proactive_items INDEXED BY proactive_by_change
  WHERE updated_at > ?1
    AND state = 'open'
    AND announced = 0
    AND instr(topic, ?2) > 0
    AND EXISTS (
      SELECT 1 FROM proactive_items AS before
      WHERE before.user_id = proactive_items.user_id
        AND before.detector = proactive_items.detector
        AND before.topic = proactive_items.topic
        AND before.due_at < proactive_items.due_at
    )
  RETURNING user_id, detector, topic
"""
_REARM: Final = """
  UPDATE proactive_items SET recurs = 1
  WHERE id = (
    SELECT id FROM proactive_items
    WHERE user_id = ? AND detector = ? AND topic = ?
    ORDER BY due_at DESC
    LIMIT 1
  )
"""
# What was told stays told: at this moment, so that limits and cool-downs count it.
_CLAMP: Final = """
  UPDATE proactive_items INDEXED BY proactive_by_change
  SET delivered_at = min(delivered_at, ?1), announced = min(announced, ?1),
      decided_at = min(decided_at, ?1), updated_at = ?1
  WHERE updated_at > ?1
"""
_SLACK_S: Final = 60  # what is written while somebody looks at the clock is no sign


def is_behind(connection: apsw.Connection, now: int) -> bool:
    """Whether the ledger was written at a time that lies ahead of now."""
    row = connection.execute(
        """
        SELECT EXISTS (
          SELECT 1 FROM proactive_items INDEXED BY proactive_by_change WHERE updated_at > ?
        )
        """,
        (now + _SLACK_S,),
    ).get
    return bool(row)


def put_right(connection: apsw.Connection, now: int) -> None:
    """Nothing in the ledger bears a time after now, but what is due then; nothing is lost or told twice.

    What the user said of an item stands.
    """
    connection.execute(_REOPEN, (now,))
    unsaid: list[Any] = connection.execute(_UNSAY, (now, RECURRING)).fetchall()
    for topic in unsaid:
        connection.execute(_REARM, topic)
    connection.execute(_CLAMP, (now,))
