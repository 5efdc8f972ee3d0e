"""Any sequence of writes leaves an index as a dictionary would be, and it answers like a plain full scan."""

import math
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from memory.errors import InvalidError
from memory.model import DAY_S
from memory.ports import Filter, IndexedVector, Vector
from tests.plain_scan import PlainScan
from tests.vector_backends import BACKENDS, EVERY_BACKEND

DIMENSION = 3
NOW = 1_780_000_000
CORNERS = [
    np.array(corner, np.float32) / np.float32(np.linalg.norm(corner))
    for corner in np.ndindex(3, 3, 3)
    if any(corner)
]

vectors = st.sampled_from([*CORNERS, *(-corner for corner in CORNERS)])  # few: ties are common
users = st.sampled_from(["ann", "ann", "bob"])
moments = st.integers(-3, 3).map(lambda weeks: NOW + 7 * weeks * DAY_S)
rows = st.builds(
    IndexedVector,
    key=st.integers(0, 90),
    user_id=users,
    vector=vectors,
    timestamp=moments,
    private=st.booleans(),
    importance=st.floats(0, 1) | st.sampled_from([0.0, 0.5, 1.0]),
    half_life_days=st.none() | st.integers(1, 60),
)
filters = st.builds(Filter, until=st.none() | moments, public_only=st.booleans(), since=st.none() | moments)


class IndexMachine(RuleBasedStateMachine):
    """An index beside its oracle: the last row of each key."""

    backend = "exact"

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.index = BACKENDS[self.backend].open(DIMENSION, self.folder)
        self.oracle = PlainScan()

    def teardown(self) -> None:
        """Leave no file."""
        self.index.close()
        shutil.rmtree(self.folder)

    @rule(batch=st.lists(rows, max_size=40))
    def put(self, batch: list[IndexedVector]) -> None:
        """Store a batch."""
        self.index.put(batch)
        self.oracle.put(batch)

    @rule(first=st.integers(100, 140), count=st.integers(1, 60), row=rows)
    def put_many_alike(self, first: int, count: int, row: IndexedVector) -> None:
        """Store one vector under many keys: what ties goes by key, across segments and blocks."""
        self.put([replace(row, key=key) for key in range(first, first + count)])

    @rule(batch=st.lists(rows, max_size=4), row=rows, bad=st.sampled_from([math.nan, math.inf, 2.0]))
    def put_with_a_bad_row(self, batch: list[IndexedVector], row: IndexedVector, bad: float) -> None:
        """A refused batch changes nothing; the oracle stays as it is."""
        spoilt = replace(row, vector=np.array([bad, 0, 0], np.float32))
        with pytest.raises(InvalidError):
            self.index.put([*batch, spoilt])

    @rule(keys=st.lists(st.integers(-2, 95), max_size=50))
    def remove(self, keys: list[int]) -> None:
        """Forget some keys, known or not."""
        self.forget(keys)

    @rule(first=st.integers(0, 150), count=st.integers(20, 120))
    def remove_many(self, first: int, count: int) -> None:
        """Forget so many that the room is given back."""
        self.forget(range(first, first + count))

    def forget(self, keys: Iterable[int]) -> None:
        """In both."""
        self.index.remove(list(keys))
        self.oracle.remove(keys)

    @rule(user_id=users, query=vectors, k=st.integers(0, 200), allowed=filters)
    def search(self, user_id: str, query: Vector, k: int, allowed: Filter) -> None:
        """The very keys and cosines of the full scan, and its statistics."""
        found, expected = (one.search(user_id, query, k, allowed) for one in (self.index, self.oracle))
        assert found.keys.tolist() == expected.keys.tolist()
        assert found.cosines.tolist() == expected.cosines.tolist()
        spread = self.index.spread(user_id, query, allowed)
        for one in (found, spread):
            assert one.size == expected.size
            assert one.mean == pytest.approx(expected.mean, abs=1e-6)
            assert one.std == pytest.approx(expected.std, abs=1e-6)

    @rule(user_id=users, query=vectors, k=st.integers(0, 200), days=st.integers(-30, 90))
    def weighted(self, user_id: str, query: Vector, k: int, days: int) -> None:
        """The literal formula's top k is the full scan's, whichever moment was asked about before."""
        found, expected = (
            one.weighted(user_id, query, NOW + days * DAY_S, k) for one in (self.index, self.oracle)
        )
        assert found.keys.tolist() == expected.keys.tolist()
        assert found.cosines.tolist() == expected.cosines.tolist()

    @rule(user_id=users, query=vectors, keys=st.lists(st.integers(-2, 150), max_size=20))
    def cosines(self, user_id: str, keys: list[int], query: Vector) -> None:
        """A cosine for the user's own keys, NaN for all others."""
        found, expected = (one.cosines(user_id, keys, query) for one in (self.index, self.oracle))
        assert np.array_equal(found, expected, equal_nan=True)

    @invariant()
    def holds_as_many_rows_as_the_oracle(self) -> None:
        """The count is right."""
        assert len(self.index) == len(self.oracle)


@pytest.mark.parametrize("backend", EVERY_BACKEND)
def test_an_index_answers_like_a_full_scan_after_any_writes(backend: str) -> None:
    """Bit for bit: nothing is lost in a segment, a block, a code or a tie."""
    run_state_machine_as_test(
        type("Machine", (IndexMachine,), {"backend": backend}),
        settings=settings(max_examples=40, stateful_step_count=25, deadline=None),
    )
