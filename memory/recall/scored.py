"""A candidate with its numbers: how they come about, step by step."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from config.settings import RecallSettings
from memory import fulltext
from memory.model import DAY_S, Layer, Role
from memory.ports import Filter, Neighbours, Vector, VectorIndex
from memory.recall import candidates
from memory.recall.candidates import Candidate
from memory.recall.query import Query
from memory.scoring import calibration, concepts, decay, fusion
from memory.scoring.cohort import Cohort, Floats
from memory.store import counting
from memory.terms import Language, content_terms, index_terms, language, query_terms


@dataclass(frozen=True, slots=True)
class Scored:
    """`fused` orders the candidates, `relevance` (0..1) and `retention` (0..1) make the `score` (0..1).

    `cosine`, and its `deviation` from chance, are NaN where the text has no vector yet; `bm25` is 0 where no
    word matched, `match` (0..2) says how well the question's words are covered.
    """

    candidate: Candidate
    cosine: float
    deviation: float
    bm25: float
    match: float
    fused: float
    relevance: float
    retention: float
    score: float

    @property
    def factors(self) -> dict[str, Any]:
        """The numbers, for `explain`."""
        return {
            "cosine": None if math.isnan(self.cosine) else round(self.cosine, 4),
            "deviation": None if math.isnan(self.deviation) else round(self.deviation, 4),
            "bm25": round(self.bm25, 4),
            "match": round(self.match, 4),
            "fused": round(self.fused, 4),
            "relevance": round(self.relevance, 4),
            "retention": round(self.retention, 4),
            "importance": self.candidate.importance,
            "score": round(self.score, 4),
        }


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What speaks for one candidate: `cosine` and its `deviation` are NaN where there is no vector."""

    candidate: Candidate
    written: Language
    cosine: float
    deviation: float
    bm25: float
    fused: float


@dataclass(frozen=True, slots=True)
class _Judge:
    """What one question is measured by."""

    wanted: calibration.Wanted
    spoken: Language
    store_size: int

    def match(self, text: str) -> float:
        """How well a text covers the question's words, 0..2."""
        return calibration.lexical_match(*self.wanted.found_in(set(index_terms(text))))

    def relevance(self, written: Language, deviation: float, match: float) -> float:
        """By vector and words, or by words alone where there is no vector."""
        if math.isnan(deviation):
            return calibration.lexical_relevance(match, self.store_size)
        crosses = written != self.spoken
        return calibration.relevance(deviation, match, self.store_size, crosses=crosses)


class Scorer:
    """Finds candidates for a question and scores them; runs in a reader's thread."""

    def __init__(
        self, settings: RecallSettings, index: VectorIndex, cohort: Callable[[], Cohort | None]
    ) -> None:
        self._settings = settings
        self._index = index
        self._cohort = cohort

    def score(
        self,
        connection: apsw.Connection,
        query: Query,
        vector: Vector | None,
        now: int,
        extra: Sequence[int] = (),
    ) -> list[Scored]:
        """All candidates, best `fused` first; the rows numbered in `extra` are among them, if visible."""
        words = self._words(connection, query, query_terms(query.text), self._settings.candidates)
        near = self._near(query, vector)
        near_keys = self._named(connection, query) if near is None else near.keys.tolist()
        wanted = dict.fromkeys([*near_keys, *words, *extra])
        found = candidates.load(connection, list(wanted), query, now)
        known = [found[key] for key in wanted if key in found]
        size = counting.texts(connection, query.scope.user_id)
        cosines = self._cosines(query, known, vector)
        written = [language(candidate.text) for candidate in known]
        deviations = self._deviations(query, known, written, vector)
        bm25 = np.array([words.get(candidate.key, 0.0) for candidate in known])
        fused = fusion.fused_scores(
            fusion.Candidates(
                cosines=cosines,
                cosine_mean=near.mean if near else 0.0,
                cosine_std=near.std if near else 0.0,
                bm25=bm25,
                store_size=size,
                is_assistant=np.array([candidate.role is not Role.USER for candidate in known], bool),
            )
        )
        evidence = map(
            _Evidence, known, written, cosines.tolist(), deviations.tolist(), bm25.tolist(), fused.tolist()
        )
        judge = _Judge(self._wanted(connection, query.text, size), language(query.text), size)
        scored = [self._one(one, judge, now) for one in evidence]
        return sorted(scored, key=lambda one: (-one.fused, one.candidate.key))

    def _words(
        self, connection: apsw.Connection, query: Query, terms: Sequence[str], limit: int
    ) -> dict[int, float]:
        # As of an earlier moment most matches may be later ones, which are dropped after this step.
        limit *= 1 if query.as_of is None else 5
        matches = fulltext.search(
            connection,
            query.scope.user_id,
            terms,
            limit,
            public_only=query.scope.public_only,
        )
        return {match.key: match.bm25 for match in matches}

    def _named(self, connection: apsw.Connection, query: Query) -> list[int]:
        """What names a concept of the question in other words: without a vector nothing else brings it.

        A quarter of the room, for speed: each row costs time, and in a store of 10,000 texts none of what a
        full share added passed the gate (`search` found two facts of fifteen less).
        """
        others = concepts.other_words(query.text, _content(query.text))
        return list(self._words(connection, query, others, self._settings.candidates // 4))

    def _near(self, query: Query, vector: Vector | None) -> Neighbours | None:
        if vector is None:
            return None
        allowed = Filter(until=query.as_of, public_only=query.scope.public_only)
        return self._index.search(query.scope.user_id, vector, self._settings.candidates, allowed)

    def _cosines(
        self, query: Query, known: Sequence[Candidate], vector: Vector | None
    ) -> NDArray[np.float32]:
        if vector is None:
            return np.full(len(known), np.nan, np.float32)
        return self._index.cosines(query.scope.user_id, [candidate.key for candidate in known], vector)

    def _deviations(
        self,
        query: Query,
        known: Sequence[Candidate],
        written: Sequence[Language],
        vector: Vector | None,
    ) -> Floats:
        """How far each cosine lies above chance; NaN without a vector, or without a cohort yet."""
        cohort = self._cohort()
        if vector is None or cohort is None or not known:
            return np.full(len(known), np.nan)
        stored = self._index.vectors(query.scope.user_id, [candidate.key for candidate in known])
        return cohort.standardised(vector, language(query.text), stored, written)

    def _wanted(self, connection: apsw.Connection, text: str, size: int) -> calibration.Wanted:
        """The question's content terms, weighed by how rare they are here and in prompts."""
        terms = _content(text)
        frequencies = fulltext.frequencies(connection, terms)
        idf = {term: calibration.idf(size, count) for term, count in frequencies.items()}
        return calibration.wanted(terms, idf, calibration.familiarity_weight, concepts.asked_for(text, terms))

    def _one(self, evidence: _Evidence, judge: _Judge, now: int) -> Scored:
        candidate = evidence.candidate
        match = judge.match(candidate.text)
        relevance = judge.relevance(evidence.written, evidence.deviation, match)
        kept = decay.retention((now - candidate.stated_at) / DAY_S, candidate.half_life_days)
        return Scored(
            candidate=candidate,
            cosine=evidence.cosine,
            deviation=evidence.deviation,
            bm25=evidence.bm25,
            match=match,
            fused=evidence.fused,
            relevance=relevance,
            retention=kept,
            score=self._score(candidate, evidence.cosine, relevance, kept),
        )

    def _score(self, candidate: Candidate, cosine: float, relevance: float, kept: float) -> float:
        if self._settings.formula == "decay":
            return decay.faded_cosine(cosine, kept)
        if self._settings.formula == "literal":
            return decay.literal_score(cosine, candidate.importance, kept)
        return decay.decayed_score(relevance, kept, self._decay_weight(candidate))

    def _decay_weight(self, candidate: Candidate) -> float:
        weights = self._settings.decay_weight
        if candidate.layer is Layer.RESOURCE:
            return weights.resource
        return float(getattr(weights, candidate.memory_type))


def _content(text: str) -> list[str]:
    return content_terms(concepts.without_the_user(text))
