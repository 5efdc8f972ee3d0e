"""Talks between people, two or more: which turns stand around a turn in its session."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec

REACH = 2  # turns before, and turns after


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn stands in a talk: the numbers of the turns `before` and `after` it, the nearest first."""

    sender: str
    before: tuple[int, ...]
    after: tuple[int, ...]


# `+user_id`: looked up by number. Equal times are looked up apart: by a row value SQLite would read them all.
# A session is a talk if its first sender by name is not its last.
_PLACES = """
  WITH
    asked AS (
      SELECT key, session_id, sender, timestamp FROM resources
      WHERE +user_id = ?1 AND key IN (SELECT value FROM json_each(?2))
        AND sender IS NOT NULL AND role = 'user'
    ),
    talks AS (
      SELECT session_id FROM (SELECT DISTINCT session_id FROM asked) AS session
      WHERE
        (
          SELECT min(sender) FROM resources
          WHERE user_id = ?1 AND session_id = session.session_id AND sender IS NOT NULL AND role = 'user'
        ) < (
          SELECT max(sender) FROM resources
          WHERE user_id = ?1 AND session_id = session.session_id AND sender IS NOT NULL AND role = 'user'
        )
    )
  SELECT
    key,
    sender,
    (
      SELECT json_group_array(key) FROM (
        SELECT * FROM (
          SELECT key, timestamp FROM resources
          WHERE user_id = ?1 AND session_id = asked.session_id AND role = 'user'
            AND timestamp = asked.timestamp AND key < asked.key
          ORDER BY key DESC
          LIMIT ?3
        )
        UNION ALL
        SELECT * FROM (
          SELECT key, timestamp FROM resources
          WHERE user_id = ?1 AND session_id = asked.session_id AND role = 'user'
            AND timestamp < asked.timestamp
          ORDER BY timestamp DESC, key DESC
          LIMIT ?3
        )
        ORDER BY timestamp DESC, key DESC
        LIMIT ?3
      )
    ),
    (
      SELECT json_group_array(key) FROM (
        SELECT * FROM (
          SELECT key, timestamp FROM resources
          WHERE user_id = ?1 AND session_id = asked.session_id AND role = 'user'
            AND timestamp = asked.timestamp AND key > asked.key
          ORDER BY key
          LIMIT ?3
        )
        UNION ALL
        SELECT * FROM (
          SELECT key, timestamp FROM resources
          WHERE user_id = ?1 AND session_id = asked.session_id AND role = 'user'
            AND timestamp > asked.timestamp
          ORDER BY timestamp, key
          LIMIT ?3
        )
        ORDER BY timestamp, key
        LIMIT ?3
      )
    )
  FROM asked
  WHERE session_id IN (SELECT session_id FROM talks)
"""


def places(connection: apsw.Connection, user_id: str, keys: Sequence[int]) -> dict[int, Place]:
    """The places of those turns, by number, that stand in a talk between people."""
    wanted = msgspec.json.encode(list(keys)).decode()
    return {row[0]: _place(row) for row in connection.execute(_PLACES, (user_id, wanted, REACH))}


def _place(row: Sequence[Any]) -> Place:
    _, sender, before, after = row
    return Place(sender, tuple(msgspec.json.decode(before)), tuple(msgspec.json.decode(after)))
