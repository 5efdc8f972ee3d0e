"""The exact index as the judge of another's candidates."""

import numpy as np

from memory.ports import Filter, IndexedVector, Vector
from memory.vectors.exact import ExactIndex

DIMENSION = 8


def vector(seed: int) -> Vector:
    """A direction of its own for each seed."""
    numbers = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


def filled() -> ExactIndex:
    """Forty rows of two users; the even keys are private."""
    index = ExactIndex(DIMENSION)
    index.put(
        [
            IndexedVector(key, "ann" if key < 30 else "bob", vector(key), timestamp=key, private=key % 2 == 0)
            for key in range(40)
        ]
    )
    return index


def test_all_keys_as_candidates_give_what_a_search_gives() -> None:
    """Order and cosines agree bit for bit, with a filter too."""
    index, allowed = filled(), Filter(until=25, public_only=True)
    found = index.among("ann", vector(99), 7, allowed, range(40))
    searched = index.search("ann", vector(99), 7, allowed)
    assert found.keys.tolist() == searched.keys.tolist()
    assert found.cosines.tolist() == searched.cosines.tolist()
    assert found.size == searched.size


def test_only_candidates_are_found_and_each_once() -> None:
    """A candidate that came twice, of another user, unknown or hidden, changes nothing."""
    found = filled().among("ann", vector(99), 9, Filter(public_only=True), [5, 7, 5, 8, 35, 77])
    assert sorted(found.keys.tolist()) == [5, 7]


def test_no_candidates_no_neighbours() -> None:
    """Neither an error nor a NaN."""
    found = filled().among("ann", vector(99), 9, Filter(), [])
    assert (len(found.keys), found.mean, found.std, found.size) == (0, 0.0, 0.0, 0)
