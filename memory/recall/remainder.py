"""What of a replaced statement still holds: the clauses that its successor does not speak of.

"My daughter is called Mia, she is six" and "she is seven now": the age is replaced, the name is not.
"""

import re
from collections.abc import Collection, Sequence

from memory.terms import content_terms, has_term, index_terms

_CLAUSES = re.compile(r"[,，;；:：。.!?！？]+\s*|\s+(?:and|but|so|because)\s+|而且|并且|但是|不过|所以")


def still_answers(question: str, replaced: str, successor: str) -> bool:
    """Whether the question is about a part of the replaced text that its successor leaves alone.

    The part spoken of by both is the clause that shares most words with the successor. A question that
    asks for a word of it is answered by the successor.
    """
    clauses = [clause for clause in _CLAUSES.split(replaced) if index_terms(clause)]
    if len(clauses) < 2:
        return False
    asked = content_terms(question)
    spoken_of = max(clauses, key=lambda clause: _shared(clause, successor))
    others = [clause for clause in clauses if clause is not spoken_of]
    in_others = _found(asked, [term for clause in others for term in index_terms(clause)])
    return in_others > _found(asked, index_terms(spoken_of))


def _shared(clause: str, successor: str) -> float:
    """The share of a clause's words that the successor repeats."""
    terms = set(content_terms(clause)) or set(index_terms(clause))
    return _found(list(terms), index_terms(successor)) / len(terms)


def _found(terms: Sequence[str], there: Collection[str]) -> int:
    return sum(has_term(there, term) for term in terms)
