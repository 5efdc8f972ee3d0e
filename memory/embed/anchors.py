"""Everyday utterances as a fixed cohort: how near is near, for texts that people type to an assistant.

Some vectors are near to everything ("hubs"); seen against the cohort, one threshold serves both languages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix, Vector
from memory.terms import language

NEAREST: Final = 40
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Seen:
    """Rows as seen from the anchors: `centred` of L2 norm 1, and how near each is to everything."""

    centred: Matrix
    hubs: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.hubs)

    def at(self, places: Sequence[int] | NDArray[np.intp]) -> "Seen":
        """The rows at these places, in this order."""
        chosen = np.asarray(places, np.intp)
        return Seen(self.centred[chosen], self.hubs[chosen])

    def alike(self, other: "Seen") -> NDArray[np.float32]:
        """The centred cosine of each row with each of the other's, less the mean of both hubs.

        Shape (len(self), len(other)); below 0 for unrelated texts.
        """
        hubs = self.hubs[:, None] + other.hubs[None, :]
        return (self.centred @ other.centred.T - hubs / 2).astype(np.float32, copy=False)


def joined(parts: Sequence[Seen]) -> Seen:
    """The rows of all of at least one, in their order."""
    return Seen(np.vstack([one.centred for one in parts]), np.concatenate([one.hubs for one in parts]))


@dataclass(frozen=True, slots=True)
class Anchors:
    """The embedded cohort of one embedder. `mean` is no unit vector; `centred` has rows of L2 norm 1.

    `between` points from English to Chinese; what lies along it says in which language something was said,
    not what, and is left out. All methods take rows as the embedder gives them.
    """

    mean: Vector
    between: Vector
    centred: Matrix

    def similarities(self, a: Matrix, b: Matrix) -> NDArray[np.float32]:
        """The centred cosine of each row of `a` with each row of `b`, less the mean of both hubs.

        Shape (len(a), len(b)); symmetric; below 0 for unrelated texts.
        """
        return self.seen(a).alike(self.seen(b))

    def seen(self, matrix: Matrix) -> Seen:
        """The rows, so that they can be compared again and again at the price of one product."""
        centred = self.centred_on(matrix)
        return Seen(centred, self.hubs(centred))

    def centred_on(self, matrix: Matrix) -> Matrix:
        """The rows as seen from the mean of the anchors, whatever their language, of L2 norm 1."""
        return _centred(matrix.astype(np.float32, copy=False), self.mean, self.between)

    def hubs(self, centred: Matrix) -> NDArray[np.float32]:
        """How near each centred row is to everything: its mean cosine to the nearest anchors."""
        cosines = centred @ self.centred.T
        nearest = min(NEAREST, cosines.shape[1])
        top = np.partition(cosines, cosines.shape[1] - nearest, axis=1)[:, -nearest:]
        hubs: NDArray[np.float32] = top.mean(axis=1)
        return hubs


def utterances() -> Sequence[str]:
    """The shipped cohort: 120 English and 120 Chinese utterances."""
    text = resources.files("memory.embed").joinpath("anchors.txt").read_text(encoding="utf-8")
    return text.splitlines()


def anchors(vectors: Matrix) -> Anchors:
    """The anchors of an embedder, from the vectors of `utterances` as passages."""
    is_chinese = np.array([language(text) == "zh" for text in utterances()])
    mean = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    between = vectors[is_chinese].mean(axis=0) - vectors[~is_chinese].mean(axis=0)
    between = _unit(between[None, :])[0].astype(np.float32)
    return Anchors(mean, between, _centred(vectors, mean, between))


def _centred(matrix: Matrix, mean: Vector, between: Vector) -> Matrix:
    seen = matrix - mean
    return _unit(seen - np.outer(seen @ between, between))


def _unit(matrix: Matrix) -> Matrix:
    unit: Matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), _TINY)
    return unit
