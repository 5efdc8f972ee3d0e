"""sqlite-vss when its file can't be written."""

from pathlib import Path

import numpy as np
from structlog.testing import capture_logs

from memory.ports import Filter, IndexedVector, Vector
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp
from memory.vectors.vss import image
from memory.vectors.vss.index import VssIndex
from tests.real_vss import UNHURRIED, needs_vss, open_vss

pytestmark = needs_vss

DIMENSION = 384
MIB = 2**20


def rows(keys: range) -> list[IndexedVector]:
    """One user's, in all directions."""
    return [IndexedVector(key, "ann", vector(key), 0, False) for key in keys]


def vector(key: int) -> Vector:
    """A direction of its own."""
    numbers = np.random.default_rng(key).standard_normal(DIMENSION).astype(np.float32)
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


def assert_right(index: VssIndex, keys: range) -> None:
    """It answers as the full scan of these keys does."""
    oracle = ExactIndex(DIMENSION)
    oracle.put(rows(keys))
    for seed in range(10_000, 10_005):
        found, expected = (one.search("ann", vector(seed), 7, Filter()) for one in (index, oracle))
        assert found.keys.tolist() == expected.keys.tolist()
        assert found.cosines.tolist() == expected.cosines.tolist()


def fill(folder: Path) -> Path:
    """A file that takes all the room there is."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        size = MIB
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2
    return filler


def test_on_a_full_disk_it_answers_from_memory_and_heals_when_there_is_room(small_disk: Path) -> None:
    """A commit that fails late leaves a phantom in FAISS; none is ever found, and none is written."""
    index = open_vss(small_disk, DIMENSION)
    index.put(rows(range(500)))
    assert index.flush()
    filler = fill(small_disk)
    index.put(rows(range(500, 900)))
    index.remove(range(100))
    with capture_logs() as logs:
        assert not index.flush()
        assert not index.flush()
    assert [entry["event"] for entry in logs] == ["index_not_written"]
    assert "full" in index.fault
    assert_right(index, range(100, 900))
    filler.unlink()
    assert index.flush()
    assert index.fault == ""
    index.remove(range(800, 900))
    assert index.flush()
    assert_right(index, range(100, 800))
    index.close()
    again = open_vss(small_disk, DIMENSION)
    again.put(rows(range(100, 800)))
    again.settle()
    assert again.waiting == 0
    assert_right(again, range(100, 800))
    again.close()


def test_an_index_too_long_for_sqlite_is_refused_with_what_to_do(tmp_path: Path) -> None:
    """The limit is that of one BLOB. What does not fit is searched exactly, and may fit after a removal."""
    index = VssIndex.open(
        tmp_path, Stamp("vss", "a model", DIMENSION), UNHURRIED, image.size_bytes(300, DIMENSION)
    )
    index.put(rows(range(200)))
    assert index.flush()
    index.put(rows(range(200, 400)))
    assert not index.flush()
    assert "400 vectors" in index.fault
    assert "faiss" in index.fault
    assert_right(index, range(400))
    index.remove(range(100))
    assert index.flush()
    assert index.fault == ""
    assert_right(index, range(100, 400))
    index.close()
