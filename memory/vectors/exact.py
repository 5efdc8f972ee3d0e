"""The default vector index: every vector in RAM, every answer that of a full scan."""

import threading
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.ports import Filter, IndexedVector, Matrix, Neighbours, Spread, Vector
from memory.vectors import kernel
from memory.vectors.candidates import Top, best_of
from memory.vectors.checks import checked_columns, checked_vector
from memory.vectors.columns import Columns, joined
from memory.vectors.nearest import nearest
from memory.vectors.places import Places, by_segment
from memory.vectors.segment import cosines
from memory.vectors.slab import Layout, Slab, View
from memory.vectors.spread import spread, spread_of
from memory.vectors.weightiest import in_order, weightiest

_SEGMENT_ROWS = 32_768
_BLOCK_ROWS = 2048
_LARGE_ROWS_PER_DIMENSION = 4  # up to here a scan costs less than the moments and their memory
_FEWEST_LARGE_ROWS = 1024
_EMPTY = View((), None, 0)
_NO_KEYS, _NO_COSINES = np.empty(0, np.int64), np.empty(0, np.float32)


class ExactIndex:
    """Exact nearest neighbours: over int8 codes first where a user has many vectors, then over the vectors.

    Thread-safe: a search sees a call of `put` or `remove` entirely or not at all, and holds no lock while it
    scans. `put` checks every row before it stores the first. A query is held to the rules of a stored
    vector: right dimension, finite, L2 norm 1; else InvalidError. Without `first_pass` no memory is spent on
    codes: for a backend that finds candidates by itself, and takes columns, exact cosines and the spread
    from here. Where numkong is missing, a search scans the vectors themselves, with the same answer.
    """

    backend = "exact"
    measured_recall = None
    waiting = 0
    fault = ""

    def __init__(
        self,
        dimension: int,
        *,
        first_pass: bool = True,
        segment_rows: int = _SEGMENT_ROWS,
        block_rows: int = _BLOCK_ROWS,
        large_rows: int | None = None,
    ) -> None:
        self._kernel = kernel.load() if first_pass else None
        large = max(_FEWEST_LARGE_ROWS, _LARGE_ROWS_PER_DIMENSION * dimension)
        self._layout = Layout(dimension, segment_rows, large_rows or large, is_coded=self._kernel is not None)
        self._block_rows = block_rows
        self._lock = threading.Lock()
        self._slabs: dict[str, Slab] = {}
        self._places = Places()

    def __len__(self) -> int:
        return len(self._places)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, spare room included."""
        with self._lock:
            return self._places.nbytes + sum(slab.nbytes for slab in self._slabs.values())

    def put(self, rows: Sequence[IndexedVector]) -> None:
        """Add vectors; a known key is replaced, and leaves the user who had it.

        Of a key given twice in one call the last row counts.
        """
        groups = checked_columns(rows, self._layout.dimension)
        with self._lock:
            touched = set[str](groups)
            for columns in groups.values():
                touched |= self._take_out(columns.keys)
            for user_id, columns in groups.items():
                if user_id not in self._slabs:
                    self._slabs[user_id] = Slab(user_id, self._layout, self._places)
                self._slabs[user_id].append(columns)
            self._tidy(touched)

    def remove(self, keys: Sequence[int]) -> None:
        """Forget vectors; unknown keys are ignored."""
        with self._lock:
            unique = np.unique(np.array(keys, np.int64))
            touched = self._take_out(unique)
            self._places.drop(unique)
            self._tidy(touched)

    def search(self, user_id: str, query: Vector, k: int, allowed: Filter) -> Neighbours:
        """The top k of one user by cosine; an unknown user has none."""
        unit, view = self._unit(query), self._view(user_id)
        if view.moments is None:
            return _scanned(view, unit, k, allowed)
        top = nearest(view, unit, k, allowed, self._kernel)
        return _neighbours(top, spread(view, unit, allowed))

    def among(self, user_id: str, query: Vector, k: int, allowed: Filter, keys: Sequence[int]) -> Neighbours:
        """`search` over these keys alone, which another index found as candidates; its cosines bit for bit.

        Keys that the user does not have here, or that the filter holds back, are left out. Mean, deviation
        and size are those of the keys that stay.
        """
        rows = self._rows(user_id, np.unique(np.array(keys, np.int64)))
        rows = rows.rows(rows.visible(allowed))
        return _best(rows.keys, cosines(rows.vectors, self._unit(query)), k)

    def spread(self, user_id: str, query: Vector, allowed: Filter) -> Spread:
        """How the cosines of all that the filter lets through lie; nothing for an unknown user."""
        return spread(self._view(user_id), self._unit(query), allowed)

    def cosines(self, user_id: str, keys: Sequence[int], query: Vector) -> NDArray[np.float32]:
        """The cosines that `search` would give these keys; NaN for a key that the user does not have here."""
        return cosines(self.vectors(user_id, keys), self._unit(query))

    def vectors(self, user_id: str, keys: Sequence[int]) -> Matrix:
        """The stored vectors; a row of NaN for a key that the user does not have here."""
        found = np.full((len(keys), self._layout.dimension), np.nan, np.float32)
        with self._lock:
            for slab, serial, at, rows in self._found(user_id, np.array(keys, np.int64)):
                found[at] = slab.vectors(serial, rows)
        return found

    def weighted(self, user_id: str, query: Vector, now: int, k: int) -> Neighbours:
        """The top k by cosine x importance x retention; their `cosines` are the bare ones."""
        unit, view = self._unit(query), self._view(user_id)
        if self._kernel is not None and (ranked := in_order(view, now)):
            with self._lock:
                if user_id in self._slabs:
                    self._slabs[user_id].rank(ranked)
            view = self._view(user_id)
        top = weightiest(view, unit, now, k, self._kernel, self._block_rows)
        return _neighbours(top, spread(view, unit, Filter()))

    def sizes(self) -> dict[str, int]:
        """How many vectors each user has."""
        with self._lock:
            return {user_id: len(slab) for user_id, slab in self._slabs.items()}

    def size(self, user_id: str) -> int:
        """How many vectors a user has."""
        return self._view(user_id).size

    def keys(self, user_id: str) -> NDArray[np.int64]:
        """The keys of one user's vectors, in no order."""
        parts = self._view(user_id).parts
        return np.concatenate([_NO_KEYS, *(part.live_keys() for part in parts)])

    def owners(self, keys: Sequence[int]) -> list[str | None]:
        """Whose vectors these are; None for an unknown key."""
        with self._lock:
            return self._places.owners(np.array(keys, np.int64))

    def settle(self) -> None:
        """Nothing to do: all that is here was put."""

    def flush(self) -> bool:
        """Nothing to do: it has no files."""
        return True

    def close(self) -> None:
        """Nothing to let go of: it has no files and no threads."""

    def _found(
        self, user_id: str, keys: NDArray[np.int64]
    ) -> Iterator[tuple[Slab, int, NDArray[np.int64], NDArray[np.int64]]]:
        """Each segment of the user where some of the keys lie, which those are, and their rows."""
        places = self._places.find(keys)
        known = np.flatnonzero(places >= 0)
        for serial, at, rows in by_segment(places[known]):
            if self._places.owner(serial) == user_id:
                yield self._slabs[user_id], serial, known[at], rows

    def _rows(self, user_id: str, keys: NDArray[np.int64]) -> Columns:
        """The columns of those keys that the user has here."""
        with self._lock:
            some = [slab.columns(serial, rows) for slab, serial, _, rows in self._found(user_id, keys)]
        return joined([Columns.empty(0, self._layout.dimension), *some])

    def _take_out(self, keys: NDArray[np.int64]) -> set[str]:
        """Remove the rows of these keys, which `places` still knows; whose they were."""
        places, owners = self._places.find(keys), set[str]()
        for serial, _, rows in by_segment(places[places >= 0]):
            owner = self._places.owner(serial)
            self._slabs[owner].remove(serial, rows)
            owners.add(owner)
        return owners

    def _tidy(self, user_ids: set[str]) -> None:
        for user_id in user_ids:
            self._slabs[user_id].tidy()
            if not len(self._slabs[user_id]):
                del self._slabs[user_id]

    def _view(self, user_id: str) -> View:
        with self._lock:
            slab = self._slabs.get(user_id)
            return slab.view() if slab else _EMPTY

    def _unit(self, query: Vector) -> Vector:
        return checked_vector(query, self._layout.dimension, "the query")


def _scanned(view: View, query: Vector, k: int, allowed: Filter) -> Neighbours:
    """Of a small user, whose cosines tell the spread as well."""
    masks = [part.visible(allowed) for part in view.parts]
    keys = [
        part.columns.keys if mask is None else part.columns.keys[mask]
        for part, mask in zip(view.parts, masks, strict=True)
    ]
    found = [part.cosines(mask, query) for part, mask in zip(view.parts, masks, strict=True)]
    return _best(np.concatenate([*keys, _NO_KEYS]), np.concatenate([*found, _NO_COSINES]), k)


def _best(keys: NDArray[np.int64], found: NDArray[np.float32], k: int) -> Neighbours:
    best = best_of(keys, found, k)
    return _neighbours(Top(keys[best], found[best]), spread_of(found))


def _neighbours(top: Top, lie: Spread) -> Neighbours:
    return Neighbours(top.keys, top.cosines, lie.mean, lie.std, lie.size)
