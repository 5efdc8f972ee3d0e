"""Which vectors the lists were made of: the CRC-32 of each by its key."""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix, Vector
from memory.vectors.ann.lists import Keys

Sums = NDArray[np.int64]

_NONE = -1
_MOST_RECENT = 16_384  # changes that are kept apart until the arrays are sorted again


def checksum(row: Vector) -> int:
    """The CRC-32 of a vector's bytes."""
    return zlib.crc32(np.ascontiguousarray(row, np.float32).tobytes())


def checksums(rows: Matrix) -> Sums:
    """The CRC-32 of each row's bytes."""
    return np.array([checksum(row) for row in rows], np.int64)


class Held:
    """Tells whether a vector that is put is the one the lists know. Neither locks nor checks."""

    def __init__(self, keys: Keys, sums: NDArray[np.int64] | NDArray[np.uint32]) -> None:
        order = np.argsort(keys)
        self._keys, self._sums = keys[order], sums[order].astype(np.uint32)
        self._recent: dict[int, int] = {}

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return self._keys.nbytes + self._sums.nbytes

    def put(self, keys: Keys, sums: Sums) -> None:
        """These were filed."""
        self._change(dict(zip(keys.tolist(), sums.tolist(), strict=True)))

    def drop(self, keys: Sequence[int]) -> None:
        """These were taken out."""
        self._change(dict.fromkeys(keys, _NONE))

    def has(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of these are filed."""
        found: NDArray[np.bool_] = self._found(keys) != _NONE
        return found

    def agrees(self, keys: Keys, sums: Sums) -> NDArray[np.bool_]:
        """Which of these are filed with this very vector."""
        agrees: NDArray[np.bool_] = self._found(keys) == sums
        return agrees

    def arrays(self) -> tuple[Keys, NDArray[np.uint32]]:
        """All keys in order, with their sums; not to be changed."""
        self._sort()
        return self._keys, self._sums

    def _found(self, keys: Keys) -> Sums:
        found = np.full(len(keys), _NONE, np.int64)
        if len(self._keys):
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            there = self._keys[places] == keys
            found[there] = self._sums[places[there]]
        if self._recent:
            for place, key in enumerate(keys.tolist()):
                found[place] = self._recent.get(key, found[place])
        return found

    def _change(self, sums: dict[int, int]) -> None:
        self._recent.update(sums)
        if len(self._recent) > _MOST_RECENT:
            self._sort()

    def _sort(self) -> None:
        if not self._recent:
            return
        changed = np.fromiter(self._recent, np.int64, len(self._recent))
        sums = np.fromiter(self._recent.values(), np.int64, len(self._recent))
        kept, new = ~np.isin(self._keys, changed), sums != _NONE
        keys = np.concatenate([self._keys[kept], changed[new]])
        order = np.argsort(keys)
        self._keys = keys[order]
        self._sums = np.concatenate([self._sums[kept], sums[new].astype(np.uint32)])[order]
        self._recent = {}
