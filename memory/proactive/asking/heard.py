"""What users said around a turn, read once for the turns of one look: weeks are not read for each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from memory.embed.anchors import Anchors
from memory.model import DAY_S, Resource
from memory.ports import Matrix, Vector
from memory.proactive.asking.asked import Asked

_MAX_TURNS: Final = 2_000  # in the window; who says more is heard by what was said last
_MORE: Final = 500  # read beyond that, so that the next turns of a look find theirs
_AHEAD: Final = 64  # numbers of the turns that come next
_NEAREST: Final = 64
_MAX_USERS: Final = 8

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
class Around:
    """A user's own turns around one turn, that arrived before it; the latest first.

    `centred` are the vectors of all that was read, as seen from the mean of the anchors; the turns' own stand
    at `places`.
    """

    turns: Sequence[Asked]
    places: NDArray[np.intp]
    centred: Matrix

    def nearest(self, anchors: Anchors, vector: Vector, may_count: Callable[[Asked], bool]) -> list[Asked]:
        """Of those that may count the nearest by plain centred cosine, few enough to be asked more."""
        counted = [place for place, one in enumerate(self.turns) if may_count(one)]
        cosines = self.centred @ anchors.centred_on(vector[None, :])[0]
        order = np.argsort(-cosines[self.places[counted]], kind="stable")[:_NEAREST]
        return [self.turns[counted[place]] for place in order]


@dataclass(frozen=True, slots=True)
class _Read:
    """Rows of a user, the latest first: all from `since` to `until` with a number under `before`."""

    turns: Sequence[Asked]
    keys: NDArray[np.int64]
    moments: NDArray[np.int64]
    centred: Matrix
    since: int
    until: int
    before: int


class Heard:
    """For one embedder and window. Between two calls of `refresh` what is read is not read again.

    What is forgotten meanwhile has no words any more; whoever reads those passes it over.
    """

    def __init__(self, embedder: str, window_s: int) -> None:
        self._embedder = embedder
        self._window_s = window_s
        self._by_user: dict[str, _Read] = {}

    def refresh(self) -> None:
        """Read anew from now on."""
        self._by_user.clear()

    def around(self, connection: apsw.Connection, anchors: Anchors, turn: Resource) -> Around:
        """The user's own turns within the window before and after, that arrived before this one."""
        user_id = turn.turn.scope.user_id
        kept = self._by_user.get(user_id)
        found = None if kept is None else self._found(kept, turn)
        if found is None:
            kept = self._read(connection, anchors, turn, _AHEAD, DAY_S)
            if len(self._by_user) >= _MAX_USERS:
                self._by_user.pop(next(iter(self._by_user)))
            self._by_user[user_id] = kept
            found = self._found(kept, turn)
        if found is None:  # so much was said after it that its own window was not reached
            found = self._found(self._read(connection, anchors, turn, 0, 0), turn, is_all=True)
        assert found is not None  # noqa: S101 - all that is asked for was read
        return found

    def _found(self, read: _Read, turn: Resource, *, is_all: bool = False) -> Around | None:
        """The turn's own part; None where it reaches beyond what was read."""
        since, until = turn.turn.timestamp - self._window_s, turn.turn.timestamp + self._window_s
        if until > read.until or turn.key > read.before:
            return None
        wanted = (read.keys < turn.key) & (read.moments >= since) & (read.moments <= until)
        places = np.flatnonzero(wanted)[:_MAX_TURNS]
        if len(places) < _MAX_TURNS and since < read.since and not is_all:
            return None
        return Around([read.turns[place] for place in places], places, read.centred)

    def _read(
        self, connection: apsw.Connection, anchors: Anchors, turn: Resource, ahead: int, slack_s: int
    ) -> _Read:
        said = turn.turn
        reach_s, limit = self._window_s + slack_s, _MAX_TURNS + (_MORE if ahead else 0)
        since, until, before = said.timestamp - reach_s, said.timestamp + reach_s, turn.key + ahead
        values = (said.scope.user_id, since, until, self._embedder, before, limit)
        rows: list[Any] = connection.execute(_ROWS, values).fetchall()
        vectors = np.array([np.frombuffer(row[6], np.float32) for row in rows])
        return _Read(
            [_asked(row, vector) for row, vector in zip(rows, vectors, strict=True)],
            np.array([row[0] for row in rows], np.int64),
            np.array([row[3] for row in rows], np.int64),
            anchors.centred_on(vectors) if rows else np.empty((0, anchors.mean.shape[0]), np.float32),
            rows[-1][3] + 1 if len(rows) == limit else since,
            until,
            before,
        )


def _asked(row: Sequence[Any], vector: Vector) -> Asked:
    key, turn_id, event_key, at, tz, sender, _ = row
    return Asked(key, turn_id, event_key, at, tz, sender, vector)
