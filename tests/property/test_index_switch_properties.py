"""Whatever changes while another index is filled: the index in use has what the store has."""

import apsw
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memory.ports import VectorIndex
from memory.testing import FakeEmbedder
from memory.vectors import loading
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Generation, Generations
from memory.vectors.successor import Successor
from migrations import runner

MODEL = FakeEmbedder()
KEYS = st.integers(1, 40)
FEW = 4  # rows a step, so that changes come in between


class Switching(RuleBasedStateMachine):
    """Facts come, change and go; an index is prepared, filled step by step, put in place or given up."""

    @initialize()
    def begin(self) -> None:
        """An empty store."""
        self.connection = apsw.Connection(":memory:")
        runner.apply(self.connection)
        self.generations = Generations(Generation(MODEL, ExactIndex(MODEL.dimension)))
        self.successor: Successor | None = None
        self.after: int | None = 0

    @rule(key=KEYS, word=st.integers(0, 9))
    def store(self, key: int, word: int) -> None:
        """A new fact, or other words for a known one."""
        vector = np.zeros(MODEL.dimension, np.float32)
        vector[word] = 1
        self.connection.execute(
            """
            INSERT OR REPLACE INTO items (
              key, id, user_id, kind, memory_type, content, embedding, embedder, created_at, updated_at,
              stated_at, content_hash
            ) VALUES (?1, 'm-' || ?1, 'ann', 'semantic', 'general', 'x', ?2, ?3, 0, 0, 0, '')
            """,
            (key, vector.tobytes(), MODEL.name),
        )
        self.generations.refresh(self.connection, [key])

    @rule(key=KEYS)
    def forget(self, key: int) -> None:
        """Gone from the store, then from the indexes."""
        self.connection.execute("DELETE FROM items WHERE key = ?", (key,))
        self.generations.remove([key])

    @precondition(lambda self: self.successor is None)
    @rule()
    def prepare(self) -> None:
        """Another index is begun."""
        self.successor, self.after = self.generations.prepare(ExactIndex(MODEL.dimension)), 0

    @precondition(lambda self: self.successor is not None and self.after is not None)
    @rule()
    def fill(self) -> None:
        """A step of it."""
        assert self.after is not None
        self.after = self.generations.fill(self.connection, self.after, FEW)

    @precondition(lambda self: self.successor is not None and self.after is None)
    @rule()
    def replace(self) -> None:
        """It is full, and answers from now on."""
        assert self.successor is not None
        before = self.generations.index
        assert self.generations.replace(self.successor) is before
        assert self.generations.index is self.successor.index
        self.successor = None

    @precondition(lambda self: self.successor is not None)
    @rule()
    def give_up(self) -> None:
        """Nobody wants it any more."""
        self.generations.give_up()
        self.successor = None

    @invariant()
    def the_index_in_use_has_what_the_store_has(self) -> None:
        """Each vector, and no other."""
        self._agrees(self.generations.index)

    @invariant()
    def a_full_successor_has_it_too(self) -> None:
        """From its last step on."""
        if self.successor is not None and self.after is None:
            self._agrees(self.successor.index)

    def teardown(self) -> None:
        """Nothing is left open."""
        if hasattr(self, "connection"):
            self.connection.close()

    def _agrees(self, index: VectorIndex) -> None:
        rows = loading.next_rows(self.connection, MODEL.name, 0)
        assert len(index) == len(rows)
        found = index.vectors("ann", [row.key for row in rows])
        assert found.tolist() == [row.vector.tolist() for row in rows]


TestSwitching = Switching.TestCase
TestSwitching.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
