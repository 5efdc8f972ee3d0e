"""How widely lists are searched: at the least cost that finds what is aimed at, measured on own vectors."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix
from memory.vectors.ann.aims import Aims
from memory.vectors.ann.lists import Keys, Lists
from memory.vectors.ann.truth import Truth

Read = Callable[[Keys], tuple[Keys, Matrix]]
"""The vectors that some keys have now, in the order of the keys; those that are gone are left out."""

_FEWEST_PROBES = 8
_FOR_QUESTIONS = 2  # recall of real questions was then never below that of texts (docs/decisions/0014)
_OVERFETCH = (2, 4, 8, 16, 32, 64)  # candidates by their codes for each wanted one

# In reads of one code, measured at 384 numbers: a candidate is found and judged, a scan reads floats.
_CANDIDATE_COST = 25
_SCAN_COST = 4


@dataclass(frozen=True, slots=True)
class Tuning:
    """Lists that are looked into, candidates for each wanted neighbour, and the recall that this gave."""

    probes: int
    overfetch: int
    recall: float

    def cost(self, lists: Lists, depth: int) -> float:
        """What one search takes, in reads of one code."""
        return len(lists) * self.probes / lists.count + _CANDIDATE_COST * self.overfetch * depth


def tuned(lists: Lists, truth: Truth, read: Read, aims: Aims, go_on: Callable[[], None]) -> Tuning | None:
    """The cheapest tuning that reaches the aims; None where none does.

    Questions lie apart from texts, by which it is measured: they get twice as many lists as these need.
    """
    best: Tuning | None = None
    most = _SCAN_COST * len(lists) / aims.gain if aims.gain else inf
    for probes in _doubling(_FEWEST_PROBES, lists.count):
        if len(lists) * probes / lists.count > most:
            break
        go_on()
        recalls = _recalls(lists, truth, read, aims.depth, probes)
        for overfetch, recall in zip(_OVERFETCH, recalls, strict=True):
            tuning = Tuning(min(lists.count, _FOR_QUESTIONS * probes), overfetch, float(recall))
            cost = tuning.cost(lists, aims.depth)
            if recall >= aims.recall and cost < most:
                best, most = tuning, cost
    return best


def _doubling(first: int, last: int) -> Iterator[int]:
    while first < last:
        yield first
        first *= 2
    yield last


def _recalls(lists: Lists, truth: Truth, read: Read, depth: int, probes: int) -> NDArray[np.float64]:
    """The mean recall at each over-fetch: fewer candidates are the first of more."""
    widest = _OVERFETCH[-1] * depth
    counts = [overfetch * depth for overfetch in _OVERFETCH]
    shares = [
        truth.shares(number, *read(lists.nearest(question, widest, probes)), counts)
        for number, question in enumerate(truth.questions)
    ]
    found: NDArray[np.float64] = np.mean(shares, axis=0)
    return found
