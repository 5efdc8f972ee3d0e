"""From what a person typed to one id: the whole id or a short prefix of it."""

import apsw

from memory.errors import InvalidError, NotFoundError

_TABLES = """
  SELECT id FROM items WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  UNION ALL SELECT id FROM resources WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  UNION ALL SELECT id FROM proactive_items WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  UNION ALL SELECT id FROM archive WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  UNION ALL SELECT id FROM capture_queue WHERE user_id = ?1 AND id >= ?2 AND id < ?3
  LIMIT 6
"""


def resolve(connection: apsw.Connection, user_id: str, typed: str) -> str:
    """The one id of this user that starts with what was typed.

    Raises NotFoundError for none, InvalidError naming the candidates for several.
    """
    if not typed:
        raise InvalidError("the id is empty", hint="give an id such as m-k3v9q2xw7d or the start of one")
    found = [row[0] for row in connection.execute(_TABLES, (user_id, typed, typed + "\U0010ffff"))]
    if typed in found or len(found) == 1:
        return typed if typed in found else found[0]
    if not found:
        raise NotFoundError(f"nothing has the id {typed}", hint="`memud list` and `memud search` show ids")
    raise InvalidError(f"{typed} could be {', '.join(found[:5])}", hint="give more of the id")
