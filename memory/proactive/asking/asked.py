"""What a user said around a turn, as the detectors look at it: with its vector and its moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec
import numpy as np

from memory.model import Resource
from memory.ports import Vector
from memory.store import retold

_MAX_TURNS = 2_000  # in a week; who says more is heard by what was said last


@dataclass(frozen=True, slots=True)
class Asked:
    """One turn of a user. `at` is when it was said, Unix seconds."""

    key: int
    id: str
    event_key: str
    at: int
    sender: str | None
    vector: Vector


def around(connection: apsw.Connection, turn: Resource, embedder: str, window_s: int) -> list[Asked]:
    """The user's own turns within the window before and after, that arrived before this one; latest first."""
    said = turn.turn
    rows: Any = connection.execute(
        """
        SELECT key, id, event_key, timestamp, sender, embedding
        FROM resources
        WHERE user_id = ?1
          AND timestamp BETWEEN ?2 - ?3 AND ?2 + ?3
          AND role = 'user'
          AND modality = 'chat'
          AND embedder = ?4
          AND key < ?5
          AND key NOT IN (SELECT resource_key FROM retold WHERE whole)
        ORDER BY timestamp DESC
        LIMIT ?6
        """,
        (said.scope.user_id, said.timestamp, window_s, embedder, turn.key, _MAX_TURNS),
    )
    return [
        Asked(key, turn_id, event_key, at, sender, np.frombuffer(blob, np.float32))
        for key, turn_id, event_key, at, sender, blob in rows.fetchall()
    ]


def of_turns(connection: apsw.Connection, ids: Sequence[str], embedder: str) -> list[Vector]:
    """The vectors of these turns, as far as the embedder in use made them."""
    rows = connection.execute(
        """
        SELECT embedding FROM resources
        WHERE embedder = ? AND id IN (SELECT value FROM json_each(?))
        """,
        (embedder, msgspec.json.encode(list(ids)).decode()),
    )
    return [np.frombuffer(row[0], np.float32) for row in rows]


def words(connection: apsw.Connection, key: int) -> str:
    """What a turn says of its own."""
    return retold.own_text(connection, key)
