"""Whether words are about a topic."""

from typing import Final

from memory.terms import content_terms

DATED: Final = " @ "  # what follows it in a topic is a time
_ENOUGH = 0.6  # of the topic's words


def is_about(text: str, topic: str) -> bool:
    """Most of the topic's words that count are among the text's; in their stems, whatever the order."""
    wanted = set(content_terms(topic.partition(DATED)[0]))
    return bool(wanted) and len(wanted & set(content_terms(text))) >= _ENOUGH * len(wanted)
