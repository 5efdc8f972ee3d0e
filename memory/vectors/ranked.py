"""The codes of a full segment by falling weight: a weighted search reads only as far as it must.

A weight is importance x 2^(-age/half-life). Time only lowers it, so what it was when the rows were ranked
stays an upper bound: a row whose importance, time or half-life changes comes in anew, in another segment.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.vectors.codes import Codes
from memory.vectors.kernel import Floats

_UP = 1 + 1e-9  # more than two computations of one weight can differ by


@dataclass(frozen=True, slots=True)
class Ranked:
    """`codes` by falling weight as of `ranked_at`; `rows`: their numbers, `ceilings`: their weights then."""

    codes: Codes
    rows: NDArray[np.int32]
    ceilings: Floats
    ranked_at: int

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return self.codes.nbytes + self.rows.nbytes + self.ceilings.nbytes


def ranked(codes: Codes | Ranked, weights: NDArray[np.float64], now: int) -> Ranked:
    """The codes in the order of these weights, which are those of `now` by row."""
    by_row = np.argsort(codes.rows).astype(np.int32) if isinstance(codes, Ranked) else None
    order = np.argsort(-weights, kind="stable").astype(np.int32)
    plain = codes.codes if isinstance(codes, Ranked) else codes
    ceilings = np.nextafter((weights[order] * _UP).astype(np.float32), np.float32(np.inf))
    return Ranked(plain.rows(order if by_row is None else by_row[order]), order, ceilings, now)
