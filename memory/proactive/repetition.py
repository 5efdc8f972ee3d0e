"""Words that a user says over and over: the eleventh time within half an hour is heard as nothing new."""

from functools import lru_cache
from typing import Final

import apsw

from memory.model import Resource, Role
from memory.proactive.asking.asked import APART_S
from memory.proactive.commitments.pledges import pledges

MOST: Final = 10  # times within half an hour; nobody asks for a thing more often and means it anew
_MINUTE_S: Final = 60


def is_repetition(connection: apsw.Connection, turn: Resource) -> bool:
    """Whether the user has said just this so often just now, and means by it what they meant then.

    "Remind me in five minutes" means another time each minute, and is heard each time. A step in an index
    and one row, however many say the same.
    """
    said = turn.turn
    before = connection.execute(
        """
        SELECT timestamp FROM resources INDEXED BY resources_by_hash
        WHERE user_id = ? AND content_hash = ? AND key < ?
        ORDER BY key DESC
        LIMIT 1 OFFSET ?
        """,
        (said.scope.user_id, said.content_hash, turn.key, MOST - 1),
    ).get
    if before is None or abs(said.timestamp - before) >= APART_S:
        return False
    return _due(turn, before) == _due(turn, said.timestamp)


def _due(turn: Resource, at: int) -> tuple[int, ...]:
    """The minutes at which the turn's commitments would come up, had it been said at that time."""
    said = turn.turn
    return _due_minutes(said.text, said.role is Role.ASSISTANT, at // _MINUTE_S * _MINUTE_S, said.tz)


@lru_cache(maxsize=256)
def _due_minutes(text: str, is_assistant: bool, at: int, tz: str) -> tuple[int, ...]:
    return tuple(one.due_at // _MINUTE_S for one in pledges(text, is_assistant=is_assistant, at=at, tz=tz))
