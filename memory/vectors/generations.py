"""The vectors of the model in use, and of the models before it until their last text has a new one.

Each model has an index of its own: no vector is ever compared with one of another model.
"""

import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import apsw

from memory.ports import Embedder, VectorIndex
from memory.scoring.cohort import Cohort
from memory.vectors import loading
from memory.vectors.exact import ExactIndex
from memory.vectors.faults import INDEX_FAULTS
from memory.vectors.successor import Successor

Close = Callable[[], Awaitable[None]]


async def nothing_to_close() -> None:
    """For a model that holds nothing, or lives as long as the daemon."""


@dataclass(slots=True, eq=False)
class Generation:
    """A model with the vectors it made. `cohort` is None until it is known; then words judge alone.

    `close` lets go of what the model holds once its last text has moved on.
    """

    embedder: Embedder
    index: VectorIndex
    cohort: Cohort | None = None
    close: Close = nothing_to_close

    @property
    def name(self) -> str:
        """The stamp on its vectors."""
        return self.embedder.name


class Generations:
    """The indexes, kept as the store has it: each row in the index of the model that made its vector.

    `current` is None without an embedder. `lost` names models that can't be opened any more, though texts
    still have their vectors: words find those. Safe for many threads.
    """

    def __init__(
        self, current: Generation | None, older: Sequence[Generation] = (), lost: Collection[str] = ()
    ) -> None:
        self.current = current
        self._nothing = ExactIndex(1)
        self._successor: Successor | None = None
        self.older = tuple(older)
        self.lost = frozenset(lost)
        self._agreeing = threading.Lock()
        self._changes_of_all = 0
        self._changes: Counter[str] = Counter()  # by user

    @property
    def index(self) -> VectorIndex:
        """Of the model in use. Ask for it each time: another may take its place."""
        return self.current.index if self.current else self._nothing

    @property
    def is_changing(self) -> bool:
        """Whether texts may still have vectors of another model."""
        return bool(self.older or self.lost)

    @property
    def oldest_first(self) -> tuple[Generation, ...]:
        """All that can answer. Ask in this order: a text that moves on meanwhile is then never missed."""
        return self.older if self.current is None else (*self.older, self.current)

    def __len__(self) -> int:
        """How many vectors all of them hold."""
        return sum(len(one.index) for one in self.oldest_first)

    @property
    def nbytes(self) -> int:
        """Memory of all of them, and of one that is being prepared."""
        prepared = self._successor.index.nbytes if self._successor else 0
        return prepared + sum(one.index.nbytes for one in self.oldest_first)

    def revision(self, user_id: str) -> tuple[int, int]:
        """Numbers that stand while what a user's vectors answer stands; they grow once a change is whole."""
        return self._changes_of_all, self._changes[user_id]

    def refresh(self, connection: apsw.Connection, keys: Iterable[int]) -> None:
        """Make the indexes agree with the store about these rows; in a reader's thread.

        A row that moves on is in the newer index before it leaves the older one.
        """
        wanted = list(keys)
        with self._agreeing:  # who reads later writes later: no stale row comes back
            owners, gone = set[str](), set(wanted)
            for generation in reversed(self.oldest_first):
                rows = loading.rows(connection, wanted, generation.name)
                there = {row.key for row in rows}
                for index in self._kept_by(generation):
                    index.put(rows)
                    index.remove([key for key in wanted if key not in there])
                owners |= {row.user_id for row in rows}
                gone -= there
            self._changes.update(owners)
            self._changes_of_all += bool(gone)  # whose they were nobody knows any more

    def remove(self, keys: Sequence[int]) -> None:
        """Forget these rows' vectors, whoever made them."""
        with self._agreeing:
            for generation in self.oldest_first:
                for index in self._kept_by(generation):
                    index.remove(keys)
            self._changes_of_all += 1

    def load(self, connection: apsw.Connection, generation: Generation, after: int) -> int | None:
        """Put the next rows after this number into a generation's index; the last one's, None at the end."""
        with self._agreeing:
            rows = loading.next_rows(connection, generation.name, after)
            generation.index.put(rows)
            self._changes_of_all += 1
        return rows[-1].key if rows else None

    def prepare(self, index: VectorIndex) -> Successor:
        """Keep an empty index in step from now on, beside the one of the model in use."""
        with self._agreeing:
            self._successor = Successor(index)
            return self._successor

    def fill(self, connection: apsw.Connection, after: int, limit: int = loading.BATCH) -> int | None:
        """Put the next rows after this number into the one that is prepared; as `load`."""
        with self._agreeing:
            if self.current is None or self._successor is None:
                return None
            rows = loading.next_rows(connection, self.current.name, after, limit)
            self._successor.put(rows)
        return rows[-1].key if rows else None

    def replace(self, successor: Successor) -> VectorIndex:
        """Let the one that is prepared answer from now on; the one before, to be closed.

        Raises its fault, if it has one; then all stays as it is.
        """
        with self._agreeing:
            if successor.fault is not None:
                raise successor.fault
            assert self.current is not None  # noqa: S101 - or there was nothing to prepare
            before, self.current.index = self.current.index, successor.index
            self._successor = None
            self._changes_of_all += 1
            return before

    def give_up(self) -> None:
        """Prepare none any more."""
        with self._agreeing:
            self._successor = None

    def close(self) -> None:
        """Let go of the indexes' files; what is derived and can't be written any more is made again."""
        for generation in self.oldest_first:
            with suppress(*INDEX_FAULTS):
                generation.index.close()

    def _kept_by(self, generation: Generation) -> tuple[VectorIndex | Successor, ...]:
        if generation is not self.current or self._successor is None:
            return (generation.index,)
        return (generation.index, self._successor)

    def retire(self, names: Collection[str]) -> list[Generation]:
        """Drop the older models that made none of the vectors any more; those dropped, to be closed."""
        gone = [one for one in self.older if one.name not in names]
        self.older = tuple(one for one in self.older if one.name in names)
        self.lost = frozenset(name for name in self.lost if name in names)
        self._changes_of_all += 1
        return gone
