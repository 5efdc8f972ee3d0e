"""The plain searches that memud is compared with."""

import asyncio

from evaluation.baselines import Dense, FullText
from evaluation.store import Said, Store
from memory.testing import FakeEmbedder

STORE = Store(
    "s",
    "en",
    [
        Said("a", "user", "I planted plum trees", 1, "s", "Nora"),
        Said("b", "user", "The kite is blue", 2, "s", "Otto"),
        Said("c", "user", "Blue plums and a blue kite in the trees", 3, "s"),
    ],
)


def test_full_text_takes_any_word_and_ranks_by_bm25() -> None:
    """Signs of the query language in a question are words, or nothing."""
    found = FullText([STORE]).search(STORE, 'blue "kite" (OR', 2)
    assert found.found() == {"b", "c"}
    assert list(found.scores) == sorted(found.scores, reverse=True)
    assert FullText([STORE]).search(STORE, "?!", 5).keys == []


def test_the_speaker_belongs_to_the_text() -> None:
    """Questions on a talk name who spoke."""
    assert FullText([STORE]).search(STORE, "nora", 5).found() == {"a"}


def test_dense_ranks_by_cosine() -> None:
    """The same words are nearest."""
    with asyncio.Runner() as runner:
        dense = Dense([STORE], FakeEmbedder(), runner, lambda *_: None)
        found = dense.search(STORE, "Blue plums and a blue kite in the trees", 2)
    assert found.keys[0] == {"c"}
    assert len(found.keys) == 2
    assert found.scores[0] > found.scores[1]
