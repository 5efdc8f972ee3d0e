"""What a user's recall depends on, in a few numbers: while they stand, so does what was found by them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import apsw

from memory.recall.offsets import Offsets
from memory.vectors.generations import Generations


@dataclass(frozen=True, slots=True)
class Stamp:
    """`version` is that of the user's rows, `vectors` that of the indexes, `models` those that answer.

    `size` is that of the file: full text weighs a word by all that is stored, of whomever.
    """

    version: int
    size: int
    vectors: tuple[int, int]
    models: tuple[tuple[str, bool], ...]
    offsets: int


class Freshness:
    """Takes the stamp of a moment. What is kept in memory lags behind the rows and has numbers of its own."""

    def __init__(self, generations: Generations, offsets: Offsets, is_warm: Callable[[], bool]) -> None:
        self._generations = generations
        self._offsets = offsets
        self._is_warm = is_warm

    def stamp(self, connection: apsw.Connection, user_id: str) -> Stamp | None:
        """The numbers of now; None while vectors are still being loaded.

        Take it before you look for anything, in the same snapshot: what changes meanwhile makes another.
        """
        if not self._is_warm():
            return None
        vectors, offsets = self._generations.revision(user_id), self._offsets.revision
        models = tuple((one.name, one.cohort is not None) for one in self._generations.oldest_first)
        return Stamp(_version(connection, user_id), _size(connection), vectors, models, offsets)


def _size(connection: apsw.Connection) -> int:
    """In steps of one part in fifty: what others add less than that moves no score by a thousandth."""
    count = connection.execute("SELECT value FROM sequence WHERE name = 'memory'").get
    return int(math.log(1 + int(count)) / math.log(1.02))


def _version(connection: apsw.Connection, user_id: str) -> int:
    found = connection.execute("SELECT version FROM recall_versions WHERE user_id = ?", (user_id,)).get
    return int(found or 0)
