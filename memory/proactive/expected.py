"""What users are expected to ask: the words behind their open predictions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import apsw

from memory.proactive.about import DATED
from memory.store import retold

MAX_USERS: Final = 20
_PREDICTIONS, _TURNS = 8, 3  # of a user; of a prediction, the latest
_MAX_CHARS = 400  # a longer turn is a text to work on; nobody sends it again to ask

_OPEN = """
  SELECT id, user_id, topic FROM (
    SELECT
      id, user_id, topic, probability,
      row_number() OVER (PARTITION BY user_id ORDER BY probability DESC, created_at DESC, id) AS place,
      max(created_at) OVER (PARTITION BY user_id) AS latest
    FROM proactive_items
    WHERE (state = 'open' OR state = 'snoozed' OR state = 'delivered') AND expires_at > ?1
  )
  WHERE place <= ?2
  ORDER BY latest DESC, user_id, place
"""
_EVIDENCE = """
  SELECT r.key
  FROM proactive_evidence AS e
  JOIN resources AS r ON r.id = e.resource_id
  WHERE e.proactive_id = ? AND r.role = 'user'
  ORDER BY r.timestamp DESC, r.key DESC
  LIMIT ?
"""


def expected(connection: apsw.Connection, now: int) -> Mapping[str, Sequence[str]]:
    """The questions by user, the likeliest first; of the users with the newest predictions, within bounds."""
    found: dict[str, dict[str, None]] = {}
    rows: list[Any] = connection.execute(_OPEN, (now, _PREDICTIONS)).fetchall()
    for item_id, user_id, topic in rows:
        if user_id not in found and len(found) == MAX_USERS:
            break
        known = found.setdefault(user_id, {})
        known.update(dict.fromkeys(filter(_is_question, _texts(connection, item_id, topic))))
    return {user_id: list(texts) for user_id, texts in found.items()}


def _texts(connection: apsw.Connection, item_id: str, topic: str) -> Iterator[str]:
    rows: list[Any] = connection.execute(_EVIDENCE, (item_id, _TURNS)).fetchall()
    for (key,) in rows:
        yield " ".join(retold.own_text(connection, key).split())
    yield topic.partition(DATED)[0]


def _is_question(text: str) -> bool:
    return 0 < len(text) <= _MAX_CHARS
