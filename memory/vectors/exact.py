"""The default vector index: every vector in RAM, every answer a full scan, exact."""

import math
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memory.errors import InvalidError
from memory.ports import Filter, IndexedVector, Matrix, Neighbours, Spread, Vector
from memory.vectors.slab import Columns, Slab

_NORM_TOLERANCE = 1e-3  # far above the rounding of float32, far below a vector that nobody normalised


class ExactIndex:
    """Exact nearest neighbours by one scan over the user's vectors; numpy only.

    Thread-safe: a search sees a call of `put` or `remove` entirely or not at all. `put` checks every row
    before it stores the first. A query is held to the rules of a stored vector: right dimension, finite,
    L2 norm 1; else InvalidError. Without `first_pass` no memory is spent on searching fast: for a backend
    that finds candidates by itself, and takes columns, exact cosines and the spread from here.
    """

    backend = "exact"
    measured_recall = None
    waiting = 0
    fault = ""

    def __init__(self, dimension: int, *, first_pass: bool = True) -> None:
        self._dimension = dimension
        self._has_first_pass = first_pass
        self._lock = threading.Lock()
        self._slabs: dict[str, Slab] = {}
        self._users: dict[int, str] = {}  # by key

    def __len__(self) -> int:
        return len(self._users)

    @property
    def nbytes(self) -> int:
        """Memory of the stored arrays, spare room included; the dictionaries of keys come on top."""
        with self._lock:
            return sum(slab.nbytes for slab in self._slabs.values())

    def put(self, rows: Sequence[IndexedVector]) -> None:
        """Add vectors; a known key is replaced, and leaves the user who had it.

        Of a key given twice in one call the last row counts.
        """
        latest = {row.key: self._checked(row) for row in rows}
        groups = {user_id: _columns(group) for user_id, group in _by_user(latest.values()).items()}
        with self._lock:
            for user_id, (keys, columns) in groups.items():
                self._evict(key for key in keys if self._users.get(key, user_id) != user_id)
                self._slabs.setdefault(user_id, Slab(self._dimension)).put(keys, columns)
                self._users.update(dict.fromkeys(keys, user_id))

    def remove(self, keys: Sequence[int]) -> None:
        """Forget vectors; unknown keys are ignored."""
        with self._lock:
            self._evict(key for key in keys if key in self._users)

    def search(self, user_id: str, query: Vector, k: int, allowed: Filter) -> Neighbours:
        """The top k of one user by cosine; an unknown user has none."""
        unit = self._unit(query, "the query")
        with self._lock:
            slab = self._slabs.get(user_id)
            if slab is None:
                return _nobody()
            mask = slab.visible(allowed)
            keys, cosines = slab.keys()[mask], slab.cosines(unit)[mask]
        return _neighbours(keys, cosines, cosines, k)

    def among(self, user_id: str, query: Vector, k: int, allowed: Filter, keys: Sequence[int]) -> Neighbours:
        """`search` over these keys alone, which another index found as candidates; its cosines bit for bit.

        Keys that the user does not have here, or that the filter holds back, are left out. Mean, deviation
        and size are those of the keys that stay.
        """
        unit = self._unit(query, "the query")
        with self._lock:
            slab = self._slabs.get(user_id)
            if slab is None:
                return _nobody()
            found, cosines = slab.among(keys, unit, allowed)
        return _neighbours(found, cosines, cosines, k)

    def spread(self, user_id: str, query: Vector, allowed: Filter) -> Spread:
        """How the cosines of all that the filter lets through lie; nothing for an unknown user."""
        found = self.search(user_id, query, 0, allowed)
        return Spread(found.mean, found.std, found.size)

    def cosines(self, user_id: str, keys: Sequence[int], query: Vector) -> NDArray[np.float32]:
        """The cosines that `search` would give these keys; NaN for a key that the user does not have here."""
        unit = self._unit(query, "the query")
        with self._lock:
            slab = self._slabs.get(user_id)
            if slab is None:
                return np.full(len(keys), np.nan, np.float32)
            return slab.cosines_of(keys, unit)

    def vectors(self, user_id: str, keys: Sequence[int]) -> Matrix:
        """The stored vectors; a row of NaN for a key that the user does not have here."""
        with self._lock:
            slab = self._slabs.get(user_id)
            if slab is None:
                return np.full((len(keys), self._dimension), np.nan, np.float32)
            return slab.vectors_of(keys)

    def weighted(self, user_id: str, query: Vector, now: int, k: int) -> Neighbours:
        """The top k by cosine x importance x retention; their `cosines` are the bare ones."""
        unit = self._unit(query, "the query")
        with self._lock:
            slab = self._slabs.get(user_id)
            if slab is None:
                return _nobody()
            keys, cosines, weights = slab.keys(), slab.cosines(unit), slab.weights(now)
        return _neighbours(keys, cosines, cosines * weights, k)

    def sizes(self) -> dict[str, int]:
        """How many vectors each user has."""
        with self._lock:
            return {user_id: len(slab) for user_id, slab in self._slabs.items()}

    def keys(self, user_id: str) -> NDArray[np.int64]:
        """The keys of one user's vectors, in no order."""
        with self._lock:
            slab = self._slabs.get(user_id)
            return np.empty(0, np.int64) if slab is None else slab.keys()

    def owners(self, keys: Sequence[int]) -> list[str | None]:
        """Whose vectors these are; None for an unknown key."""
        with self._lock:
            return [self._users.get(key) for key in keys]

    def settle(self) -> None:
        """Nothing to do: all that is here was put."""

    def flush(self) -> bool:
        """Nothing to do: it has no files."""
        return True

    def close(self) -> None:
        """Nothing to let go of: it has no files and no threads."""

    def _evict(self, keys: Iterable[int]) -> None:
        for key in list(dict.fromkeys(keys)):
            user_id = self._users.pop(key)
            slab = self._slabs[user_id]
            slab.remove(key)
            if not len(slab):
                del self._slabs[user_id]

    def _checked(self, row: IndexedVector) -> IndexedVector:
        if not 0 <= row.importance <= 1:  # NaN fails this too
            raise InvalidError(f"the importance of key {row.key} is {row.importance}, not within 0..1")
        if row.half_life_days is not None and row.half_life_days <= 0:
            raise InvalidError(f"the half-life of key {row.key} is {row.half_life_days} days, not above 0")
        return replace(row, vector=self._unit(row.vector, f"the vector of key {row.key}"))

    def _unit(self, vector: ArrayLike, name: str) -> Vector:
        # float32 whatever comes in: a float64 query would copy the whole matrix to float64.
        with np.errstate(over="ignore", invalid="ignore"):
            unit = np.ascontiguousarray(vector, np.float32)
            square = np.vdot(unit, unit)
        if unit.shape != (self._dimension,):
            raise InvalidError(
                f"{name} has the shape {unit.shape}, the index holds {self._dimension} numbers a vector",
                hint="compare vectors of one embedder only; rebuild the index after a change of model",
            )
        if not abs(math.sqrt(square) - 1) <= _NORM_TOLERANCE:  # NaN fails this too
            raise InvalidError(f"{name} is not finite with L2 norm 1", hint="normalise it; embed it again")
        return unit


def _by_user(rows: Iterable[IndexedVector]) -> dict[str, list[IndexedVector]]:
    groups: dict[str, list[IndexedVector]] = {}
    for row in rows:
        groups.setdefault(row.user_id, []).append(row)
    return groups


def _columns(rows: Sequence[IndexedVector]) -> tuple[list[int], Columns]:
    columns = Columns(
        vectors=np.stack([row.vector for row in rows]),
        timestamps=np.array([row.timestamp for row in rows], np.int64),
        private=np.array([row.private for row in rows], np.bool_),
        importance=np.array([row.importance for row in rows], np.float64),
        half_life_days=np.array([row.half_life_days or math.inf for row in rows], np.float64),
    )
    return [row.key for row in rows], columns


def _nobody() -> Neighbours:
    return _neighbours(np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.float32), 0)


def _neighbours(
    keys: NDArray[np.int64], cosines: NDArray[np.float32], scores: NDArray[np.floating], k: int
) -> Neighbours:
    best = _top(keys, scores, k)
    size = len(keys)
    mean = float(cosines.mean(dtype=np.float64)) if size else 0.0
    std = float(cosines.std(dtype=np.float64)) if size else 0.0
    return Neighbours(keys[best], cosines[best], mean, std, size)


def _top(keys: NDArray[np.int64], scores: NDArray[np.floating], k: int) -> NDArray[np.intp]:
    # All that tie with the k-th stay in until the keys decide; a partition alone would pick any of them.
    size = len(scores)
    if k <= 0:
        return np.empty(0, np.intp)
    if k < size:
        kth = np.partition(scores, size - k)[size - k]
        candidates = np.flatnonzero(scores >= kth)
    else:
        candidates = np.arange(size)
    order = np.lexsort((keys[candidates], -scores[candidates]))
    return candidates[order[:k]]
