"""What every vector index promises."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.errors import InvalidError
from memory.model import DAY_S
from memory.ports import Filter, IndexedVector, Neighbours, Vector, VectorIndex
from tests.vector_backends import BACKENDS, EVERY_BACKEND

DIMENSION = 8
NOW = 1_780_000_000
ALL = Filter()


@pytest.fixture(params=EVERY_BACKEND)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndex]:
    """An empty index of each backend."""
    opened = BACKENDS[request.param].open(DIMENSION, tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def rebuilt(request: pytest.FixtureRequest, index: VectorIndex, tmp_path: Path) -> Iterator[VectorIndex]:
    """Another empty index of the same backend."""
    folder = tmp_path / "rebuilt"
    folder.mkdir(mode=0o700)
    opened = BACKENDS[request.node.callspec.params["index"]].open(DIMENSION, folder)
    yield opened
    opened.close()


def unit(*numbers: float) -> Vector:
    """The numbers, filled up with zeros, at length 1."""
    vector = np.zeros(DIMENSION, np.float32)
    vector[: len(numbers)] = numbers
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def row(key: int, vector: Vector, user_id: str = "ann", timestamp: int = NOW, **more: Any) -> IndexedVector:
    """A public row unless told otherwise."""
    fields: dict[str, Any] = {"private": False, **more}
    return IndexedVector(key, user_id, vector, timestamp, **fields)


def keys(found: Neighbours) -> list[int]:
    """The found keys, best first."""
    return [int(key) for key in found.keys]


def test_an_index_names_its_backend(index: VectorIndex) -> None:
    """`health` and the stamp on disk show what serves."""
    assert index.backend in {"exact", "vss", "faiss"}


def test_the_nearest_come_first_with_their_cosines(index: VectorIndex) -> None:
    """Order and values are those of the cosine."""
    index.put([row(1, unit(0, 1)), row(2, unit(1)), row(3, unit(1, 1))])
    found = index.search("ann", unit(1), 2, ALL)
    assert keys(found) == [2, 3]
    assert found.cosines == pytest.approx([1.0, 0.5**0.5], abs=1e-6)
    assert found.keys.dtype == np.int64
    assert found.cosines.dtype == np.float32


def test_equal_cosines_are_ordered_by_key_also_at_the_cut(index: VectorIndex) -> None:
    """The same question has the same answer, whatever the order of insertion."""
    index.put([row(key, unit(1, 2, 3)) for key in (9, 4, 7, 1, 8, 3)])
    assert keys(index.search("ann", unit(1), 3, ALL)) == [1, 3, 4]


def test_equal_vectors_have_equal_cosines_wherever_they_lie(index: VectorIndex) -> None:
    """Rounding never decides between two copies of one vector."""
    index.put([row(key, unit(0.3, 0.7, 0.2, 0.9, 0.11)) for key in range(67)])
    found = index.search("ann", unit(0.5, 0.4, 0.3, 0.2, 0.1), 67, ALL)
    assert len(set(found.cosines.tolist())) == 1
    assert keys(found) == list(range(67))


def test_a_known_key_is_replaced(index: VectorIndex) -> None:
    """An updated fact is found by its new words only, with its new time."""
    index.put([row(1, unit(1), timestamp=NOW), row(2, unit(0, 1))])
    index.put([row(1, unit(0, 0, 1), timestamp=NOW + 5)])
    assert len(index) == 2
    assert keys(index.search("ann", unit(0, 0, 1), 1, ALL)) == [1]
    assert keys(index.search("ann", unit(1), 9, Filter(until=NOW))) == [2]


def test_of_a_key_given_twice_in_one_call_the_last_counts(index: VectorIndex) -> None:
    """A batch reads like single calls."""
    index.put([row(1, unit(1)), row(1, unit(0, 1))])
    assert len(index) == 1
    assert index.cosines("ann", [1], unit(0, 1)) == pytest.approx([1.0])


def test_a_removed_key_is_gone_and_the_others_stay(index: VectorIndex) -> None:
    """Forgetting one leaves the rest as it was."""
    vectors = {key: unit(*np.random.default_rng(key).standard_normal(DIMENSION)) for key in range(40)}
    index.put([row(key, vector) for key, vector in vectors.items()])
    index.remove([3, 39, 0, 77, 3])
    left = sorted(set(vectors) - {0, 3, 39})
    assert len(index) == len(left)
    for key in left:
        assert keys(index.search("ann", vectors[key], 1, ALL)) == [key]
    assert np.isnan(index.cosines("ann", [0, 3, 39], unit(1))).all()


def test_removing_everything_leaves_an_empty_index_that_can_be_filled_again(index: VectorIndex) -> None:
    """A user may forget all and start over."""
    index.put([row(1, unit(1)), row(2, unit(0, 1))])
    index.remove([1, 2])
    assert (len(index), keys(index.search("ann", unit(1), 5, ALL))) == (0, [])
    index.put([row(5, unit(1))])
    assert keys(index.search("ann", unit(1), 5, ALL)) == [5]


def test_the_order_of_writing_changes_no_answer(index: VectorIndex, rebuilt: VectorIndex) -> None:
    """An index that was made anew from the stored vectors answers as the one before."""
    vectors = [unit(*np.random.default_rng(seed).standard_normal(DIMENSION)) for seed in range(60)]
    rows = [row(key, vector, timestamp=NOW - key * DAY_S) for key, vector in enumerate(vectors)]
    for one in rows:
        index.put([row(one.key, unit(1), "bob")])
        index.put([one])
    index.remove(range(50, 60))
    rebuilt.put(rows[:50][::-1])
    for query in (unit(1), vectors[55]):
        found = [one.search("ann", query, 20, ALL) for one in (index, rebuilt)]
        weighted = [one.weighted("ann", query, NOW, 20) for one in (index, rebuilt)]
        for before, after in (found, weighted):
            assert (keys(after), after.cosines.tolist()) == (keys(before), before.cosines.tolist())


def test_a_user_never_sees_another_users_vectors(index: VectorIndex) -> None:
    """Search, cosines and weighted stay within the user, statistics included."""
    index.put([row(1, unit(1), "ann"), row(2, unit(1), "bob"), row(3, unit(0, 1), "bob")])
    found = index.search("ann", unit(1), 9, ALL)
    assert (keys(found), found.size) == ([1], 1)
    assert found.mean == pytest.approx(1.0)
    assert np.isnan(index.cosines("ann", [2], unit(1))).all()
    assert keys(index.weighted("ann", unit(1), NOW, 9)) == [1]


def test_a_key_that_changes_its_user_leaves_the_old_one(index: VectorIndex) -> None:
    """One key is one row."""
    index.put([row(1, unit(1), "ann")])
    index.put([row(1, unit(1), "bob")])
    assert len(index) == 1
    assert keys(index.search("ann", unit(1), 9, ALL)) == []
    assert keys(index.search("bob", unit(1), 9, ALL)) == [1]


def test_an_empty_index_and_an_unknown_user_have_nothing(index: VectorIndex) -> None:
    """No error and no NaN, only nothing."""
    index.put([])
    index.remove([1])
    index.put([row(1, unit(1), "bob")])
    for found in (index.search("ann", unit(1), 5, ALL), index.weighted("ann", unit(1), NOW, 5)):
        assert (len(found.keys), len(found.cosines), found.mean, found.std, found.size) == (0, 0, 0.0, 0.0, 0)
    assert np.isnan(index.cosines("ann", [1, 2], unit(1))).all()
    assert index.cosines("bob", [], unit(1)).shape == (0,)


@pytest.mark.parametrize(
    ("allowed", "seen"),
    [
        (ALL, [1, 2, 3, 4]),
        (Filter(until=NOW), [1, 2]),
        (Filter(public_only=True), [1, 3]),
        (Filter(until=NOW, public_only=True), [1]),
        (Filter(until=NOW - 1), []),
    ],
)
def test_a_filter_hides_later_and_private_rows(index: VectorIndex, allowed: Filter, seen: list[int]) -> None:
    """What is hidden is neither found nor counted; a row of the moment itself is seen."""
    index.put(
        [
            row(1, unit(1, 4)),
            row(2, unit(1, 3), private=True),
            row(3, unit(1, 2), timestamp=NOW + 1),
            row(4, unit(1, 1), timestamp=NOW + 1, private=True),
        ]
    )
    found = index.search("ann", unit(1), 9, allowed)
    assert (sorted(keys(found)), found.size) == (seen, len(seen))


def test_a_filter_leaves_room_for_k_visible_rows(index: VectorIndex) -> None:
    """Hidden rows in front never crowd out what may be seen."""
    index.put([row(key, unit(1), private=True) for key in range(100)])
    index.put([row(key, unit(1, 5)) for key in (200, 201)])
    assert keys(index.search("ann", unit(1), 2, Filter(public_only=True))) == [200, 201]


def test_mean_and_std_describe_all_that_the_filter_let_through(index: VectorIndex) -> None:
    """A score can be standardised against the store, not against the few that were found."""
    vectors = [unit(*np.random.default_rng(seed).standard_normal(DIMENSION)) for seed in range(30)]
    index.put([row(key, vector, private=key % 3 == 0) for key, vector in enumerate(vectors)])
    cosines = [float(vector.astype(np.float64)[0]) for key, vector in enumerate(vectors) if key % 3]
    found = index.search("ann", unit(1), 2, Filter(public_only=True))
    assert (found.size, len(found.keys)) == (20, 2)
    assert found.mean == pytest.approx(np.mean(cosines), abs=1e-6)
    assert found.std == pytest.approx(np.std(cosines), abs=1e-6)


def test_the_spread_is_that_of_a_search(index: VectorIndex) -> None:
    """What finds candidates elsewhere standardises by the same mean and deviation."""
    vectors = [unit(*np.random.default_rng(seed).standard_normal(DIMENSION)) for seed in range(30)]
    index.put([row(key, vector, private=key % 3 == 0) for key, vector in enumerate(vectors)])
    for allowed in (ALL, Filter(public_only=True), Filter(until=NOW - 1)):
        found, spread = index.search("ann", unit(1), 2, allowed), index.spread("ann", unit(1), allowed)
        assert (spread.mean, spread.std, spread.size) == (found.mean, found.std, found.size)
    assert index.spread("bob", unit(1), ALL).size == 0


@pytest.mark.parametrize("k", [0, -1])
def test_none_asked_none_given(index: VectorIndex, k: int) -> None:
    """A limit of zero still tells the statistics."""
    index.put([row(1, unit(1))])
    found = index.search("ann", unit(1), k, ALL)
    assert (keys(found), found.size) == ([], 1)
    assert found.mean == pytest.approx(1.0)


def test_cosines_come_in_the_order_asked_and_agree_with_search(index: VectorIndex) -> None:
    """Candidates of full text are scored on the same scale, bit for bit; unknown keys are NaN."""
    vectors = [unit(*np.random.default_rng(seed).standard_normal(DIMENSION)) for seed in range(20)]
    index.put([row(key, vector) for key, vector in enumerate(vectors)])
    found = index.search("ann", unit(1, 2, 3), 20, ALL)
    asked = [*keys(found), 99, keys(found)[0]]
    cosines = index.cosines("ann", asked, unit(1, 2, 3))
    assert cosines[:20].tolist() == found.cosines.tolist()
    assert np.isnan(cosines[20])
    assert cosines[21] == found.cosines[0]


def test_weighted_halves_after_one_half_life_and_keeps_evergreens(index: VectorIndex) -> None:
    """cosine x importance x 2^(-age/half-life): .9 x .5, .42 (not of age yet), .4, .9 x .125."""
    index.put(
        [
            row(1, unit(1), timestamp=NOW - 30 * DAY_S, importance=0.9, half_life_days=10),
            row(2, unit(1), timestamp=NOW - 900 * DAY_S, importance=0.4, half_life_days=None),
            row(3, unit(1), timestamp=NOW - 10 * DAY_S, importance=0.9, half_life_days=10),
            row(4, unit(1), timestamp=NOW + 99 * DAY_S, importance=0.42, half_life_days=10),
            row(5, unit(0, 1), timestamp=NOW, importance=1.0, half_life_days=10),
        ]
    )
    found = index.weighted("ann", unit(1), NOW, 4)
    assert keys(found) == [3, 4, 2, 1]
    assert found.cosines == pytest.approx([1, 1, 1, 1])
    assert found.size == 5
    assert found.mean == pytest.approx(0.8)


BAD_VECTORS = {
    "short": np.ones(1, np.float32),
    "long": unit(1).repeat(2),
    "matrix": unit(1)[None, :],
    "nan": np.where(np.arange(DIMENSION) == 3, np.nan, unit(1)).astype(np.float32),
    "infinite": np.where(np.arange(DIMENSION) == 3, np.inf, unit(1)).astype(np.float32),
    "too large for float32": np.full(DIMENSION, 1e300),
    "too large to square": np.full(DIMENSION, 1e30, np.float32),
    "zero": np.zeros(DIMENSION, np.float32),
    "not normalised": unit(1) * np.float32(1.01),
}


@pytest.mark.parametrize("bad", BAD_VECTORS.values(), ids=BAD_VECTORS.keys())
def test_a_bad_vector_changes_nothing(index: VectorIndex, bad: Vector) -> None:
    """A whole batch is refused with its one bad row; the index answers as before."""
    index.put([row(1, unit(1))])
    with pytest.raises(InvalidError):
        index.put([row(1, unit(0, 1)), row(2, unit(1), "bob"), row(3, bad), row(3, unit(1))])
    assert len(index) == 1
    assert index.cosines("ann", [1], unit(1)) == pytest.approx([1.0])
    assert keys(index.search("bob", unit(1), 9, ALL)) == []


@pytest.mark.parametrize("bad", BAD_VECTORS.values(), ids=BAD_VECTORS.keys())
def test_a_bad_query_is_refused(index: VectorIndex, bad: Vector) -> None:
    """A query of another model is an error, never a wrong answer."""
    index.put([row(1, unit(1))])
    for ask in (
        lambda: index.search("ann", bad, 1, ALL),
        lambda: index.cosines("ann", [1], bad),
        lambda: index.weighted("ann", bad, NOW, 1),
    ):
        with pytest.raises(InvalidError):
            ask()


@pytest.mark.parametrize(
    "weight",
    [{"importance": float("nan")}, {"importance": 1.5}, {"importance": -0.1}, {"half_life_days": 0}],
)
def test_a_weight_that_would_poison_the_order_is_refused(index: VectorIndex, weight: dict[str, Any]) -> None:
    """Importance lies within 0..1 and a half-life above 0."""
    with pytest.raises(InvalidError):
        index.put([row(1, unit(1)), row(2, unit(1), **weight)])
    assert len(index) == 0


def test_a_float64_query_gives_the_float32_answer(index: VectorIndex) -> None:
    """No upcast of the whole matrix, no other rounding."""
    index.put([row(key, unit(1, key)) for key in range(9)])
    narrow = index.search("ann", unit(3, 2, 1), 9, ALL)
    wide = index.search("ann", unit(3, 2, 1).astype(np.float64), 9, ALL)
    assert wide.cosines.dtype == np.float32
    assert wide.cosines.tolist() == narrow.cosines.tolist()


def test_the_index_keeps_its_own_copy(index: VectorIndex) -> None:
    """What the caller does to its arrays later changes no answer, and the other way round."""
    vector = unit(1)
    index.put([row(1, vector)])
    vector[:] = unit(0, 1)
    index.search("ann", unit(1), 1, ALL).cosines[:] = 0
    assert index.search("ann", unit(1), 1, ALL).cosines == pytest.approx([1.0])


def test_settled_it_holds_what_was_put(index: VectorIndex) -> None:
    """The end of loading takes nothing away, and changes go on after it."""
    index.put([row(1, unit(1)), row(2, unit(0, 1))])
    index.settle()
    assert keys(index.search("ann", unit(1), 9, ALL)) == [1, 2]
    index.remove([1])
    index.put([row(3, unit(1))])
    assert keys(index.search("ann", unit(1), 9, ALL)) == [3, 2]


def test_flushed_nothing_waits(index: VectorIndex) -> None:
    """Whoever is to take another's place has all of it in its file."""
    index.put([row(1, unit(1)), row(2, unit(0, 1))])
    index.settle()
    assert index.flush()
    assert (index.waiting, index.fault) == (0, "")


def test_closing_twice_is_harmless(index: VectorIndex) -> None:
    """Whoever closes need not know whether another did."""
    index.put([row(1, unit(1))])
    index.close()
    index.close()
    assert keys(index.search("ann", unit(1), 1, ALL)) == [1]


def test_closed_it_still_answers_who_comes_late(index: VectorIndex) -> None:
    """A search may have taken the index just before another got its place."""
    index.put([row(1, unit(1)), row(2, unit(0, 1))])
    index.close()
    assert keys(index.search("ann", unit(1), 9, ALL)) == [1, 2]
    assert index.cosines("ann", [2], unit(0, 1)) == pytest.approx([1.0])
    assert index.vectors("ann", [1]).tolist() == [unit(1).tolist()]


def test_its_size_in_memory_is_told(index: VectorIndex) -> None:
    """A thousand vectors weigh at least their own bytes."""
    index.put([row(key, unit(1, key)) for key in range(1000)])
    assert index.nbytes >= 1000 * DIMENSION * 4


def test_a_search_never_sees_half_a_batch(index: VectorIndex) -> None:
    """Readers beside a writer see each call of put and remove entirely or not at all."""
    here, there = unit(1), unit(0, 1)
    batch = list(range(60))
    index.put([row(key, here) for key in batch])
    done, torn = threading.Event(), list[int]()

    def read() -> None:
        while not done.is_set():
            found = index.search("ann", here, 100, ALL)
            whole = found.size in (0, 60) and found.mean in (0.0, 1.0)
            if not whole or sorted(keys(found)) != batch[: found.size]:
                torn.append(found.size)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for turn in range(150):
        index.put([row(key, there if turn % 2 else here) for key in batch])
        if turn % 10 == 0:
            index.remove(batch)
    done.set()
    for reader in readers:
        reader.join()
    assert not torn
