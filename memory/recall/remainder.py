"""What of a replaced statement still holds: the clauses that its successor does not speak of.

"My daughter is called Mia, she is six" and "she is seven now": the age is replaced, the name is not.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memory.terms import content_terms, has_term, index_terms

_CLAUSES = re.compile(r"[,，;；:：。.!?！？]+\s*|\s+(?:and|but|so|because)\s+|而且|并且|但是|不过|所以")


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
    that asks for a word of those is answered by the successors.
    """
    clauses = [clause for clause in _CLAUSES.split(text) if index_terms(clause)]
    if len(clauses) < 2:
        return False
    asked = content_terms(question)
    spoken_of = {_spoken_of(clauses, replacement) for replacement in replacements}
    others = [clause for place, clause in enumerate(clauses) if place not in spoken_of]
    answered = [clauses[place] for place in sorted(spoken_of)]
    return _found(asked, _terms(others)) > _found(asked, _terms(answered))


def _spoken_of(clauses: Sequence[str], replacement: Replacement) -> int:
    """The place of the clause that a replacement is about."""
    own = [at for at, clause in enumerate(clauses) if _shared(clause, replacement.before) >= _BELONGS]
    return max(own or range(len(clauses)), key=lambda at: _shared(clauses[at], replacement.after))


def _terms(clauses: Sequence[str]) -> list[str]:
    return [term for clause in clauses for term in index_terms(clause)]


def _shared(clause: str, other: str) -> float:
    """The share of a clause's words that another text repeats."""
    terms = set(content_terms(clause)) or set(index_terms(clause))
    return _found(list(terms), index_terms(other)) / len(terms)


def _found(terms: Sequence[str], there: Collection[str]) -> int:
    return sum(has_term(there, term) for term in terms)
