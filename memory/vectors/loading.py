"""Fills a vector index from the BLOBs, which are the truth; and what still waits for a vector."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import apsw
import msgspec
import numpy as np

from memory.ports import IndexedVector, VectorIndex
from memory.turns import plain_text

_BATCH = 512

_VECTORS = """
  SELECT key, user_id, embedding, timestamp, private, 0.5, NULL FROM resources
  WHERE role = 'user' AND embedder = ?1
  UNION ALL
  SELECT key, user_id, embedding, created_at, private, importance, half_life_days FROM items
  WHERE embedder = ?1
"""

_ONE = """
  SELECT key, user_id, embedding, timestamp, private, 0.5, NULL FROM resources
  WHERE key = ?1 AND embedder = ?2
  UNION ALL
  SELECT key, user_id, embedding, created_at, private, importance, half_life_days FROM items
  WHERE key = ?1 AND embedder = ?2
"""

# "None, or another" as ranges of an index: a store in which nothing waits is not read through.
# Of turns the user's own alone: an assistant's text drowns them (recall@10 .40 with it, .80 without).
_PENDING = """
  SELECT * FROM (SELECT key, content, 1 FROM resources WHERE role = 'user' AND embedder IS NULL LIMIT ?2)
  UNION ALL
  SELECT * FROM (SELECT key, content, 1 FROM resources WHERE role = 'user' AND embedder < ?1 LIMIT ?2)
  UNION ALL
  SELECT * FROM (SELECT key, content, 1 FROM resources WHERE role = 'user' AND embedder > ?1 LIMIT ?2)
  UNION ALL
  SELECT * FROM (SELECT key, content, 0 FROM items WHERE embedder IS NULL LIMIT ?2)
  UNION ALL
  SELECT * FROM (SELECT key, content, 0 FROM items WHERE embedder < ?1 LIMIT ?2)
  UNION ALL
  SELECT * FROM (SELECT key, content, 0 FROM items WHERE embedder > ?1 LIMIT ?2)
  LIMIT ?2
"""

_PENDING_COUNT = """
  SELECT
    (SELECT count(*) FROM resources WHERE role = 'user' AND embedder IS NULL)
    + (SELECT count(*) FROM resources WHERE role = 'user' AND embedder < ?1)
    + (SELECT count(*) FROM resources WHERE role = 'user' AND embedder > ?1)
    + (SELECT count(*) FROM items WHERE embedder IS NULL)
    + (SELECT count(*) FROM items WHERE embedder < ?1)
    + (SELECT count(*) FROM items WHERE embedder > ?1)
"""


@dataclass(frozen=True, slots=True)
class Pending:
    """A text without a vector of the model in use."""

    key: int
    text: str
    is_turn: bool


def load(connection: apsw.Connection, index: VectorIndex, embedder: str) -> int:
    """Put all vectors of one model into the index; the number put."""
    count = 0
    for batch in _batches(connection, embedder):
        index.put(batch)
        count += len(batch)
    return count


def pending(connection: apsw.Connection, embedder: str, limit: int) -> list[Pending]:
    """Some of what still needs a vector of this model."""
    rows = connection.execute(_PENDING, (embedder, limit))
    return [
        Pending(key, plain_text(msgspec.json.decode(content)) if is_turn else content, bool(is_turn))
        for key, content, is_turn in rows
    ]


def count_pending(connection: apsw.Connection, embedder: str) -> int:
    """How many texts still need a vector of this model."""
    return int(connection.execute(_PENDING_COUNT, (embedder,)).get)


def rows(connection: apsw.Connection, keys: Iterable[int], embedder: str) -> list[IndexedVector]:
    """These vectors as the index wants them; those that have none of this model (any more) are left out."""
    found = (connection.execute(_ONE, (key, embedder)).fetchall() for key in keys)
    return [_indexed(values) for one in found for values in one]


def refresh(connection: apsw.Connection, index: VectorIndex, keys: Iterable[int], embedder: str) -> None:
    """Put these rows' vectors into the index; in a reader's thread, as a long scan may hold the index."""
    index.put(rows(connection, keys, embedder))


def _batches(connection: apsw.Connection, embedder: str) -> Iterator[list[IndexedVector]]:
    batch: list[IndexedVector] = []
    for values in connection.execute(_VECTORS, (embedder,)):
        batch.append(_indexed(values))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _indexed(values: Sequence[object]) -> IndexedVector:
    key, user_id, blob, timestamp, private, importance, half_life = values
    vector = np.frombuffer(blob, np.float32)  # type: ignore[call-overload]
    return IndexedVector(key, user_id, vector, timestamp, bool(private), importance, half_life)  # type: ignore[arg-type]
