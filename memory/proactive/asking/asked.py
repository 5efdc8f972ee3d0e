"""What a user said around a turn, as the detectors look at it: with its vector and its moment."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import msgspec
import numpy as np

from memory.dates.moment import is_in_calendar
from memory.model import Modality, Resource, Role
from memory.ports import Vector
from memory.proactive.asking.telling import is_telling
from memory.store import retold

APART_S = 30 * 60  # what is asked again sooner is still the same asking


@dataclass(frozen=True, slots=True)
class Asked:
    """One turn of a user. `at` is when it was said, Unix seconds, `tz` where."""

    key: int
    id: str
    event_key: str
    at: int
    tz: str
    sender: str | None


def is_asking(turn: Resource) -> bool:
    """Whether a user says in this turn what they are after."""
    said = turn.turn
    if said.role is not Role.USER or said.modality is not Modality.CHAT:
        return False
    return is_in_calendar(said.timestamp) and is_telling(said.text)


def of_turns(connection: apsw.Connection, ids: Sequence[str], embedder: str) -> list[tuple[str, Vector]]:
    """These turns' ids and vectors, as far as the embedder in use made them; in the order of their ids."""
    rows = connection.execute(
        """
        SELECT id, embedding FROM resources
        WHERE embedder = ? AND id IN (SELECT value FROM json_each(?))
        """,
        (embedder, msgspec.json.encode(list(ids)).decode()),
    )
    return [(turn_id, np.frombuffer(blob, np.float32)) for turn_id, blob in rows]


def words(connection: apsw.Connection, key: int) -> str:
    """What a turn says of its own."""
    return retold.own_text(connection, key)
