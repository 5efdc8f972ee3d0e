"""Fills a vector index from the BLOBs, which are the truth; and what still waits for a vector."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import apsw
import msgspec
import numpy as np

from memory.ports import IndexedVector, VectorIndex
from memory.turns import plain_text

_BATCH = 512

_VECTORS = """
  SELECT key, user_id, embedding, timestamp, private, 0.5, NULL FROM resources WHERE embedder = ?1
  UNION ALL
  SELECT key, user_id, embedding, created_at, private, importance, half_life_days FROM items WHERE embedder = ?1
"""

# Only the user's own turns are embedded: an assistant's text drowns them (recall@10 .40 with it, .80 without).
_PENDING = """
  SELECT key, content, 1 FROM resources
  WHERE role = 'user' AND (embedder IS NULL OR embedder <> ?1) AND key > ?2
  UNION ALL
  SELECT key, content, 0 FROM items
  WHERE (embedder IS NULL OR embedder <> ?1) AND key > ?2
  ORDER BY key
  LIMIT ?3
"""

_PENDING_COUNT = """
  SELECT
    (SELECT count(*) FROM resources WHERE role = 'user' AND (embedder IS NULL OR embedder <> ?1))
    + (SELECT count(*) FROM items WHERE embedder IS NULL OR embedder <> ?1)
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


def pending(connection: apsw.Connection, embedder: str, after_key: int, limit: int) -> list[Pending]:
    """What still needs a vector of this model, by number."""
    rows = connection.execute(_PENDING, (embedder, after_key, limit))
    return [
        Pending(key, plain_text(msgspec.json.decode(content)) if is_turn else content, bool(is_turn))
        for key, content, is_turn in rows
    ]


def count_pending(connection: apsw.Connection, embedder: str) -> int:
    """How many texts still need a vector of this model."""
    return int(connection.execute(_PENDING_COUNT, (embedder,)).get)


def row(connection: apsw.Connection, key: int) -> IndexedVector | None:
    """One vector as the index wants it; None when the row has none (any more)."""
    found = connection.execute(
        """
        SELECT key, user_id, embedding, timestamp, private, 0.5, NULL FROM resources
        WHERE key = ?1 AND embedding IS NOT NULL
        UNION ALL
        SELECT key, user_id, embedding, created_at, private, importance, half_life_days FROM items
        WHERE key = ?1 AND embedding IS NOT NULL
        """,
        (key,),
    ).fetchall()
    return _indexed(found[0]) if found else None


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
