"""A child process that changes an approximate index and writes its files, until it is killed."""

import sys
from pathlib import Path

import numpy as np
import structlog

from memory.ports import IndexedVector, Vector
from memory.vectors.ann.aims import Aims
from memory.vectors.ann.index import FaissIndex
from memory.vectors.stamp import Stamp

DIMENSION = 32
AIMS = Aims(large=150, gain=0)
STAMP = Stamp("faiss", "a model", DIMENSION)
_A_STEP = 400


def vector(key: int, version: int) -> Vector:
    """A direction of its own for each version of each key."""
    numbers = np.random.default_rng([key, version]).standard_normal(DIMENSION).astype(np.float32)
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


def changes(step: int) -> tuple[list[IndexedVector], list[int]]:
    """What a step puts, some of it again, and what it removes."""
    new = range(step * _A_STEP, (step + 1) * _A_STEP)
    again = range(max(0, (step - 1) * _A_STEP), step * _A_STEP, 3)
    rows = [IndexedVector(key, f"user {key % 2}", vector(key, step), 0, False) for key in (*again, *new)]
    return rows, list(range(step * _A_STEP, (step + 1) * _A_STEP, 7))


def main(folder: Path) -> None:
    """Step by step from the first one, each told before it is written."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    index = FaissIndex.open(folder, STAMP, AIMS)
    index.settle()
    for step in range(1_000):
        rows, gone = changes(step)
        index.put(rows)
        index.remove(gone)
        sys.stdout.write(f"{step}\n")
        sys.stdout.flush()
        assert index.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
