"""How near a fact is to a category by meaning, in standard deviations above what everyday talk reaches.

So one floor serves every embedder: each is measured against its own cohort.
"""

from dataclasses import dataclass
from typing import Final

import apsw
import numpy as np
from numpy.typing import NDArray

from memory.database import Database
from memory.embed.cohort import open_rows
from memory.knowledge.everyday import everyday
from memory.ports import Embedder, Matrix, Vector
from memory.turns import content_hash

_BEST: Final = 2  # a fact is as near as the mean of its two nearest sentences
_TINY: Final = 1e-6

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One embedder's. `mean` is that of the cohort, all rows are seen from there; `sentences` by category."""

    embedder: str
    mean: Vector
    cohort: Matrix
    sentences: tuple[Matrix, ...]

    def everyday(self, vector: Vector) -> Floats:
        """How near a fact is to each everyday category, in their order."""
        seen = _centred(vector[None, :], self.mean)
        return np.array([self._above_chance(seen, rows) for rows in self.sentences])

    def name(self, vector: Vector, name: Vector) -> float:
        """How near a fact or a name is to the name of a category."""
        return self._above_chance(_centred(vector[None, :], self.mean), _centred(name[None, :], self.mean))

    def _above_chance(self, seen: Matrix, rows: Matrix) -> float:
        chance = _nearness(self.cohort, rows)
        return float((_nearness(seen, rows)[0] - chance.mean()) / max(float(chance.std()), _TINY))


async def open_yardstick(database: Database, embedder: Embedder, now: int) -> Yardstick:
    """The yardstick of an embedder; its sentences are embedded once and kept. Raises TemporaryError."""
    _, texts = await open_rows(database, embedder, now)
    sentences = [sentence for one in everyday() for sentence in one.like]
    name = f"everyday/{content_hash(' '.join(sentences))[:16]}"
    rows = await database.read(lambda c: _kept(c, embedder, name))
    if rows is None:
        made = await embedder.passages(sentences)
        await database.write(lambda c: _keep(c, embedder.name, name, made, now))
        rows = made
    mean: Vector = texts.mean(axis=0, dtype=np.float64).astype(np.float32)
    ends = np.cumsum([len(one.like) for one in everyday()])[:-1]
    split = [_centred(part, mean) for part in np.split(rows, ends)]
    return Yardstick(embedder.name, mean, _centred(texts, mean), tuple(split))


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


def _kept(connection: apsw.Connection, embedder: Embedder, name: str) -> Matrix | None:
    blob = connection.execute(
        "SELECT value FROM calibration WHERE embedder = ? AND name = ?", (embedder.name, name)
    ).get
    return None if blob is None else np.frombuffer(blob, np.float32).reshape(-1, embedder.dimension)


def _keep(connection: apsw.Connection, embedder: str, name: str, rows: Matrix, now: int) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO calibration VALUES (?, ?, ?, ?)", (embedder, name, rows.tobytes(), now)
    )
