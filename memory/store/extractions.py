"""What a model answered about turns, kept before it is read, so that no crash has it asked again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A raw answer, and the ids of the facts that the model was shown, in the order of their handles."""

    id: str
    raw: str
    known: tuple[str, ...]


def put(
    connection: apsw.Connection,
    answer: StoredAnswer,
    turns: Sequence[tuple[str, str]],
    model: str,
    now: int,
) -> bool:
    """Keep an answer about turns, given as (user id, turn id).

    False when one of them is gone meanwhile, or a fact that the model was shown.
    """
    ids = [turn_id for _, turn_id in turns]
    there = connection.execute(
        """
        SELECT (SELECT count(*) FROM resources WHERE id IN (SELECT value FROM json_each(?)))
          + (SELECT count(*) FROM items WHERE id IN (SELECT value FROM json_each(?)))
        """,
        (_json(ids), _json(answer.known)),
    ).get
    if there != len(ids) + len(answer.known):
        return False
    connection.execute(
        """
        INSERT INTO extractions (id, user_id, model, answer, known, created_at)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        (answer.id, turns[0][0], model, answer.raw, _json(answer.known), now),
    )
    connection.executemany(
        "INSERT INTO extraction_turns VALUES (?, ?, ?)",
        [(answer.id, turn_id, position) for position, turn_id in enumerate(ids)],
    )
    return True


def waiting(connection: apsw.Connection, turn_ids: Sequence[str]) -> StoredAnswer | None:
    """The latest answer about exactly these turns that had no effect yet.

    None about public turns that rests on a fact that is private by now.
    """
    rows: list[Any] = connection.execute(
        """
        SELECT e.id, e.answer, e.known
        FROM extraction_turns AS first
        JOIN extractions AS e ON e.id = first.extraction_id
        WHERE first.resource_id = ?1 AND first.position = 0 AND e.state = 'answered'
          AND (
            SELECT json_group_array(t.resource_id ORDER BY t.position)
            FROM extraction_turns AS t
            WHERE t.extraction_id = e.id
          ) = ?2
          AND NOT EXISTS (
            SELECT 1 FROM json_each(e.known) AS shown JOIN items AS i ON i.id = shown.value
            WHERE i.private > (SELECT private FROM resources WHERE id = ?1)
          )
        ORDER BY e.created_at DESC
        LIMIT 1
        """,
        (turn_ids[0], _json(turn_ids)),
    ).fetchall()
    for answer_id, raw, known in rows:
        return StoredAnswer(answer_id, raw, tuple(msgspec.json.decode(known)))
    return None


def note_used(connection: apsw.Connection, turn_ids: Sequence[str]) -> None:
    """The effects of these turns are stored; in the same transaction."""
    connection.execute(
        """
        UPDATE extractions SET state = 'used'
        WHERE state = 'answered' AND id IN (
          SELECT extraction_id FROM extraction_turns WHERE resource_id IN (SELECT value FROM json_each(?))
        )
        """,
        (_json(turn_ids),),
    )


def note_unreadable(connection: apsw.Connection, answer_id: str, reason: str) -> None:
    """The answer is of no use, and why; its turns are asked about again."""
    connection.execute(
        "UPDATE extractions SET state = 'unreadable', reason = ? WHERE id = ?", (reason, answer_id)
    )


def forget_shown(connection: apsw.Connection, user_id: str, item_ids: str) -> None:
    """Drop the answers of who was shown one of these facts (a JSON list): it may repeat its words."""
    connection.execute(
        """
        DELETE FROM extractions
        WHERE user_id = ?1
          AND EXISTS (
            SELECT 1 FROM json_each(extractions.known) AS shown
            WHERE shown.value IN (SELECT value FROM json_each(?2))
          )
        """,
        (user_id, item_ids),
    )


def drop_older(connection: apsw.Connection, user_id: str | None, before: int, limit: int) -> int:
    """Drop answers from before a moment, at most `limit`, of one user or of all; the number dropped."""
    connection.execute(
        """
        DELETE FROM extractions WHERE id IN (
          SELECT id FROM extractions WHERE created_at < ?1 AND (?2 IS NULL OR user_id = ?2) LIMIT ?3
        )
        """,
        (before, user_id, limit),
    )
    return connection.changes()


def _json(values: Sequence[str]) -> str:
    return msgspec.json.encode(values).decode()
