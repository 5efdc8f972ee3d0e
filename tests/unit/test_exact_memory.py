"""What the exact index holds in memory, and when it gives it back."""

import numpy as np

from memory.ports import Filter, IndexedVector, Vector
from memory.vectors.exact import ExactIndex

DIMENSION, SEGMENT_ROWS = 8, 16
ROW_BYTES = 4 * DIMENSION + 4 * 8 + 1  # its vector and its columns
CODE_BYTES = DIMENSION + 3 * 4
PLACE_BYTES = 2 * 8
MOMENT_BYTES = 2 * 8 * DIMENSION * (DIMENSION + 1)


def vector(seed: int) -> Vector:
    """A direction of its own for each seed."""
    numbers = np.random.default_rng(seed).standard_normal(DIMENSION)
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


def rows(keys: range, user_id: str = "ann") -> list[IndexedVector]:
    """Public rows."""
    return [IndexedVector(key, user_id, vector(key), key, private=False) for key in keys]


def small_segments() -> ExactIndex:
    """Where a user is large from twelve vectors on."""
    return ExactIndex(DIMENSION, segment_rows=SEGMENT_ROWS, block_rows=4, large_rows=12)


def test_memory_follows_the_number_of_rows() -> None:
    """Twice what the rows need and one segment of spare room at most, and less again once they are gone."""
    index = small_segments()
    for first in range(0, 400, 10):
        index.put(rows(range(first, first + 10)))
        at_most = (2 * len(index) + SEGMENT_ROWS) * (ROW_BYTES + CODE_BYTES + PLACE_BYTES + 1)
        assert index.nbytes <= at_most + MOMENT_BYTES + 256 * 4 * DIMENSION
    index.remove(range(395))
    assert index.nbytes <= 4 * SEGMENT_ROWS * (ROW_BYTES + CODE_BYTES + PLACE_BYTES) + 400 * PLACE_BYTES


def test_a_row_put_again_and_again_takes_no_room() -> None:
    """A fact that is reinforced for years is one row."""
    index = small_segments()
    index.put(rows(range(5)))
    before = index.nbytes
    for _ in range(200):
        index.put(rows(range(3)))
    assert (len(index), index.nbytes <= 2 * before) == (5, True)


def test_many_small_users_have_neither_codes_nor_moments() -> None:
    """A thousand users of a few vectors each cost what their vectors do."""
    index = small_segments()
    for number in range(100):
        index.put(rows(range(8 * number, 8 * number + 8), f"user {number}"))
    assert index.nbytes <= len(index) * (ROW_BYTES + PLACE_BYTES)


def test_an_index_without_a_first_pass_has_no_codes() -> None:
    """A backend that finds candidates by itself does not pay for them twice."""
    lean = ExactIndex(DIMENSION, first_pass=False, segment_rows=SEGMENT_ROWS, large_rows=12)
    full = small_segments()
    for index in (lean, full):
        index.put(rows(range(64)))
    assert full.nbytes - lean.nbytes == 64 * CODE_BYTES


def test_what_a_search_sees_outlives_later_writes() -> None:
    """A reader that began before a put or a removal ends with what was there."""
    index = small_segments()
    index.put(rows(range(100)))
    before = index.search("ann", vector(5), 100, Filter())
    kept = before.keys.copy(), before.cosines.copy()
    index.remove(range(90))
    index.put(rows(range(200, 290)))
    assert (before.keys.tolist(), before.cosines.tolist()) == (kept[0].tolist(), kept[1].tolist())
