"""The log of recalls: what was asked, what came back, and what became of it."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import apsw
import msgspec

from memory.model import Scope
from memory.terms import index_terms

_MAX_ID = 2**63 - 1


class Outcome(StrEnum):
    """What became of a recalled memory. `forgotten` and `edited`: a person took it back, it was not wanted.

    `unknown`: nobody answered within a day, or the answer can't tell.
    """

    USED = "used"
    UNUSED = "unused"
    FORGOTTEN = "forgotten"
    EDITED = "edited"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Given:
    """One memory that a recall gave. `outcome` is None until it is decided."""

    id: str
    score: float
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class LoggedRecall:
    """One recall. `at` is Unix seconds of its arrival; `query` is empty once its words were forgotten."""

    id: int
    user_id: str
    session_id: str | None
    query: str
    at: int
    threshold: float
    results: tuple[Given, ...]


_PAGE = """
  SELECT id, user_id, session_id, query, created_at, threshold, ids, scores, outcome
  FROM recall_log
  WHERE user_id = ?1
    AND id < ?2
    AND (?3 IS NULL OR session_id = ?3)
    AND (?4 IS NULL OR created_at >= ?4)
  ORDER BY id DESC
  LIMIT ?5
"""
_OPEN = """
  SELECT id, user_id, session_id, query, created_at, threshold, ids, scores, outcome
  FROM recall_log
  WHERE id > ?1 AND outcome IS NULL AND ids <> '[]' AND (?2 IS NULL OR user_id = ?2)
  ORDER BY id
  LIMIT ?3
"""
# What was decided stays; what was not can't be any more, as the words it would be decided by are gone.
_BLANK = """
  UPDATE recall_log
  SET query = '',
      outcome = (
        SELECT json_group_array(
          CASE
            WHEN value IN (SELECT value FROM json_each(?2)) THEN 'forgotten'
            ELSE coalesce(json_extract(recall_log.outcome, '$[' || key || ']'), 'unknown')
          END
          ORDER BY key
        )
        FROM json_each(recall_log.ids)
      )
  WHERE id IN (SELECT value FROM json_each(?1)) AND ids <> '[]'
"""
_EDITED = """
  UPDATE recall_log
  SET outcome = (
    SELECT json_group_array(
      CASE WHEN value = ?2 THEN 'edited' ELSE json_extract(recall_log.outcome, '$[' || key || ']') END
      ORDER BY key
    )
    FROM json_each(recall_log.ids)
  )
  WHERE user_id = ?1
    AND outcome IS NOT NULL
    AND EXISTS (SELECT 1 FROM json_each(recall_log.ids) WHERE value = ?2)
"""


def page(
    connection: apsw.Connection, scope: Scope, *, before: int, since: int | None, limit: int
) -> list[LoggedRecall]:
    """A user's recalls, newest first; `before` is the last number of the page before, 0 for none.

    What somebody asked is private: a group is shown none.
    """
    if scope.public_only:
        return []
    values = (scope.user_id, before or _MAX_ID, scope.session_id, since, limit)
    return [_logged(row) for row in connection.execute(_PAGE, values)]


def undecided(connection: apsw.Connection, after: int, user_id: str | None, limit: int) -> list[LoggedRecall]:
    """The next recalls after a number whose memories have no outcome, in order of arrival."""
    return [_logged(row) for row in connection.execute(_OPEN, (after, user_id, limit))]


def decide(connection: apsw.Connection, recall_id: int, outcomes: Sequence[Outcome]) -> None:
    """Say what became of a recall's memories, in their order; nothing if it is gone or decided by now."""
    connection.execute(
        "UPDATE recall_log SET outcome = ? WHERE id = ? AND outcome IS NULL", (_json(outcomes), recall_id)
    )


def edited(connection: apsw.Connection, user_id: str, item_id: str) -> None:
    """A person reworded a fact: recalls that are decided already gave what was not wanted."""
    connection.execute(_EDITED, (user_id, item_id))


def forget(connection: apsw.Connection, user_id: str, gone: str, words: Set[str]) -> None:
    """Take the words of a forgotten memory out of the log; `gone` is a JSON list of ids, `words` its terms.

    A question that recalled it, or has one of its words, loses all its words. What it recalled keeps its
    score and outcome; a question that recalled nothing goes.
    """
    touched = _json(_touched(connection, user_id, gone, words))
    connection.execute(_BLANK, (touched, gone))
    connection.execute(
        "DELETE FROM recall_log WHERE id IN (SELECT value FROM json_each(?)) AND ids = '[]'", (touched,)
    )


def _touched(connection: apsw.Connection, user_id: str, gone: str, words: Set[str]) -> list[int]:
    rows = connection.execute(
        """
        SELECT id, query, EXISTS (
          SELECT 1 FROM json_each(ids) WHERE value IN (SELECT value FROM json_each(?2))
        )
        FROM recall_log WHERE user_id = ?1
        """,
        (user_id, gone),
    )
    return [
        recall_id
        for recall_id, query, recalled_it in rows
        if recalled_it or not words.isdisjoint(index_terms(query))
    ]


def _logged(row: Sequence[Any]) -> LoggedRecall:
    recall_id, user_id, session_id, query, at, threshold, ids, scores, outcome = row
    named, scored = msgspec.json.decode(ids), msgspec.json.decode(scores)
    decided = [None] * len(named) if outcome is None else msgspec.json.decode(outcome, type=list[Outcome])
    results = tuple(map(Given, named, scored, decided))
    return LoggedRecall(recall_id, user_id, session_id, query, at, threshold, results)


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(list(values)).decode()
