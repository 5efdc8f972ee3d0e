"""Nothing is told twice: of what was said again in the same sense, the latest stands for all."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from memory.knowledge.duplicates import is_duplicate
from memory.model import Kind, Layer, Role, Source
from memory.ports import Matrix
from memory.recall.scored import Scored
from memory.vectors.generations import Generations

_LEAST_COSINE = 0.9  # of two that say the same, by any embedder; below it nobody needs to look closer


class Repeats:
    """Knows what repeats what, by the rules that merge facts; by vectors only within one generation."""

    def __init__(self, generations: Generations) -> None:
        self._generations = generations

    def left_out(self, user_id: str, passed: Sequence[Scored], limit: int) -> list[Scored]:
        """The first `limit` candidates that say something of their own, in order.

        What is said again is told once, at the best place, in its latest wording, with all its sources.
        """
        kept: list[Scored] = []
        for one in passed:
            place = self._place_of_same(user_id, one, kept)
            if place is not None:
                kept[place] = _merged(kept[place], one)
            elif len(kept) < limit:
                kept.append(one)
            else:
                break
        return kept

    def _place_of_same(self, user_id: str, one: Scored, kept: Sequence[Scored]) -> int | None:
        if not kept or _is_event(one):
            return None
        cosines = self._cosines(user_id, [other.candidate.key for other in (one, *kept)])
        for place, other in enumerate(kept):
            if _is_event(other) or _are_two_people(one, other):
                continue
            cosine, model = cosines.get(place, (None, ""))
            if cosine is not None and cosine < _LEAST_COSINE:
                continue
            if is_duplicate(one.candidate.text, other.candidate.text, cosine, model):
                return place
        return None

    def _cosines(self, user_id: str, keys: Sequence[int]) -> dict[int, tuple[float, str]]:
        """Those of the first with the others, by place, and whose they are; none across two models."""
        found: dict[int, tuple[float, str]] = {}
        for generation in self._generations.oldest_first:
            cosines = _cosines(generation.index.vectors(user_id, keys))
            known = np.flatnonzero(~np.isnan(cosines)).tolist()
            found |= {place: (float(cosines[place]), generation.name) for place in known}
        return found


def _is_event(one: Scored) -> bool:
    """Whether it is a fact of a day: the same on another day is another."""
    return one.candidate.layer is Layer.ITEM and one.candidate.kind is Kind.EPISODIC


def _are_two_people(one: Scored, other: Scored) -> bool:
    """Whether it is known that nobody said both: nobody repeats another's words."""
    mine, theirs = one.candidate.senders, other.candidate.senders
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _cosines(rows: Matrix) -> Matrix:
    """Those of the first row with the others."""
    cosines: Matrix = rows[1:] @ rows[0]
    return cosines


def _merged(first: Scored, again: Scored) -> Scored:
    """The later of two that say the same, with the sources of both; the user's words before an echo."""
    later, earlier = sorted((first, again), key=_own_and_late)
    known = {source.resource_id for source in later.candidate.sources}
    others = [source for source in earlier.candidate.sources if source.resource_id not in known]
    sources = sorted((*later.candidate.sources, *others), key=_said_at)
    senders = later.candidate.senders | earlier.candidate.senders
    return replace(later, candidate=replace(later.candidate, sources=tuple(sources), senders=senders))


def _own_and_late(one: Scored) -> tuple[bool, int]:
    return (one.candidate.role is not Role.USER, -one.candidate.stated_at)


def _said_at(source: Source) -> int:
    return source.timestamp
