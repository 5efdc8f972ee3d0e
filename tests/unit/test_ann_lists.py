"""Lists of codes over the real faiss."""

import numpy as np
import pytest

from memory.ports import Matrix
from tests.real_faiss import needs_faiss

pytestmark = needs_faiss


def directions(size: int, dimension: int) -> Matrix:
    """Unit vectors, the same at each call."""
    vectors = np.random.default_rng(7).standard_normal((size, dimension)).astype(np.float32)
    unit: Matrix = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


@pytest.mark.parametrize("dimension", [48, 65, 384])
def test_a_key_that_comes_again_is_proposed_where_it_was(dimension: int) -> None:
    """Dropping and adding, again and again and through a file, leaves what one filling gives."""
    from memory.vectors.ann.library import load
    from memory.vectors.ann.lists import Lists

    faiss, rows = load(), directions(400, dimension)
    keys = np.arange(400, dtype=np.int64) + 2**40
    fresh, changed = (Lists.around(faiss, rows[:20], rows) for _ in range(2))
    fresh.fill(keys, rows)
    changed.fill(keys, rows)
    for step in range(3):
        some = np.arange(step, 400, 3)
        changed.drop(keys[some])
        changed = Lists.of_image(faiss, changed.image(), changed.middle, changed.widths)
        changed.add(keys[some], rows[some])
    assert len(changed) == 400
    for question in rows[:50]:
        proposed, expected = (set(one.nearest(question, 30, 20).tolist()) for one in (changed, fresh))
        assert len(proposed & expected) >= 28  # the order of equal codes is open
        assert set(changed.nearest(question, 400, 20).tolist()) == set(keys.tolist())
