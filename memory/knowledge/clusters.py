"""Facts that fit no category, gathered by a word that several of them share; the word is the name."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memory.scoring.background import prompt_shares
from memory.terms import cjk_runs, content_terms, is_stop_word, meaningful_terms, plain_words

LEAST: Final = 3  # facts that make a category; fewer are junk
_LONGEST: Final = 6  # characters of a Chinese name
_COMMON: Final = 0.02  # a word of so many everyday prompts says nothing


@dataclass(frozen=True, slots=True)
class Cluster:
    """Facts of one topic."""

    name: str
    item_ids: tuple[str, ...]


def clusters(facts: Sequence[tuple[str, str]]) -> list[Cluster]:
    """Groups of LEAST facts or more among (id, words), the largest first, each fact in one at most.

    Deterministic: the same facts give the same groups, whatever their order.
    """
    left = {item_id: (text, _words(text)) for item_id, text in sorted(facts)}
    found = []
    while (word := _most_shared(words for _, words in left.values())) is not None:
        members = [item_id for item_id, (_, words) in left.items() if word in words]
        found.append(Cluster(_named(word, [left[one][0] for one in members]), tuple(members)))
        for one in members:
            del left[one]
    return found


def _words(text: str) -> Collection[str]:
    """What a fact is about: its terms, without those that everybody uses."""
    meaningful = meaningful_terms(text)
    return {
        term
        for term in content_terms(text)
        if term in meaningful
        and len(term) > 1
        and not term.isdecimal()
        and prompt_shares().get(term, 0) < _COMMON
    }


def _most_shared(texts: Iterable[Collection[str]]) -> str | None:
    counts = Counter(term for terms in texts for term in terms)
    best = min(counts, key=lambda term: (-counts[term], -len(term), term), default=None)
    return best if best is not None and counts[best] >= LEAST else None


def _named(term: str, texts: Sequence[str]) -> str:
    """The word as people write it: the commonest of its forms, or the longest Chinese run that all share."""
    forms = Counter(
        word
        for text in texts
        for word in plain_words(text)
        if term in content_terms(word) and not is_stop_word(word)
    )
    if forms:
        return min(forms, key=lambda form: (-forms[form], len(form), form))
    return max(_shared_runs(term, texts), key=len, default=term)


def _shared_runs(term: str, texts: Sequence[str]) -> Iterable[str]:
    """The Chinese strings around a bigram that stand in every text."""
    runs = [run for run in cjk_runs(texts[0]) if term in run]
    for run in runs:
        at = run.index(term)
        for start in range(max(0, at - _LONGEST), at + 1):
            for end in range(at + len(term), min(len(run), start + _LONGEST) + 1):
                if all(run[start:end] in text for text in texts):
                    yield run[start:end]
