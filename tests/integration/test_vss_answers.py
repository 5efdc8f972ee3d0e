"""The real sqlite-vss beside the full scan."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from memory.ports import Filter, IndexedVector, Neighbours, Vector, VectorIndex
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp
from memory.vectors.vss.library import Library
from memory.vectors.vss.mirror import Mirror
from memory.vectors.vss.sidecar import Proposed, Sidecar
from tests.real_vss import needs_vss, open_vss

pytestmark = needs_vss

DIMENSION = 48
USERS = 7


def direction(rng: np.random.Generator, centre: int) -> Vector:
    """Near one of some centres, as texts are."""
    numbers = rng.standard_normal(DIMENSION) * 0.4
    numbers += np.random.default_rng(centre).standard_normal(DIMENSION)
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


def rows(rng: np.random.Generator, keys: range) -> list[IndexedVector]:
    """Of some users, a third of them private; every tenth a copy of another."""
    vectors = [direction(rng, key % 11) for key in keys]
    return [
        IndexedVector(
            key,
            f"user {key % USERS}",
            vectors[number // 10] if number % 10 == 9 else vectors[number],
            timestamp=key,
            private=key % 3 == 0,
        )
        for number, key in enumerate(keys)
    ]


def told(found: Neighbours) -> tuple[list[int], list[float], int]:
    """What must agree bit for bit."""
    return found.keys.tolist(), found.cosines.tolist(), found.size


def assert_equal(index: VectorIndex, oracle: VectorIndex, rng: np.random.Generator) -> None:
    """Both answer alike, whoever asks for however many."""
    for user in range(USERS + 1):
        query = direction(rng, user)
        for k in (1, 10, 80):
            for allowed in (Filter(), Filter(public_only=True), Filter(until=900, since=20)):
                found = index.search(f"user {user}", query, k, allowed)
                expected = oracle.search(f"user {user}", query, k, allowed)
                assert told(found) == told(expected)
                assert (found.mean, found.std) == pytest.approx((expected.mean, expected.std), abs=1e-6)


def test_it_answers_as_the_full_scan_does_written_and_unwritten(tmp_path: Path) -> None:
    """From the file, from what the file lacks, and from both, with vectors replaced, moved and removed."""
    rng, oracle = np.random.default_rng(5), ExactIndex(DIMENSION)
    index = open_vss(tmp_path, DIMENSION)
    for changes in (rows(rng, range(1500)), rows(rng, range(1400, 1600)), rows(rng, range(100, 150))):
        for one in (index, oracle):
            one.put(changes)
            one.remove(range(300, 330))
        assert_equal(index, oracle, rng)
        assert index.flush()
        assert index.waiting == 0
        assert_equal(index, oracle, rng)
    assert index.answered["vss"] > 80
    index.close()


def test_after_a_restart_only_what_differs_is_written_again(tmp_path: Path) -> None:
    """The file is compared with what is put: agreed, replaced, new, and never put."""
    rng = np.random.default_rng(6)
    first, oracle = rows(rng, range(300)), ExactIndex(DIMENSION)
    index = open_vss(tmp_path, DIMENSION)
    index.put(first)
    index.close()
    later = [*first[:200], *rows(rng, range(195, 205))]
    again = open_vss(tmp_path, DIMENSION)
    again.put(later)
    oracle.put(later)
    assert_equal(again, oracle, rng)
    assert again.waiting == 10
    again.settle()
    assert again.waiting == 10 + 95
    assert_equal(again, oracle, rng)
    assert again.flush()
    assert_equal(again, oracle, rng)
    assert again.answered["vss"] > 20
    again.close()


def test_a_vector_that_begins_like_a_header_of_sqlite_vss_is_a_vector(tmp_path: Path) -> None:
    """One in 65,536 does; taken for one without its first number, it would shift all that follow it."""
    rng, oracle = np.random.default_rng(9), ExactIndex(DIMENSION)
    index = open_vss(tmp_path, DIMENSION)
    confusing = _beginning_with(b"v\x01\xab\xbc", direction(rng, 1))
    changes = rows(rng, range(400))
    changes[150] = replace(changes[150], vector=confusing)
    for one in (index, oracle):
        one.put(changes)
    assert index.flush()
    assert_equal(index, oracle, rng)
    owner = changes[150].user_id
    assert index.search(owner, confusing, 1, Filter()).keys.tolist() == [150]
    assert index.answered["vss"] > 20
    index.close()
    again = open_vss(tmp_path, DIMENSION)
    again.put(changes)
    assert again.waiting == 0
    again.close()


def _beginning_with(first: bytes, vector: Vector) -> Vector:
    """Its first number is made of these bytes; the others keep their direction."""
    number = np.frombuffer(first, np.float32)[0]
    rest = vector[1:] * (np.sqrt(1 - number**2) / np.linalg.norm(vector[1:]))
    return np.array([number, *rest], np.float32)


class Interrupted(Sidecar):
    """The real one, with something that happens between its answer and the ranking of it."""

    meanwhile: Callable[[], object] = staticmethod(lambda: None)

    def nearest(self, query: Vector, k: int) -> Proposed | None:
        """The real answer, which is old by the time it is looked at."""
        found = super().nearest(query, k)
        self.meanwhile()
        return found


def test_a_batch_that_lands_during_a_search_hides_nothing(tmp_path: Path) -> None:
    """Neither among the old candidates nor in the tail any more: such a search is not believed."""
    rng = np.random.default_rng(8)
    vectors = ExactIndex(DIMENSION, first_pass=False)
    library = Library.prepare(tmp_path / "library")
    sidecar = Interrupted(tmp_path / "file.sqlite", Stamp("vss", "a model", DIMENSION), library)
    mirror = Mirror(vectors, DIMENSION, sidecar, sidecar.open(), 1000)
    mirror.put(rows(rng, range(300)))
    assert mirror.write_batch()
    late = [IndexedVector(900 + n, "user 1", direction(rng, 1), 0, False) for n in range(50)]
    mirror.put(late)
    query = late[7].vector
    sidecar.meanwhile = mirror.write_batch
    assert mirror.best_of("user 1", query, 5, Filter(), 300) is None
    assert mirror.waiting == 0
    sidecar.meanwhile = lambda: None
    found = mirror.best_of("user 1", query, 5, Filter(), 300)
    assert found is not None
    assert found.best.keys[0] == 907
    mirror.close(0)
