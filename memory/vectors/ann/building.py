"""Makes the lists of one user, in steps between which a stop is heard."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np

from memory.ports import Matrix
from memory.vectors.ann.aims import Aims
from memory.vectors.ann.centroids import centroids
from memory.vectors.ann.held import Held, checksums
from memory.vectors.ann.lists import Keys, Lists
from memory.vectors.ann.truth import Truth
from memory.vectors.ann.tuning import Read, Tuning, tuned

_LISTS_PER_ROOT = 4  # faiss advises 4 to 16 lists for each unit of the root of the size
_SAMPLE_PER_LIST = 32
_QUESTIONS = 64
_ROWS_A_STEP = 4096
_SEED = 1


@dataclass(frozen=True, slots=True)
class Built:
    """Lists with what they were made of and how they are searched; no `tuning`: they are not worth it."""

    lists: Lists
    held: Held
    tuning: Tuning | None


def build(faiss: Any, keys: Keys, read: Read, aims: Aims, go_on: Callable[[], None]) -> Built:
    """The lists of these keys; whatever `go_on` raises between two steps ends it."""
    chance = np.random.default_rng(_SEED)
    count = ceil(_LISTS_PER_ROOT * sqrt(len(keys)))
    _, sample = _sampled(keys, count * _SAMPLE_PER_LIST, read, chance)
    centres = centroids(faiss, sample, count, go_on)
    lists = Lists.around(faiss, centres, sample)
    del sample
    truth = Truth(*_sampled(keys, _QUESTIONS, read, chance), aims.depth)
    held = _filed(lists, keys, read, truth, go_on)
    return Built(lists, held, tuned(lists, truth, read, aims, go_on))


def _sampled(keys: Keys, count: int, read: Read, chance: np.random.Generator) -> tuple[Keys, Matrix]:
    return read(chance.choice(keys, min(count, len(keys)), replace=False))


def _filed(lists: Lists, keys: Keys, read: Read, truth: Truth, go_on: Callable[[], None]) -> Held:
    seen = list[Keys]()
    sums = list[np.ndarray[Any, np.dtype[np.int64]]]()
    for start in range(0, len(keys), _ROWS_A_STEP):
        go_on()
        there, rows = read(keys[start : start + _ROWS_A_STEP])
        lists.fill(there, rows)
        truth.see(there, rows)
        seen.append(there)
        sums.append(checksums(rows))
    return Held(np.concatenate(seen), np.concatenate(sums))
