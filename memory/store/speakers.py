"""Who speaks, in a group: the senders of turns."""

from enum import Enum

import apsw


class Voice(Enum):
    """How a new speaker stands to those who said a fact."""

    SAME = "same"
    UNSURE = "unsure"  # one of the two is not named, and several people are heard here
    OTHER = "other"


MAX_NAMES = 200


def names(connection: apsw.Connection, user_id: str) -> list[str]:
    """Who is heard in a user's sessions, at most MAX_NAMES; each name costs one look into an index."""
    rows = connection.execute(
        """
        WITH RECURSIVE heard (sender) AS (
          SELECT min(sender) FROM resources
          WHERE user_id = ?1 AND sender IS NOT NULL AND role = 'user'
          UNION ALL
          SELECT (
            SELECT min(sender) FROM resources
            WHERE user_id = ?1 AND sender > heard.sender AND sender IS NOT NULL AND role = 'user'
          )
          FROM heard
          WHERE heard.sender IS NOT NULL
        )
        SELECT sender FROM heard WHERE sender IS NOT NULL LIMIT ?2
        """,
        (user_id, MAX_NAMES),
    )
    return [sender for (sender,) in rows]


def voice(connection: apsw.Connection, item_id: str, sender: str | None) -> Voice:
    """Whether a sender is one of those who said the fact. Nobody overrules or repeats another's words."""
    rows = connection.execute(
        """
        SELECT DISTINCT r.sender
        FROM item_sources AS s JOIN resources AS r ON r.id = s.resource_id
        WHERE s.item_id = ?
        """,
        (item_id,),
    )
    senders = {row[0] for row in rows} or {None}
    if sender in senders:
        return Voice.SAME
    if sender is not None and None not in senders:
        return Voice.OTHER
    return Voice.UNSURE if _are_several(connection, item_id) else Voice.SAME


def _are_several(connection: apsw.Connection, item_id: str) -> bool:
    """Whether the user's sessions know more than one name; one alone is the user's own, named or not."""
    row = connection.execute(
        """
        SELECT count(*) > 1 FROM (
          SELECT DISTINCT sender FROM resources
          WHERE user_id = (SELECT user_id FROM items WHERE id = ?) AND sender IS NOT NULL AND role = 'user'
          LIMIT 2
        )
        """,
        (item_id,),
    ).get
    return bool(row)
