"""Which turns only tell of the user: of what somebody says about themselves nothing can be prepared."""

from memory.extract.claims import claims
from memory.extract.clauses import sentences
from memory.simplified import simplified


def is_statement(text: str, at: int, tz: str) -> bool:
    """Whether each sentence of a turn tells something durable, and none asks. Takes a few milliseconds."""
    told = [claim.clause.start for claim in claims(text, at, tz)]
    said = list(sentences(simplified(text)))
    return bool(said) and all(any(one.start <= start < one.end for start in told) for one in said)
