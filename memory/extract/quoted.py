"""Whether a turn says what a model took from it, and where."""

import re

from memory.simplified import simplified
from memory.terms import meaningful_terms

_MAX_QUOTE_CHARS = 500
_ENDS = " \t\n.…,;:!?。，；：！？\"'“”‘’「」"
_LINK = re.compile(r"(?:https?://|www\.)[\x21-\x7e]+", re.IGNORECASE)
_LINK_ENDS = ".,;:!?)]>\"'"
_MIN_SHARE = 0.34  # of a fact's own words: the others are a date, a name for "she", another form


def place(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quotation stands in a text, letter case, blanks and its ends aside; None where it does not."""
    quote = quote[:_MAX_QUOTE_CHARS].strip()
    for exact in (quote, quote := quote.strip(_ENDS)):
        if exact and (start := text.find(exact)) >= 0:
            return start, start + len(exact)
    if not quote:
        return None
    loose = re.compile(r"\s+".join(map(re.escape, quote.split())), re.IGNORECASE)
    match = loose.search(text)
    return match.span() if match else None


def speaks_of(text: str, fact: str) -> bool:
    """Whether a fact is made of a turn's words, by more than a third: invented ones are not."""
    words = meaningful_terms(simplified(fact))
    if not words:
        return simplified(fact).casefold() in simplified(text).casefold()
    return len(words & meaningful_terms(simplified(text))) >= _MIN_SHARE * len(words)


def has_foreign_link(said: str, text: str) -> bool:
    """Whether something said of a text names an address that does not stand in it."""
    text = text.casefold()
    return any(link.rstrip(_LINK_ENDS).casefold() not in text for link in _LINK.findall(said))
