"""Rows that may be among the top k by bounds of their scores; their exact scores decide."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ports import Vector
from memory.vectors.segment import Part, cosines

Integers = NDArray[np.int64]
Scores = NDArray[np.float64]
Weigh = Callable[[Part, Integers], Scores]
"""What the cosines of some rows of a part are multiplied by."""

_ROW_BITS = 24
_ROW_MASK = (1 << _ROW_BITS) - 1


@dataclass(frozen=True, slots=True)
class Top:
    """Keys with their cosines, best first; ties by smaller key."""

    keys: Integers
    cosines: NDArray[np.float32]


NONE = Top(np.empty(0, np.int64), np.empty(0, np.float32))


@dataclass(frozen=True, slots=True)
class _Scored:
    """Keys with exact cosines and scores."""

    keys: Integers
    cosines: NDArray[np.float32]
    scores: Scores


class Candidates:
    """All rows that may be among the `k` best, k > 0, of those looked at.

    `floor` is a score that k of them reach: whoever can't reach it is out. Whoever may just reach it stays,
    since keys decide between equal scores.
    """

    def __init__(self, parts: Sequence[Part], k: int) -> None:
        self.floor = -np.inf
        self._parts = parts
        self._k = k
        self._best = np.empty(0)  # the k highest lower bounds
        self._ids = [np.empty(0, np.int64)]  # a part's number and a row in one
        self._lower = [np.empty(0)]
        self._upper = [np.empty(0)]

    def reach(self, lower: NDArray[np.floating], shift: float = 0.0) -> None:
        """Raise the floor: `lower` + shift are lower bounds of rows that are added next."""
        if self._k <= len(lower):
            kth = float(np.partition(lower, len(lower) - self._k)[-self._k])
            self.floor = max(self.floor, kth + shift)

    def add(self, part: int, rows: Integers, lower: Scores, upper: Scores) -> None:
        """Look at rows, each once, with what their scores lie between. Who can't reach the floor may miss."""
        if not len(rows):
            return
        self._ids.append(rows | (part << _ROW_BITS))
        self._lower.append(lower)
        self._upper.append(upper)
        self._best = np.concatenate([self._best, lower])
        if len(self._best) >= self._k:
            self._best = np.partition(self._best, len(self._best) - self._k)[-self._k :]
            self.floor = max(self.floor, float(self._best[0]))

    def top(self, query: Vector, weigh: Weigh | None = None) -> Top:
        """The k best by exact cosine, times its weight."""
        ids, middle, upper = self._reaching()
        if len(ids) <= self._k:
            return self._best_of(self._scored(ids, query, weigh))
        # The likeliest first: what they reach spares most of the others.
        at = np.argpartition(middle, len(ids) - self._k)[-self._k :]
        likely = self._scored(ids[at], query, weigh)
        upper[at] = -np.inf
        others = self._scored(ids[upper >= likely.scores.min()], query, weigh)
        return self._best_of(
            _Scored(
                np.concatenate([likely.keys, others.keys]),
                np.concatenate([likely.cosines, others.cosines]),
                np.concatenate([likely.scores, others.scores]),
            )
        )

    def _reaching(self) -> tuple[Integers, Scores, Scores]:
        """Whose score may reach the floor; twice its likeliest value, and its highest."""
        upper = np.concatenate(self._upper)
        at = np.flatnonzero(upper >= self.floor)
        return np.concatenate(self._ids)[at], (np.concatenate(self._lower) + upper)[at], upper[at]

    def _scored(self, ids: Integers, query: Vector, weigh: Weigh | None) -> _Scored:
        keys, found = np.empty(len(ids), np.int64), np.empty(len(ids), np.float32)
        scores = np.empty(len(ids))
        for at, part, rows in self._by_part(np.sort(ids)):  # in the order in which they lie in memory
            keys[at], found[at] = part.columns.keys[rows], cosines(part.columns.vectors[rows], query)
            scores[at] = found[at] if weigh is None else found[at] * weigh(part, rows)
        return _Scored(keys, found, scores)

    def _by_part(self, ids: Integers) -> Iterator[tuple[slice, Part, Integers]]:
        stops = np.searchsorted(ids, np.arange(1, len(self._parts) + 1) << _ROW_BITS).tolist()
        start, rows = 0, ids & _ROW_MASK
        for part, stop in zip(self._parts, stops, strict=True):
            if stop > start:
                yield slice(start, stop), part, rows[start:stop]
            start = stop

    def _best_of(self, scored: _Scored) -> Top:
        best = best_of(scored.keys, scored.scores, self._k)
        return Top(scored.keys[best], scored.cosines[best])


def best_of(keys: Integers, scores: NDArray[np.floating], k: int) -> NDArray[np.intp]:
    """The places of the k best, best first; ties by smaller key."""
    # All that tie with the k-th stay in until the keys decide; a partition alone would pick any of them.
    size = len(scores)
    if k <= 0:
        return np.empty(0, np.intp)
    if k < size:
        kth = np.partition(scores, size - k)[size - k]
        candidates = np.flatnonzero(scores >= kth)
    else:
        candidates = np.arange(size)
    order = np.lexsort((keys[candidates], -scores[candidates]))
    return candidates[order[:k]]
