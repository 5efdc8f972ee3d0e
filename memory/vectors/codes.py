"""Vectors in int8, with a proven bound on how far a cosine computed from them may be off.

Vectors of sentences lie close together, so what is coded is how far they are from a centre m, which stays:
y = x - m of a row x, w = q - m of a query q. A row is kept as s.c with whole numbers c in -127..127, with its
slip r >= |y - s.c| and its offset o = m.y; a query is t.b, with beta >= |w - t.b|. Then x.q = y.w + o + m.q,
and for the cosine that a float32 scan computes, in whatever order it sums,

    |fl(x.q) - (s.t.(c.b) + o + m.q)|  <=  r.|w| + |s.c|.beta + gamma.|x|.|q|,   |s.c| <= R + r

by Cauchy-Schwarz on y.w - (s.c).(t.b) = (y - s.c).w + (s.c).(w - t.b), with R no less than any |y|, |x| and
|q| at most NORM, gamma = d.u/(1 - d.u), u = 2^-24. All but the sum over codes is computed in float64; slips,
beta and R are rounded up. `_ROUNDING` covers the float32 in which the bound is evaluated: under sixteen
roundings of numbers below 4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix, Vector
from memory.vectors.kernel import Floats, Int8, Kernel

NORM = 1.0015  # no stored vector and no query is longer, the rounding of its check included
MOST_COSINE = 1.004  # NORM x NORM, and the rounding of a sum

_STEPS = 127
_UNIT = 2.0**-24
_ROUNDING = 4e-6
_UP = 1 + 1e-9  # more than float64 sums of squares are off by
_LEAST_STEP = 1e-30  # of a row that is the centre itself
_CHUNK_ROWS = 512  # in float64 they stay in the cache


@dataclass(frozen=True, slots=True)
class Codes:
    """Rows in int8 around a `centre`: `steps` s, `slips` r, `offsets` o; `most` is R and the largest r."""

    centre: Vector
    matrix: Int8
    steps: Floats
    slips: Floats
    offsets: Floats
    most: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.steps)

    @classmethod
    def empty(cls, capacity: int, centre: Vector) -> "Codes":
        """Room for so many rows."""
        return cls(
            centre,
            np.empty((capacity, len(centre)), np.int8),
            np.empty(capacity, np.float32),
            np.empty(capacity, np.float32),
            np.empty(capacity, np.float32),
            np.zeros(2),
        )

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return self.matrix.nbytes + self.steps.nbytes + self.slips.nbytes + self.offsets.nbytes

    def rows(self, rows: slice | NDArray[np.int32]) -> "Codes":
        """Some rows: a view for a slice, else a copy."""
        return Codes(
            self.centre,
            self.matrix[rows],
            self.steps[rows],
            self.slips[rows],
            self.offsets[rows],
            self.most,
        )

    def grown(self, capacity: int) -> "Codes":
        """The same rows with more room."""
        grown, rows = Codes.empty(capacity, self.centre), slice(0, len(self))
        grown.matrix[rows], grown.steps[rows], grown.slips[rows] = self.matrix, self.steps, self.slips
        grown.offsets[rows], grown.most[:] = self.offsets, self.most
        return grown

    def write(self, start: int, vectors: Matrix) -> None:
        """Code vectors into the rows from `start` on."""
        for first in range(0, len(vectors), _CHUNK_ROWS):
            some = vectors[first : first + _CHUNK_ROWS]
            rows = slice(start + first, start + first + len(some))
            apart = some.astype(np.float64) - self.centre
            radius = np.sqrt(np.vecdot(apart, apart).max()) * _UP
            self.matrix[rows], self.steps[rows], self.slips[rows] = _coded(apart)
            self.offsets[rows] = np.vecdot(apart, self.centre.astype(np.float64))
            self.most[:] = np.maximum(self.most, (radius, self.slips[rows].max()))


@dataclass(frozen=True, slots=True)
class CodedQuery:
    """A query in int8 around a centre."""

    codes: Int8
    step: float
    slip: float  # beta
    length: float  # |w|
    shift: float  # m.q
    rounding: float

    @classmethod
    def of(cls, query: Vector, centre: Vector) -> "CodedQuery":
        """Coded like a row."""
        wide, middle = query.astype(np.float64), centre.astype(np.float64)
        apart: NDArray[np.float64] = wide - middle
        matrix, steps, slips = _coded(apart[None])
        return cls(
            codes=matrix,
            step=float(steps[0]),
            slip=float(slips[0]),
            length=float(np.sqrt(apart @ apart)) * _UP,
            shift=float(middle @ wide),
            rounding=len(query) * _UNIT / (1 - len(query) * _UNIT) * NORM * NORM + _ROUNDING,
        )

    def near(self, codes: Codes, kernel: Kernel) -> Floats:
        """The cosines by the codes, less the shift."""
        near = kernel(codes.matrix, self.codes)
        near *= codes.steps
        near *= np.float32(self.step)
        near += codes.offsets
        return near

    def reach(self, codes: Codes, places: NDArray[np.intp]) -> NDArray[np.float64]:
        """How far each of these may be off."""
        return codes.slips[places].astype(np.float64) * (self.length + self.slip) + self._margin(codes)

    def most(self, codes: Codes) -> float:
        """How far any of them may be off."""
        return float(codes.most[1]) * (self.length + self.slip) + self._margin(codes)

    def _margin(self, codes: Codes) -> float:
        return float(codes.most[0]) * self.slip + self.rounding


class QueryCodes:
    """One query around each centre that it meets."""

    def __init__(self, query: Vector) -> None:
        self._query = query
        self._last: tuple[Vector, CodedQuery] | None = None

    def around(self, centre: Vector) -> CodedQuery:
        """Coded for rows of this centre."""
        if self._last is None or self._last[0] is not centre:
            self._last = (centre, CodedQuery.of(self._query, centre))
        return self._last[1]


def _coded(vectors: NDArray[np.float64]) -> tuple[Int8, Floats, Floats]:
    steps = np.maximum(np.abs(vectors).max(axis=1) / _STEPS, _LEAST_STEP).astype(np.float32)
    wide = steps[:, None].astype(np.float64)
    matrix = np.clip(np.rint(vectors / wide), -_STEPS, _STEPS)
    off = vectors - wide * matrix
    slips = np.sqrt(np.vecdot(off, off)) * _UP
    return matrix.astype(np.int8), steps, np.nextafter(slips.astype(np.float32), np.float32(np.inf))
