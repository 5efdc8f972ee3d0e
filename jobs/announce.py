"""Tells subscribers what may be said by now."""

import zlib
from dataclasses import dataclass

import apsw

from memory.model import Scope
from memory.proactive import notices
from memory.proactive.arbiter import Arbiter

_AT_MOST = 100  # notices a user and look
_HELD_S = 900
_ASKED_AGAIN = 20  # users a look, of those that nothing new is to be told


@dataclass(frozen=True, slots=True)
class _Held:
    """What could be told to a user and may not be, since a look; until when nobody looks at it again."""

    ids: frozenset[str]
    since: int
    until: int


class Announcer:
    """Each item once; what may not be said yet waits for a later look.

    That comes within half an hour, not all users' at once, and as soon as there is something else to tell
    the user: so a tick does not ask again and again what was refused just now.
    """

    def __init__(self, arbiter: Arbiter) -> None:
        self._arbiter = arbiter
        self._held: dict[str, _Held] = {}

    def announce(self, connection: apsw.Connection, user_id: str | None, now: int) -> int:
        """Post what is due or ripe at a moment, of one user or all; the number of notices."""
        count = asked_again = 0
        for owner, ids in notices.unannounced(connection, now).items():
            if user_id not in (None, owner):
                continue
            if self._is_known(owner, ids, now):
                if asked_again == _ASKED_AGAIN or now < self._held[owner].until:
                    continue
                asked_again += 1
            chosen = self._arbiter.choose(connection, Scope(owner), now, _AT_MOST)
            told = [item for item in chosen if item.id in ids]
            for item in told:
                notices.announce(connection, item, now)
            self._hold(owner, ids - {item.id for item in told}, now)
            count += len(told)
        return count

    def _is_known(self, owner: str, ids: set[str], now: int) -> bool:
        """Whether it is what was refused already."""
        held = self._held.get(owner)
        return held is not None and held.ids == ids and held.since <= now

    def _hold(self, owner: str, ids: set[str], now: int) -> None:
        spread_s = zlib.crc32(owner.encode()) % _HELD_S
        self._held[owner] = _Held(frozenset(ids), now, now + _HELD_S + spread_s)
