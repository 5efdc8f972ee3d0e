"""What a user said around a turn: rows that are told apart by their numbers, so that few are looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memory.dates.moment import zone_of
from memory.embed.anchors import Anchors, Seen
from memory.model import DAY_S, Resource
from memory.ports import Matrix
from memory.proactive.asking.asked import APART_S, Asked

_NEAREST: Final = 64

Places = NDArray[np.intp]


class Rows:
    """Turns of a user, the latest first, as columns. What costs more than reading is worked out when asked.

    `rows`: key, id, event key, timestamp, zone, sender, each with the turn's vector in `vectors`.
    """

    def __init__(self, anchors: Anchors, rows: Sequence[Sequence[Any]], vectors: Matrix) -> None:
        self._anchors = anchors
        self._rows = rows
        self.keys = np.array([row[0] for row in rows], np.int64)
        self.moments = np.array([row[3] for row in rows], np.int64)
        self.centred = anchors.centred_on(vectors)
        self._senders = np.array([row[5] or "" for row in rows], np.str_)
        self._hubs = np.full(len(rows), np.nan, np.float32)
        self._local_s: NDArray[np.int64] | None = None
        self._nearest: tuple[bytes, NDArray[np.float32]] = (b"", np.empty(0, np.float32))

    def asked(self, place: int) -> Asked:
        """The turn at a place."""
        return Asked(*self._rows[place])

    def seen(self, places: Places) -> Seen:
        """The turns at these places, as the anchors see them; each hub is worked out once."""
        new = places[np.isnan(self._hubs[places])]
        if len(new):
            self._hubs[new] = self._anchors.hubs(self.centred[new])
        return Seen(self.centred[places], self._hubs[places])

    def cosines(self, turn: Seen) -> NDArray[np.float32]:
        """Of a turn with each of them; the same words again cost nothing."""
        vector = turn.centred[0].tobytes()
        if self._nearest[0] != vector:
            self._nearest = (vector, self.centred @ turn.centred[0])
        return self._nearest[1]

    def local_s(self) -> NDArray[np.int64]:
        """Their own wall clocks, as seconds since 1970 began there."""
        if self._local_s is None:
            self._local_s = self.moments + _offsets_s(self.moments, [row[4] for row in self._rows])
        return self._local_s

    def by_others(self, sender: str | None) -> NDArray[np.bool_]:
        """Which were said by somebody else in a group, as far as that is known."""
        if sender is None:
            return np.zeros(len(self._rows), np.bool_)
        others: NDArray[np.bool_] = (self._senders != "") & (self._senders != sender)
        return others


@dataclass(frozen=True, slots=True)
class Around:
    """The user's own turns around one, that arrived before it: those at `places` of all that was read."""

    rows: Rows
    places: Places

    def other_askings(self, turn: Resource) -> Places:
        """Those of another time, and of nobody else in a group."""
        far = np.abs(self.rows.moments[self.places] - turn.turn.timestamp) >= APART_S
        return self.places[far & ~self.rows.by_others(turn.turn.sender)[self.places]]

    def before(self, turn: Resource) -> Places:
        """Those of them that were said before the turn."""
        others = self.other_askings(turn)
        return others[self.rows.moments[others] < turn.turn.timestamp]

    def nearest(self, turn: Seen, places: Places) -> Places:
        """Of these the nearest by plain centred cosine, few enough to be asked more; the nearest first."""
        order = np.argsort(-self.rows.cosines(turn)[places], kind="stable")[:_NEAREST]
        return places[order]


def _offsets_s(moments: NDArray[np.int64], zones: Sequence[str]) -> NDArray[np.int64]:
    """How far each moment's wall clock is ahead of UTC."""
    offsets, names = np.zeros(len(moments), np.int64), np.array(zones, object)
    for tz in set(zones):
        own = np.flatnonzero(names == tz)
        offsets[own] = _offsets_in(tz, moments[own])
    return offsets


def _offsets_in(tz: str, moments: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same in one zone; a day at whose ends the clocks agree is asked for once."""
    days, which = np.unique(moments // DAY_S, return_inverse=True)
    ends = [(_offset_s(tz, int(day) * DAY_S), _offset_s(tz, int(day + 1) * DAY_S - 1)) for day in days]
    offsets = np.array([start for start, _ in ends], np.int64)[which]
    for place in np.flatnonzero(np.array([start != end for start, end in ends], np.bool_)[which]):
        offsets[place] = _offset_s(tz, int(moments[place]))
    return offsets


def _offset_s(tz: str, moment: int) -> int:
    offset = datetime.fromtimestamp(moment, zone_of(tz)).utcoffset()
    return 0 if offset is None else round(offset.total_seconds())
