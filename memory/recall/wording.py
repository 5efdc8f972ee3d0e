"""What shares words with a question: full text's share of its candidates."""

from dataclasses import replace

import apsw

from memory import fulltext
from memory.fulltext import Matches
from memory.recall.query import Query
from memory.store import counting, lookup
from memory.terms import query_terms

_SCORED_PER_CANDIDATE = 4  # matches whose BM25 is known, for each that becomes a candidate by its words
_LATER_ROWS = 5  # times as many where most of the matches are later than the moment asked about


def wording(connection: apsw.Connection, query: Query, count: int) -> Matches:
    """What shares words and had been said, several for each of `count` candidates; in a reader's thread.

    A second, longer look where most matches are later than the moment asked about.
    """
    limit = count * _SCORED_PER_CANDIDATE
    found = _ranked(connection, query, limit)
    if query.as_of is None:
        return found
    then = _known_by(connection, found, query.as_of)
    if len(then.best) < count and len(found.best) == limit:
        then = _known_by(connection, _ranked(connection, query, limit * _LATER_ROWS), query.as_of)
    return then


def _ranked(connection: apsw.Connection, query: Query, limit: int) -> Matches:
    terms, scope = query_terms(query.text), query.scope
    # Whose a row is need not be asked where there is but one: the same scores, a quarter sooner.
    owner = None if counting.is_only_user(connection, scope.user_id) else scope.user_id
    return fulltext.ranked(connection, owner, terms, limit, public_only=scope.public_only)


def _known_by(connection: apsw.Connection, found: Matches, moment: int) -> Matches:
    known = lookup.known_by(connection, [match.key for match in found.best], moment)
    return replace(found, best=[match for match in found.best if match.key in known])
