"""How near a fact is to a category by meaning, in standard deviations above what everyday talk reaches.

So one floor serves every embedder: each is measured against its own cohort, each language against its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from memory.database import Database
from memory.embed.anchors import utterances
from memory.embed.cohort import open_rows
from memory.knowledge.everyday import everyday
from memory.ports import Embedder, Matrix, Vector
from memory.store import calibrations
from memory.terms import Language, language
from memory.turns import content_hash

_BEST: Final = 2  # a fact is as near as the mean of its two nearest sentences
_TINY: Final = 1e-6

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Words:
    """A text and its vector."""

    text: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Tongues:
    """Texts of one kind by language: the mean, and the rows as seen from there."""

    means: Mapping[Language, Vector]
    rows: Mapping[Language, Matrix]

    @classmethod
    def of(cls, texts: Sequence[str], vectors: Matrix) -> Self:
        """The texts with their vectors, by row; some of each language."""
        spoken = np.array([language(text) for text in texts])
        tongues: tuple[Language, ...] = ("en", "zh")
        means = {one: vectors[spoken == one].mean(axis=0, dtype=np.float32) for one in tongues}
        return cls(means, {one: _centred(vectors[spoken == one], means[one]) for one in tongues})

    def seen(self, words: Words) -> Matrix:
        """A text of this kind as seen from the mean of its language; shape (1, dimension)."""
        return _centred(words.vector[None, :], self.means[language(words.text)])

    def chance(self, tongue: Language, rows: Matrix) -> tuple[float, float]:
        """How near texts of this kind and language are to the nearest of some rows: mean and deviation."""
        near = _nearness(self.rows[tongue], rows)
        return float(near.mean()), max(float(near.std()), _TINY)

    def deviations(self, words: Words, rows: Matrix) -> float:
        """How far a text of this kind is nearer to the nearest of some rows than its language mostly is."""
        mean, deviation = self.chance(language(words.text), rows)
        return (float(_nearness(self.seen(words), rows)[0]) - mean) / deviation


@dataclass(frozen=True, slots=True)
class Sentences:
    """Those of the everyday categories, in their order, with what is chance in each language."""

    rows: tuple[Matrix, ...]
    chance: Mapping[Language, tuple[tuple[float, float], ...]]


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One embedder's."""

    embedder: str
    talk: Tongues
    names: Tongues
    sentences: Sentences

    def everyday(self, fact: Words) -> Floats:
        """How near a fact is to each everyday category, in their order."""
        seen, chance = self.talk.seen(fact), self.sentences.chance[language(fact.text)]
        return np.array(
            [
                (_nearness(seen, rows)[0] - mean) / deviation
                for rows, (mean, deviation) in zip(self.sentences.rows, chance, strict=True)
            ]
        )

    def of_name(self, fact: Words, name: Words) -> float:
        """How near a fact is to the name of a category, as seen from both."""
        there = self.names.deviations(name, self.talk.seen(fact))
        return min(self.talk.deviations(fact, self.names.seen(name)), there)

    def of_names(self, one: Words, other: Words) -> float:
        """How near two names are, as seen from both."""
        there = self.names.deviations(other, self.names.seen(one))
        return min(self.names.deviations(one, self.names.seen(other)), there)


async def open_yardstick(database: Database, embedder: Embedder, now: int) -> Yardstick:
    """The yardstick of an embedder; its texts are embedded once and kept. Raises TemporaryError."""
    _, talk = await open_rows(database, embedder, now)
    sentences = [sentence for one in everyday() for sentence in one.like]
    names = [name for one in everyday() for name in one.called]
    rows = await _open(database, embedder, [*sentences, *names], now)
    cohort = Tongues.of(utterances(), talk)
    seen = [cohort.seen(Words(*pair)) for pair in zip(sentences, rows[: len(sentences)], strict=True)]
    ends = np.cumsum([len(one.like) for one in everyday()])[:-1]
    by_category = tuple(np.split(np.concatenate(seen), ends))
    chance = {tongue: tuple(cohort.chance(tongue, part) for part in by_category) for tongue in cohort.rows}
    called = Tongues.of(names, rows[len(sentences) :])
    return Yardstick(embedder.name, cohort, called, Sentences(by_category, chance))


async def _open(database: Database, embedder: Embedder, texts: Sequence[str], now: int) -> Matrix:
    name = f"everyday/{content_hash(' '.join(texts))[:16]}"
    kept = await database.read(lambda c: calibrations.rows(c, embedder, name))
    if kept is not None:
        return kept
    made = await embedder.passages(texts)
    await database.write(lambda c: calibrations.keep(c, embedder.name, name, made.tobytes(), now))
    return made


def _nearness(left: Matrix, right: Matrix) -> Floats:
    """For each row on the left, the mean cosine to its nearest rows on the right."""
    cosines = left @ right.T
    best = min(_BEST, cosines.shape[1])
    nearest: Floats = np.sort(cosines, axis=1)[:, -best:].mean(axis=1, dtype=np.float64)
    return nearest


def _centred(rows: Matrix, mean: Vector) -> Matrix:
    moved = rows - mean
    unit: Matrix = moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), _TINY)
    return unit
