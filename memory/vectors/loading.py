"""Reads vectors from the BLOBs, which are the truth, and says what still waits for one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec
import numpy as np

from memory.ports import IndexedVector, Vector
from memory.retelling import Span, without
from memory.turns import plain_text

BATCH = 2048  # rows a step of loading

# One sequence numbers turns and facts. Each side is read along its own index, and no further than the batch.
_NEXT = """
  SELECT * FROM (
    SELECT key, user_id, embedding, timestamp, private, 0.5, NULL FROM resources
    WHERE role = 'user' AND embedder = ?1 AND key > ?2
    ORDER BY key LIMIT ?3
  )
  UNION ALL
  SELECT * FROM (
    SELECT key, user_id, embedding, created_at, private, importance, half_life_days FROM items
    WHERE embedder = ?1 AND key > ?2
    ORDER BY key LIMIT ?3
  )
  ORDER BY 1 LIMIT ?3
"""

_ONE = """
  SELECT key, user_id, embedding, timestamp, private, 0.5, NULL FROM resources
  WHERE key = ?1 AND embedder = ?2
  UNION ALL
  SELECT key, user_id, embedding, created_at, private, importance, half_life_days FROM items
  WHERE key = ?1 AND embedder = ?2
"""

# Of turns the user's own alone: an assistant's text drowns them (recall@10 .40 with it, .80 without).
# The latest first: they are asked for most. `IS` finds the texts without a vector too.
_WAITING = """
  SELECT * FROM (
    SELECT key, content, 1, (SELECT spans FROM retold WHERE resource_key = key AND NOT whole) FROM resources
    WHERE role = 'user' AND embedder IS ?1 AND key NOT IN (SELECT value FROM json_each(?3))
    ORDER BY key DESC LIMIT ?2
  )
  UNION ALL
  SELECT * FROM (
    SELECT key, content, 0, NULL FROM items
    WHERE embedder IS ?1 AND key NOT IN (SELECT value FROM json_each(?3))
    ORDER BY key DESC LIMIT ?2
  )
  ORDER BY 1 DESC LIMIT ?2
"""

# From name to name along the index: a large store is not read through.
_NAMES = """
  WITH RECURSIVE
    of_turns (name) AS (
      SELECT min(embedder) FROM resources WHERE role = 'user'
      UNION ALL
      SELECT (SELECT min(embedder) FROM resources WHERE role = 'user' AND embedder > name) FROM of_turns
      WHERE name IS NOT NULL
    ),
    of_items (name) AS (
      SELECT min(embedder) FROM items
      UNION ALL
      SELECT (SELECT min(embedder) FROM items WHERE embedder > name) FROM of_items
      WHERE name IS NOT NULL
    )
  SELECT name FROM of_turns WHERE name IS NOT NULL
  UNION
  SELECT name FROM of_items WHERE name IS NOT NULL
"""

# The first and the last of each side tell: a model's vectors are of one length, unless its settings changed.
_LENGTHS = """
  SELECT DISTINCT length(embedding) / 4 FROM (
    SELECT * FROM (
      SELECT embedding FROM resources WHERE role = 'user' AND embedder = ?1 ORDER BY key LIMIT 1
    )
    UNION ALL
    SELECT * FROM (
      SELECT embedding FROM resources WHERE role = 'user' AND embedder = ?1 ORDER BY key DESC LIMIT 1
    )
    UNION ALL
    SELECT * FROM (SELECT embedding FROM items WHERE embedder = ?1 ORDER BY key LIMIT 1)
    UNION ALL
    SELECT * FROM (SELECT embedding FROM items WHERE embedder = ?1 ORDER BY key DESC LIMIT 1)
  )
"""

_CENSUS = """
  SELECT embedder, sum(texts) FROM text_counts
  WHERE gets_vector
  GROUP BY embedder
  HAVING sum(texts) > 0
"""


@dataclass(frozen=True, slots=True)
class Pending:
    """A text without a vector of the model in use: `content` as it is stored, the `model` of its old one.

    `retold` are the places where a turn repeats a prediction and says more besides.
    """

    key: int
    content: str
    is_turn: bool
    model: str | None
    retold: Sequence[Span] = ()

    @property
    def text(self) -> str:
        """The words, a turn's own."""
        if not self.is_turn:
            return self.content
        return without(plain_text(msgspec.json.decode(self.content)), self.retold)


@dataclass(frozen=True, slots=True)
class Census:
    """How many texts have a vector of which model; `waiting` ones have none yet."""

    by_model: Mapping[str, int]
    waiting: int

    @property
    def total(self) -> int:
        """All texts that have a vector, or are to have one."""
        return sum(self.by_model.values()) + self.waiting

    def pending(self, embedder: str) -> int:
        """How many still need a vector of this model."""
        return self.total - self.by_model.get(embedder, 0)

    def others(self, embedder: str) -> dict[str, int]:
        """The other models, with their vectors."""
        return {name: count for name, count in self.by_model.items() if name != embedder}


def names(connection: apsw.Connection) -> list[str]:
    """The models that made the stored vectors."""
    return [name for (name,) in connection.execute(_NAMES)]


def lengths(connection: apsw.Connection, embedder: str) -> set[int]:
    """The dimensions of a model's stored vectors; more than one where a change of that broke off."""
    return {int(length) for (length,) in connection.execute(_LENGTHS, (embedder,))}


def drop_others(connection: apsw.Connection, embedder: str, dimension: int) -> None:
    """Take from texts the vectors of this name that are of another dimension: they are pending then."""
    values = (embedder, 4 * dimension)
    connection.execute(
        """
        UPDATE resources SET embedding = NULL, embedder = NULL
        WHERE role = 'user' AND embedder = ? AND length(embedding) <> ?
        """,
        values,
    )
    connection.execute(
        "UPDATE items SET embedding = NULL, embedder = NULL WHERE embedder = ? AND length(embedding) <> ?",
        values,
    )


def census(connection: apsw.Connection) -> Census:
    """What was counted as texts came and went: a large store is not read through."""
    counts = {str(name): int(count) for name, count in connection.execute(_CENSUS)}
    waiting = counts.pop("", 0)
    return Census(counts, waiting)


def pending(
    connection: apsw.Connection, embedder: str, limit: int, without: Collection[int] = ()
) -> list[Pending]:
    """Some of what still needs a vector of this model: first what has none at all, then the latest.

    Those numbered in `without` are left out.
    """
    found, left_out = list[Pending](), msgspec.json.encode(sorted(without)).decode()
    for model in (None, *(name for name in names(connection) if name != embedder)):
        rows: Any = connection.execute(_WAITING, (model, limit - len(found), left_out))
        found += [
            Pending(key, content, bool(is_turn), model, msgspec.json.decode(spans or "[]", type=list[Span]))
            for key, content, is_turn, spans in rows
        ]
        if len(found) == limit:
            break
    return found


def move(connection: apsw.Connection, one: Pending, vector: Vector, embedder: str) -> None:
    """Give a text its new vector, unless it was reworded, embedded or forgotten meanwhile."""
    blob = vector.tobytes()
    if one.is_turn:
        connection.execute(
            """
            UPDATE resources SET embedding = ?, embedder = ?
            WHERE key = ? AND embedder IS ? AND content = ?
            """,
            (blob, embedder, one.key, one.model, one.content),
        )
    else:
        connection.execute(
            "UPDATE items SET embedding = ?, embedder = ? WHERE key = ? AND embedder IS ? AND content = ?",
            (blob, embedder, one.key, one.model, one.content),
        )


def rows(connection: apsw.Connection, keys: Iterable[int], embedder: str) -> list[IndexedVector]:
    """These vectors as the index wants them; those that have none of this model (any more) are left out."""
    found = (connection.execute(_ONE, (key, embedder)).fetchall() for key in keys)
    return [_indexed(values) for one in found for values in one]


def next_rows(
    connection: apsw.Connection, embedder: str, after: int, limit: int = BATCH
) -> list[IndexedVector]:
    """The next vectors of a model after this number, in order; none at the end."""
    return [_indexed(values) for values in connection.execute(_NEXT, (embedder, after, limit))]


def _indexed(values: Sequence[object]) -> IndexedVector:
    key, user_id, blob, timestamp, private, importance, half_life = values
    vector = np.frombuffer(blob, np.float32)  # type: ignore[call-overload]
    return IndexedVector(key, user_id, vector, timestamp, bool(private), importance, half_life)  # type: ignore[arg-type]
