"""Where each key lies: in which segment, at which row. Sorted arrays, 16 bytes a key, and a few in a dict."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_NOWHERE = -1
_ROW_BITS = 24
_ROW_MASK = (1 << _ROW_BITS) - 1
_FEWEST_LATEST = 1024
_SHARE_LATEST = 16  # up to a sixteenth waits in the dictionary, so that merging costs a few copies a key


def by_segment(places: Integers) -> Iterator[tuple[int, Integers, Integers]]:
    """Each segment's number, which of the places lie there, and their rows."""
    serials = places >> _ROW_BITS
    for serial in np.unique(serials).tolist():
        at = np.flatnonzero(serials == serial)
        yield serial, at, places[at] & _ROW_MASK


class Places:
    """A map from keys to places, one number for a segment and a row. Neither locks nor checks."""

    def __init__(self) -> None:
        self._keys = np.empty(0, np.int64)  # sorted
        self._places = np.empty(0, np.int64)
        self._latest: dict[int, int] = {}
        self._removed = 0  # of the sorted ones
        self._owners: dict[int, str] = {}  # by segment
        self._next_serial = 0

    def __len__(self) -> int:
        return len(self._keys) - self._removed + len(self._latest)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return self._keys.nbytes + self._places.nbytes

    def find(self, keys: Integers) -> Integers:
        """The places of keys; -1 for an unknown one."""
        at, is_sorted = self._sorted(keys)
        found = np.full(len(keys), _NOWHERE, np.int64)
        found[is_sorted] = self._places[at[is_sorted]]
        if self._latest:
            for place in np.flatnonzero(found == _NOWHERE).tolist():
                found[place] = self._latest.get(int(keys[place]), _NOWHERE)
        return found

    def open(self, user_id: str) -> int:
        """A number for a new segment of a user."""
        serial = self._next_serial
        self._next_serial += 1
        self._owners[serial] = user_id
        return serial

    def close(self, serial: int) -> None:
        """Forget a segment; its keys lie elsewhere, or nowhere."""
        del self._owners[serial]

    def owner(self, serial: int) -> str:
        """Whose segment this is."""
        return self._owners[serial]

    def owners(self, keys: Integers) -> list[str | None]:
        """Whose segment each key lies in; None for an unknown one."""
        places = self.find(keys).tolist()
        return [None if place < 0 else self._owners[place >> _ROW_BITS] for place in places]

    def set(self, keys: Integers, serial: int, rows: Integers) -> None:
        """Put distinct keys into rows of a segment."""
        places = (serial << _ROW_BITS) | rows
        at, is_sorted = self._sorted(keys)
        known = at[is_sorted]
        self._removed -= int(np.count_nonzero(self._places[known] == _NOWHERE))
        self._places[known] = places[is_sorted]
        others = ~is_sorted
        self._latest.update(zip(keys[others].tolist(), places[others].tolist(), strict=True))
        if len(self._latest) > max(_FEWEST_LATEST, len(self._keys) // _SHARE_LATEST):
            self._merge()

    def drop(self, keys: Integers) -> None:
        """Forget distinct keys; unknown ones are ignored."""
        at, is_sorted = self._sorted(keys)
        known = at[is_sorted]
        self._removed += int(np.count_nonzero(self._places[known] != _NOWHERE))
        self._places[known] = _NOWHERE
        for key in keys[~is_sorted].tolist():
            self._latest.pop(key, None)
        if 2 * self._removed > len(self._keys):
            self._merge()

    def _sorted(self, keys: Integers) -> tuple[Integers, NDArray[np.bool_]]:
        at = np.searchsorted(self._keys, keys)
        is_sorted = np.zeros(len(keys), np.bool_)
        inside = at < len(self._keys)
        is_sorted[inside] = self._keys[at[inside]] == keys[inside]
        return at, is_sorted

    def _merge(self) -> None:
        kept = self._places != _NOWHERE
        size = len(self._latest)
        latest = np.fromiter(self._latest, np.int64, size)
        places = np.fromiter(self._latest.values(), np.int64, size)
        keys = np.concatenate([self._keys[kept], latest])
        order = np.argsort(keys, kind="stable")
        self._keys, self._places = keys[order], np.concatenate([self._places[kept], places])[order]
        self._latest, self._removed = {}, 0
