"""What the exact index tells about what it holds, to a backend that builds beside it."""

import numpy as np

from memory.ports import IndexedVector
from memory.vectors.exact import ExactIndex


def row(key: int, user_id: str) -> IndexedVector:
    """A public row of two numbers."""
    return IndexedVector(key, user_id, np.array([1, 0], np.float32), 0, False)


def test_it_tells_who_has_how_many_and_which() -> None:
    """A backend that builds user by user needs no list of its own."""
    index = ExactIndex(2)
    index.put([row(1, "ann"), row(2, "ann"), row(3, "bob")])
    index.put([row(2, "bob")])
    assert index.sizes() == {"ann": 1, "bob": 2}
    assert (index.size("bob"), index.size("eve")) == (2, 0)
    assert sorted(index.keys("bob").tolist()) == [2, 3]
    assert index.keys("eve").tolist() == []
    assert index.owners([1, 2, 9]) == ["ann", "bob", None]
    index.remove([1])
    assert index.sizes() == {"bob": 2}
