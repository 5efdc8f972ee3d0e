"""What may contradict a recalled fact is recalled beside it: the reader decides, with both dates in view."""

from collections.abc import Iterator, Sequence

from memory.recall.overlap import without_overlap
from memory.recall.scored import Scored


def with_partners(passed: Sequence[Scored], eligible: Sequence[Scored]) -> list[Scored]:
    """The candidates in order, each fact beside those it may contradict, the latest first."""
    facts = {one.candidate.id: one for one in eligible}
    placed: dict[int, Scored] = {}
    for one in passed:
        for each in _group(one, facts):
            placed.setdefault(each.candidate.key, each)
    return list(placed.values())


def told_once(passed: Sequence[Scored]) -> list[Scored]:
    """The candidates in order, each thing once, and what may contradict each other still side by side."""
    told = without_overlap(passed)
    return with_partners(told, told)


def _group(one: Scored, facts: dict[str, Scored]) -> Iterator[Scored]:
    partners = [facts[other] for other in one.candidate.maybe if other in facts]
    yield from sorted([one, *partners], key=lambda each: -each.candidate.stated_at)
