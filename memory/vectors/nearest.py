"""The nearest vectors of one user: by codes where there are some, then by the exact cosines of the rest."""

import numpy as np
from numpy.typing import NDArray

from memory.ports import Filter, Vector
from memory.vectors.candidates import NONE, Candidates, Top
from memory.vectors.codes import CodedQuery, Codes
from memory.vectors.kernel import Floats, Kernel
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
        self._coded = CodedQuery.of(query)

    def look(self, number: int, part: Part, mask: NDArray[np.bool_] | None) -> None:
        """Add the rows of a mask that may reach the floor."""
        few = mask is not None and _CODES_A_ROW * np.count_nonzero(mask) < len(mask)
        if part.codes is None or self._kernel is None or few:
            self._look_exactly(number, part, mask)
        elif isinstance(part.codes, Ranked):
            order = part.codes.rows
            ranked = mask if mask is None else mask[order]
            places = self._look_at_codes(part.codes.codes, ranked, self._kernel)
            self._add(number, order[places[0]].astype(np.int64), *places[1:])
        else:
            self._add(number, *self._look_at_codes(part.codes, mask, self._kernel))

    def _look_exactly(self, number: int, part: Part, mask: NDArray[np.bool_] | None) -> None:
        found = part.cosines(mask, self._query).astype(np.float64)
        rows = np.arange(len(part)) if mask is None else np.flatnonzero(mask)
        self._candidates.reach(found)
        near = found >= self._candidates.floor
        self._candidates.add(number, rows[near], found[near], found[near])

    def _look_at_codes(
        self, codes: Codes, mask: NDArray[np.bool_] | None, kernel: Kernel
    ) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Which may reach the floor, how near they are and how far off that may be."""
        coded, candidates = self._coded, self._candidates
        near, upper = coded.near(codes, kernel), coded.reach(codes)
        if candidates.floor == -np.inf:
            lower = near - upper
            candidates.reach(lower if mask is None else lower[mask], coded.step, coded.margin)
        upper += near
        places = np.flatnonzero(upper >= np.float32((candidates.floor - coded.margin) / coded.step))
        if mask is not None:
            places = places[mask[places]]
        return places, near[places], upper[places]

    def _add(self, number: int, rows: NDArray[np.int64], near: Floats, upper: Floats) -> None:
        coded = self._coded
        middle, high = near.astype(np.float64), upper.astype(np.float64)
        self._candidates.add(
            number,
            rows,
            (2 * middle - high) * coded.step - coded.margin,
            high * coded.step + coded.margin,
        )
