"""The nearest vectors of one user: by codes where there are some, then by the exact cosines of the rest."""

import numpy as np
from numpy.typing import NDArray

from memory.ports import Filter, Vector
from memory.vectors.candidates import NONE, Candidates, Top
from memory.vectors.codes import Codes, QueryCodes
from memory.vectors.kernel import Kernel
from memory.vectors.ranked import Ranked
from memory.vectors.segment import Part
from memory.vectors.slab import View

_CODES_A_ROW = 16  # so many codes are read in the time of one scattered row


def nearest(view: View, query: Vector, k: int, allowed: Filter, kernel: Kernel | None) -> Top:
    """The top k of what the filter lets through, equal to that of a full scan."""
    if k <= 0:
        return NONE
    candidates = Candidates(view.parts, k)
    scan = _Scan(candidates, query, kernel)
    for number, part in enumerate(view.parts):
        mask = part.visible(allowed)
        if mask is None or mask.any():
            scan.look(number, part, mask)
    return candidates.top(query)


class _Scan:
    """One query on its way through the parts."""

    def __init__(self, candidates: Candidates, query: Vector, kernel: Kernel | None) -> None:
        self._candidates = candidates
        self._query = query
        self._kernel = kernel
        self._codes = QueryCodes(query)

    def look(self, number: int, part: Part, mask: NDArray[np.bool_] | None) -> None:
        """Add the rows of a mask that may reach the floor."""
        few = mask is not None and _CODES_A_ROW * np.count_nonzero(mask) < len(mask)
        if part.codes is None or self._kernel is None or few:
            self._look_exactly(number, part, mask)
        elif isinstance(part.codes, Ranked):
            order = part.codes.rows
            ranked = mask if mask is None else mask[order]
            places, lower, upper = self._look_at_codes(part.codes.codes, ranked, self._kernel)
            self._candidates.add(number, order[places].astype(np.int64), lower, upper)
        else:
            self._candidates.add(number, *self._look_at_codes(part.codes, mask, self._kernel))

    def _look_exactly(self, number: int, part: Part, mask: NDArray[np.bool_] | None) -> None:
        found = part.cosines(mask, self._query).astype(np.float64)
        rows = np.arange(len(part)) if mask is None else np.flatnonzero(mask)
        self._candidates.reach(found)
        near = found >= self._candidates.floor
        self._candidates.add(number, rows[near], found[near], found[near])

    def _look_at_codes(
        self, codes: Codes, mask: NDArray[np.bool_] | None, kernel: Kernel
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Which may reach the floor, and what their cosines lie between."""
        coded, candidates = self._codes.around(codes.centre), self._candidates
        near, most = coded.near(codes, kernel), coded.most(codes)
        if candidates.floor == -np.inf:
            candidates.reach(near if mask is None else near[mask], coded.shift - most)
        places = np.flatnonzero(near >= np.float32(candidates.floor - coded.shift - most))
        if mask is not None:
            places = places[mask[places]]
        cosines, reach = near[places].astype(np.float64) + coded.shift, coded.reach(codes, places)
        return places, cosines - reach, cosines + reach
