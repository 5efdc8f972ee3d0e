"""What users said around a turn, read once for the turns of one look: weeks are not read for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import apsw
import numpy as np

from memory.embed.anchors import Anchors, Seen, joined
from memory.model import DAY_S, Resource
from memory.ports import Matrix
from memory.proactive.asking import asked
from memory.proactive.asking.around import Around, Rows

WINDOW_S: Final = 28 * DAY_S  # the longest that a detector looks back
_MAX_TURNS: Final = 2_000  # in a window; who says more is heard by what was said last
_MORE: Final = 500  # read beyond that, so that the next turns of a look find theirs
_AHEAD: Final = 64  # numbers of the turns that come next
_MAX_USERS: Final = 8
_MAX_SINGLE: Final = 2_000

_ROWS = """
  SELECT key, id, event_key, timestamp, tz, sender, embedding
  FROM resources
  WHERE user_id = ?1
    AND timestamp BETWEEN ?2 AND ?3
    AND role = 'user'
    AND modality = 'chat'
    AND embedder = ?4
    AND key < ?5
    AND key NOT IN (SELECT resource_key FROM retold WHERE whole)
  ORDER BY timestamp DESC
  LIMIT ?6
"""


@dataclass(frozen=True, slots=True)
class _Read:
    """Rows of a user, the latest first: all from `since` to `until` with a number under `before`."""

    rows: Rows
    since: int
    until: int
    before: int


class Heard:
    """For one embedder, and for all who look at the same turns. Between two calls of `refresh` what is read
    is not read again, nor is a vector seen against the anchors twice.

    What is forgotten meanwhile has no words any more; whoever reads those passes it over.
    """

    def __init__(self, embedder: str) -> None:
        self._embedder = embedder
        self._by_user: dict[str, _Read] = {}
        self._single: dict[str, Seen | None] = {}

    def refresh(self) -> None:
        """Read anew from now on."""
        self._by_user.clear()
        self._single.clear()

    def turn(self, connection: apsw.Connection, anchors: Anchors, turn_id: str) -> Seen | None:
        """A turn as the anchors see it; None for one without the embedder's vector."""
        return self._seen(connection, anchors, [turn_id])[turn_id]

    def turns(self, connection: apsw.Connection, anchors: Anchors, ids: Sequence[str]) -> Seen:
        """Those of these turns that have the embedder's vector, in the order of their ids."""
        found = self._seen(connection, anchors, ids)
        seen = [one for turn_id in sorted(set(ids)) if (one := found[turn_id]) is not None]
        if not seen:
            return Seen(np.empty((0, anchors.mean.shape[0]), np.float32), np.empty(0, np.float32))
        return joined(seen)

    def around(self, connection: apsw.Connection, anchors: Anchors, turn: Resource, window_s: int) -> Around:
        """The user's own turns within the window before and after, that arrived before this one."""
        user_id = turn.turn.scope.user_id
        kept = self._by_user.get(user_id)
        found = None if kept is None else _found(kept, turn, window_s)
        if found is None:
            kept = self._read(connection, anchors, turn, max(window_s, WINDOW_S) + DAY_S, _AHEAD)
            if len(self._by_user) >= _MAX_USERS:
                self._by_user.pop(next(iter(self._by_user)))
            self._by_user[user_id] = kept
            found = _found(kept, turn, window_s)
        if found is None:  # so much was said after it that its own window was not reached
            found = _found(self._read(connection, anchors, turn, window_s, 0), turn, window_s, is_all=True)
        assert found is not None  # noqa: S101 - all that is asked for was read
        return found

    def _read(
        self, connection: apsw.Connection, anchors: Anchors, turn: Resource, reach_s: int, ahead: int
    ) -> _Read:
        said = turn.turn
        limit = _MAX_TURNS + (_MORE if ahead else 0)
        since, until, before = said.timestamp - reach_s, said.timestamp + reach_s, turn.key + ahead
        values = (said.scope.user_id, since, until, self._embedder, before, limit)
        found: list[Any] = connection.execute(_ROWS, values).fetchall()
        rows = Rows(anchors, [row[:6] for row in found], _vectors(found, anchors))
        return _Read(rows, found[-1][3] + 1 if len(found) == limit else since, until, before)

    def _seen(
        self, connection: apsw.Connection, anchors: Anchors, ids: Sequence[str]
    ) -> Mapping[str, Seen | None]:
        new = [turn_id for turn_id in ids if turn_id not in self._single]
        found = asked.of_turns(connection, new, self._embedder) if new else []
        if len(self._single) + len(new) > _MAX_SINGLE:
            self._single = {turn_id: self._single[turn_id] for turn_id in ids if turn_id in self._single}
        self._single |= dict.fromkeys(new)
        if found:
            seen = anchors.seen(np.array([vector for _, vector in found]))
            self._single |= {turn_id: seen.at([place]) for place, (turn_id, _) in enumerate(found)}
        return self._single


def _found(read: _Read, turn: Resource, window_s: int, *, is_all: bool = False) -> Around | None:
    """The turn's own part; None where it reaches beyond what was read."""
    since, until = turn.turn.timestamp - window_s, turn.turn.timestamp + window_s
    if until > read.until or turn.key > read.before:
        return None
    rows = read.rows
    wanted = (rows.keys < turn.key) & (rows.moments >= since) & (rows.moments <= until)
    places = np.flatnonzero(wanted)[:_MAX_TURNS]
    if len(places) < _MAX_TURNS and since < read.since and not is_all:
        return None
    return Around(rows, places)


def _vectors(found: Sequence[Sequence[Any]], anchors: Anchors) -> Matrix:
    joined = np.frombuffer(b"".join(row[6] for row in found), np.float32)
    return joined.reshape(len(found), anchors.mean.shape[0])
