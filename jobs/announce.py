"""Tells subscribers what may be said by now."""

import apsw

from memory.model import Scope
from memory.proactive import notices
from memory.proactive.arbiter import Arbiter

_AT_MOST = 100  # notices a user and look


class Announcer:
    """Each item once; what may not be said yet waits for a later look."""

    def __init__(self, arbiter: Arbiter) -> None:
        self._arbiter = arbiter

    def announce(self, connection: apsw.Connection, user_id: str | None, now: int) -> int:
        """Post what is due or ripe at a moment, of one user or all; the number of notices."""
        count = 0
        for owner, ids in notices.unannounced(connection, now).items():
            if user_id not in (None, owner):
                continue
            chosen = self._arbiter.choose(connection, Scope(owner), now, _AT_MOST)
            for item in (item for item in chosen if item.id in ids):
                notices.announce(connection, item, now)
                count += 1
        return count
