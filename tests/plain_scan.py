"""The oracle of vector indexes: a dictionary, and a full scan by numpy for every answer."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.model import DAY_S
from memory.ports import Filter, IndexedVector, Neighbours, Vector


class PlainScan:
    """The last row of each key. Slow, and short enough to be seen right."""

    def __init__(self) -> None:
        self._rows: dict[int, IndexedVector] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def put(self, rows: Iterable[IndexedVector]) -> None:
        """Add rows; a known key is replaced."""
        self._rows.update({row.key: row for row in rows})

    def remove(self, keys: Iterable[int]) -> None:
        """Forget rows."""
        for key in keys:
            self._rows.pop(key, None)

    def search(self, user_id: str, query: Vector, k: int, allowed: Filter) -> Neighbours:
        """The top k by cosine, ties by key."""
        rows = [row for row in self._of(user_id) if _is_let_through(row, allowed)]
        found = _cosines(rows, query)
        return _top(rows, found, found, k)

    def weighted(self, user_id: str, query: Vector, now: int, k: int) -> Neighbours:
        """The top k by cosine x importance x retention, ties by key."""
        rows = self._of(user_id)
        found = _cosines(rows, query)
        return _top(rows, found, found * _weights(rows, now), k)

    def cosines(self, user_id: str, keys: Sequence[int], query: Vector) -> NDArray[np.float32]:
        """Of the user's keys; NaN for all others."""
        mine = {row.key: row for row in self._of(user_id)}
        nothing = np.full(len(query), np.nan, np.float32)
        stored = [mine[key].vector if key in mine else nothing for key in keys]
        found: NDArray[np.float32] = np.vecdot(np.array(stored, np.float32).reshape(-1, len(query)), query)
        return found

    def _of(self, user_id: str) -> list[IndexedVector]:
        return [row for row in self._rows.values() if row.user_id == user_id]


def _is_let_through(row: IndexedVector, allowed: Filter) -> bool:
    return (
        (allowed.since is None or row.timestamp >= allowed.since)
        and (allowed.until is None or row.timestamp <= allowed.until)
        and not (allowed.public_only and row.private)
    )


def _cosines(rows: Sequence[IndexedVector], query: Vector) -> NDArray[np.float32]:
    matrix = np.array([row.vector for row in rows], np.float32).reshape(-1, len(query))
    found: NDArray[np.float32] = np.vecdot(matrix, query)
    return found


def _weights(rows: Sequence[IndexedVector], now: int) -> NDArray[np.float64]:
    """In float64, as numpy computes them for all rows at once."""
    ages = np.maximum(now - np.array([row.timestamp for row in rows], np.int64), 0) / DAY_S
    half_lives = np.array([row.half_life_days or math.inf for row in rows], np.float64)
    return np.array([row.importance for row in rows], np.float64) * np.exp2(-ages / half_lives)


def _top(
    rows: Sequence[IndexedVector],
    found: NDArray[np.float32],
    scores: NDArray[np.floating],
    k: int,
) -> Neighbours:
    keys = np.array([row.key for row in rows], np.int64)
    best = np.lexsort((keys, -scores))[: max(k, 0)]
    mean, std = (found.mean(dtype=np.float64), found.std(dtype=np.float64)) if len(rows) else (0.0, 0.0)
    return Neighbours(keys[best], found[best], float(mean), float(std), len(rows))
