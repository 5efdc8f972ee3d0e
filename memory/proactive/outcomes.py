"""What became of a user's predictions, as the ledger has it."""

import apsw

from memory.model import ProactiveState
from memory.proactive.trust import Outcome
from memory.proactive.worth import ASKED_FOR

_MOST = 200  # the latest; with a half-life, older ones count for nothing


def outcomes(connection: apsw.Connection, user_id: str, until: int) -> list[Outcome]:
    """What was known of the user's unasked predictions by a moment, the latest first."""
    rows = connection.execute(
        """
        SELECT
          detector, topic, state,
          state IN ('used', 'dismissed') OR coalesce(delivered_at <= decided_at, 0),
          decided_at
        FROM proactive_items
        WHERE user_id = ?1
          AND decided_at <= ?2
          AND NOT (due_at IS NOT NULL AND probability >= ?3)
        ORDER BY decided_at DESC, id
        LIMIT ?4
        """,
        (user_id, until, ASKED_FOR, _MOST),
    )
    right = (ProactiveState.USED, ProactiveState.HIT)
    return [
        Outcome(detector, topic, state in right, state == ProactiveState.DISMISSED, bool(was_told), at)
        for detector, topic, state, was_told, at in rows
    ]
