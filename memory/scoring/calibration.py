"""One relevance for every embedder and language: cosine and matched words, judged against the background.

`r = sigmoid(.8 u + 3.0 m - c)`; its fit and what failed: docs/decisions/0002-one-relevance.md. In a talk
between people a neighbour may lend to the logit (`scoring.dialogue`).
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from memory.scoring.background import CROSS_OFFSET, LEXICAL_OFFSET, OFFSET, Offset, prompt_shares
from memory.scoring.concepts import Related
from memory.terms import present

COSINE_WEIGHT = 0.8
MATCH_WEIGHT = 3.0
MAX_MASS = 4.0
CONCEPT_SHARE = 0.85  # of a word's weight, where its concept is named by another word
SMALL_STORE = 100
_RAREST_SHARE = 2e-4


def logit(
    deviation: float, match: float, store_size: int, *, crosses: bool = False, offset: Offset = OFFSET
) -> float:
    """How sure it is that a text is worth showing, as the relevance's logit: `.8 u + 3.0 m - c`.

    `deviation` is the cosine standardised by the embedder's cohort, `match` the `lexical_match`. At .75
    about 3 % of unrelated prompts find something, in a store of any size. Where question and text are of two
    languages (`crosses`) no word can be expected to match, and none matches by chance: the cosine decides
    against what chance gives it alone. `offset` may be the store's own.
    """
    value = raw_score(deviation, match) - offset.at(store_size)
    if crosses:
        value = max(value, COSINE_WEIGHT * deviation - CROSS_OFFSET.at(store_size))
    return value


def lexical_logit(match: float, store_size: int, offset: Offset = LEXICAL_OFFSET) -> float:
    """The logit of a text without a cosine: its vector is pending, or full text is all there is.

    At .75 about 3 % of unrelated prompts find something, in stores of one to some thousand texts.
    """
    return raw_score(0.0, match) - offset.at(store_size)


def raw_score(deviation: float, match: float) -> float:
    """`.8 u + 3.0 m`: the relevance's logit before the offset, which `fit_offset` is fitted to."""
    return COSINE_WEIGHT * deviation + MATCH_WEIGHT * match


def idf(store_size: int, document_frequency: int) -> float:
    """How rare a term is in a store: 1 when it stands nowhere, near 0 when everywhere.

    A store of fewer than SMALL_STORE texts counts as that many: it says little about how common words are.
    """
    size = max(store_size, SMALL_STORE)
    seen = min(max(document_frequency, 0), size)
    return math.log1p((size - seen + 0.5) / (seen + 0.5)) / math.log1p((size + 0.5) / 0.5)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The content terms of a question with their weights, `idf x g`; some belong to a concept.

    A time that the question names is one more term, of the weight `date_weight`; 0 where it names none.
    """

    weights: Mapping[str, float]
    related: Mapping[str, Related] = field(default_factory=dict)
    date_weight: float = 0.0

    def found_in(self, item_terms: Collection[str], date_fit: float = 0.0) -> tuple[float, float]:
        """(coverage, mass) of the terms in an item; (0, 0) when nothing matches.

        Mass counts the rare words that matched, coverage is their share of the question's. A word counts in
        full where it stands itself, else by CONCEPT_SHARE where its concept is named; the date counts as
        well as it fits, 0..1.
        """
        mass, found = self.date_weight * date_fit, present(item_terms, self.weights)
        for term, weight in self.weights.items():
            if term in found:
                mass += weight
            elif term in self.related and self.related[term].is_named_in(item_terms):
                mass += weight * CONCEPT_SHARE
        if mass <= 0:  # as of most candidates
            return 0.0, 0.0
        return mass / (sum(self.weights.values()) + self.date_weight), mass


def wanted(
    terms: Sequence[str],
    idf: Mapping[str, float],
    familiarity: Callable[[str], float],
    related: Mapping[str, Related] = MappingProxyType({}),
) -> Wanted:
    """What a question asks for; a term without an idf counts as unseen in the store."""
    return Wanted({term: idf.get(term, 1.0) * familiarity(term) for term in terms}, related)


def lexical_match(coverage: float, mass: float) -> float:
    """`m`, 0..2: high only when many rare words match and they are most of the query."""
    return math.sqrt(coverage * min(mass, MAX_MASS))


def familiarity_weight(term: str) -> float:
    """`g`, 0..1: low for a term that everyday prompts are full of, 1 for one that they never use."""
    share = max(prompt_shares().get(term, 0.0), _RAREST_SHARE)
    return min(1.0, math.log(share) / math.log(_RAREST_SHARE))


def relevance(logit: float) -> float:
    """A logit as a probability, 0..1."""
    if logit >= 0:
        return 1.0 / (1.0 + math.exp(-logit))
    return math.exp(logit) / (1.0 + math.exp(logit))
