"""A user with very many vectors: the lists, and what changed since they were made."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from memory.vectors.ann.building import Built
from memory.vectors.ann.held import Held
from memory.vectors.ann.lists import Lists
from memory.vectors.ann.tuning import Tuning


class Changes:
    """Keys that were put, and keys that are gone; the last word on a key counts."""

    def __init__(self) -> None:
        self._put: dict[int, None] = {}
        self._gone: dict[int, None] = {}

    def __len__(self) -> int:
        return len(self._put) + len(self._gone)

    @property
    def put(self) -> Sequence[int]:
        """What the lists do not have, or have as it was."""
        return list(self._put)

    @property
    def has_gone(self) -> bool:
        """Whether the lists have what is to be forgotten."""
        return bool(self._gone)

    def note_put(self, keys: Iterable[int]) -> None:
        """These have new vectors."""
        for key in keys:
            self._put[key] = None
            self._gone.pop(key, None)

    def note_gone(self, keys: Iterable[int]) -> None:
        """These are the user's no longer."""
        for key in keys:
            self._gone[key] = None
            self._put.pop(key, None)

    def take(self, count: int) -> tuple[list[int], list[int]]:
        """The oldest so many put, and so many gone; they are not changes any more."""
        put, gone = list(islice(self._put, count)), list(islice(self._gone, count))
        for key in put:
            del self._put[key]
        for key in gone:
            del self._gone[key]
        return put, gone


@dataclass(slots=True, eq=False)
class Listed:
    """Lists in use. `unsaved` changes of them are in no file; `churn` of them came since they were tuned."""

    lists: Lists
    held: Held
    tuning: Tuning
    size: int  # when they were tuned
    churn: int = 0
    unsaved: int = 0
    saved_at: float = 0.0
    changes: Changes = field(default_factory=Changes)

    @classmethod
    def of(cls, built: Built, tuning: Tuning, changes: Changes) -> "Listed":
        """What was just built, and what changed meanwhile."""
        size = len(built.lists)
        return cls(built.lists, built.held, tuning, size, unsaved=size, changes=changes)

    @property
    def nbytes(self) -> int:
        """Memory of lists and of what is known of them."""
        return self.lists.nbytes + self.held.nbytes

    @property
    def waiting(self) -> int:
        """Changes that no file has."""
        return len(self.changes) + self.unsaved

    @property
    def is_worn(self) -> bool:
        """Whether so much changed that the lists, and what was measured of them, say little any more."""
        return 2 * self.churn > self.size


@dataclass(slots=True, eq=False)
class Large:
    """A user's lists, once there are any, and the changes since a build began that is still under way."""

    listed: Listed | None = None
    building: Changes | None = None

    def note_put(self, keys: Sequence[int]) -> None:
        """These have new vectors."""
        for changes in self._noting():
            changes.note_put(keys)

    def note_gone(self, keys: Sequence[int]) -> None:
        """These are the user's no longer."""
        for changes in self._noting():
            changes.note_gone(keys)

    def _noting(self) -> list[Changes]:
        both = (self.listed.changes if self.listed else None, self.building)
        return [changes for changes in both if changes is not None]
