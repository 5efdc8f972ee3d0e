"""How near texts lie to a question. Each is judged within the generation of its own vector.

A text that moves to a newer generation meanwhile is in both for a moment; then the older one counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ports import Filter, Neighbours
from memory.recall.asking import Aim, Asked
from memory.scoring.cohort import Floats
from memory.scoring.fusion import Spread
from memory.terms import Language, language

_FEW = 100  # vectors: their own mean and spread say little about chance


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest texts of one generation, best first, and what its cosines are standardised by."""

    aim: Aim
    keys: Sequence[int]
    spread: Spread


@dataclass(frozen=True, slots=True)
class Nearness:
    """By position: `cosines` are NaN without a vector, `dense` (standardised) is 0 there."""

    cosines: NDArray[np.float32]
    dense: Floats


@dataclass(frozen=True, slots=True)
class Deviations:
    """By position: how far a cosine lies above chance (NaN without one), and by whose vector ("")."""

    values: Floats
    models: Sequence[str]


def nearest(asked: Asked, count: int, allowed: Filter) -> list[Near]:
    """The `count` nearest of each generation."""
    user_id = asked.query.scope.user_id
    found = [(aim, aim.generation.index.search(user_id, aim.vector, count, allowed)) for aim in asked.aims]
    return [Near(aim, near.keys.tolist(), _spread(asked, aim, near)) for aim, near in found]


def nearness(near: Sequence[Near], user_id: str, keys: Sequence[int]) -> Nearness:
    """The exact cosines of these texts."""
    cosines = np.full(len(keys), np.nan, np.float32)
    dense = np.zeros(len(keys))
    for one in near:
        own = one.aim.generation.index.cosines(user_id, keys, one.aim.vector)
        own[~np.isnan(cosines)] = np.nan
        dense += one.spread.standardised(own)
        cosines = np.where(np.isnan(own), cosines, own)
    return Nearness(cosines, dense)


def deviations(asked: Asked, keys: Sequence[int], written: Sequence[Language]) -> Deviations:
    """Each text judged by the cohort of its own model, so that one threshold serves all."""
    values, models = np.full(len(keys), np.nan), np.full(len(keys), "", object)
    spoken = language(asked.query.text)
    for aim in asked.aims:
        cohort = aim.generation.cohort
        if cohort is None or not keys:
            continue
        stored = aim.generation.index.vectors(asked.query.scope.user_id, keys)
        own = cohort.standardised(aim.vector, spoken, stored, written)
        is_new = np.isnan(values) & ~np.isnan(own)
        values[is_new], models[is_new] = own[is_new], aim.generation.name
    return Deviations(values, models.tolist())


def _spread(asked: Asked, aim: Aim, near: Neighbours) -> Spread:
    """Over the generation's vectors; while it is small beside another one, over everyday texts instead."""
    cohort = aim.generation.cohort
    if len(asked.aims) == 1 or near.size >= _FEW or cohort is None:
        return Spread(near.mean, near.std)
    return Spread(*cohort.chance(aim.vector, language(asked.query.text)))
