"""Rows that may be among the top k by bounds of their scores; their exact scores decide."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ports import Vector
from memory.vectors.segment import Part, cosines

Integers = NDArray[np.int64]
Scores = NDArray[np.float64]
Weigh = Callable[[Part, Integers], Scores]
"""What the cosines of some rows of a part are multiplied by."""


@dataclass(frozen=True, slots=True)
class Top:
    """Keys with their cosines, best first; ties by smaller key."""

    keys: Integers
    cosines: NDArray[np.float32]


NONE = Top(np.empty(0, np.int64), np.empty(0, np.float32))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of some parts, and what their scores lie between."""

    parts: Integers
    rows: Integers
    lower: Scores
    upper: Scores

    def some(self, mask: NDArray[np.bool_]) -> "_Rows":
        return _Rows(self.parts[mask], self.rows[mask], self.lower[mask], self.upper[mask])


@dataclass(frozen=True, slots=True)
class _Scored:
    """Keys with exact cosines and scores."""

    keys: Integers
    cosines: NDArray[np.float32]
    scores: Scores


class Candidates:
    """All rows that may be among the `k` best of those looked at.

    `floor` is a score that k of them reach: whoever can't reach it is out. Whoever may just reach it stays,
    since keys decide between equal scores.
    """

    def __init__(self, parts: Sequence[Part], k: int) -> None:
        self.floor = -np.inf
        self._parts = parts
        self._k = k
        self._found: list[_Rows] = []
        self._best = np.empty(0)

    def reach(self, lower: NDArray[np.floating]) -> None:
        """Raise the floor: these are lower bounds of rows that are added next."""
        if self._k <= len(lower):
            self.floor = max(self.floor, float(np.partition(lower, len(lower) - self._k)[-self._k]))

    def add(self, part: int, rows: Integers, lower: Scores, upper: Scores) -> None:
        """Look at rows, each once. Whoever can't reach the floor may be left out."""
        self._best = np.concatenate([self._best, lower])
        if len(self._best) > self._k:
            self._best = np.partition(self._best, len(self._best) - self._k)[-self._k :]
        if len(self._best) == self._k:
            self.floor = max(self.floor, float(self._best.min()))
        found = _Rows(np.full(len(rows), part), rows, lower, upper)
        self._found.append(found.some(upper >= self.floor))

    def top(self, query: Vector, weigh: Weigh | None = None) -> Top:
        """The k best by exact cosine, times its weight."""
        rest = self._rest()
        likely = np.zeros(len(rest.rows), np.bool_)
        likely[best_of(rest.rows, rest.lower + rest.upper, self._k)] = True
        first = self._scored(rest.some(likely), query, weigh)
        least = first.scores.min() if len(first.scores) == self._k else -np.inf  # spares most of the others
        others = self._scored(rest.some(~likely & (rest.upper >= least)), query, weigh)
        keys = np.concatenate([first.keys, others.keys])
        found = np.concatenate([first.cosines, others.cosines])
        best = best_of(keys, np.concatenate([first.scores, others.scores]), self._k)
        return Top(keys[best], found[best])

    def _rest(self) -> _Rows:
        joined = _Rows(
            np.concatenate([one.parts for one in self._found] or [np.empty(0, np.int64)]),
            np.concatenate([one.rows for one in self._found] or [np.empty(0, np.int64)]),
            np.concatenate([one.lower for one in self._found] or [np.empty(0)]),
            np.concatenate([one.upper for one in self._found] or [np.empty(0)]),
        )
        return joined.some(joined.upper >= self.floor)

    def _scored(self, some: _Rows, query: Vector, weigh: Weigh | None) -> _Scored:
        keys = np.empty(len(some.rows), np.int64)
        found, scores = np.empty(len(some.rows), np.float32), np.empty(len(some.rows))
        for number in np.unique(some.parts).tolist():
            at, part = np.flatnonzero(some.parts == number), self._parts[number]
            rows = some.rows[at]
            keys[at], found[at] = part.columns.keys[rows], cosines(part.columns.vectors[rows], query)
            scores[at] = found[at] if weigh is None else found[at] * weigh(part, rows)
        return _Scored(keys, found, scores)


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
