"""Vectors to measure an index with: a store's own, or made ones."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np

from memory.database.connection import open_reader
from memory.errors import InvalidError
from memory.ports import IndexedVector, Matrix
from memory.vectors import loading

ROWS_A_BATCH = 512
SYNTHETIC_USER = "synthetic"

_NEAR = 0.8  # a text's distance to its topic, before the length is made 1
_SHARED = 0.45  # what all texts of one model share
_SEED = 1


@dataclass(frozen=True, slots=True)
class VectorSet:
    """Whose vectors they are, of which model; `batches` reads them anew each time it is asked."""

    name: str
    user_id: str
    size: int
    dimension: int
    source: "Stored | Synthetic"

    def batches(self) -> Iterator[list[IndexedVector]]:
        """All of the store, in the order of the keys: searched is what `user_id` has."""
        return self.source.batches()


@dataclass(frozen=True, slots=True)
class Stored:
    """The vectors of one model in a database, which is only read."""

    path: Path
    model: str

    def batches(self) -> Iterator[list[IndexedVector]]:
        """As a start reads them."""
        with closing(open_reader(self.path)) as connection:
            after: int | None = -1
            while after is not None:
                rows = loading.next_rows(connection, self.model, after)
                if rows:
                    yield rows
                after = rows[-1].key if rows else None


@dataclass(frozen=True, slots=True)
class Synthetic:
    """Texts around topics, some five hundred to each, that share a direction as those of real models do."""

    size: int
    dimension: int

    def batches(self) -> Iterator[list[IndexedVector]]:
        """The same ones each time; every tenth is private."""
        chance = np.random.default_rng(_SEED)
        topics = self._topics(chance)
        for start in range(0, self.size, ROWS_A_BATCH):
            count = min(ROWS_A_BATCH, self.size - start)
            noise = chance.standard_normal((count, self.dimension), np.float32)
            vectors = topics[chance.integers(0, len(topics), count)] + _NEAR / self.dimension**0.5 * noise
            yield [
                IndexedVector(start + at, SYNTHETIC_USER, vector, start + at, (start + at) % 10 == 0)
                for at, vector in enumerate(_unit(vectors))
            ]

    def _topics(self, chance: np.random.Generator) -> Matrix:
        topics = _unit(chance.standard_normal((max(20, self.size // 500), self.dimension), np.float32))
        shared = _unit(chance.standard_normal((1, self.dimension), np.float32))
        matrix: Matrix = (1 - _SHARED**2) ** 0.5 * topics + _SHARED * shared
        return matrix


def synthetic(size: int, dimension: int) -> VectorSet:
    """So many made vectors of one user."""
    return VectorSet(f"synthetic-{size}", SYNTHETIC_USER, size, dimension, Synthetic(size, dimension))


def stored(path: Path, user_id: str | None = None) -> VectorSet:
    """The vectors of the model that made most of a store's, and the user who has most, unless one is named.

    Raises InvalidError where there is no store, or no vector in it.
    """
    if not path.is_file():
        raise InvalidError(f"there is no store at {path}", hint="name its folder, or use --synthetic 100000")
    try:
        with closing(open_reader(path)) as connection:
            counts = loading.census(connection).by_model
    except apsw.Error as error:
        raise InvalidError(f"{path} can't be read: {error}", hint="see `memud doctor`") from error
    if not counts:
        raise InvalidError("no text has a vector", hint="use --synthetic 100000")
    source = Stored(path, max(counts, key=lambda name: counts[name]))
    users, dimension = Counter[str](), 0
    for rows in source.batches():
        users.update(row.user_id for row in rows)
        dimension = len(rows[0].vector)
    chosen = users.most_common(1)[0][0] if user_id is None else user_id
    if not users[chosen]:
        raise InvalidError(f"the user {chosen} has no vector", hint="leave --user out: who has most is taken")
    return VectorSet(source.model, chosen, users[chosen], dimension, source)


def questions(vectors: VectorSet, count: int) -> Sequence[IndexedVector]:
    """Some of the user's own, spread evenly over all; each is to be left out of its own answer."""
    wanted = set(np.linspace(0, vectors.size - 1, min(count, vectors.size), dtype=int).tolist())
    found, seen = list[IndexedVector](), 0
    for rows in vectors.batches():
        for row in rows:
            if row.user_id == vectors.user_id:
                if seen in wanted:
                    found.append(row)
                seen += 1
    return found


def _unit(vectors: Matrix) -> Matrix:
    unit: Matrix = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit
