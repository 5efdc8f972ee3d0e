"""Quarantine at the door: what of a turn repeats a prediction is marked, and nobody learns from it.

Marked once, as the turn is stored. Whoever draws anything from turns reads `own`,
or leaves out `SELECT resource_key FROM retold WHERE whole`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import apsw
import msgspec

from memory import retelling
from memory.model import DAY_S, Origin, Resource, Role
from memory.retelling import Saying, Span
from memory.scoring.silence import says_nothing
from memory.terms import content_terms
from memory.turns import plain_text

REMEMBERED_S: Final = 14 * DAY_S  # after it is over, so long may a prediction still be quoted
_AHEAD_S = 600  # a client's clock may go after ours
_MOST = 60  # predictions, the latest first

_SAYINGS = """
  SELECT id, text, why FROM proactive_items
  WHERE user_id = ?1 AND created_at <= ?2 AND expires_at > ?3
  ORDER BY created_at DESC, id
  LIMIT ?4
"""
_EVIDENCE = """
  SELECT r.content
  FROM proactive_evidence AS e
  JOIN resources AS r ON r.id = e.resource_id
  WHERE e.proactive_id = ? AND r.key <> ?
"""


def mark(connection: apsw.Connection, turn: Resource) -> None:
    """Note which words of a turn, as it is stored, repeat a prediction of its user's."""
    said, sayings = turn.turn, _sayings(connection, turn)
    spans = sayings and retelling.repeated(said.text, sayings, is_users=said.role is Role.USER)
    if spans:
        rest = " ".join(retelling.without(said.text, spans).split())
        is_whole = says_nothing(rest) or all(term.isdigit() for term in content_terms(rest))
        connection.execute(
            "INSERT OR REPLACE INTO retold VALUES (?, ?, ?)",
            (turn.key, msgspec.json.encode(spans).decode(), is_whole),
        )


def own(connection: apsw.Connection, turn: Resource) -> Resource | None:
    """The turn with its own words alone, in their places; None where it has none."""
    found = _marked(connection, turn.key)
    if found is None:
        return turn
    spans, is_whole = found
    if is_whole:
        return None
    return replace(turn, turn=replace(turn.turn, text=retelling.without(turn.turn.text, spans)))


def own_or_others(connection: apsw.Connection, turn: Resource) -> Resource:
    """The same, but what has no words of its own stays whole, as an assistant's words: no user's facts."""
    return own(connection, turn) or replace(turn, turn=replace(turn.turn, origin=Origin.ASSISTANT))


def own_text(connection: apsw.Connection, key: int) -> str:
    """What a turn says of its own, by its number; "" for one that is gone."""
    content = connection.execute("SELECT content FROM resources WHERE key = ?", (key,)).get
    text = "" if content is None else plain_text(msgspec.json.decode(content))
    found = _marked(connection, key)
    return retelling.without(text, found[0]) if found else text


def _sayings(connection: apsw.Connection, turn: Resource) -> list[Saying]:
    """What the turn may repeat; the user's words that a prediction rests on are read only for those."""
    said = turn.turn
    values = (said.scope.user_id, said.timestamp + _AHEAD_S, said.timestamp - REMEMBERED_S, _MOST)
    rows: list[Any] = connection.execute(_SAYINGS, values).fetchall()
    if not rows:
        return []
    near = retelling.alike(said.text, (text for _, *texts in rows for text in texts))
    return [
        Saying(text, _evidence(connection, item_id, turn.key))
        for item_id, *texts in rows
        for text in texts
        if text in near
    ]


def _evidence(connection: apsw.Connection, item_id: str, without_key: int) -> Sequence[str]:
    rows: Any = connection.execute(_EVIDENCE, (item_id, without_key))
    return [plain_text(msgspec.json.decode(content)) for (content,) in rows]


def _marked(connection: apsw.Connection, key: int) -> tuple[list[Span], bool] | None:
    row: list[Any] = connection.execute(
        "SELECT spans, whole FROM retold WHERE resource_key = ?", (key,)
    ).fetchall()
    return (msgspec.json.decode(row[0][0], type=list[Span]), bool(row[0][1])) if row else None
