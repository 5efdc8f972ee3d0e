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
    vector: Vector


def vector_of(connection: apsw.Connection, turn: Resource, embedder: str) -> Vector | None:
    """The vector of a turn in which a user says what they are after; None for any other, or without one."""
    said = turn.turn
    if said.role is not Role.USER or said.modality is not Modality.CHAT:
        return None
    if not is_in_calendar(said.timestamp) or not is_telling(said.text):
        return None
    return next(iter(of_turns(connection, [turn.id], embedder)), None)


def is_other_asking(one: Asked, turn: Resource) -> bool:
    """Another time, and nobody else in a group."""
    is_same_speaker = None in (one.sender, turn.turn.sender) or one.sender == turn.turn.sender
    return is_same_speaker and abs(one.at - turn.turn.timestamp) >= APART_S


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
