"""The control: what one would write in an afternoon. SQLite, FTS5 and numpy; no decay, no gate, no scope."""

import re
import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from bench.peers.peer import Embed, Peer, Store
from bench.peers.work import Vector

_CANDIDATES = 200
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_STOP = frozenset(
    _WORD.findall(
        "a about an and are at by did do does for from had has have how i in is it my of on or that the this"
        " to was we what when where which who with you your"
    )
)
_SCHEMA = """
  CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT, hash BLOB UNIQUE, vector BLOB);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content = '', tokenize = 'porter unicode61');
"""
_BY_WORDS = "SELECT rowid, bm25(words) FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"


class Control(Store):
    """One file in WAL mode, one transaction a note, synced; all vectors in one array."""

    def __init__(self, path: Path, embed: Embed) -> None:
        self._embed = embed
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.executescript(_SCHEMA)
        self._texts: list[str] = []
        self._places: dict[int, int] = {}
        self._vectors = np.empty((1024, embed.dimension), np.float32)
        for key, text, vector in self._connection.execute("SELECT id, text, vector FROM notes ORDER BY id"):
            self._remember(key, text, np.frombuffer(vector, np.float32))

    def add(self, text: str) -> None:
        """Committed with a sync."""
        self.add_many([text])

    def add_many(self, texts: Sequence[str]) -> None:
        """In one transaction."""
        rows = [(text, self._embed.passage(text)) for text in texts]
        self._connection.execute("BEGIN IMMEDIATE")
        added = [(self._insert(text, vector), text, vector) for text, vector in rows]
        self._connection.execute("COMMIT")
        for key, text, vector in added:
            if key is not None:
                self._remember(key, text, vector)

    def search(self, query: str, limit: int) -> list[str]:
        """Half cosine, half BM25, each standardised."""
        count = len(self._texts)
        if not count:
            return []
        scores = _standard(self._vectors[:count] @ self._embed.query(query))
        words = self._by_words(query)
        if words.any():
            scores = 0.5 * scores + 0.5 * _standard(words)
        best = np.argpartition(-scores, min(limit, count) - 1)[:limit]
        return [self._texts[place] for place in best[np.argsort(-scores[best])]]

    def count(self) -> int:
        """Rows."""
        return len(self._texts)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _insert(self, text: str, vector: Vector) -> int | None:
        """The key of a new note; None for a text that is there."""
        done = self._connection.execute(
            "INSERT OR IGNORE INTO notes (text, hash, vector) VALUES (?, ?, ?)",
            (text, sha256(text.encode()).digest(), vector.tobytes()),
        )
        if not done.rowcount:
            return None
        values = (done.lastrowid, _in_pairs(text))
        self._connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", values)
        return done.lastrowid

    def _remember(self, key: int, text: str, vector: Vector) -> None:
        place = len(self._texts)
        if place == len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.empty_like(self._vectors)])
        self._vectors[place] = vector
        self._places[key] = place
        self._texts.append(text)

    def _by_words(self, query: str) -> Vector:
        scores = np.zeros(len(self._texts), np.float32)
        words = [word for word in _WORD.findall(_in_pairs(query).lower()) if word not in _STOP]
        if not words:
            return scores
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        for key, score in self._connection.execute(_BY_WORDS, (match, _CANDIDATES)):
            scores[self._places[key]] = -score
        return scores


def _in_pairs(text: str) -> str:
    """Chinese as overlapping pairs of characters, as FTS5 knows no words in it."""

    def pairs(found: re.Match[str]) -> str:
        run = found[0]
        return " " + " ".join(run[start : start + 2] for start in range(max(1, len(run) - 1))) + " "

    return _HAN.sub(pairs, text)


def _standard(scores: Vector) -> Vector:
    standard: Vector = (scores - scores.mean()) / max(float(scores.std()), 1e-9)
    return standard


def open_control(folder: Path, embed: Embed) -> Control:
    """In a file of the folder."""
    return Control(folder / "control.db", embed)


PEER = Peer(
    "control",
    "bare SQLite, FTS5 and numpy in the caller's process: no decay, no gate, no scope, no daemon",
    open_control,
    sizes=(1_000, 5_000, 10_000),
)
