"""The approximate index with lists that are really searched: what it finds, how it follows changes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from memory.ports import Filter, IndexedVector, Matrix, Vector
from memory.vectors.ann.aims import Aims
from memory.vectors.ann.index import FaissIndex
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp
from tests.real_faiss import needs_faiss

pytestmark = needs_faiss

DIMENSION = 32
SIZE = 3000
STAMP = Stamp("faiss", "a model", DIMENSION)
LISTED = Aims(large=1000, depth=20, gain=0)
K = 20

Open = Callable[[Stamp], FaissIndex]


def clustered(size: int, seed: int) -> Matrix:
    """Unit vectors around forty centres, as texts lie around topics."""
    chance = np.random.default_rng(seed)
    centres = np.random.default_rng(0).standard_normal((40, DIMENSION))
    vectors = centres[chance.integers(0, 40, size)] + 0.6 * chance.standard_normal((size, DIMENSION))
    unit: Matrix = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def rows(
    vectors: Matrix, first: int = 0, user_id: str = "ann", private_every: int = 5
) -> list[IndexedVector]:
    """A row each, numbered from `first`; every fifth private."""
    return [
        IndexedVector(first + at, user_id, vector, timestamp=at, private=at % private_every == 0)
        for at, vector in enumerate(vectors)
    ]


def share(index: FaissIndex, oracle: ExactIndex, questions: Matrix, allowed: Filter) -> float:
    """Of the true top K the mean share that the index finds; its cosines and statistics must be exact."""
    found = list[float]()
    for question in questions:
        near, true = (one.search("ann", question, K, allowed) for one in (index, oracle))
        assert (near.size, near.mean, near.std) == pytest.approx((true.size, true.mean, true.std), abs=1e-6)
        assert near.cosines.tolist() == oracle.cosines("ann", near.keys.tolist(), question).tolist()
        found.append(len(set(near.keys.tolist()) & set(true.keys.tolist())) / K)
    return float(np.mean(found))


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens indexes over one folder, one after another."""
    last = list[FaissIndex]()

    def open_next(stamp: Stamp = STAMP) -> FaissIndex:
        while last:
            last.pop().close()
        last.append(FaissIndex.open(tmp_path / "index", stamp, LISTED))
        return last[0]

    yield open_next
    while last:
        last.pop().close()


def filled(index: FaissIndex) -> tuple[FaissIndex, ExactIndex]:
    """Both with the same rows of two users, the lists built."""
    oracle = ExactIndex(DIMENSION)
    for one in (index, oracle):
        one.put(rows(clustered(SIZE, 1)))
        one.put(rows(clustered(200, 2), first=SIZE, user_id="bob"))
        one.settle()
    assert index.flush()
    return index, oracle


QUESTIONS = clustered(30, 3)


@pytest.mark.parametrize("allowed", [Filter(), Filter(public_only=True)])
def test_it_finds_nearly_all_and_says_how_much(opened: Open, allowed: Filter) -> None:
    """On questions it was not measured by it finds what it aimed at, with a filter as well."""
    index, oracle = filled(opened(STAMP))
    assert index.measured_recall is not None
    assert index.measured_recall >= LISTED.recall
    assert share(index, oracle, QUESTIONS, allowed) >= 0.98


@pytest.mark.parametrize("allowed", [Filter(until=300), Filter(since=2900), Filter(since=100, until=120)])
def test_a_filter_by_time_is_answered_exactly(opened: Open, allowed: Filter) -> None:
    """The few rows of a span are scanned."""
    index, oracle = filled(opened(STAMP))
    assert share(index, oracle, QUESTIONS, allowed) == 1


def test_rows_that_are_nearly_all_hidden_never_crowd_out_what_may_be_seen(opened: Open) -> None:
    """A filter that lets few through gives their exact top."""
    index, oracle = opened(STAMP), ExactIndex(DIMENSION)
    for one in (index, oracle):
        one.put(rows(clustered(SIZE, 1), private_every=1))
        one.put(rows(clustered(40, 4), first=SIZE, private_every=41)[1:])
        one.settle()
    assert index.flush()
    assert index.measured_recall is not None
    assert share(index, oracle, QUESTIONS, Filter(public_only=True)) == 1


def test_a_user_never_gets_the_vectors_of_another(opened: Open) -> None:
    """Neither a small user those of a large one, nor the other way round."""
    index, _ = filled(opened(STAMP))
    for question in QUESTIONS:
        assert all(key < SIZE for key in index.search("ann", question, K, Filter()).keys)
        assert all(key >= SIZE for key in index.search("bob", question, K, Filter()).keys)


def test_what_was_just_put_is_found_at_once(opened: Open) -> None:
    """Before any list has it; and by its new vector only, once it is replaced."""
    index, _ = filled(opened(STAMP))
    here, there = QUESTIONS[0], -QUESTIONS[0]
    index.put(rows(here[None, :], first=9999))
    assert index.search("ann", here, 1, Filter()).keys.tolist() == [9999]
    index.put(rows(there[None, :], first=9999))
    assert index.search("ann", there, 1, Filter()).keys.tolist() == [9999]
    assert 9999 not in index.search("ann", here, K, Filter()).keys


def test_changes_of_all_kinds_are_followed(opened: Open) -> None:
    """A tenth replaced, a tenth removed, some moved to another user: the lists find what there is now."""
    index, oracle = filled(opened(STAMP))
    for one in (index, oracle):
        one.put(rows(clustered(300, 5)))
        one.remove(list(range(400, 700)))
        one.put(rows(clustered(100, 6), first=800, user_id="bob"))
        one.put(rows(clustered(300, 7), first=5000))
    assert index.flush()
    assert share(index, oracle, QUESTIONS, Filter()) >= 0.98
    assert index.waiting == 0


def test_a_user_who_forgets_nearly_all_is_scanned_again(opened: Open) -> None:
    """The lists and their file go with the vectors."""
    index, oracle = filled(opened(STAMP))
    for one in (index, oracle):
        one.remove(list(range(100, SIZE)))
    assert index.flush()
    assert index.measured_recall is None
    assert share(index, oracle, QUESTIONS, Filter()) == 1


def test_vectors_that_are_all_alike_are_found(opened: Open) -> None:
    """No centre lies between them, and no statistic breaks."""
    index = opened(STAMP)
    index.put(rows(np.repeat(QUESTIONS[:1], 1500, axis=0)))
    index.settle()
    assert index.flush()
    found = index.search("ann", QUESTIONS[0], K, Filter())
    assert len(found.keys) == K
    assert found.cosines == pytest.approx(np.ones(K))


def test_lists_that_fit_are_not_built_again(opened: Open) -> None:
    """A start compares what is put with the file; what differs is found all the same."""
    _, oracle = filled(opened(STAMP))
    again = opened(STAMP)
    kept = again.measured_recall
    assert kept is not None
    again.put(rows(clustered(SIZE, 1)))
    again.put(rows(clustered(50, 8)))
    oracle.put(rows(clustered(50, 8)))
    again.settle()
    assert again.waiting == 50
    assert share(again, oracle, QUESTIONS, Filter()) >= 0.98
    assert again.flush()
    assert again.measured_recall == kept


def test_what_never_came_again_leaves_the_lists(opened: Open) -> None:
    """Texts forgotten while the daemon stood still are not found, nor kept in the file."""
    filled(opened(STAMP))
    again, oracle = opened(STAMP), ExactIndex(DIMENSION)
    for one in (again, oracle):
        one.put(rows(clustered(SIZE, 1))[:2500])
        one.settle()
    assert again.flush()
    assert share(again, oracle, QUESTIONS, Filter()) >= 0.98
    assert opened(STAMP).measured_recall is not None


def test_a_stop_that_is_too_short_to_file_much_leaves_nothing_forgotten_in_the_file(
    opened: Open, tmp_path: Path
) -> None:
    """It is built anew by the next start; additions alone can wait for that in the file as it is."""
    filled(opened(STAMP))
    for removed, files in (([], 1), ([7], 0)):
        index = opened(STAMP)
        index.put(rows(clustered(SIZE, 1)))
        index.put(rows(clustered(5000, 5), first=10_000))
        index.remove(removed)
        index.close()
        assert len(list((tmp_path / "index").glob("*.ann"))) == files


def damage_nothing(content: bytes) -> bytes:
    """An empty file, as a full disk may leave."""
    return b""


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": damage_nothing,
    "cut": lambda content: content[: len(content) // 2],
    "a byte of the body": lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
    "a byte of the head": lambda content: content[:40] + bytes([content[40] ^ 1]) + content[41:],
    "foreign": lambda content: b"not this" + content,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_is_built_anew(
    opened: Open, tmp_path: Path, damage: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """No byte of it is believed, and the log says so."""
    filled(opened(STAMP))[0].close()
    (path,) = (tmp_path / "index").glob("*.ann")
    path.write_bytes(damage(path.read_bytes()))
    again, _ = filled(opened(STAMP))
    assert "index_file_dropped" in capsys.readouterr().out
    assert again.measured_recall is not None


def test_the_lists_of_another_model_are_not_used(opened: Open) -> None:
    """Neither by its name nor by its dimension."""
    filled(opened(STAMP))
    assert opened(Stamp("faiss", "another model", DIMENSION)).measured_recall is None
    assert opened(Stamp("faiss", "a model", DIMENSION + 1)).measured_recall is None


def test_a_disk_that_refuses_is_told_and_the_answers_stay(opened: Open, tmp_path: Path) -> None:
    """The index goes on from memory, and says what it could not keep."""
    (tmp_path / "index").write_text("a file where the folder should be")
    index, oracle = opened(STAMP), ExactIndex(DIMENSION)
    for one in (index, oracle):
        one.put(rows(clustered(SIZE, 1)))
        one.settle()
    assert not index.flush()
    assert "can't be written" in index.fault
    assert share(index, oracle, QUESTIONS, Filter()) >= 0.98


def test_while_it_is_built_answers_are_exact(opened: Open) -> None:
    """Nobody waits for a million vectors to be filed."""
    index, oracle = opened(STAMP), ExactIndex(DIMENSION)
    for one in (index, oracle):
        one.put(rows(clustered(SIZE, 1)))
    assert index.waiting == SIZE
    assert share(index, oracle, QUESTIONS, Filter()) == 1


def vector(question: int) -> Vector:
    """One of the questions."""
    one: Vector = QUESTIONS[question]
    return one


def test_weighted_is_exact(opened: Open) -> None:
    """Age and importance put far texts first, which no list proposes."""
    index, oracle = filled(opened(STAMP))
    for question in range(10):
        near, true = (one.weighted("ann", vector(question), 10_000, K) for one in (index, oracle))
        assert near.keys.tolist() == true.keys.tolist()
