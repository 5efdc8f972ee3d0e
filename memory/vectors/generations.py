"""The vectors of the model in use, and of the models before it until their last text has a new one.

Each model has an index of its own: no vector is ever compared with one of another model.
"""

import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import apsw

from memory.ports import Embedder, VectorIndex
from memory.scoring.cohort import Cohort
from memory.vectors import loading
from memory.vectors.exact import ExactIndex

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
        self.index: VectorIndex = current.index if current else ExactIndex(1)  # of the model in use
        self.older = tuple(older)
        self.lost = frozenset(lost)
        self._agreeing = threading.Lock()
        self._changes_of_all = 0
        self._changes: Counter[str] = Counter()  # by user

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
                generation.index.put(rows)
                there = {row.key for row in rows}
                generation.index.remove([key for key in wanted if key not in there])
                owners |= {row.user_id for row in rows}
                gone -= there
            self._changes.update(owners)
            self._changes_of_all += bool(gone)  # whose they were nobody knows any more

    def remove(self, keys: Sequence[int]) -> None:
        """Forget these rows' vectors, whoever made them."""
        with self._agreeing:
            for generation in self.oldest_first:
                generation.index.remove(keys)
            self._changes_of_all += 1

    def load(self, connection: apsw.Connection, generation: Generation, after: int) -> int | None:
        """Put the next rows after this number into a generation's index; the last one's, None at the end."""
        with self._agreeing:
            rows = loading.next_rows(connection, generation.name, after)
            generation.index.put(rows)
            self._changes_of_all += 1
        return rows[-1].key if rows else None

    def retire(self, names: Collection[str]) -> list[Generation]:
        """Drop the older models that made none of the vectors any more; those dropped, to be closed."""
        gone = [one for one in self.older if one.name not in names]
        self.older = tuple(one for one in self.older if one.name in names)
        self.lost = frozenset(name for name in self.lost if name in names)
        self._changes_of_all += 1
        return gone
