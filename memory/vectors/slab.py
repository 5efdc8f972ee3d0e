"""The vectors of one user, in segments; what a search sees of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix, Vector
from memory.vectors.columns import Columns
from memory.vectors.moments import Moments
from memory.vectors.places import Places
from memory.vectors.ranked import Ranked
from memory.vectors.segment import Part, Segment

_SMALLEST_CAPACITY = 8


@dataclass(frozen=True, slots=True)
class Layout:
    """How vectors are kept. A user is large from `large_rows` on: codes and moments are worth their room."""

    dimension: int
    segment_rows: int
    large_rows: int
    is_coded: bool


@dataclass(frozen=True, slots=True)
class View:
    """All vectors of a user at one moment; nothing of it changes later."""

    parts: tuple[Part, ...]
    moments: Moments | None  # of a large user
    size: int


class Slab:
    """Keys and columns of one user. Keeps `places` right; neither locks nor checks.

    All segments but the last are full, and more than half of each is live: memory is at most twice what the
    rows need, and the room of a last segment.
    """

    def __init__(self, user_id: str, layout: Layout, places: Places) -> None:
        self.user_id = user_id
        self._layout = layout
        self._places = places
        self._segments: dict[int, Segment] = {}
        self._moments: Moments | None = None  # of a large user
        self._centre: Vector | None = None  # of the codes of a large user
        self._view: View | None = None
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, spare room included."""
        moments = self._moments.nbytes if self._moments else 0
        return moments + sum(segment.nbytes for segment in self._segments.values())

    def view(self) -> View:
        """What it holds now."""
        if self._view is None:
            parts = tuple(segment.part() for segment in self._segments.values())
            self._view = View(parts, self._moments, self._size)
        return self._view

    def columns(self, serial: int, rows: NDArray[np.int64]) -> Columns:
        """Some rows of one of its segments, copied."""
        return self._segments[serial].columns(rows)

    def vectors(self, serial: int, rows: NDArray[np.int64]) -> Matrix:
        """The vectors of some rows of one of its segments, copied."""
        return self._segments[serial].vectors(rows)

    def rank(self, ranked: Mapping[int, Ranked]) -> None:
        """Keep the codes of full segments in another order; segments that are gone are left out."""
        for serial, codes in ranked.items():
            if serial in self._segments:
                self._segments[serial].rank(codes)
        self._view = None

    def append(self, rows: Columns) -> None:
        """Add rows whose keys are nowhere."""
        self._place(rows)
        self._size += len(rows)
        self._count(rows, sign=1)
        self._view = None

    def remove(self, serial: int, rows: NDArray[np.int64]) -> None:
        """Take out rows of one of its segments; their keys are the caller's to forget."""
        segment = self._segments[serial]
        self._count(segment.columns(rows), sign=-1)
        segment.remove(rows)
        self._size -= len(rows)
        self._view = None

    def tidy(self) -> None:
        """Give room back that removed rows left; grow small or large with the number of rows."""
        for serial in list(self._segments):
            segment = self._segments[serial]  # as it is now: the one before may have gone into it
            if segment.is_sparse:
                del self._segments[serial]
                self._places.close(serial)
                if segment.count:
                    self._place(segment.kept())
                self._view = None
        self._resize()

    def _place(self, rows: Columns) -> None:
        start = 0
        while start < len(rows):
            segment = self._room(len(rows) - start)
            some = rows.rows(slice(start, start + segment.capacity - segment.size))
            numbers = segment.append(some)
            self._places.set(some.keys, segment.serial, numbers)
            start += len(some)

    def _room(self, wanted: int) -> Segment:
        last = next(reversed(self._segments.values()), None)
        if last is not None and not last.is_full:
            return last
        most = self._layout.segment_rows
        if last is None:
            last = self._new(min(most, max(_SMALLEST_CAPACITY, wanted)))
        elif last.capacity >= most:
            last = self._new(most)  # whoever filled one fills another; what is not written takes no memory
        else:
            last = last.grown(min(most, max(2 * last.capacity, last.size + wanted)))
        self._segments[last.serial] = last
        return last

    def _new(self, capacity: int) -> Segment:
        return Segment(self._places.open(self.user_id), capacity, self._layout.dimension, self._centre)

    def _count(self, rows: Columns, sign: int) -> None:
        """Keep the moments right."""
        if self._moments is not None:
            self._moments = self._moments.plus(sign, rows.vectors, rows.private)

    def _resize(self) -> None:
        if self._moments is None and self._size >= self._layout.large_rows:
            self._enlarge()
        elif self._moments is not None and 2 * self._size < self._layout.large_rows:
            self._moments = self._centre = self._view = None
            for segment in self._segments.values():
                segment.forget_codes()

    def _enlarge(self) -> None:
        self._moments = Moments.none(self._layout.dimension)
        for segment in self._segments.values():
            self._count(segment.kept(), sign=1)
        if self._layout.is_coded:
            self._centre = self._moments.mean
            for segment in self._segments.values():
                segment.encode(self._centre)
        self._view = None
