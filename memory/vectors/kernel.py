"""Dot products of int8 codes by numkong's SIMD kernels, where the machine has them; they hold no lock."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Int8 = NDArray[np.int8]
Floats = NDArray[np.float32]
Kernel = Callable[[Int8, Int8], Floats]
"""Dot products of each row, shape (n, d), with one vector, shape (1, d): float32 of the exact integer."""


def load() -> Kernel | None:
    """The kernel; None where numkong has no wheel, or none that this machine can run."""
    try:
        from numkong import cdist
    except ImportError:
        return None

    def dots(rows: Int8, vector: Int8) -> Floats:
        # as `float32`: its own int32 output is fourteen times slower
        found: Floats = np.asarray(cdist(vector, rows, "dot", out_dtype="float32"))
        return found.reshape(-1)

    return dots
