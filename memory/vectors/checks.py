"""What an index accepts: vectors of its dimension, finite, of length 1; weights that keep the order sound."""

import math
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import ArrayLike

from memory.errors import InvalidError
from memory.ports import IndexedVector, Matrix, Vector
from memory.vectors.columns import Columns

_NORM_TOLERANCE = 1e-3  # far above the rounding of float32, far below a vector that nobody normalised


def checked_vector(vector: ArrayLike, dimension: int, name: str) -> Vector:
    """In float32, whatever comes in: a float64 query would copy a whole matrix to float64."""
    with np.errstate(over="ignore", invalid="ignore"):
        unit = np.ascontiguousarray(vector, np.float32)
        square = np.vdot(unit, unit)
    if unit.shape != (dimension,):
        raise InvalidError(
            f"{name} has the shape {unit.shape}, the index holds {dimension} numbers a vector",
            hint="compare vectors of one embedder only; rebuild the index after a change of model",
        )
    if not abs(math.sqrt(square) - 1) <= _NORM_TOLERANCE:  # NaN fails this too
        raise InvalidError(f"{name} is not finite with L2 norm 1", hint="normalise it; embed it again")
    return unit


def checked_columns(rows: Sequence[IndexedVector], dimension: int) -> dict[str, Columns]:
    """The rows by user; of a key given twice the last row counts. Raises InvalidError for a bad one."""
    if not rows:
        return {}
    for row in rows:
        _check_weights(row)
    vectors, latest = _matrix(rows, dimension), {row.key: place for place, row in enumerate(rows)}
    groups: dict[str, list[int]] = {}
    for place in latest.values():
        groups.setdefault(rows[place].user_id, []).append(place)
    return {
        user_id: _columns([rows[place] for place in places], vectors[places])
        for user_id, places in groups.items()
    }


def _check_weights(row: IndexedVector) -> None:
    if not 0 <= row.importance <= 1:  # NaN fails this too
        raise InvalidError(f"the importance of key {row.key} is {row.importance}, not within 0..1")
    if row.half_life_days is not None and row.half_life_days <= 0:
        raise InvalidError(f"the half-life of key {row.key} is {row.half_life_days} days, not above 0")


def _matrix(rows: Sequence[IndexedVector], dimension: int) -> Matrix:
    """All vectors, checked at once; where something is wrong one by one, to say of which key."""
    with suppress(ValueError, TypeError), np.errstate(over="ignore", invalid="ignore"):
        matrix = np.array([row.vector for row in rows], np.float32)
        if matrix.shape == (len(rows), dimension):
            norms = np.sqrt(np.vecdot(matrix, matrix))
            if (np.abs(norms - 1) <= _NORM_TOLERANCE).all():  # NaN fails this too
                return matrix
    return np.stack([checked_vector(row.vector, dimension, f"the vector of key {row.key}") for row in rows])


def _columns(rows: Sequence[IndexedVector], vectors: Matrix) -> Columns:
    return Columns(
        keys=np.array([row.key for row in rows], np.int64),
        vectors=vectors,
        timestamps=np.array([row.timestamp for row in rows], np.int64),
        private=np.array([row.private for row in rows], np.bool_),
        importance=np.array([row.importance for row in rows], np.float64),
        half_life_days=np.array([row.half_life_days or math.inf for row in rows], np.float64),
    )
