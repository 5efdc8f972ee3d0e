"""Whether words are about a topic."""

from collections.abc import Set
from typing import Final

from memory.terms import content_terms

DATED: Final = " @ "  # what follows it in a topic is a time
_ENOUGH = 0.6  # of the topic's words


def is_about(text: str, topic: str) -> bool:
    """Most of the topic's words that count are among the text's; in their stems, whatever the order."""
    return are_about(set(content_terms(text)), terms_of(topic))


def terms_of(topic: str) -> frozenset[str]:
    """The topic's words that count."""
    return frozenset(content_terms(topic.partition(DATED)[0]))


def are_about(said: Set[str], wanted: Set[str]) -> bool:
    """The same, of the words that count alone."""
    return bool(wanted) and len(wanted & said) >= _ENOUGH * len(wanted)
