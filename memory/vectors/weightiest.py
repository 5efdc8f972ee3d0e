"""The top of one user by cosine x importance x retention: blocks of falling weight, while they can matter."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from memory.ports import Vector
from memory.vectors.candidates import NONE, Candidates, Top
from memory.vectors.codes import MOST_COSINE, Codes, QueryCodes
from memory.vectors.kernel import Floats, Kernel
from memory.vectors.ranked import Ranked, ranked
from memory.vectors.segment import Part
from memory.vectors.slab import View

# Segments that a search puts in order: with all of them a first search of a million rows would take long.
_RANKED_AT_ONCE = 8
_STALE_S = 86_400  # within a day no weight but the shortest-lived falls by more than a twentieth
_TINY = 1e-30  # far from where float32 loses its digits


@dataclass(frozen=True, slots=True)
class _Block:
    """Codes of a part from `start` to `stop`; none of the rows weighs more than `ceiling`."""

    part: int
    start: int
    stop: int
    ceiling: float


def weightiest(view: View, query: Vector, now: int, k: int, kernel: Kernel | None, block_rows: int) -> Top:
    """The top k by score, equal to that of a full scan; scores take the weights of `now`.

    Parts that are not ranked are scanned whole, then blocks by falling ceiling. Once the ceiling times the
    highest cosine is below the k-th score, no further block can matter.
    """
    if k <= 0:
        return NONE
    candidates = Candidates(view.parts, k)
    scan = _Scan(view, candidates, query, now)
    blocks = list[_Block]()
    for number, part in enumerate(view.parts):
        if part.codes is None or kernel is None:
            scan.look_exactly(number, part)
        elif isinstance(part.codes, Ranked) and part.codes.ranked_at <= now:
            blocks += _blocks(number, part.codes, block_rows)
        else:
            scan.look(_Block(number, 0, len(part), np.inf), kernel)
    if kernel is not None:
        for block in sorted(blocks, key=lambda block: -block.ceiling):
            if block.ceiling * MOST_COSINE < candidates.floor:
                break
            scan.look(block, kernel)
    return candidates.top(query, scan.weigh)


def in_order(view: View, now: int) -> Mapping[int, Ranked]:
    """Some full segments by their weights of `now`, of those not ranked for a day; by serial number."""
    return {
        part.serial: ranked(part.codes, part.columns.weights(now), now)
        for part in islice(_stale(view, now), _RANKED_AT_ONCE)
        if part.codes is not None
    }


def _stale(view: View, now: int) -> Iterator[Part]:
    for part in view.parts:
        if part.codes is None or not part.is_full:
            continue
        if not isinstance(part.codes, Ranked) or now - part.codes.ranked_at >= _STALE_S:
            yield part


def _blocks(number: int, codes: Ranked, block_rows: int) -> Iterator[_Block]:
    for start in range(0, len(codes), block_rows):
        stop = min(start + block_rows, len(codes))
        yield _Block(number, start, stop, float(codes.ceilings[start]))


class _Scan:
    """One query on its way through the parts."""

    def __init__(self, view: View, candidates: Candidates, query: Vector, now: int) -> None:
        self._parts = view.parts
        self._candidates = candidates
        self._query = query
        self._codes = QueryCodes(query)
        self._now = now

    def weigh(self, part: Part, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """What these rows weigh now."""
        return part.columns.weights(self._now, rows)

    def look_exactly(self, number: int, part: Part) -> None:
        """Add the rows of a part without codes."""
        rows = np.arange(len(part)) if part.live is None else np.flatnonzero(part.live)
        scores = part.cosines(part.live, self._query) * self.weigh(part, rows)
        self._candidates.reach(scores)
        near = scores >= self._candidates.floor
        self._candidates.add(number, rows[near], scores[near], scores[near])

    def look(self, block: _Block, kernel: Kernel) -> None:
        """Add the rows of a block that may reach the floor."""
        part = self._parts[block.part]
        codes, rows, ceilings = _slice(part, block)
        coded = self._codes.around(codes.centre)
        near = coded.near(codes, kernel)
        places = np.arange(len(rows)) if part.live is None else np.flatnonzero(part.live[rows])
        if ceilings is not None and self._candidates.floor > _TINY:
            high = near[places] + np.float32(coded.shift + coded.most(codes))
            places = places[high * ceilings[places] >= np.float32(self._candidates.floor)]
        cosines, reach = near[places].astype(np.float64) + coded.shift, coded.reach(codes, places)
        self._add(block.part, rows[places], cosines - reach, cosines + reach)

    def _add(
        self, number: int, rows: NDArray[np.int64], lowest: NDArray[np.float64], highest: NDArray[np.float64]
    ) -> None:
        weights = self.weigh(self._parts[number], rows)
        lower, upper = lowest * weights, highest * weights
        self._candidates.reach(lower)
        places = np.flatnonzero(upper >= self._candidates.floor)
        self._candidates.add(number, rows[places], lower[places], upper[places])


def _slice(part: Part, block: _Block) -> tuple[Codes, NDArray[np.int64], Floats | None]:
    """The codes of a block, the numbers of their rows, and what those weighed when they were ranked."""
    places = slice(block.start, block.stop)
    if isinstance(part.codes, Ranked):
        ceilings = part.codes.ceilings[places] if block.ceiling < np.inf else None
        return part.codes.codes.rows(places), part.codes.rows[places].astype(np.int64), ceilings
    codes = part.codes or Codes.empty(0, np.empty(0, np.float32))
    return codes.rows(places), np.arange(block.start, block.stop), None
