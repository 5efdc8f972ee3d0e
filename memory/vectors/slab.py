"""The vectors of one user in contiguous arrays; they double when full and halve when nearly empty."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from memory.model import DAY_S
from memory.ports import Filter, Matrix, Vector

_Array = TypeVar("_Array", bound=NDArray[Any])
_Rows = int | list[int]

_SMALLEST_CAPACITY = 8


@dataclass(frozen=True, slots=True)
class Columns:
    """What is stored beside each key, one array a column. An evergreen row has an infinite half-life."""

    vectors: Matrix
    timestamps: NDArray[np.int64]
    private: NDArray[np.bool_]
    importance: NDArray[np.float64]
    half_life_days: NDArray[np.float64]

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The columns, in the order of the fields."""
        return (self.vectors, self.timestamps, self.private, self.importance, self.half_life_days)

    def overwrite(self, rows: _Rows, source: "Columns") -> None:
        """Fill the given rows with the rows of `source`, in order."""
        for column, values in zip(self.arrays(), source.arrays(), strict=True):
            column[rows] = values

    def move(self, source_row: int, row: int) -> None:
        """Copy one row onto another."""
        for column in self.arrays():
            column[row] = column[source_row]

    def resized(self, capacity: int) -> "Columns":
        """A copy of the leading rows with room for `capacity` rows."""
        return Columns(
            _resized(self.vectors, capacity),
            _resized(self.timestamps, capacity),
            _resized(self.private, capacity),
            _resized(self.importance, capacity),
            _resized(self.half_life_days, capacity),
        )


class Slab:
    """Keys and columns of one user; a removed row is filled with the last one. Neither locks nor checks."""

    def __init__(self, dimension: int) -> None:
        self._rows: dict[int, int] = {}
        self._keys = np.zeros(_SMALLEST_CAPACITY, np.int64)
        self._columns = _empty(_SMALLEST_CAPACITY, dimension)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, spare room included; the dictionary of keys comes on top."""
        return self._keys.nbytes + sum(column.nbytes for column in self._columns.arrays())

    def keys(self) -> NDArray[np.int64]:
        """The stored keys by row, copied."""
        return self._keys[: len(self)].copy()

    def put(self, keys: Sequence[int], source: Columns) -> None:
        """Add distinct keys with their columns; the columns of a known key are overwritten."""
        for key in keys:
            self._rows.setdefault(key, len(self._rows))
        if len(self) > len(self._keys):
            self._resize(max(len(self), 2 * len(self._keys)))
        rows = [self._rows[key] for key in keys]
        self._keys[rows] = keys
        self._columns.overwrite(rows, source)

    def remove(self, key: int) -> None:
        """Drop a stored key; the last row takes its place."""
        row = self._rows.pop(key)
        last = len(self)
        if row != last:
            moved = int(self._keys[last])
            self._rows[moved] = row
            self._keys[row] = moved
            self._columns.move(last, row)
        if len(self) <= len(self._keys) // 4 and len(self._keys) > _SMALLEST_CAPACITY:
            self._resize(len(self._keys) // 2)

    def cosines(self, query: Vector) -> NDArray[np.float32]:
        """The cosine of every row, by row.

        A dot product a row: equal vectors have equal cosines wherever they lie, which a blocked matrix
        product does not promise, and BLAS starts no threads for it.
        """
        cosines: NDArray[np.float32] = np.vecdot(self._columns.vectors[: len(self)], query)
        return cosines

    def cosines_of(self, keys: Sequence[int], query: Vector) -> NDArray[np.float32]:
        """The cosines of some keys, bit for bit those of `cosines`; NaN for an unknown key."""
        rows = np.array([self._rows.get(key, -1) for key in keys], np.int64)
        known = rows >= 0
        found = np.full(len(keys), np.nan, np.float32)
        found[known] = np.vecdot(self._columns.vectors[rows[known]], query)
        return found

    def among(
        self, keys: Sequence[int], query: Vector, allowed: Filter
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Those of the keys that are stored and let through, each once, and their cosines."""
        rows = np.unique(
            np.array([row for key in keys if (row := self._rows.get(key)) is not None], np.int64)
        )
        rows = rows[self.visible(allowed)[rows]]
        cosines: NDArray[np.float32] = np.vecdot(self._columns.vectors[rows], query)
        return self._keys[rows], cosines

    def vectors_of(self, keys: Sequence[int]) -> Matrix:
        """The vectors of some keys, copied; a row of NaN for an unknown key."""
        rows = np.array([self._rows.get(key, -1) for key in keys], np.int64)
        known = rows >= 0
        found = np.full((len(keys), self._columns.vectors.shape[1]), np.nan, np.float32)
        found[known] = self._columns.vectors[rows[known]]
        return found

    def visible(self, allowed: Filter) -> NDArray[np.bool_]:
        """Which rows the filter lets through."""
        size = len(self)
        mask = np.ones(size, np.bool_)
        if allowed.until is not None:
            mask &= self._columns.timestamps[:size] <= allowed.until
        if allowed.since is not None:
            mask &= self._columns.timestamps[:size] >= allowed.since
        if allowed.public_only:
            mask &= ~self._columns.private[:size]
        return mask

    def weights(self, now: int) -> NDArray[np.float64]:
        """Importance x 2^(-age/half-life) by row; what lies after `now` has no age."""
        size = len(self)
        age_days = np.maximum(now - self._columns.timestamps[:size], 0) / DAY_S
        retention: NDArray[np.float64] = np.exp2(-age_days / self._columns.half_life_days[:size])
        return self._columns.importance[:size] * retention

    def _resize(self, capacity: int) -> None:
        self._keys = _resized(self._keys, capacity)
        self._columns = self._columns.resized(capacity)


def _empty(capacity: int, dimension: int) -> Columns:
    return Columns(
        vectors=np.zeros((capacity, dimension), np.float32),
        timestamps=np.zeros(capacity, np.int64),
        private=np.zeros(capacity, np.bool_),
        importance=np.zeros(capacity, np.float64),
        half_life_days=np.zeros(capacity, np.float64),
    )


def _resized(array: _Array, capacity: int) -> _Array:
    resized = np.zeros((capacity, *array.shape[1:]), array.dtype)
    kept = min(capacity, len(array))
    resized[:kept] = array[:kept]
    return cast(_Array, resized)
