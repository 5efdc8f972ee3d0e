"""The words of turns and facts in FTS5, by user, with BM25."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import apsw
import msgspec

from memory.terms import index_terms, is_lone_character, match_expression

_PUBLIC = "public"

# One row for all: window functions take a third longer, and each row read asks for the interpreter anew.
_RANKED = """
  WITH matches AS MATERIALIZED (
    SELECT rowid AS key, -bm25(fulltext, 0.0, 1.0) AS score FROM fulltext WHERE fulltext MATCH ?1
  )
  SELECT
    (SELECT sum(score) FROM matches),
    (SELECT sum(score * score) FROM matches),
    json_group_array(key ORDER BY score DESC, key),
    json_group_array(score ORDER BY score DESC, key)
  FROM (SELECT key, score FROM matches ORDER BY score DESC, key LIMIT ?2)
"""


class Match(msgspec.Struct, frozen=True):
    """A row that shares terms with the query; `bm25` is higher for better ones."""

    key: int
    bm25: float


@dataclass(frozen=True, slots=True)
class Matches:
    """The best rows, and the `total` of the BM25 and their squares over all rows that matched."""

    best: list[Match]
    total: float
    squares: float


NO_MATCHES = Matches([], 0.0, 0.0)


def put(connection: apsw.Connection, key: int, user_id: str, text: str, *, private: bool) -> None:
    """Index a turn or fact; a known key is replaced."""
    owner = _owner(user_id) if private else f"{_owner(user_id)} {_PUBLIC}"
    connection.execute(
        "INSERT OR REPLACE INTO fulltext (rowid, owner, terms) VALUES (?, ?, ?)",
        (key, owner, " ".join(index_terms(text))),
    )


def remove(connection: apsw.Connection, keys: Iterable[int]) -> None:
    """Take rows out; their terms leave the file at the next `scrub`."""
    connection.executemany("DELETE FROM fulltext WHERE rowid = ?", [(key,) for key in keys])


def scrub(connection: apsw.Connection) -> None:
    """Rewrite the index without removed rows, so that no forgotten word stays in the file."""
    connection.execute("INSERT INTO fulltext (fulltext) VALUES ('optimize')")


def search(
    connection: apsw.Connection, user_id: str, terms: Sequence[str], limit: int, *, public_only: bool = False
) -> list[Match]:
    """The best rows of one user that hold any of the terms, best first."""
    expression = _expression(user_id, terms, public_only=public_only)
    if not expression:
        return []
    rows = connection.execute(
        """
        SELECT rowid, -bm25(fulltext, 0.0, 1.0) AS score FROM fulltext WHERE fulltext MATCH ?
        ORDER BY score DESC, rowid
        LIMIT ?
        """,
        (expression, limit),
    )
    return [Match(key, score) for key, score in rows]


def ranked(
    connection: apsw.Connection,
    user_id: str | None,
    terms: Sequence[str],
    limit: int,
    *,
    public_only: bool = False,
) -> Matches:
    """As `search`, with what it takes to standardise the scores. None: the rows of all users together."""
    expression = _expression(user_id, terms, public_only=public_only)
    if not expression:
        return NO_MATCHES
    total, squares, keys, scores = next(connection.execute(_RANKED, (expression, limit)))
    if total is None:
        return NO_MATCHES
    best = list(map(Match, msgspec.json.decode(keys), msgspec.json.decode(scores)))
    return Matches(best, total, squares)


def frequencies(connection: apsw.Connection, user_id: str | None, terms: Sequence[str]) -> dict[str, int]:
    """In how many rows of a user each term stands, a lone character as the beginning of terms.

    None: of all users together, which is read from the index and costs a tenth.
    """
    if user_id is None:
        return {term: _frequency_in_all(connection, term) for term in terms}
    return {term: _frequency(connection, user_id, term) for term in terms}


def _frequency(connection: apsw.Connection, user_id: str, term: str) -> int:
    row = connection.execute(
        "SELECT count(*) FROM fulltext WHERE fulltext MATCH ?",
        (f"(owner : {_owner(user_id)}) AND terms : ({match_expression([term])})",),
    ).get
    return int(row)


def _frequency_in_all(connection: apsw.Connection, term: str) -> int:
    last = term + "\U0010ffff" if is_lone_character(term) else term
    row = connection.execute(
        "SELECT coalesce(sum(doc), 0) FROM fulltext_terms WHERE term BETWEEN ? AND ?", (term, last)
    ).get
    return int(row)


def _expression(user_id: str | None, terms: Sequence[str], *, public_only: bool) -> str:
    """What to look for, and in whose rows; "" for nothing."""
    words = match_expression(terms)
    if not words:
        return ""
    owners = [*([_owner(user_id)] if user_id is not None else []), *([_PUBLIC] if public_only else [])]
    scope = f"(owner : ({' AND '.join(owners)})) AND " if owners else ""
    return f"{scope}terms : ({words})"


def _owner(user_id: str) -> str:
    return "u" + hashlib.sha256(user_id.encode()).hexdigest()[:20]
