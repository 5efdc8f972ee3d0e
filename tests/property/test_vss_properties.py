"""Whatever is put, removed, written, lost with a crash or damaged: sqlite-vss answers as a full scan does."""

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from memory.ports import Filter, IndexedVector, Vector
from tests.plain_scan import PlainScan
from tests.real_vss import needs_vss, open_vss

pytestmark = [needs_vss, pytest.mark.slow]

DIMENSION = 4
SEEDS = st.integers(0, 40)  # few: ties are common, and a key comes back with the vector it had before

rows = st.builds(
    lambda key, user_id, seed, timestamp, private: IndexedVector(
        key, user_id, vector(seed), timestamp, private
    ),
    st.integers(0, 400),
    st.sampled_from(["ann", "ann", "ann", "bob", "eve"]),
    SEEDS,
    st.integers(0, 9),
    st.booleans(),
)
filters = st.sampled_from([Filter(), Filter(), Filter(public_only=True), Filter(since=3), Filter(until=5)])


def vector(seed: int) -> Vector:
    """A direction; every fifth is its neighbour's but for a rounding."""
    numbers = np.random.default_rng(seed - seed % 5 // 4).standard_normal(DIMENSION).astype(np.float32)
    unit = (numbers / np.linalg.norm(numbers)).astype(np.float32)
    return np.nextafter(unit, np.float32(2)) if seed % 5 == 4 else unit


class VssMachine(RuleBasedStateMachine):
    """An index over a file, beside its oracle, which is what a start puts again."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.index = open_vss(self.folder, DIMENSION)
        self.rows: dict[int, IndexedVector] = {}

    def teardown(self) -> None:
        """Leave no file."""
        self.index.close()
        shutil.rmtree(self.folder)

    @rule(batch=st.lists(rows, max_size=30))
    def put(self, batch: list[IndexedVector]) -> None:
        """Store a batch."""
        self.index.put(batch)
        self.rows.update({row.key: row for row in batch})

    @rule(first=st.integers(0, 400), count=st.integers(50, 150), row=rows)
    def put_many(self, first: int, count: int, row: IndexedVector) -> None:
        """Store many, more than a search fetches at first."""
        self.put([replace(row, key=key, vector=vector(key)) for key in range(first, first + count)])

    @rule(first=st.integers(0, 500), count=st.integers(0, 60))
    def remove(self, first: int, count: int) -> None:
        """Forget some."""
        self.index.remove(range(first, first + count))
        for key in range(first, first + count):
            self.rows.pop(key, None)

    @rule()
    def flush(self) -> None:
        """All is in the file now."""
        assert self.index.flush()
        assert self.index.waiting == 0

    @rule(writes_first=st.booleans(), is_settled=st.booleans())
    def restart(self, *, writes_first: bool, is_settled: bool) -> None:
        """As after an orderly end, or a crash that loses what was not written."""
        if writes_first:
            self.index.flush()
        else:
            self._lose_what_waits()
        self.index.close()
        self.index = open_vss(self.folder, DIMENSION)
        self.index.put(list(self.rows.values()))
        if is_settled:
            self.index.settle()

    @rule(user_id=st.sampled_from(["ann", "bob", "eve", "nobody"]), seed=SEEDS, allowed=filters)
    def search(self, user_id: str, seed: int, allowed: Filter) -> None:
        """The very keys and cosines of the full scan."""
        oracle = PlainScan()
        oracle.put(list(self.rows.values()))
        for k in (1, 7, 300):
            found, expected = (one.search(user_id, vector(seed), k, allowed) for one in (self.index, oracle))
            assert found.keys.tolist() == expected.keys.tolist()
            assert found.cosines.tolist() == expected.cosines.tolist()
            assert found.size == expected.size

    def _lose_what_waits(self) -> None:
        (path,) = self.folder.glob("*.sqlite")
        kept = path.read_bytes()  # each batch empties the log: the file alone is what a crash leaves
        self.index.close()
        path.write_bytes(kept)


def test_sqlite_vss_answers_like_a_full_scan_through_any_restarts() -> None:
    """Bit for bit, ties included, from the file, from what it lacks, and from both."""
    run_state_machine_as_test(
        VssMachine, settings=settings(max_examples=40, stateful_step_count=30, deadline=None)
    )
