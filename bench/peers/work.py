"""The work that all are given: notes, their vectors, and questions. The standard library and numpy alone.

A note is a line of made-up words whose frequencies are as uneven as those of a language, with a fixed random
unit vector. A question has five words of one note and a vector at cosine .7 to that note's.
"""

import zlib
from collections.abc import Iterator
from functools import cache
from random import Random
from re import compile as pattern

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384
QUESTIONS = 50
SIZES = (100, 200, 300, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000)
_WORDS = 6_000
_WORDS_A_NOTE = 12
_NOTE = pattern(r"Note (\d+):")

Vector = NDArray[np.float32]


def note(number: int) -> str:
    """Some 95 bytes, different for each number."""
    words, shares = _vocabulary()
    chosen = Random(number * 7919 + 1).choices(words, shares, k=_WORDS_A_NOTE)  # noqa: S311 - no secrets
    return f"Note {number}: {' '.join(chosen)}."


def notes(start: int, end: int) -> Iterator[str]:
    """Those from `start` up to before `end`."""
    return (note(number) for number in range(start, end))


@cache
def questions(size: int, count: int = QUESTIONS) -> tuple[tuple[str, int], ...]:
    """Questions about the first `size` notes, each with the number of its note."""
    random = Random(size)  # noqa: S311 - no secrets
    asked = []
    for _ in range(count):
        number = random.randrange(size)
        words = note(number).removesuffix(".").split()[-_WORDS_A_NOTE:]
        asked.append((f"what about {' '.join(random.sample(words, 5))}", number))
    return tuple(asked)


def is_about(text: str, number: int) -> bool:
    """Whether a result is that note."""
    found = _NOTE.search(text)
    return found is not None and int(found[1]) == number


class Stub:
    """The embedder of all: it costs some ten microseconds a text."""

    def __init__(self, dimension: int = DIMENSION) -> None:
        self.dimension = dimension
        self._targets = {text: number for size in SIZES for text, number in questions(size)}

    def passage(self, text: str) -> Vector:
        """The vector of a stored text."""
        found = _NOTE.search(text)
        return self._random(int(found[1]) if found else zlib.crc32(text.encode()) + 2**33)

    def query(self, text: str) -> Vector:
        """The vector of a question; of any other text, what it has as a stored one."""
        target = self._targets.get(text)
        if target is None:
            return self.passage(text)
        vector = self._random(target) + self._random(zlib.crc32(text.encode()) + 2**34)
        unit: Vector = vector / np.linalg.norm(vector)
        return unit

    def _random(self, seed: int) -> Vector:
        vector = np.random.default_rng(seed).standard_normal(self.dimension, dtype=np.float32)
        unit: Vector = vector / np.linalg.norm(vector)
        return unit


@cache
def _vocabulary() -> tuple[list[str], list[float]]:
    """Words of two to four syllables with their shares, by Zipf."""
    random = Random(7)  # noqa: S311 - no secrets
    syllables = [first + second for first in "bcdfglmnprstvz" for second in "aeiou"]
    words: dict[str, None] = {}
    while len(words) < _WORDS:
        words["".join(random.choices(syllables, k=random.randint(2, 4)))] = None
    return list(words), [1 / (rank + 10) for rank in range(_WORDS)]
