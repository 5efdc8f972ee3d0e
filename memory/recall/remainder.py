"""What of a replaced statement still holds: the clauses that its successor does not speak of.

"My daughter is called Mia, she is six" and "she is seven now": the age is replaced, the name is not.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from memory.terms import TextTerms, content_terms, index_terms

_CLAUSES = re.compile(
    r"[,，;；:：。.!?！？]+\s*|\s(?:and|but|so|because)\s|而且|并且|並且|但是|不过|不過|所以"
)


MAX_CHARS = 4_096
_BELONGS = 0.5  # a clause with that share of its words in a statement is a part of it


@dataclass(frozen=True, slots=True)
class Replacement:
    """A statement that holds no longer, and the id and words of what holds in its place."""

    by: str
    before: str
    after: str


def still_answers(question: str, text: str, replacements: Sequence[Replacement]) -> bool:
    """Whether the question is about a part of a text that what replaced its statements leaves alone.

    Of each statement the clause that shares most words with its successor is spoken of by both. A question
    that asks for a word of those is answered by the successors. Texts over MAX_CHARS are read up to there, as
    they are where they are scored.
    """
    clauses = [clause for clause in _CLAUSES.split(text[:MAX_CHARS]) if index_terms(clause)]
    if len(clauses) < 2:
        return False
    asked = content_terms(question)
    said = [frozenset(content_terms(clause) or index_terms(clause)) for clause in clauses]
    spoken_of = {_spoken_of(said, replacement) for replacement in replacements}
    others = [clause for place, clause in enumerate(clauses) if place not in spoken_of]
    answered = [clauses[place] for place in spoken_of]
    return _found(asked, TextTerms("\n".join(others))) > _found(asked, TextTerms("\n".join(answered)))


def _spoken_of(said: Sequence[Collection[str]], replacement: Replacement) -> int:
    """The place of the clause, of these terms each, that a replacement is about."""
    before, after = TextTerms(replacement.before[:MAX_CHARS]), TextTerms(replacement.after[:MAX_CHARS])
    own = [place for place, terms in enumerate(said) if _found(terms, before) >= _BELONGS * len(terms)]
    return max(own or range(len(said)), key=lambda place: _found(said[place], after) / len(said[place]))


def _found(terms: Iterable[str], there: TextTerms) -> int:
    return sum(term in there for term in terms)
