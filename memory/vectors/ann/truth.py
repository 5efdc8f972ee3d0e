"""What a full scan finds for some of a user's own vectors, collected while all of them stream by."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix
from memory.vectors.ann.lists import Keys

_ROUNDING = 1e-5  # a product of blocks and one of rows differ by less


class Truth:
    """The exact top `depth` of each question, itself left out; equal cosines are equally good."""

    def __init__(self, keys: Keys, questions: Matrix, depth: int) -> None:
        self.keys = keys
        self.questions = questions
        self._depth = depth
        self._best = np.full((len(keys), depth), -np.inf, np.float32)

    def see(self, keys: Keys, rows: Matrix) -> None:
        """Some more of the user's vectors."""
        cosines = self._without_themselves(keys, self.questions @ rows.T)
        both = np.concatenate([self._best, cosines], axis=1)
        self._best = np.partition(both, both.shape[1] - self._depth, axis=1)[:, -self._depth :]

    def shares(self, question: int, keys: Keys, rows: Matrix, counts: Sequence[int]) -> list[float]:
        """How much of a question's top the first so many of these candidates hold: each 0 to 1."""
        best = self._best[question]
        best = best[np.isfinite(best)]
        if not len(best):
            return [1.0] * len(counts)
        row = slice(question, question + 1)
        cosines = self._without_themselves(keys, self.questions[row] @ rows.T, row)[0]
        hits = np.concatenate([[0], np.cumsum(cosines >= best.min() - _ROUNDING)])
        return [min(1.0, hits[min(count, len(keys))] / len(best)) for count in counts]

    def _without_themselves(
        self, keys: Keys, cosines: NDArray[np.float32], questions: slice = slice(None)
    ) -> NDArray[np.float32]:
        cosines[self.keys[questions, None] == keys[None, :]] = -np.inf
        return cosines
