"""What a question might be about: rows that share its words, lie near its vector, or in the time it names."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from memory import fulltext
from memory.model import Layer, Role
from memory.ports import Filter
from memory.recall import candidates
from memory.recall.asking import Asked
from memory.recall.candidate import Candidate
from memory.recall.nearness import Near, nearest, nearness
from memory.recall.timing import date_fit
from memory.scoring import concepts
from memory.scoring.dialogue import Floats, Talk, question_share
from memory.scoring.fusion import Candidates as Measured
from memory.scoring.fusion import Spread, bm25_spread, fused_scores
from memory.store import counting, items, resources, talks
from memory.store.talks import REACH, Place
from memory.terms import content_terms

_LINKS = 5  # from a fact to what took its place, and so on
_READ_ANYWAY = 4  # times as many turns of the prompt as candidates: what lies behind them is found too
_SURROUNDED = 40  # the best ones, whose neighbours in a talk become candidates too


@dataclass(frozen=True, slots=True)
class Found:
    """All candidates of a question, with what orders them, by position; `store_size` counts all texts."""

    candidates: list[Candidate]
    talk: Talk
    cosines: NDArray[np.float32]
    bm25: Floats
    named_date: Floats
    fused: Floats
    store_size: int


class Finder:
    """Gathers candidates, in a reader's thread; `count` from each side, words and vectors."""

    def __init__(self, count: int) -> None:
        self._count = count

    def find(self, connection: apsw.Connection, asked: Asked, extra: Sequence[int] = ()) -> Found:
        """The rows that a question might be about; those numbered in `extra` are among them, if visible."""
        in_prompt = self._in_prompt(connection, asked)
        words, near = asked.words, self._near(asked, len(in_prompt))
        size = counting.texts(connection, asked.query.scope.user_id)
        spread = bm25_spread(words.total, words.squares, size)
        bm25 = {match.key: match.bm25 for match in words.best}
        keys = [*self._first(connection, asked, near, words, in_prompt), *extra]
        if asked.names.hears_talks:
            keys += self._around(connection, asked, keys, near, bm25, spread)
        wanted = list(dict.fromkeys(keys))
        found = candidates.load(connection, wanted, asked.query, asked.now)
        known = [found[key] for key in wanted if key in found]
        known += _linked(connection, asked, known)
        return self._measured(connection, asked, known, near, bm25, spread, size)

    def _measured(
        self,
        connection: apsw.Connection,
        asked: Asked,
        known: list[Candidate],
        near: Sequence[Near],
        bm25: Mapping[int, float],
        spread: Spread,
        size: int,
    ) -> Found:
        keys = [candidate.key for candidate in known]
        by_vector = nearness(near, asked.query.scope.user_id, keys)
        scores = np.array([bm25.get(key, 0.0) for key in keys])
        dated = _dated_fits(known, asked)
        importance = np.array([candidate.importance for candidate in known], np.float64)
        is_assistant = np.array([candidate.role is not Role.USER for candidate in known], bool)
        talk = _talk(connection, asked, known)
        has_vectors = any(one.spread.std > 0 for one in near)
        measured = Measured(
            by_vector.dense, has_vectors, scores, spread, dated, importance, is_assistant, talk
        )
        return Found(known, talk, by_vector.cosines, scores, dated, fused_scores(measured), size)

    def _in_prompt(self, connection: apsw.Connection, asked: Asked) -> set[int]:
        """Turns that the model reads anyway: a long talk about a thing must hide nothing known of it."""
        scope, since = asked.query.scope, asked.query.in_prompt_since
        if since is None or scope.session_id is None:
            return set()
        return set(resources.keys_of_session(connection, scope, since, _READ_ANYWAY * self._count))

    def _first(
        self,
        connection: apsw.Connection,
        asked: Asked,
        near: Sequence[Near],
        words: fulltext.Matches,
        in_prompt: Set[int],
    ) -> list[int]:
        """By vector, by words, and in the times named; without a vector also by the concepts named."""
        near_keys = [key for one in near for key in self._enough(one.keys, in_prompt)]
        by_vector = near_keys if near else self._named(connection, asked)
        by_words = self._enough([match.key for match in words.best], in_prompt)
        return [*by_vector, *by_words, *self._dated(connection, asked), *self._by_speakers(connection, asked)]

    def _enough(self, keys: Sequence[int], in_prompt: Set[int]) -> list[int]:
        """The first ones, and of those behind them as many more as are of the prompt."""
        others = [key for key in keys if key not in in_prompt][: self._count]
        return list(dict.fromkeys((*keys[: self._count], *others)))

    def _named(self, connection: apsw.Connection, asked: Asked) -> list[int]:
        """What names a concept of the question in other words: without a vector nothing else brings it.

        A quarter of the room, for speed: each row costs time, and in a store of 10,000 texts none of what a
        full share added passed the gate (`search` found two facts of fifteen less).
        """
        terms = content_terms(concepts.without_the_user(asked.names.content))
        others = concepts.other_words(asked.names.content, terms)
        scope = asked.query.scope
        found = fulltext.search(
            connection, scope.user_id, others, self._count // 4, public_only=scope.public_only
        )
        return [match.key for match in found]

    def _near(self, asked: Asked, more: int) -> list[Near]:
        allowed = Filter(until=asked.query.as_of, public_only=asked.query.scope.public_only)
        return nearest(asked, self._count + more, allowed)

    def _dated(self, connection: apsw.Connection, asked: Asked) -> list[int]:
        """What was said in the times named: the nearest, and the latest."""
        scope, keys = asked.query.scope, list[int]()
        for span in asked.names.times:
            until = span.end - 1 if asked.query.as_of is None else min(span.end - 1, asked.query.as_of)
            allowed = Filter(until=until, public_only=scope.public_only, since=span.start)
            keys += [key for one in nearest(asked, self._count, allowed) for key in one.keys]
            keys += resources.keys_between(connection, scope, span.start, until, self._count)
        return keys

    def _by_speakers(self, connection: apsw.Connection, asked: Asked) -> list[int]:
        """The latest words of the speakers named, where nothing else is asked for."""
        if not asked.names.has_no_subject or asked.names.times:
            return []
        found = (
            resources.keys_by_sender(connection, asked.query.scope, name, asked.now, self._count)
            for name in asked.names.speakers
        )
        return [key for keys in found for key in keys]

    def _around(
        self,
        connection: apsw.Connection,
        asked: Asked,
        keys: Sequence[int],
        near: Sequence[Near],
        bm25: Mapping[int, float],
        spread: Spread,
    ) -> list[int]:
        """The neighbours of the best candidates in their talks."""
        scores = np.array([bm25.get(key, 0.0) for key in keys])
        dense = nearness(near, asked.query.scope.user_id, keys).dense
        standing = dense + spread.standardised(scores)
        best = [keys[row] for row in np.argsort(-standing, kind="stable")[:_SURROUNDED]]
        places = talks.places(connection, asked.query.scope.user_id, best)
        return [key for place in places.values() for key in (*place.before, *place.after)]


def _dated_fits(known: Sequence[Candidate], asked: Asked) -> Floats:
    """How well each is dated in the times named; of the days after nothing is asked without a subject."""
    if not asked.names.times:
        return np.zeros(len(known))
    dated = np.array([date_fit(candidate, asked.names.times) for candidate in known], np.float64)
    if asked.names.has_no_subject:
        dated[dated < 1.0] = 0.0
    return dated


def _linked(connection: apsw.Connection, asked: Asked, known: Sequence[Candidate]) -> list[Candidate]:
    """The facts that may contradict a candidate, or took its place, where they are none themselves."""
    seen = {one.id for one in known}
    latest, linked = list(known), list[Candidate]()
    for _ in range(_LINKS):
        missing = {other for one in latest for other in (*one.maybe, one.superseded_by) if other} - seen
        if not missing:
            break
        seen |= missing
        keys = items.keys_of(connection, asked.query.scope.user_id, missing)
        latest = list(candidates.load(connection, keys, asked.query, asked.now).values())
        linked += latest
    return linked


def _talk(connection: apsw.Connection, asked: Asked, known: Sequence[Candidate]) -> Talk:
    """Where each candidate stands in a talk, beside what may be shown; a fact stands in none."""
    places: dict[int, Place] = {}
    if asked.names.hears_talks:
        keys = [candidate.key for candidate in known]
        places = talks.places(connection, asked.query.scope.user_id, keys)
    rows = {candidate.key: row for row, candidate in enumerate(known)}
    shown = {key: row for key, row in rows.items() if known[row].excluded is None}
    before = np.full((len(known), REACH), -1, np.intp)
    after = np.full((len(known), REACH), -1, np.intp)
    shares = np.zeros(len(known))
    for key, place in places.items():
        row = rows[key]
        for side, others in ((before, place.before), (after, place.after)):
            side[row, : len(others)] = [shown.get(other, -1) for other in others]
        shares[row] = question_share(known[row].text)
    is_talk = np.array([candidate.key in places for candidate in known], bool)
    is_named = np.array([_is_named(candidate, asked, places) for candidate in known], bool)
    return Talk(is_talk, before, after, is_named, shares)


def _is_named(candidate: Candidate, asked: Asked, places: Mapping[int, Place]) -> bool:
    """Whether it is a turn of a talk, or a fact, of the one speaker that the question names."""
    if len(asked.names.speakers) != 1 or not (candidate.key in places or candidate.layer is Layer.ITEM):
        return False
    return asked.names.speakers[0] in candidate.senders
