"""What a session said after a moment: the reply to a prompt, as it arrived."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import msgspec

from memory.model import Role
from memory.turns import content_hash, plain_text

SETTLED_S = 600
"""A reply is whole when the user speaks again, or after so long without another word of the assistant."""

_MOST_TURNS = 200

# A turn's number grows with its arrival; from the newest back, the walk is as long as the time since then.
_SINCE = """
  SELECT role, content, content_hash, arrived_at
  FROM resources
  WHERE +user_id = ?1
    AND +session_id IS ?2
    AND role IN ('user', 'assistant')
    AND key > coalesce((SELECT key FROM resources WHERE arrived_at < ?3 ORDER BY key DESC LIMIT 1), 0)
  ORDER BY key
  LIMIT ?4
"""
# The same walk, once for all sessions.
_SPOKEN_IN = """
  SELECT DISTINCT user_id, session_id
  FROM resources NOT INDEXED
  WHERE key > coalesce((SELECT key FROM resources WHERE arrived_at < ?1 ORDER BY key DESC LIMIT 1), 0)
    AND role = 'assistant'
"""


@dataclass(frozen=True, slots=True)
class _Said:
    """One turn of a session; `content` is JSON, `arrived_at` Unix seconds."""

    role: str
    content: str
    content_hash: str
    arrived_at: int


def reply_to(
    connection: apsw.Connection, user_id: str, session_id: str | None, prompt: str, at: int, now: int
) -> str | None:
    """What the assistant answered to a prompt of that moment; None: nothing yet, or not to its end."""
    said = [_Said(*row) for row in connection.execute(_SINCE, (user_id, session_id, at, _MOST_TURNS))]
    return _reply(_behind(said, content_hash(prompt)), now)


def spoken_in(connection: apsw.Connection, since: int) -> set[tuple[str, str | None]]:
    """The (user, session) in which an assistant's words arrived from a moment on: no other has a reply."""
    return {(user_id, session_id) for user_id, session_id in connection.execute(_SPOKEN_IN, (since,))}


def _behind(said: Sequence[_Said], prompt_hash: str) -> Sequence[_Said]:
    """The turns behind the prompt; an agent may send the turns of before, and the prompt itself, late."""
    for place, one in enumerate(said, start=1):
        if one.role == Role.USER and one.content_hash == prompt_hash:
            return said[place:]
    return said


def _reply(said: Sequence[_Said], now: int) -> str | None:
    words: list[str] = []
    spoke_at = now
    for one in said:
        if one.role == Role.ASSISTANT:
            words.append(plain_text(msgspec.json.decode(one.content)))
            spoke_at = one.arrived_at
        elif words:
            return "\n".join(words)
    return "\n".join(words) if words and now - spoke_at >= SETTLED_S else None
