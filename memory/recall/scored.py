"""A candidate with its numbers: how they come about, step by step."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import apsw
import msgspec
import numpy as np
from msgspec import structs

from config.settings import RecallSettings
from memory import fulltext
from memory.model import DAY_S, Layer, MemoryType
from memory.recall.asking import Asked
from memory.recall.candidate import Candidate
from memory.recall.exclusion import exclusion
from memory.recall.finding import Finder, Found
from memory.recall.naming import Naming
from memory.recall.nearness import deviations
from memory.recall.offsets import Offsets
from memory.recall.query import Query
from memory.scoring import calibration, concepts, decay
from memory.scoring.background import LEXICAL_OFFSET, OFFSET, Offset
from memory.scoring.dialogue import Talk, lent
from memory.store import counting
from memory.terms import Language, TextTerms, content_terms, language

_MATCHED_CHARS = 4_096
SAID_THEN = 0.9  # the relevance of what was said in a time or by somebody, where nothing else is asked for


class Scored(msgspec.Struct, frozen=True):
    """`fused` orders what is searched, `standing` (with age) what is recalled.

    `relevance` (0..1) and `retention` (0..1) make the `score` (0..1), which the gate asks. `cosine`, and its
    `deviation` from chance, are NaN where the text has no vector yet; `bm25` is 0 where no word matched,
    `match` (0..2) says how well the question's words are covered, `named_date` (0..1) how well the time fits
    one that the question names. `offset` is what the relevance takes off for chance, `lent` what a
    neighbour in a talk adds to its logit.
    """

    candidate: Candidate
    cosine: float
    deviation: float
    bm25: float
    match: float
    named_date: float
    fused: float
    relevance: float
    retention: float
    score: float
    standing: float
    offset: float
    lent: float = 0.0

    @property
    def raw_score(self) -> float:
        """The relevance's own logit before the offset; by words alone where there is no vector."""
        return calibration.raw_score(0.0 if math.isnan(self.deviation) else self.deviation, self.match)

    @property
    def factors(self) -> dict[str, Any]:
        """The numbers, for `explain`."""
        return {
            "cosine": None if math.isnan(self.cosine) else round(self.cosine, 4),
            "deviation": None if math.isnan(self.deviation) else round(self.deviation, 4),
            "bm25": round(self.bm25, 4),
            "match": round(self.match, 4),
            "named_date": round(self.named_date, 4),
            "offset": round(self.offset, 4),
            "lent": round(self.lent, 4),
            "fused": round(self.fused, 4),
            "relevance": round(self.relevance, 4),
            "retention": round(self.retention, 4),
            "importance": self.candidate.importance,
            "score": round(self.score, 4),
            "standing": round(self.standing, 4),
        }


class _Evidence(msgspec.Struct, frozen=True):
    """What speaks for one candidate: `cosine` and its `deviation`, by a vector of `model`, or NaN."""

    candidate: Candidate
    written: Language
    cosine: float
    deviation: float
    model: str
    bm25: float
    match: float
    named_date: float
    fused: float


@dataclass(frozen=True, slots=True)
class _Judge:
    """What one question is measured by."""

    wanted: calibration.Wanted
    spoken: Language
    store_size: int
    names: Naming
    by_vectors: Mapping[str, Offset]  # by model
    by_words: Offset

    def match(self, text: str, named_date: float) -> float:
        """How well a text covers the question's words and date, 0..2; as far as it is embedded, too."""
        terms = TextTerms(text[:_MATCHED_CHARS])
        return calibration.lexical_match(*self.wanted.found_in(terms, named_date))

    def offset(self, evidence: _Evidence) -> Offset:
        """The store's own holds for texts in the question's language."""
        is_own = evidence.written == self.spoken
        if math.isnan(evidence.deviation):
            return self.by_words if is_own else LEXICAL_OFFSET
        return self.by_vectors[evidence.model] if is_own else OFFSET

    def is_meant(self, candidate: Candidate, named_date: float) -> bool:
        """Whether it was said in the time and by the speaker named: all that is asked then."""
        is_then = named_date == 1.0 or not self.names.times
        return is_then and (not self.names.speakers or not candidate.senders.isdisjoint(self.names.speakers))

    def logit(self, evidence: _Evidence) -> float:
        """The relevance's, by vector and words, or by words alone where there is no vector."""
        offset = self.offset(evidence)
        if math.isnan(evidence.deviation):
            return calibration.lexical_logit(evidence.match, self.store_size, offset)
        crosses = evidence.written != self.spoken
        return calibration.logit(
            evidence.deviation, evidence.match, self.store_size, crosses=crosses, offset=offset
        )


@dataclass(frozen=True, slots=True)
class Weighed:
    """The candidates of a question with all that does not depend on the moment; age is still to count."""

    judge: _Judge
    evidence: Sequence[_Evidence]
    logits: Sequence[float]
    talk: Talk

    @property
    def candidates(self) -> list[Candidate]:
        """In the order in which they were found."""
        return [one.candidate for one in self.evidence]

    @property
    def is_timeless(self) -> bool:
        """Whether the question names no time and no speaker, and nobody's neighbours count."""
        names = self.judge.names
        return not (names.times or names.speakers or names.has_no_subject or names.hears_talks)

    def judged(self, query: Query, now: int) -> "Weighed":
        """The same, with what can't be a result told anew: for another session, at another moment."""
        evidence = [_judged(one, query, now) for one in self.evidence]
        return replace(self, evidence=evidence)


class Scorer:
    """Finds candidates for a question and scores them; runs in a reader's thread."""

    def __init__(self, settings: RecallSettings, finder: Finder, offsets: Offsets) -> None:
        self._formula = settings.formula
        self._turn_weight = settings.decay_weight.resource
        self._fact_weights = {kind: float(getattr(settings.decay_weight, kind.value)) for kind in MemoryType}
        self._finder = finder
        self._offsets = offsets

    def score(self, connection: apsw.Connection, asked: Asked, extra: Sequence[int] = ()) -> list[Scored]:
        """All candidates, best `fused` first; the rows numbered in `extra` are among them, if visible."""
        return self.at(self.weigh(connection, asked, extra), asked.now)

    def weigh(self, connection: apsw.Connection, asked: Asked, extra: Sequence[int] = ()) -> Weighed:
        """The slow part of `score`."""
        found = self._finder.find(connection, asked, extra)
        judge = self._judge(connection, asked, found.store_size)
        evidence = self._evidence(asked, found, judge)
        logits = np.array([judge.logit(one) for one in evidence])
        return Weighed(judge, evidence, logits.tolist(), found.talk)

    def at(self, weighed: Weighed, now: int) -> list[Scored]:
        """The rest of it: what was weighed, as old as it is at a moment."""
        gifts = lent(np.array(weighed.logits), weighed.talk).tolist()
        scored = map(partial(self._one, weighed.judge, now), weighed.evidence, weighed.logits, gifts)
        return sorted(scored, key=lambda one: (-one.fused, one.candidate.key))

    def _evidence(self, asked: Asked, found: Found, judge: _Judge) -> list[_Evidence]:
        # Read once each: a turn of one sentence and its fact are the same words.
        tongue, match = cache(language), cache(judge.match)
        written = [tongue(candidate.text) for candidate in found.candidates]
        keys = [candidate.key for candidate in found.candidates]
        by_vector = deviations(asked, keys, written)
        texts = (candidate.text for candidate in found.candidates)
        matches = map(match, texts, found.named_date.tolist())
        return list(
            map(
                _Evidence,
                found.candidates,
                written,
                found.cosines.tolist(),
                by_vector.values.tolist(),
                by_vector.models,
                found.bm25.tolist(),
                matches,
                found.named_date.tolist(),
                found.fused.tolist(),
            )
        )

    def _judge(self, connection: apsw.Connection, asked: Asked, size: int) -> _Judge:
        user_id, spoken = asked.query.scope.user_id, language(asked.query.text)
        wanted = _wanted(connection, asked, size)
        size = _size_then(connection, asked, size)
        return _Judge(
            wanted,
            spoken,
            size,
            asked.names,
            {
                aim.generation.name: self._offsets.by_vectors(user_id, spoken, size, aim.generation.name)
                for aim in asked.aims
            },
            self._offsets.by_words(user_id, spoken, size),
        )

    def _one(self, judge: _Judge, now: int, evidence: _Evidence, logit: float, gift: float) -> Scored:
        candidate = evidence.candidate
        relevance = calibration.relevance(logit + gift)
        if judge.names.has_no_subject:
            relevance = SAID_THEN if judge.is_meant(candidate, evidence.named_date) else 0.0
        kept = decay.retention((now - candidate.stated_at) / DAY_S, candidate.half_life_days)
        return Scored(
            candidate=candidate,
            cosine=evidence.cosine,
            deviation=evidence.deviation,
            bm25=evidence.bm25,
            match=evidence.match,
            named_date=evidence.named_date,
            fused=evidence.fused,
            relevance=relevance,
            retention=kept,
            score=self._score(candidate, evidence.cosine, relevance, kept),
            standing=decay.standing(evidence.fused, kept, self._decay_weight(candidate)),
            offset=judge.offset(evidence).at(judge.store_size),
            lent=gift,
        )

    def _score(self, candidate: Candidate, cosine: float, relevance: float, kept: float) -> float:
        if self._formula == "decay":
            return decay.faded_cosine(cosine, kept)
        if self._formula == "literal":
            return decay.literal_score(cosine, candidate.importance, kept)
        return decay.decayed_score(relevance, kept, self._decay_weight(candidate))

    def _decay_weight(self, candidate: Candidate) -> float:
        is_turn = candidate.layer is Layer.RESOURCE
        return self._turn_weight if is_turn else self._fact_weights[candidate.memory_type]


def _judged(one: _Evidence, query: Query, now: int) -> _Evidence:
    reason = exclusion(one.candidate, query, now)
    if reason == one.candidate.excluded:
        return one
    return structs.replace(one, candidate=structs.replace(one.candidate, excluded=reason))


def _size_then(connection: apsw.Connection, asked: Asked, size: int) -> int:
    """How large the store was at the moment asked about: chance had no more texts to find a match in."""
    moment = asked.query.as_of
    if moment is None:
        return size
    return counting.texts_until(connection, asked.query.scope.user_id, moment)


def _wanted(connection: apsw.Connection, asked: Asked, size: int) -> calibration.Wanted:
    """The question's content terms, weighed by how rare they are; its date is one more.

    Counted in the whole store, later texts too: full text knows of each word only how often it stands there.
    """
    terms = content_terms(concepts.without_the_user(asked.names.content))
    user_id = asked.query.scope.user_id
    owner = None if counting.is_only_user(connection, user_id) else user_id
    frequencies = fulltext.frequencies(connection, owner, terms)
    idf = {term: calibration.idf(size, count) for term, count in frequencies.items()}
    related = concepts.asked_for(asked.names.content, terms)
    known = calibration.wanted(terms, idf, calibration.familiarity_weight, related)
    return replace(known, date_weight=_date_weight(connection, asked, size))


def _date_weight(connection: apsw.Connection, asked: Asked, size: int) -> float:
    """How rare it is to have been said in the times named: as good as a word that stands as often."""
    if not asked.names.times:
        return 0.0
    user_id = asked.query.scope.user_id
    count = sum(
        counting.texts_between(connection, user_id, span.start, span.end) for span in asked.names.times
    )
    return calibration.idf(size, count)
