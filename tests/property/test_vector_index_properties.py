"""Any sequence of writes leaves the index as a dictionary would be, and searches like a plain full scan."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from memory.errors import InvalidError
from memory.model import DAY_S
from memory.ports import Filter, IndexedVector, Neighbours, Vector
from memory.vectors.exact import ExactIndex

DIMENSION = 3
NOW = 1_780_000_000
ROW_BYTES = 4 * DIMENSION + 4 * 8 + 1
CORNERS = [
    np.array(corner, np.float32) / np.float32(np.linalg.norm(corner))
    for corner in np.ndindex(3, 3, 3)
    if any(corner)
]

vectors = st.sampled_from(CORNERS)  # few enough that equal vectors and equal cosines are common
users = st.sampled_from(["ann", "bob"])
moments = st.integers(NOW - 3, NOW + 3)
rows = st.builds(
    IndexedVector,
    key=st.integers(0, 40),
    user_id=users,
    vector=vectors,
    timestamp=moments.map(lambda moment: NOW + (moment - NOW) * 7 * DAY_S),
    private=st.booleans(),
    importance=st.floats(0, 1),
    half_life_days=st.none() | st.integers(1, 60),
)
filters = st.builds(
    Filter,
    until=st.none() | moments.map(lambda moment: NOW + (moment - NOW) * 7 * DAY_S),
    public_only=st.booleans(),
)


def cosine(row: IndexedVector, query: Vector) -> float:
    """In float64, one by one."""
    return math.fsum(float(a) * float(b) for a, b in zip(row.vector, query, strict=True))


def weight(row: IndexedVector, now: int) -> float:
    """Importance x 2^(-age/half-life)."""
    if row.half_life_days is None:
        return row.importance
    age_days = max(0, now - row.timestamp) / DAY_S
    return row.importance * math.pow(2.0, -age_days / row.half_life_days)


def assert_top(found: Neighbours, scores: dict[int, float], k: int) -> None:
    """The found keys are a top k of the scores, best first; what is left out is no better than the last."""
    got = [scores[int(key)] for key in found.keys]
    assert len(set(found.keys.tolist())) == len(got) == min(k, len(scores))
    assert all(a >= b - 1e-6 for a, b in pairwise(got))
    left_out = [score for key, score in scores.items() if key not in found.keys]
    assert not got or max(left_out, default=-math.inf) <= got[-1] + 1e-6


class IndexMachine(RuleBasedStateMachine):
    """The index beside its oracle: the last row of each key."""

    def __init__(self) -> None:
        super().__init__()
        self.index = ExactIndex(DIMENSION)
        self.oracle: dict[int, IndexedVector] = {}

    @rule(batch=st.lists(rows, max_size=12))
    def put(self, batch: list[IndexedVector]) -> None:
        """Store a batch."""
        self.index.put(batch)
        self.oracle.update({row.key: row for row in batch})

    @rule(batch=st.lists(rows, max_size=4), row=rows, bad=st.sampled_from([math.nan, math.inf, 2.0]))
    def put_with_a_bad_row(self, batch: list[IndexedVector], row: IndexedVector, bad: float) -> None:
        """A refused batch changes nothing; the oracle stays as it is."""
        spoilt = replace(row, vector=np.array([bad, 0, 0], np.float32))
        with pytest.raises(InvalidError):
            self.index.put([*batch, spoilt])

    @rule(keys=st.lists(st.integers(-2, 45), max_size=20))
    def remove(self, keys: list[int]) -> None:
        """Forget some keys, known or not."""
        self.index.remove(keys)
        for key in keys:
            self.oracle.pop(key, None)

    @rule(user_id=users, query=vectors, k=st.integers(0, 50), allowed=filters)
    def search(self, user_id: str, query: Vector, k: int, allowed: Filter) -> None:
        """The top k, the ties and the statistics are the oracle's."""
        scores = {
            row.key: cosine(row, query)
            for row in self.of(user_id)
            if (allowed.until is None or row.timestamp <= allowed.until)
            and not (allowed.public_only and row.private)
        }
        found = self.index.search(user_id, query, k, allowed)
        assert_top(found, scores, k)
        assert found.cosines == pytest.approx([scores[int(key)] for key in found.keys], abs=1e-6)
        ranks = list(zip((-found.cosines).tolist(), found.keys.tolist(), strict=True))
        assert ranks == sorted(ranks)
        assert found.size == len(scores)
        assert found.mean == pytest.approx(np.mean(list(scores.values())) if scores else 0, abs=1e-6)
        assert found.std == pytest.approx(np.std(list(scores.values())) if scores else 0, abs=1e-6)

    @rule(user_id=users, query=vectors, k=st.integers(0, 50), days=st.integers(-30, 90))
    def weighted(self, user_id: str, query: Vector, k: int, days: int) -> None:
        """The literal formula's top k is the oracle's."""
        now = NOW + days * DAY_S
        scores = {row.key: cosine(row, query) * weight(row, now) for row in self.of(user_id)}
        assert_top(self.index.weighted(user_id, query, now, k), scores, k)

    @rule(user_id=users, query=vectors, keys=st.lists(st.integers(-2, 45), max_size=20))
    def cosines(self, user_id: str, keys: list[int], query: Vector) -> None:
        """A cosine for the user's own keys, NaN for all others."""
        mine = {row.key: cosine(row, query) for row in self.of(user_id)}
        expected = [mine.get(key, math.nan) for key in keys]
        assert self.index.cosines(user_id, keys, query) == pytest.approx(expected, abs=1e-6, nan_ok=True)

    @invariant()
    def holds_as_many_rows_as_the_oracle(self) -> None:
        """The count is right, and memory follows it."""
        assert len(self.index) == len(self.oracle)
        smallest_slabs = 2 * 8
        assert self.index.nbytes <= ROW_BYTES * (4 * len(self.oracle) + smallest_slabs)

    def of(self, user_id: str) -> list[IndexedVector]:
        """The user's rows."""
        return [row for row in self.oracle.values() if row.user_id == user_id]


TestIndexAgainstAFullScan = IndexMachine.TestCase
TestIndexAgainstAFullScan.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
