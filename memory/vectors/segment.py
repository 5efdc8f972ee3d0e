"""A run of rows that is only ever appended to, so that who reads it needs no lock."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ports import Filter, Matrix, Vector
from memory.vectors.codes import Codes
from memory.vectors.columns import Columns
from memory.vectors.ranked import Ranked

_HANDFUL = 8
_MOST_SCANNED = 3  # up to a third of the rows is copied out; beyond, all are multiplied where they lie


@dataclass(frozen=True, slots=True)
class Part:
    """What a segment held at one moment. `live` is None while no row was removed."""

    serial: int
    columns: Columns
    live: NDArray[np.bool_] | None
    earliest: int
    latest: int
    codes: Codes | Ranked | None
    is_full: bool  # no row will follow under this serial

    def __len__(self) -> int:
        return len(self.columns)

    def live_keys(self) -> NDArray[np.int64]:
        """The keys of all rows that are there."""
        return self.columns.keys if self.live is None else self.columns.keys[self.live]

    def is_cut(self, allowed: Filter) -> bool:
        """Whether `since` or `until` may hide a row."""
        since, until = allowed.since, allowed.until
        return (since is not None and since > self.earliest) or (until is not None and until < self.latest)

    def visible(self, allowed: Filter) -> NDArray[np.bool_] | None:
        """Which rows are there and let through; None for all of them."""
        if not (allowed.public_only or self.is_cut(allowed)):
            return self.live
        mask = self.columns.visible(allowed)
        return mask if self.live is None else mask & self.live

    def cosines(self, mask: NDArray[np.bool_] | None, query: Vector) -> NDArray[np.float32]:
        """Of the rows of a mask.

        A dot product a row: equal vectors have equal cosines wherever they lie, which a blocked matrix
        product does not promise, and BLAS starts no threads for it.
        """
        vectors = self.columns.vectors
        if mask is None:
            return cosines(vectors, query)
        if _MOST_SCANNED * np.count_nonzero(mask) > len(mask):
            return cosines(vectors, query)[mask]
        return cosines(vectors[mask], query)


def cosines(vectors: Matrix, query: Vector) -> NDArray[np.float32]:
    """By row, in float32: what all backends and all ways through them give, bit for bit."""
    found: NDArray[np.float32] = np.vecdot(vectors, query)
    return found


class Segment:
    """Up to `capacity` rows of one user, with codes where there is a `centre` for them.

    A removed row stays where it was, and is no longer live. What `part` gave stays as it was: later rows lie
    behind it, and a change of `live` makes a new array.
    """

    def __init__(self, serial: int, capacity: int, dimension: int, centre: Vector | None) -> None:
        self.serial = serial
        self.size = 0
        self.removed = 0
        self._columns = Columns.empty(capacity, dimension)
        self._codes: Codes | Ranked | None = None if centre is None else Codes.empty(capacity, centre)
        self._live: NDArray[np.bool_] | None = None
        self._earliest, self._latest = np.iinfo(np.int64).max, np.iinfo(np.int64).min

    @property
    def capacity(self) -> int:
        """How many rows it has room for."""
        return self._columns.keys.size

    @property
    def is_full(self) -> bool:
        """Whether it can take no row as it is."""
        return self.size == self.capacity

    @property
    def is_sparse(self) -> bool:
        """Whether more than a handful of rows were written, and half of them are gone again, or all."""
        return not self.count or (self.size > _HANDFUL and 2 * self.count <= self.size)

    @property
    def count(self) -> int:
        """How many rows are live."""
        return self.size - self.removed

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, spare room included."""
        codes = self._codes.nbytes if self._codes else 0
        return self._columns.nbytes + codes + (self._live.nbytes if self._live is not None else 0)

    def append(self, rows: Columns) -> NDArray[np.int64]:
        """Add rows behind the others; their numbers."""
        start = self.size
        self._columns.write(slice(start, start + len(rows)), rows)
        if isinstance(self._codes, Codes):
            self._codes.write(start, rows.vectors)
        self._earliest = min(self._earliest, int(rows.timestamps.min()))
        self._latest = max(self._latest, int(rows.timestamps.max()))
        self.size += len(rows)
        return np.arange(start, self.size)

    def remove(self, rows: NDArray[np.int64]) -> None:
        """Take live rows out."""
        live = np.ones(self.capacity, np.bool_) if self._live is None else self._live.copy()
        live[rows] = False
        self._live = live
        self.removed += len(rows)

    def columns(self, rows: NDArray[np.int64]) -> Columns:
        """Some rows, copied."""
        return self._columns.rows(rows)

    def vectors(self, rows: NDArray[np.int64]) -> Matrix:
        """The vectors of some rows, copied."""
        return self._columns.vectors[rows]

    def kept(self) -> Columns:
        """The live rows: views where all are, else copies."""
        live = slice(0, self.size) if self._live is None else np.flatnonzero(self._live[: self.size])
        return self._columns.rows(live)

    def grown(self, capacity: int) -> "Segment":
        """The same rows under the same numbers, with more room."""
        grown = Segment(self.serial, capacity, self._columns.vectors.shape[1], None)
        grown.size, grown.removed = self.size, self.removed
        grown._columns.write(slice(0, self.size), self._columns.rows(slice(0, self.size)))
        grown._earliest, grown._latest = self._earliest, self._latest
        if self._live is not None:
            grown._live = np.ones(capacity, np.bool_)
            grown._live[: self.size] = self._live[: self.size]
        if isinstance(self._codes, Codes):
            grown._codes = self._codes.rows(slice(0, self.size)).grown(capacity)
        elif self._codes is not None:
            grown.encode(self._codes.codes.centre)
        return grown

    def encode(self, centre: Vector) -> None:
        """Have codes around a centre from now on."""
        codes = Codes.empty(self.capacity, centre)
        codes.write(0, self._columns.vectors[: self.size])
        self._codes = codes

    def forget_codes(self) -> None:
        """Have none any more."""
        self._codes = None

    def rank(self, ranked: Ranked) -> None:
        """Keep the codes in another order, unless the segment has grown or has none any more."""
        if self._codes is not None and len(ranked) == self.size == self.capacity:
            self._codes = ranked

    def part(self) -> Part:
        """What it holds now."""
        everything = slice(0, self.size)
        codes = self._codes.rows(everything) if isinstance(self._codes, Codes) else self._codes
        live = self._live[everything] if self._live is not None else None
        columns = self._columns.rows(everything)
        return Part(self.serial, columns, live, self._earliest, self._latest, codes, self.is_full)
