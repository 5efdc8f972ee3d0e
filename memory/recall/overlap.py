"""One result per fact or turn: what was said and what was learnt from it do not stand side by side."""

from collections.abc import Sequence

from memory.model import Layer
from memory.recall.scored import Scored


def without_overlap(passed: Sequence[Scored]) -> list[Scored]:
    """The candidates in order, each turn and its facts told once, at the better place of the two.

    A fact stands for its turn where it covers the question's words as well as the turn does; it is
    shorter, dated and fades by itself. Otherwise the turn says more, and its facts step back.
    """
    turns = {one.candidate.id: one for one in passed if one.candidate.layer is Layer.RESOURCE}
    stands_for: dict[int, Scored] = {}
    stepped_back: set[int] = set()
    for one in passed:
        if one.candidate.layer is not Layer.ITEM:
            continue
        told_in = [
            turns[source.resource_id] for source in one.candidate.sources if source.resource_id in turns
        ]
        if any(turn.match > one.match for turn in told_in):
            stepped_back.add(one.candidate.key)
        else:
            for turn in told_in:
                stands_for.setdefault(turn.candidate.key, one)
    placed = [stands_for.get(one.candidate.key, one) for one in passed]
    kept = [one for one in placed if one.candidate.key not in stepped_back]
    return list({one.candidate.key: one for one in kept}.values())
