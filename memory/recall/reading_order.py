"""In which order the results are read: of two contradicting statements the newer comes first."""

import re
from collections.abc import Sequence, Set

from memory.model import Result

_NEWEST_FIRST = 5
_AS_GOOD = (
    0.5  # of the best one's relevance: chance matches, which only a search shows, are no newer version of it
)
_ASKS_FOR_HISTORY = re.compile(
    r"\b(?:in (?:what|which) order|order of|history|over time|chronolog\w+|timeline|evol\w+|used to)\b"
    r"|顺序|順序|先后|先後|历史|歷史|经过|經過|变化|變化|以前",
    re.IGNORECASE,
)


def in_reading_order(results: Sequence[Result], question: str, in_time: Set[str]) -> list[Result]:
    """Results, best first, with the newest of the first five before the others.

    Before them stand those of the five that are of a time which the question names; `in_time` has their ids.
    Those of the five that are not half as relevant as the best stand behind, by score.
    A question about an order or a history keeps the order of score, as it needs all.
    """
    if _ASKS_FOR_HISTORY.search(question):
        return list(results)
    head = results[:_NEWEST_FIRST]
    bar = _AS_GOOD * max((result.relevance for result in head), default=0.0)
    good = [result for result in head if result.id in in_time or result.relevance >= bar]
    newest = sorted(good, key=lambda result: (result.id not in in_time, result.age_days, -result.created_at))
    return [*newest, *(result for result in results if result not in good)]
