"""When candidates are enough."""

import numpy as np
import pytest

from memory.ports import Neighbours
from memory.vectors.vss.certificate import is_complete, margin

DIMENSION = 384


def best(*cosines: float) -> Neighbours:
    """So many neighbours."""
    found = np.array(cosines, np.float32)
    return Neighbours(np.arange(len(found)), found, 0.0, 0.0, 99)


@pytest.mark.parametrize("dimension", [3, 384, 1536])
def test_the_margin_covers_what_two_orders_of_adding_make_of_the_same_vectors(dimension: int) -> None:
    """Forwards, backwards, in pairs, and all of one sign, where rounding adds up."""
    rng = np.random.default_rng(4)
    for _ in range(200):
        one, other = np.abs(rng.standard_normal((2, dimension))).astype(np.float32)
        one, other = one / np.linalg.norm(one), other / np.linalg.norm(other)
        products = (one * other).astype(np.float32)
        forwards = np.add.accumulate(products, dtype=np.float32)[-1]
        backwards = np.add.accumulate(products[::-1], dtype=np.float32)[-1]
        pairs = products.sum(dtype=np.float32)
        spread = np.ptp([float(forwards), float(backwards), float(pairs), float(np.vecdot(one, other))])
        assert spread <= margin(dimension)


def test_the_worst_must_lie_above_all_that_was_not_fetched_by_the_margin() -> None:
    """A tie is no proof: the smaller key may not have been fetched."""
    lowest = 0.5
    enough = float(np.nextafter(np.float32(lowest + margin(DIMENSION)), np.float32(1)))
    assert is_complete(best(0.9, enough), 2, lowest, DIMENSION)
    assert not is_complete(best(0.9, lowest + margin(DIMENSION) / 2), 2, lowest, DIMENSION)
    assert not is_complete(best(0.9, lowest), 2, lowest, DIMENSION)


def test_too_few_prove_nothing() -> None:
    """More may be among those that were not fetched."""
    assert not is_complete(best(0.9, 0.8), 3, -1.0, DIMENSION)
    assert not is_complete(best(), 1, -1.0, DIMENSION)
