"""Vectors on which a careless bound, a tie or a rounding would show; each answers like a full scan."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory.model import DAY_S
from memory.ports import Filter, IndexedVector, Matrix, VectorIndex
from tests.plain_scan import PlainScan
from tests.vector_backends import BACKENDS, EXACT_BACKENDS

DIMENSION, ROWS, QUERIES = 24, 400, 3
NOW = 1_780_000_000
ALL = Filter()
Shape = Callable[[np.random.Generator], Matrix]


def normalised(matrix: NDArray[np.floating]) -> Matrix:
    """At length 1."""
    lengths = np.sqrt(np.sum(matrix * matrix, axis=1, keepdims=True))
    unit: Matrix = (matrix / lengths).astype(np.float32)
    return unit


def plain(random: np.random.Generator) -> Matrix:
    """In all directions."""
    return normalised(random.standard_normal((ROWS, DIMENSION)))


def near_ties(random: np.random.Generator) -> Matrix:
    """One vector, off by a few units in the last place."""
    return normalised(np.ones((ROWS, DIMENSION)) + 1e-7 * random.integers(-3, 4, (ROWS, DIMENSION)))


def duplicates(random: np.random.Generator) -> Matrix:
    """Five vectors, eighty times each."""
    return plain(random)[random.integers(0, 5, ROWS)]


def crowded(random: np.random.Generator) -> Matrix:
    """All close to one direction, as raw sentence embeddings are: their int8 codes hardly differ."""
    return normalised(np.ones((ROWS, DIMENSION)) + 0.02 * random.standard_normal((ROWS, DIMENSION)))


def spiky(random: np.random.Generator) -> Matrix:
    """One huge number each: all others fall below one step of the code."""
    matrix = 1e-3 * random.standard_normal((ROWS, DIMENSION))
    matrix[np.arange(ROWS), random.integers(0, 3, ROWS)] = random.choice([-1, 1], ROWS)
    return normalised(matrix)


def some_spiky(random: np.random.Generator) -> Matrix:
    """Spiky vectors among plain ones."""
    return np.where(random.random((ROWS, 1)) < 0.1, spiky(random), plain(random)).astype(np.float32)


def halfway(random: np.random.Generator) -> Matrix:
    """Numbers halfway between two steps of the code: the worst that rounding can do."""
    steps = random.integers(-100, 101, (ROWS, DIMENSION)) + 0.5
    steps[:, 0] = 127
    return normalised(steps)


def aligned(random: np.random.Generator) -> Matrix:
    """Codes all too low, or all too high: to a query that weighs all alike as far off as can be."""
    steps = random.integers(60, 120, (ROWS, 1)) + 0.49 * random.choice([-1, 1], (ROWS, 1))
    steps = np.repeat(steps, DIMENSION, axis=1)
    steps[:, 0] = 127
    return normalised(steps)


def shuffled(random: np.random.Generator) -> Matrix:
    """The same numbers, each a code, in other orders: to some queries only the rounding of sums differs."""
    steps = random.integers(-126, 127, DIMENSION)
    steps[0] = 127
    return normalised(random.permuted(np.tile(steps, (ROWS, 1)), axis=1))


def tiny(random: np.random.Generator) -> Matrix:
    """Numbers so small that their products vanish, beside one that makes the length."""
    matrix = plain(random) * np.float32(1e-38)
    matrix[:, -1] = 1
    return matrix


def denormal(random: np.random.Generator) -> Matrix:
    """Numbers below the smallest normal one."""
    matrix = (random.integers(-9, 10, (ROWS, DIMENSION)) * 1e-45).astype(np.float32)
    matrix[:, random.integers(0, DIMENSION)] = 1
    return matrix


def barely_normalised(random: np.random.Generator) -> Matrix:
    """As long and as short as is let in: the longest may have a cosine above 1."""
    return plain(random) * random.choice([0.9991, 1.0009], (ROWS, 1)).astype(np.float32)


SHAPES: tuple[Shape, ...] = (
    plain,
    near_ties,
    duplicates,
    crowded,
    spiky,
    some_spiky,
    halfway,
    aligned,
    shuffled,
    tiny,
    denormal,
    barely_normalised,
)


@pytest.fixture(params=EXACT_BACKENDS)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndex]:
    """An empty index of each backend that answers exactly."""
    opened = BACKENDS[request.param].open(DIMENSION, tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_extreme_vectors_are_found_like_all_others(index: VectorIndex, shape: Shape) -> None:
    """Keys, cosines and ties are those of a plain scan, bit for bit, whatever filter and weight."""
    random, oracle = np.random.default_rng(7), PlainScan()
    rows = stored(shape(random), random)
    index.put(rows)
    oracle.put(rows)
    gone = random.choice(ROWS, ROWS // 5, replace=False).tolist()
    index.remove(gone)
    oracle.remove(gone)
    alike = normalised(np.ones((1, DIMENSION)))
    for query in (*shape(random)[:QUERIES], *plain(random)[:QUERIES], *alike):
        for k in (1, 50):
            for allowed in (ALL, Filter(public_only=True), Filter(since=NOW - 90 * DAY_S, until=NOW)):
                found, expected = (one.search("ann", query, k, allowed) for one in (index, oracle))
                assert found.keys.tolist() == expected.keys.tolist()
                assert found.cosines.tolist() == expected.cosines.tolist()
                assert found.mean == pytest.approx(expected.mean, abs=1e-6)
                assert found.std == pytest.approx(expected.std, abs=1e-6)
            for days in (0, 1, 40, -200):
                now = NOW + days * DAY_S
                found, expected = (one.weighted("ann", query, now, k) for one in (index, oracle))
                assert found.keys.tolist() == expected.keys.tolist()
                assert found.cosines.tolist() == expected.cosines.tolist()


def stored(matrix: Matrix, random: np.random.Generator) -> list[IndexedVector]:
    """Rows of many ages, a tenth of them still to come; a tenth evergreen, a tenth of no importance."""
    importance = np.where(random.random(ROWS) < 0.1, 0, random.uniform(0.3, 0.95, ROWS))
    return [
        IndexedVector(
            key=ROWS - number,
            user_id="ann",
            vector=vector,
            timestamp=NOW + int(random.integers(-400, 40)) * DAY_S,
            private=bool(random.random() < 0.3),
            importance=float(importance[number]),
            half_life_days=None if random.random() < 0.1 else int(random.choice([1, 14, 60, 180])),
        )
        for number, vector in enumerate(matrix)
    ]
