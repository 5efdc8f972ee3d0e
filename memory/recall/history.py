"""How much an agent without memory would resend: what recall is measured against.

The model: such an agent sends the session's history so far with each prompt. At 80 % of a window of 200,000
tokens it compacts that history to a summary of 2,000 tokens and goes on from there. In its favour nothing is
counted for the compaction itself, for what surrounds a message on the wire, and for turns that memud did not
keep (heartbeats, envelopes). What any agent sends, with memory or without - its instructions, its tools, the
prompt itself - is on neither side.
"""

from typing import Any

import apsw
import msgspec

from memory.store import cursors
from memory.tokens import estimate_tokens
from memory.turns import plain_text

WINDOW_TOKENS = 200_000
COMPACTED_AT_TOKENS = WINDOW_TOKENS * 8 // 10
SUMMARY_TOKENS = 2_000

_CURSOR = "session_histories"
_STEP_TURNS = 500  # a store that is new to this catches up in steps of some 20 ms


def grown(tokens: int, more: int) -> int:
    """The history after another turn."""
    total = tokens + more
    return total if total < COMPACTED_AT_TOKENS else min(SUMMARY_TOKENS + more, COMPACTED_AT_TOKENS)


def catch_up(connection: apsw.Connection) -> None:
    """Add the turns that came since the last time to the histories of their sessions."""
    rows: list[Any] = connection.execute(
        """
        SELECT key, user_id, coalesce(session_id, ''), content
        FROM resources WHERE key > ? ORDER BY key LIMIT ?
        """,
        (cursors.position(connection, _CURSOR), _STEP_TURNS),
    ).fetchall()
    for key, user_id, session_id, content in rows:
        more = estimate_tokens(plain_text(msgspec.json.decode(content)))
        before = tokens_of(connection, user_id, session_id)
        connection.execute(
            "INSERT OR REPLACE INTO session_histories VALUES (?, ?, ?)",
            (user_id, session_id, grown(before, more)),
        )
        cursors.advance(connection, _CURSOR, key)


def tokens_of(connection: apsw.Connection, user_id: str, session_id: str | None) -> int:
    """The tokens of a session's history as such an agent would send it now."""
    row = connection.execute(
        "SELECT tokens FROM session_histories WHERE user_id = ? AND session_id = ?",
        (user_id, session_id or ""),
    ).get
    return 0 if row is None else int(row)
