"""Running first and second moments of a user's vectors: how cosines spread, without a scan."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix, Spread, Vector

_Floats = NDArray[np.float64]

_PENDING_ROWS = 256  # one product of matrices for so many rows, rather than one for each
_PENDING_PIECES = 16
_PIECE_ROWS = 1024
_ROUNDING = 1e-13  # of a variance; far below that of float32 cosines, far above that of float64 sums


@dataclass(frozen=True, slots=True)
class Sums:
    """How many cosines there are, their sum and the sum of their squares; they add up over parts."""

    size: int = 0
    total: float = 0.0
    squares: float = 0.0

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(self.size + other.size, self.total + other.total, self.squares + other.squares)

    def __sub__(self, other: "Sums") -> "Sums":
        return Sums(self.size - other.size, self.total - other.total, self.squares - other.squares)

    @property
    def spread(self) -> Spread:
        """Mean and standard deviation; zero for none, and a deviation that is rounding alone is zero."""
        if self.size <= 0:
            return Spread(0.0, 0.0, 0)
        mean = self.total / self.size
        variance = self.squares / self.size - mean * mean
        return Spread(mean, variance**0.5 if variance > _ROUNDING else 0.0, self.size)


def sums_of(cosines: NDArray[np.float32]) -> Sums:
    """The sums of cosines that were computed, in float64."""
    wide = cosines.astype(np.float64)
    return Sums(len(wide), float(wide.sum()), float(np.vdot(wide, wide)))


@dataclass(frozen=True, slots=True)
class _Sum:
    """The sum of some vectors and of their outer products. Rows that came or went lately are `pending`."""

    size: int
    total: _Floats
    products: _Floats
    pending: tuple[tuple[int, Matrix], ...] = ()

    @classmethod
    def none(cls, dimension: int) -> "_Sum":
        """Of no vector."""
        return cls(0, np.zeros(dimension), np.zeros((dimension, dimension)))

    @property
    def nbytes(self) -> int:
        """Memory of its arrays."""
        return self.total.nbytes + self.products.nbytes + sum(rows.nbytes for _, rows in self.pending)

    @property
    def mean(self) -> Vector:
        """The mean of all vectors, of which there is one at least."""
        summed = self._summed(self.pending)
        return (summed.total / summed.size).astype(np.float32)

    def plus(self, sign: int, rows: Matrix) -> "_Sum":
        """With these vectors, or for a `sign` of -1 without them."""
        if not len(rows):
            return self
        if len(rows) + sum(len(some) for _, some in self.pending) >= _PENDING_ROWS:
            return self._summed((*self.pending, (sign, rows)))
        pending = (*self.pending, (sign, rows.copy()))
        if len(pending) > _PENDING_PIECES:
            pending = tuple(_pieces(pending))
        return _Sum(self.size, self.total, self.products, pending)

    def sums(self, query: Vector) -> Sums:
        """Of the cosines of all vectors to a query."""
        wide = query.astype(np.float64)
        found = Sums(self.size, float(self.total @ wide), float(wide @ (self.products @ wide)))
        for sign, rows in self.pending:
            of_rows = sums_of(np.vecdot(rows, query))
            found = found + of_rows if sign > 0 else found - of_rows
        return found

    def _summed(self, pending: tuple[tuple[int, Matrix], ...]) -> "_Sum":
        size, total, products = self.size, self.total.copy(), self.products.copy()
        for sign, rows in _pieces(pending):
            wide = rows.astype(np.float64)
            size += sign * len(wide)
            total += sign * wide.sum(axis=0)
            products += sign * (wide.T @ wide)
        return _Sum(size, total, products)


@dataclass(frozen=True, slots=True)
class Moments:
    """First and second moments of all vectors, and of the private ones among them; a value, never changed.

    The cosines of a query q sum up to q.S, their squares to q.P.q, where S is the sum of the vectors and P
    that of their outer products, in float64: O(d^2) for any number of vectors.
    """

    everything: _Sum
    private: _Sum

    @classmethod
    def none(cls, dimension: int) -> "Moments":
        """Of no vector."""
        return cls(_Sum.none(dimension), _Sum.none(dimension))

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return self.everything.nbytes + self.private.nbytes

    @property
    def mean(self) -> Vector:
        """The mean of all vectors, of which there is one at least."""
        return self.everything.mean

    def plus(self, sign: int, vectors: Matrix, private: NDArray[np.bool_]) -> "Moments":
        """With these vectors, or for a `sign` of -1 without them."""
        return Moments(self.everything.plus(sign, vectors), self.private.plus(sign, vectors[private]))

    def sums(self, query: Vector, *, public_only: bool) -> Sums:
        """Of the cosines of all vectors to a query."""
        everything = self.everything.sums(query)
        return everything - self.private.sums(query) if public_only else everything


def _pieces(pending: tuple[tuple[int, Matrix], ...]) -> Iterator[tuple[int, Matrix]]:
    """The rows of each sign together, as many at a time as are cheap to hold in float64."""
    for sign in (1, -1):
        rows = [some for own, some in pending if own == sign]
        if rows:
            joined = rows[0] if len(rows) == 1 else np.concatenate(rows)
            for start in range(0, len(joined), _PIECE_ROWS):
                yield sign, joined[start : start + _PIECE_ROWS]
