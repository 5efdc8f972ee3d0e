"""What is stored of each vector, one array a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.model import DAY_S
from memory.ports import Filter, Matrix

Rows = slice | NDArray[np.int64] | NDArray[np.bool_]
_ALL = slice(None)


@dataclass(frozen=True, slots=True)
class Columns:
    """Rows of equal number in each array. An evergreen row has an infinite half-life."""

    keys: NDArray[np.int64]
    vectors: Matrix
    timestamps: NDArray[np.int64]
    private: NDArray[np.bool_]
    importance: NDArray[np.float64]
    half_life_days: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def empty(cls, capacity: int, dimension: int) -> "Columns":
        """Room for so many rows; large arrays take no memory before they are written."""
        return cls(
            keys=np.empty(capacity, np.int64),
            vectors=np.empty((capacity, dimension), np.float32),
            timestamps=np.empty(capacity, np.int64),
            private=np.empty(capacity, np.bool_),
            importance=np.empty(capacity, np.float64),
            half_life_days=np.empty(capacity, np.float64),
        )

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return sum(column.nbytes for column in self.arrays())

    def rows(self, rows: Rows) -> "Columns":
        """Some rows: a view for a slice, else a copy."""
        return Columns(
            self.keys[rows],
            self.vectors[rows],
            self.timestamps[rows],
            self.private[rows],
            self.importance[rows],
            self.half_life_days[rows],
        )

    def write(self, rows: slice | NDArray[np.int64], source: "Columns") -> None:
        """Fill the given rows with those of `source`, in order."""
        for column, values in zip(self.arrays(), source.arrays(), strict=True):
            column[rows] = values

    def visible(self, allowed: Filter) -> NDArray[np.bool_]:
        """Which rows the filter lets through."""
        mask = ~self.private if allowed.public_only else np.ones(len(self), np.bool_)
        if allowed.until is not None:
            mask &= self.timestamps <= allowed.until
        if allowed.since is not None:
            mask &= self.timestamps >= allowed.since
        return mask

    def weights(self, now: int, rows: Rows = _ALL) -> NDArray[np.float64]:
        """Importance x 2^(-age/half-life) of some rows; what lies after `now` has no age."""
        age_days = np.maximum(now - self.timestamps[rows], 0) / DAY_S
        retention: NDArray[np.float64] = np.exp2(-age_days / self.half_life_days[rows])
        return self.importance[rows] * retention

    def arrays(self) -> Sequence[NDArray[Any]]:
        """The columns, in the order of the fields."""
        return (
            self.keys,
            self.vectors,
            self.timestamps,
            self.private,
            self.importance,
            self.half_life_days,
        )


def joined(parts: Sequence[Columns]) -> Columns:
    """The rows of all parts, in order."""
    return Columns(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.vectors for part in parts]),
        np.concatenate([part.timestamps for part in parts]),
        np.concatenate([part.private for part in parts]),
        np.concatenate([part.importance for part in parts]),
        np.concatenate([part.half_life_days for part in parts]),
    )
