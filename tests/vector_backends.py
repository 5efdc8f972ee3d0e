"""Every vector index, in one table for the suites that hold all of them to the same promises."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memory.ports import VectorIndex
from memory.vectors.ann.aims import Aims
from memory.vectors.ann.index import FaissIndex
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp
from memory.vectors.vss.writer import Pace
from tests.real_faiss import needs_faiss
from tests.real_vss import needs_vss, open_vss

_HURRIED = Pace(rows=1, idle_s=0, share=1)


@dataclass(frozen=True, slots=True)
class Backend:
    """How an empty index of so many dimensions is opened over a folder of its own.

    One that `is_exact` answers as a full scan does, however many vectors a user has.
    """

    open: Callable[[int, Path], VectorIndex]
    is_exact: bool = True
    marks: tuple[pytest.MarkDecorator, ...] = ()


def _exact(dimension: int, _: Path) -> VectorIndex:
    """As it is shipped."""
    return ExactIndex(dimension)


def _in_pieces(dimension: int, _: Path) -> VectorIndex:
    """With segments, blocks, codes and moments from a handful of vectors on."""
    return ExactIndex(dimension, segment_rows=16, block_rows=3, large_rows=12)


def _without_codes(dimension: int, _: Path) -> VectorIndex:
    """As where numkong is missing."""
    return ExactIndex(dimension, first_pass=False, segment_rows=16, large_rows=12)


def _vss(dimension: int, folder: Path) -> VectorIndex:
    """The real sqlite-vss, writing its file all the time while it is asked."""
    index = open_vss(folder, dimension, _HURRIED)
    index.settle()
    return index


def _faiss(dimension: int, folder: Path) -> VectorIndex:
    """As it is shipped: a handful of vectors is scanned."""
    index = FaissIndex.open(folder, Stamp("faiss", "model", dimension))
    index.settle()
    return index


def _faiss_with_lists(dimension: int, folder: Path) -> VectorIndex:
    """With lists from a handful of vectors on, made and changed while it is asked."""
    aims = Aims(large=12, depth=2, gain=0)
    index = FaissIndex.open(folder, Stamp("faiss", "model", dimension), aims)
    index.settle()
    return index


BACKENDS = {
    "exact": Backend(_exact),
    "exact in pieces": Backend(_in_pieces),
    "exact without codes": Backend(_without_codes),
    "vss": Backend(_vss, marks=(needs_vss,)),
    "faiss": Backend(_faiss, marks=(needs_faiss,)),
    "faiss with lists": Backend(_faiss_with_lists, is_exact=False, marks=(needs_faiss,)),
}

EVERY_BACKEND: list[Any] = [pytest.param(name, marks=backend.marks) for name, backend in BACKENDS.items()]
EXACT_BACKENDS: list[Any] = [
    pytest.param(name, marks=backend.marks) for name, backend in BACKENDS.items() if backend.is_exact
]
