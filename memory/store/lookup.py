"""From what a person typed to one id: the whole id or a short prefix of it."""

from collections.abc import Sequence

import apsw
import msgspec

from memory.errors import InvalidError, NotFoundError
from memory.model import Scope

_NAMED = 5  # one less than the queries below find, so that more can be told from all

_TABLES = """
  SELECT id FROM items WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  UNION ALL SELECT id FROM resources WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  UNION ALL SELECT id FROM proactive_items WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  UNION ALL SELECT id FROM archive WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  UNION ALL SELECT id FROM capture_queue WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  LIMIT 6
"""
_PUBLIC_TABLES = """
  SELECT id FROM items WHERE user_id = ?1 AND id >= ?2 AND id < ?3 AND NOT private
  UNION ALL SELECT id FROM resources WHERE user_id = ?1 AND id >= ?2 AND id < ?3 AND NOT private
  UNION ALL SELECT id FROM proactive_items WHERE user_id = ?1 AND id >= ?2 AND id < ?3 AND NOT private
  LIMIT 6
"""
_PREDICTIONS = "SELECT id FROM proactive_items WHERE user_id = ?1 AND id >= ?2 AND id < ?3 LIMIT 6"
_ENTRIES = """
  SELECT id FROM capture_queue WHERE (?1 IS NULL OR user_id = ?1) AND id >= ?2 AND id < ?3 LIMIT 6
"""


def resolve_entry(connection: apsw.Connection, user_id: str | None, typed: str) -> str:
    """The one entry of the queue, of one user or of all, whose id starts so. Raises like `resolve`."""
    rows = connection.execute(_ENTRIES, (user_id, typed, typed + "\U0010ffff"))
    return _one(typed, [str(row[0]) for row in rows], "`memud queue list` shows ids")


def resolve_prediction(connection: apsw.Connection, user_id: str, typed: str) -> str:
    """The one prediction of this user whose id starts so. Raises like `resolve`."""
    rows = connection.execute(_PREDICTIONS, (user_id, typed, typed + "\U0010ffff"))
    return _one(typed, [str(row[0]) for row in rows], "`memud proactive` shows ids")


def resolve(connection: apsw.Connection, scope: Scope, typed: str) -> str:
    """The one id of this user that starts with what was typed; for a group, of what is public.

    Raises NotFoundError for none, InvalidError naming the candidates for several.
    """
    if not typed:
        raise InvalidError("the id is empty", hint="give an id such as m-k3v9q2xw7d or the start of one")
    tables = _PUBLIC_TABLES if scope.public_only else _TABLES
    rows = connection.execute(tables, (scope.user_id, typed, typed + "\U0010ffff"))
    return _one(typed, [str(row[0]) for row in rows], "`memud list` and `memud search` show ids")


def _one(typed: str, found: Sequence[str], hint: str) -> str:
    if typed in found or len(found) == 1:
        return typed if typed in found else found[0]
    if not found:
        raise NotFoundError(f"nothing has the id {typed}", hint=hint)
    more = ", and others" if len(found) > _NAMED else ""
    raise InvalidError(f"{typed} could be {', '.join(found[:_NAMED])}{more}", hint="give more of the id")


def known_by(connection: apsw.Connection, keys: Sequence[int], moment: int) -> set[int]:
    """Those of some turns and facts, by number, that had been said by a moment (Unix seconds)."""
    rows = connection.execute(
        """
        SELECT key FROM resources WHERE key IN (SELECT value FROM json_each(?1)) AND timestamp <= ?2
        UNION ALL
        SELECT key FROM items WHERE key IN (SELECT value FROM json_each(?1)) AND created_at <= ?2
        """,
        (msgspec.json.encode(list(keys)).decode(), moment),
    )
    return {key for (key,) in rows}
