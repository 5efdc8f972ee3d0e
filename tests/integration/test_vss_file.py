"""The file of sqlite-vss: owned by one, compared at open, made anew where it is not what it should be."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs

from memory.errors import InvalidError, LockedError
from memory.ports import Filter, IndexedVector, Vector
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp
from memory.vectors.vss.file import open_file
from memory.vectors.vss.index import VssIndex
from memory.vectors.vss.library import Library
from tests.real_vss import UNHURRIED, needs_vss, open_vss

pytestmark = needs_vss

DIMENSION = 32
COUNT = 400


def vectors(seed: int = 3) -> list[Vector]:
    """Unit vectors in all directions."""
    numbers = np.random.default_rng(seed).standard_normal((COUNT, DIMENSION)).astype(np.float32)
    return list((numbers / np.linalg.norm(numbers, axis=1, keepdims=True)).astype(np.float32))


def rows(seed: int = 3) -> list[IndexedVector]:
    """One user's, all public."""
    return [IndexedVector(key, "ann", vector, 0, False) for key, vector in enumerate(vectors(seed))]


def file_of(folder: Path) -> Path:
    """The only database there."""
    (path,) = folder.glob("*.sqlite")
    return path


def written(folder: Path) -> Path:
    """A file that holds the rows."""
    index = open_vss(folder, DIMENSION)
    index.put(rows())
    index.close()
    return file_of(folder)


def assert_right(index: VssIndex, by: str = "vss") -> None:
    """It answers as the full scan of the rows does."""
    oracle = ExactIndex(DIMENSION)
    oracle.put(rows())
    before = index.answered.get(by, 0)
    for query in vectors(8)[:20]:
        found, expected = (one.search("ann", query, 9, Filter()) for one in (index, oracle))
        assert found.keys.tolist() == expected.keys.tolist()
        assert found.cosines.tolist() == expected.cosines.tolist()
    assert index.answered[by] == before + 20


def reopened(folder: Path) -> tuple[VssIndex, int]:
    """The index as the next start makes it, and how many rows it had to write again."""
    index = open_vss(folder, DIMENSION)
    index.put(rows())
    index.settle()
    waiting = index.waiting
    assert index.flush()
    return index, waiting


def test_a_whole_file_is_taken_as_it_is(tmp_path: Path) -> None:
    """Nothing is written again that agrees."""
    path = written(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    index, waiting = reopened(tmp_path)
    assert waiting == 0
    assert_right(index)
    index.close()
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([path.name, "library"])


def test_a_second_opening_is_refused_until_the_first_is_closed(tmp_path: Path) -> None:
    """The last of two writers of sqlite-vss would erase what the other one wrote."""
    index = open_vss(tmp_path, DIMENSION)
    with pytest.raises(LockedError):
        open_vss(tmp_path, DIMENSION)
    index.put(rows())
    assert index.flush()
    assert_right(index)
    index.close()
    open_vss(tmp_path, DIMENSION).close()


def cut(path: Path) -> None:
    """The half of it is gone."""
    os.truncate(path, path.stat().st_size // 2)


def flip(path: Path) -> None:
    """One bit in the middle of the vectors."""
    content = bytearray(path.read_bytes())
    spot = content.find(vectors()[COUNT // 2].tobytes()[:32])
    assert spot > 0
    content[spot] ^= 1
    path.write_bytes(content)


def zero_header(path: Path) -> None:
    """Not a database any more."""
    with path.open("r+b") as file:
        file.write(bytes(100))


def empty(path: Path) -> None:
    """Made, and never written."""
    os.truncate(path, 0)


def forget_row(path: Path) -> None:
    """The note of a vector is gone, the vector is not."""
    _execute(path, "DELETE FROM rows WHERE key = 5")


def wrong_crc(path: Path) -> None:
    """A vector is not what was noted."""
    _execute(path, "UPDATE rows SET crc = crc + 1 WHERE key = 5")


def unlisted(path: Path) -> None:
    """sqlite-vss could not remove it any more."""
    _execute(path, "DELETE FROM vectors_data WHERE rowid = 5")


def cut_image(path: Path) -> None:
    """FAISS ends the process that lets it read this."""
    _execute(path, "UPDATE vectors_index SET idx = substr(idx, 1, 200)")


def other_image(path: Path) -> None:
    """What FAISS would not read, and end the process, at its very start."""
    _execute(path, "UPDATE vectors_index SET idx = x'4978466c' || substr(idx, 5)")


def no_image(path: Path) -> None:
    """sqlite-vss finds nothing to read."""
    _execute(path, "DELETE FROM vectors_index")


def newer(path: Path) -> None:
    """Another memud's format."""
    _execute(path, "PRAGMA user_version = 99")


def other_model(path: Path) -> None:
    """A file that was renamed by hand."""
    _execute(path, "UPDATE stamp SET model = 'another'")


def remove(path: Path) -> None:
    """Deleted while memud was down."""
    path.unlink()


def _execute(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(sql)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "harm",
    [
        cut,
        flip,
        zero_header,
        empty,
        forget_row,
        wrong_crc,
        unlisted,
        cut_image,
        other_image,
        no_image,
        newer,
        other_model,
        remove,
    ],
)
def test_a_file_that_is_not_what_it_should_be_is_made_anew(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """It holds nothing that can't be had again; the log tells, the answers stay right."""
    harm(written(tmp_path))
    with capture_logs() as logs:
        index, waiting = reopened(tmp_path)
    assert waiting == COUNT
    assert [entry["event"] for entry in logs].count("index_rebuilt") == (harm is not remove)
    assert_right(index)
    index.close()
    again, waiting = reopened(tmp_path)
    assert waiting == 0
    assert_right(again)
    again.close()


@pytest.mark.parametrize("kind", ["text", "database"])
def test_somebody_elses_file_is_moved_aside(tmp_path: Path, kind: str) -> None:
    """What memud did not make it does not delete."""
    path = written(tmp_path)
    path.unlink()
    if kind == "text":
        path.write_text("dear diary\n" * 400, encoding="utf-8")
    else:
        _execute(path, "CREATE TABLE diary AS SELECT 'dear diary' AS entry")
    content = path.read_bytes()
    index, waiting = reopened(tmp_path)
    assert waiting == COUNT
    assert_right(index)
    index.close()
    assert path.with_name(path.name + ".aside").read_bytes() == content


def test_another_dimension_of_the_same_model_makes_it_anew(tmp_path: Path) -> None:
    """The name of the file is the model's; what it holds is not comparable."""
    written(tmp_path)
    index = VssIndex.open(tmp_path, Stamp("vss", "a model", 8), UNHURRIED)
    index.put([IndexedVector(1, "ann", np.eye(8, dtype=np.float32)[0], 0, False)])
    assert index.flush()
    assert index.search("ann", np.eye(8, dtype=np.float32)[0], 1, Filter()).keys.tolist() == [1]
    assert index.answered == {"vss": 1}
    index.close()


def test_a_vector_of_another_dimension_never_reaches_sqlite_vss(tmp_path: Path) -> None:
    """It would read past the end of a shorter one."""
    index = open_vss(tmp_path, DIMENSION)
    index.put(rows())
    with pytest.raises(InvalidError):
        index.put([IndexedVector(7, "ann", np.ones(1, np.float32), 0, False)])
    with pytest.raises(InvalidError):
        index.search("ann", np.ones(1, np.float32), 1, Filter())
    assert index.flush()
    assert_right(index)
    index.close()


def test_what_changed_while_the_file_was_not_looking_is_replaced(tmp_path: Path) -> None:
    """A vector of the same key, another by its checksum: the old one is never found again."""
    written(tmp_path)
    index = open_vss(tmp_path, DIMENSION)
    index.put(rows(seed=4))
    index.settle()
    assert index.waiting == COUNT
    assert index.flush()
    oracle = ExactIndex(DIMENSION)
    oracle.put(rows(seed=4))
    for query in vectors()[:10]:
        found, expected = (one.search("ann", query, 3, Filter()) for one in (index, oracle))
        assert found.keys.tolist() == expected.keys.tolist()
    assert index.answered["vss"] == 10
    index.close()


def test_a_forgotten_vector_is_not_in_the_file_any_more(tmp_path: Path) -> None:
    """Neither in the index nor in a page that is free."""
    path = written(tmp_path)
    index, _ = reopened(tmp_path)
    gone = vectors()[17].tobytes()
    assert gone in path.read_bytes()
    index.put([IndexedVector(COUNT, "ann", vectors(9)[0], 0, False)])
    assert index.flush()  # the pages before this batch are free now, and hold what they held
    index.remove([17])
    assert index.flush()
    assert all(gone not in one.read_bytes() for one in tmp_path.glob("*.sqlite*"))
    index.close()


@pytest.mark.parametrize("kept", [0, 3, 90, 333])
def test_no_part_of_a_forgotten_vector_stays_in_a_page_that_is_used_on(tmp_path: Path, kept: int) -> None:
    """However many leave at once: where the index shrinks within a page, the rest of the page is wiped."""
    index = VssIndex.open(tmp_path, Stamp("vss", "a model", DIMENSION), UNHURRIED)
    index.put(rows())
    index.settle()
    assert index.flush()
    index.remove(list(range(kept, COUNT)))
    assert index.flush()
    found = b"".join(path.read_bytes() for path in tmp_path.glob("vss-*"))
    pieces = [vector.tobytes()[start : start + 32] for vector in vectors() for start in (0, 32, 64, 96)]
    assert [piece in found for piece in pieces] == [True] * 4 * kept + [False] * 4 * (COUNT - kept)
    index.close()


def test_what_a_kill_left_of_a_forgotten_vector_goes_at_the_next_start(tmp_path: Path) -> None:
    """Killed between the batch and the wiping of its free pages; no other batch follows."""
    others = [IndexedVector(COUNT + n, "bob", vector, 0, False) for n, vector in enumerate(vectors(9) * 2)]
    index = open_vss(tmp_path, DIMENSION)
    index.put([*rows(), *others])  # more than fits into a page
    assert index.flush()
    index.close()
    path, stamp, gone = file_of(tmp_path), Stamp("vss", "a model", DIMENSION), vectors()[317].tobytes()
    connection = open_file(path, stamp, Library.prepare(tmp_path / "library")).connection
    forget = "DELETE FROM rows WHERE key = 317; DELETE FROM vectors WHERE rowid = 317"
    connection.execute(f"BEGIN; {forget}; COMMIT")
    connection.close()
    assert gone in path.read_bytes()
    index = open_vss(tmp_path, DIMENSION)
    index.put([row for row in [*rows(), *others] if row.key != 317])
    index.settle()
    assert not index.waiting
    assert all(gone not in one.read_bytes() for one in tmp_path.glob("*.sqlite*"))
    index.close()
