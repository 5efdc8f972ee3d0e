"""When candidates prove that nothing better was left out."""

import numpy as np

from memory.ports import Neighbours

_LONGEST = 1.001**2  # the product of two norms, as far as the index lets them be from 1
_UNIT = 2.0**-24  # half a unit in the last place of float32


def margin(dimension: int) -> float:
    """How far two float32 inner products of the same unit vectors can lie apart, in any order of adding."""
    rounding = dimension * _UNIT / (1 - dimension * _UNIT)
    return 2 * rounding * _LONGEST


def is_complete(ranked: Neighbours, k: int, lowest: float, dimension: int) -> bool:
    """Whether the k-th cosine lies above all that was not fetched, whose products are `lowest` at most.

    Strictly above: of two that tie, the smaller key wins, and it may not have been fetched.
    """
    return len(ranked.keys) == k and float(np.min(ranked.cosines)) > lowest + margin(dimension)
