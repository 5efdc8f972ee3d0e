"""Vectors in int8, with a proven bound on how far a cosine computed from them may be off.

A row x is kept as s.c with whole numbers c in -127..127, and with its slip r >= |x - s.c|; a query q is t.b,
with beta >= |q - t.b|. For the cosine that a float32 scan computes, in whatever order it sums,

    |fl(x.q) - s.t.(c.b)|  <=  r.|q| + |s.c|.beta + gamma.|x|.|q|,   |s.c| <= |x| + r,   |x|, |q| <= NORM

by Cauchy-Schwarz on x.q - (s.c).(t.b) = (x - s.c).q + (s.c).(q - t.b), with gamma = d.u/(1 - d.u), u = 2^-24.
Slips and beta are computed in float64 and rounded up. `_ROUNDING` covers the float32 in which the bound is
evaluated: under ten roundings of numbers below 1.3.
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
_ROUNDING = 2e-6
_UP = 1 + 1e-9  # more than float64 sums of squares are off by
_CHUNK_ROWS = 512  # in float64 they stay in the cache


@dataclass(frozen=True, slots=True)
class Codes:
    """Rows in int8: `steps` is s, `slips` is r."""

    matrix: Int8
    steps: Floats
    slips: Floats

    def __len__(self) -> int:
        return len(self.steps)

    @classmethod
    def empty(cls, capacity: int, dimension: int) -> "Codes":
        """Room for so many rows."""
        return cls(
            np.empty((capacity, dimension), np.int8),
            np.empty(capacity, np.float32),
            np.empty(capacity, np.float32),
        )

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return self.matrix.nbytes + self.steps.nbytes + self.slips.nbytes

    def rows(self, rows: slice | NDArray[np.int32]) -> "Codes":
        """Some rows: a view for a slice, else a copy."""
        return Codes(self.matrix[rows], self.steps[rows], self.slips[rows])

    def grown(self, capacity: int) -> "Codes":
        """The same rows with more room."""
        grown = Codes.empty(capacity, self.matrix.shape[1])
        rows = slice(0, len(self))
        grown.matrix[rows], grown.steps[rows], grown.slips[rows] = self.matrix, self.steps, self.slips
        return grown

    def write(self, start: int, vectors: Matrix) -> None:
        """Code vectors into the rows from `start` on."""
        for first in range(0, len(vectors), _CHUNK_ROWS):
            some = vectors[first : first + _CHUNK_ROWS]
            rows = slice(start + first, start + first + len(some))
            self.matrix[rows], self.steps[rows], self.slips[rows] = _coded(some)


@dataclass(frozen=True, slots=True)
class CodedQuery:
    """A query in int8. A cosine lies within `step` x (near +- `per_slip` x slip) +- `margin` of its row."""

    codes: Int8
    step: float
    per_slip: float
    margin: float

    @classmethod
    def of(cls, query: Vector) -> "CodedQuery":
        """Coded like a row."""
        matrix, steps, slips = _coded(query[None])
        step, slip = float(steps[0]), float(slips[0])
        rounding = len(query) * _UNIT / (1 - len(query) * _UNIT)
        margin = NORM * slip + rounding * NORM * NORM + _ROUNDING
        return cls(matrix, step, (NORM + slip) / step, margin)

    def near(self, codes: Codes, kernel: Kernel) -> Floats:
        """The cosines by the codes, in units of `step`."""
        near = kernel(codes.matrix, self.codes)
        near *= codes.steps
        return near

    def reach(self, codes: Codes) -> Floats:
        """How far each may be off beside the margin, in units of `step`."""
        return codes.slips * np.float32(self.per_slip)


def _coded(vectors: Matrix) -> tuple[Int8, Floats, Floats]:
    steps = (np.abs(vectors).max(axis=1) / np.float32(_STEPS)).astype(np.float32)
    matrix = np.clip(np.rint(vectors / steps[:, None]), -_STEPS, _STEPS).astype(np.int8)
    off = vectors - steps[:, None].astype(np.float64) * matrix
    slips = np.sqrt(np.vecdot(off, off)) * _UP
    return matrix, steps, np.nextafter(slips.astype(np.float32), np.float32(np.inf))
