"""Figures from many single answers, each with how sure it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

_RESAMPLES = 2_000
_SEED = 7  # a second run of the same answers gives the same interval
_CHUNK = 200


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over `n` answers and its 95 % confidence interval."""

    value: float
    low: float
    high: float
    n: int


def figure(values: Iterable[float]) -> Figure | None:
    """The mean with a percentile bootstrap over the answers; None without any.

    Answers count as independent, though those on one conversation are not quite: a little too sure.
    """
    sample = np.fromiter(values, np.float64)
    if not len(sample):
        return None
    random = np.random.default_rng(_SEED)
    means = np.concatenate(
        [
            sample[random.integers(0, len(sample), (_CHUNK, len(sample)))].mean(axis=1)
            for _ in range(_RESAMPLES // _CHUNK)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5])
    return Figure(float(sample.mean()), float(low), float(high), len(sample))


def share_found(wanted: Sequence[frozenset[str]], found: frozenset[str], at_most: int | None = None) -> float:
    """Which part of the wanted pieces was found, each by any of its turns; `at_most` could be shown."""
    if not wanted:
        raise ValueError("nothing is wanted, so no share of it can be found")
    room = len(wanted) if at_most is None else min(len(wanted), at_most)
    return min(sum(bool(piece & found) for piece in wanted), room) / room


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0..1) of all lie, interpolated. Needs at least one."""
    return float(np.percentile(values, 100 * share))


@dataclass(frozen=True, slots=True)
class Hits:
    """What was told, what of it was right, and what should have been told."""

    told: int
    right: int
    wanted: int

    @property
    def precision(self) -> float:
        """Of what was told; 1 if nothing was."""
        return self.right / self.told if self.told else 1.0

    @property
    def recall(self) -> float:
        """Of what was wanted; 1 if nothing was."""
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def hits_figures(groups: Sequence[Hits]) -> dict[str, Figure]:
    """Precision, recall and F1 over all groups; the bootstrap draws whole groups."""
    rows = np.array([(each.told, each.right, each.wanted) for each in groups], np.int64).reshape(-1, 3)
    if not len(rows):
        return {}
    random = np.random.default_rng(_SEED)
    drawn = [_ratios(rows[random.integers(0, len(rows), len(rows))].sum(axis=0)) for _ in range(_RESAMPLES)]
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    values = _ratios(rows.sum(axis=0))
    names = ("precision", "recall", "F1")
    return {
        name: Figure(values[place], float(low[place]), float(high[place]), len(rows))
        for place, name in enumerate(names)
    }


def _ratios(row: "np.typing.NDArray[np.int64]") -> tuple[float, float, float]:
    hits = Hits(*(int(part) for part in row))
    return hits.precision, hits.recall, hits.f1
