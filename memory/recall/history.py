"""How much an agent without memory would resend: what recall is measured against.

The model: such an agent sends the session's history so far with each prompt. At 80 % of a window of 200,000
tokens it compacts that history to a summary of 2,000 tokens and goes on from there. In its favour nothing is
counted for the compaction itself, for what surrounds a message on the wire, and for turns that memud did not
keep (heartbeats, envelopes). What any agent sends, with memory or without - its instructions, its tools, the
prompt itself - is on neither side.
"""

import math
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
# A store that is new to this catches up in steps of some 20 ms; it is the writer's time.
_STEP_TURNS = 500
_STEP_CHARS = 100_000


def after_turn(tokens: int, more: int) -> int:
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
    left = _STEP_CHARS
    for key, user_id, session_id, content in rows:
        text = plain_text(msgspec.json.decode(content))
        tokens = after_turn(tokens_of(connection, user_id, session_id), _tokens(text))
        connection.execute(
            "INSERT OR REPLACE INTO session_histories VALUES (?, ?, ?)", (user_id, session_id, tokens)
        )
        cursors.advance(connection, _CURSOR, key)
        left -= len(text)
        if left <= 0:
            return


def _tokens(text: str) -> int:
    """By its beginning, where a text is very long."""
    head = text[:_STEP_CHARS]
    return math.ceil(estimate_tokens(head) * len(text) / max(1, len(head)))


def tokens_of(connection: apsw.Connection, user_id: str, session_id: str | None) -> int:
    """The tokens of a session's history as such an agent would send it now."""
    row = connection.execute(
        "SELECT tokens FROM session_histories WHERE user_id = ? AND session_id = ?",
        (user_id, session_id or ""),
    ).get
    return 0 if row is None else int(row)
