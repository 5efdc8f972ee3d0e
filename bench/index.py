"""What the exact index costs beside one read of its float32 bytes, and beside plain numpy."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from bench.results import Figures
from memory.model import DAY_S
from memory.ports import Filter, IndexedVector, Matrix
from memory.vectors.exact import ExactIndex

SHAPES = ((10_000, 384, 1), (100_000, 384, 1), (100_000, 1536, 1), (100_000, 384, 1000))
LONG = ((1_000_000, 384, 1),)
ASKED = 25
NOW = 1_780_000_000
_BATCH = 1000
_CLUSTERS, _SPREAD = 2000, 0.8  # cosines of .6 within a cluster, near .1 beyond
_ALL = Filter()
_HALF_LIVES = (14, 30, 60, 90, 180)


def measure() -> Figures:
    """By size, dimension and users."""
    return {_name(shape): _of(*shape) for shape in SHAPES}


def measure_long() -> Figures:
    """At a million."""
    return {_name(shape): _of(*shape) for shape in LONG}


def told(figures: Figures) -> str:
    """A line a shape."""
    rows = [f"| {name} | {' | '.join(_cells(found))} |" for name, found in figures.items()]
    return "\n".join([_HEAD, "|---|---|---|---|---|---|---|---|", *rows])


_HEAD = (
    "| vectors | one read | plain numpy: to a read | search of 100: CPU, to a read, to numpy "
    "| public only, to numpy | weighted top 10: CPU, to a read | one put | memory |"
)


def _cells(found: dict[str, float]) -> list[str]:
    return [
        f"{found['read_ms']:.2f} ms",
        f"{found['numpy_to_read']:.2f}",
        f"{found['search_ms']:.2f} ms, {found['search_to_read']:.2f}, {found['search_to_numpy']:.2f}",
        f"{found['public_to_numpy']:.2f}",
        f"{found['weighted_ms']:.2f} ms, {found['weighted_to_read']:.2f}",
        f"{found['put_ms']:.2f} ms",
        f"{found['memory_mb']:.0f} MB",
    ]


@dataclass(frozen=True, slots=True)
class _Stock:
    """A filled index, and the vectors of its first user as plain numpy would hold them."""

    index: ExactIndex
    matrix: Matrix
    queries: Matrix


def _of(size: int, dimension: int, users: int) -> dict[str, float]:
    stock = _stock(size, dimension, users)
    index, queries = stock.index, stock.queries
    read = _cpu_ms(lambda _: stock.matrix.max())
    plain = _cpu_ms(lambda turn: stock.matrix @ queries[turn])
    search = _cpu_ms(lambda turn: index.search("0", queries[turn], 100, _ALL))
    public = _cpu_ms(lambda turn: index.search("0", queries[turn], 100, Filter(public_only=True)))
    weighted = _cpu_ms(lambda turn: index.weighted("0", queries[turn], NOW, 10), warmed=10)
    put = _cpu_ms(lambda turn: index.put([_row(size + turn, "0", queries[turn], 0, 0.5)]))
    return {
        "read_ms": round(read, 3),
        "numpy_to_read": round(plain / read, 3),
        "search_ms": round(search, 3),
        "search_to_read": round(search / read, 3),
        "search_to_numpy": round(search / plain, 3),
        "public_to_numpy": round(public / plain, 3),
        "weighted_ms": round(weighted, 3),
        "weighted_to_read": round(weighted / read, 3),
        "put_ms": round(put, 3),
        "memory_mb": round(index.nbytes / 1e6, 1),
    }


def _stock(size: int, dimension: int, users: int) -> _Stock:
    random = np.random.default_rng(size + dimension)
    index, pieces = ExactIndex(dimension), list[Matrix]()
    for first, matrix in _pieces(random, size, dimension):
        rows = []
        for number, vector in enumerate(matrix, first):
            age_days = int(400 * (1 - number / size))
            rows.append(_row(number, str(number % users), vector, age_days, random.uniform(0.3, 0.95)))
        index.put(rows)
        pieces.append(matrix[(-first) % users :: users])
    return _Stock(index, np.concatenate(pieces), _clustered(random, ASKED + 10, dimension))


def _row(
    key: int, user_id: str, vector: NDArray[np.float32], age_days: int, importance: float
) -> IndexedVector:
    half_life = _HALF_LIVES[key % len(_HALF_LIVES)]
    return IndexedVector(key, user_id, vector, NOW - age_days * DAY_S, key % 5 == 0, importance, half_life)


def _pieces(random: np.random.Generator, size: int, dimension: int) -> Iterator[tuple[int, Matrix]]:
    for first in range(0, size, _BATCH):
        yield first, _clustered(random, min(_BATCH, size - first), dimension)


def _clustered(random: np.random.Generator, size: int, dimension: int) -> Matrix:
    """Around centres that share a direction, as the vectors of sentences do."""
    centres = np.random.default_rng(dimension).standard_normal((_CLUSTERS, dimension), np.float32)
    centres = 0.9 * _unit(centres) + 0.45 * _unit(centres[:1])
    noise = random.standard_normal((size, dimension), np.float32) * np.float32(_SPREAD / dimension**0.5)
    return _unit(centres[random.integers(0, _CLUSTERS, size)] + noise)


def _unit(matrix: NDArray[np.floating]) -> Matrix:
    unit: Matrix = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _cpu_ms(work: Callable[[int], object], warmed: int = 2) -> float:
    """Median CPU milliseconds of one call on this thread; each time another query."""
    for turn in range(warmed):
        work(turn)
    taken = []
    for turn in range(ASKED):
        begun = time.thread_time()
        work(turn + 10)
        taken.append((time.thread_time() - begun) * 1000)
    return median(taken)


def _name(shape: tuple[int, int, int]) -> str:
    size, dimension, users = shape
    of = "" if users == 1 else f", {users:,} users"
    return f"{size:,} x {dimension}{of}"
