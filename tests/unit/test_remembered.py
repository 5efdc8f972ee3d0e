"""Vectors that are kept in a file."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from memory.embed.remembered import RememberedEmbedder
from memory.errors import InvalidError
from memory.ports import Matrix, Vector
from memory.testing import FakeEmbedder


class Counting(FakeEmbedder):
    """Counts the texts that it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    async def query(self, text: str) -> Vector:
        self.count += 1
        return await super().query(text)

    async def passages(self, texts: Sequence[str]) -> Matrix:
        self.count += len(texts)
        return await super().passages(texts)


def everything_in(folder: Path) -> bytes:
    """What all its files hold."""
    return b"".join(file.read_bytes() for file in folder.iterdir())


async def test_a_second_run_embeds_nothing(tmp_path: Path) -> None:
    """What the file holds is not embedded again, and is the same."""
    first, second = Counting(), Counting()
    before = RememberedEmbedder(first, tmp_path / "vectors.db")
    made = await before.passages(["茶", "tea"])
    asked = await before.query("tea")
    before.close()

    after = RememberedEmbedder(second, tmp_path / "vectors.db")
    assert np.array_equal(await after.passages(["tea", "茶"]), made[::-1])
    assert np.array_equal(await after.query("tea"), asked)
    assert second.count == 0
    after.close()


async def test_only_new_texts_are_embedded(tmp_path: Path) -> None:
    """Known and new texts of one call come back in order."""
    counting = Counting()
    remembered = RememberedEmbedder(counting, tmp_path / "vectors.db")
    await remembered.passages(["one"])
    rows = await remembered.passages(["two", "one", "three"])
    assert counting.count == 3
    assert np.array_equal(rows, await FakeEmbedder().passages(["two", "one", "three"]))
    remembered.close()


async def test_a_question_and_a_text_of_the_same_words_are_two(tmp_path: Path) -> None:
    """A model may embed them differently."""
    counting = Counting()
    remembered = RememberedEmbedder(counting, tmp_path / "vectors.db")
    await remembered.passages(["tea"])
    await remembered.query("tea")
    assert counting.count == 2
    remembered.close()


async def test_the_file_holds_no_words(tmp_path: Path) -> None:
    """Hashes and vectors alone."""
    remembered = RememberedEmbedder(FakeEmbedder(), tmp_path / "vectors.db")
    await remembered.query("my very own words")
    remembered.close()
    assert b"very own" not in everything_in(tmp_path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """The error says which setting to change."""
    (tmp_path / "notes.txt").write_text("not a database, " * 100)
    with pytest.raises(InvalidError) as caught:
        RememberedEmbedder(FakeEmbedder(), tmp_path / "notes.txt")
    assert "embed.cache" in caught.value.hint
