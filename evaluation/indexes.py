"""How fast, how large and how true each vector index is, on the same vectors and questions."""

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from daemon.indexes import BACKENDS
from evaluation.vector_sets import VectorSet, questions
from memory.errors import UnavailableError
from memory.ports import Filter, IndexedVector, VectorIndex
from memory.vectors.backends import EXACT
from memory.vectors.stamp import Stamp

ALL = tuple(BACKENDS)

Advance = Callable[[str, int], None]
"""Told which backend is being filled, and how many vectors it has by now."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the keys that a full scan finds for it, itself left out."""

    row: IndexedVector
    truth: frozenset[int]


@dataclass(slots=True)
class Stopwatch:
    """Seconds of the wall and of this process's processors, each time it is used."""

    walls: list[float] = field(default_factory=list)
    processors: list[float] = field(default_factory=list)

    def time(self, work: Callable[[], Any]) -> Any:
        """What `work` gives."""
        wall, processor = time.perf_counter(), time.process_time()
        given = work()
        self.processors.append(time.process_time() - processor)
        self.walls.append(time.perf_counter() - wall)
        return given


def measure(
    vectors: VectorSet, backends: Sequence[str], k: int, count: int, advance: Advance
) -> dict[str, Any]:
    """The report: what was asked, and of each backend the figures, or why this machine can't run it.

    True is what `exact` answers, which is proven equal to a full scan; so it is always built.
    """
    asked, found = list[Asked](), list[dict[str, Any]]()
    for backend in dict.fromkeys((EXACT, *backends)):
        with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
            try:
                index = BACKENDS[backend](Path(folder), Stamp(backend, vectors.name, vectors.dimension))
            except UnavailableError as error:
                found.append({"backend": backend, "skipped": str(error), "hint": error.hint})
                continue
            with closing(index):
                built = _built(index, vectors, advance)
                asked = asked or _truth(index, vectors, k, count)
                figures = _searched(index, vectors.user_id, asked, k)
                disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
            if backend in backends:
                found.append({"backend": backend, **figures, **built, "disk_bytes": disk})
    return {
        "vectors": vectors.size,
        "dimension": vectors.dimension,
        "source": vectors.name,
        "k": k,
        "questions": len(asked),
        "backends": found,
    }


def _built(index: VectorIndex, vectors: VectorSet, advance: Advance) -> dict[str, Any]:
    """Filled, settled and written, its thread's work included."""
    watch = Stopwatch()
    for rows in vectors.batches():
        watch.time(lambda: index.put(rows))
        advance(index.backend, len(index))
    watch.time(index.settle)
    watch.time(index.flush)
    return {
        "measured_recall": index.measured_recall,
        "build_s": sum(watch.walls),
        "build_cpu_s": sum(watch.processors),
        "memory_bytes": index.nbytes,
    }


def _truth(index: VectorIndex, vectors: VectorSet, k: int, count: int) -> list[Asked]:
    asked = list[Asked]()
    for row in questions(vectors, count):
        keys = index.search(vectors.user_id, row.vector, k + 1, Filter()).keys.tolist()
        asked.append(Asked(row, frozenset([key for key in keys if key != row.key][:k])))
    return asked


def _searched(index: VectorIndex, user_id: str, asked: Sequence[Asked], k: int) -> dict[str, Any]:
    """The first question is asked once more before: it also pays for what is made at first use."""
    watch, shares = Stopwatch(), list[float]()
    index.search(user_id, asked[0].row.vector, k + 1, Filter())
    for one in asked:
        found = watch.time(lambda: index.search(user_id, one.row.vector, k + 1, Filter()))
        keys = [key for key in found.keys.tolist() if key != one.row.key][:k]
        shares.append(len(one.truth.intersection(keys)) / max(1, len(one.truth)))
    return {
        "recall": float(np.mean(shares)),
        "p50_ms": _ms(watch.walls, 50),
        "p95_ms": _ms(watch.walls, 95),
        "p50_cpu_ms": _ms(watch.processors, 50),
        "p95_cpu_ms": _ms(watch.processors, 95),
    }


def _ms(seconds: Sequence[float], percentile: int) -> float:
    return float(np.percentile(seconds, percentile)) * 1e3
