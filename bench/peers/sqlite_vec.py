"""sqlite-vec alone: one table of notes, one of vectors, nothing else."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from bench.peers.peer import Embed, Peer, Store


class SqliteVec(Store):
    """One transaction a note, synced."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        import sqlite_vec as extension

        self._embed = embed
        self._connection = sqlite3.connect(folder / "notes.db", isolation_level=None)
        self._connection.enable_load_extension(True)
        extension.load(self._connection)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)")
        self._connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS vectors USING vec0 "
            f"(vector float[{embed.dimension}] distance_metric=cosine)"
        )

    def add(self, text: str) -> None:
        """Committed with a sync."""
        self.add_many([text])

    def add_many(self, texts: Sequence[str]) -> None:
        """In one transaction."""
        self._connection.execute("BEGIN IMMEDIATE")
        for text in texts:
            key = self._connection.execute("INSERT INTO notes (text) VALUES (?)", (text,)).lastrowid
            vector = self._embed.passage(text).tobytes()
            self._connection.execute("INSERT INTO vectors (rowid, vector) VALUES (?, ?)", (key, vector))
        self._connection.execute("COMMIT")

    def search(self, query: str, limit: int) -> list[str]:
        """By cosine."""
        rows = self._connection.execute(
            "SELECT text FROM vectors JOIN notes ON notes.id = vectors.rowid "
            "WHERE vector MATCH ? AND k = ? ORDER BY distance",
            (self._embed.query(query).tobytes(), limit),
        )
        return [str(text) for (text,) in rows]

    def count(self) -> int:
        """Rows."""
        return int(self._connection.execute("SELECT count(*) FROM notes").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


PEER = Peer(
    "sqlite-vec",
    "sqlite-vec's table in process: a vector search and nothing else",
    SqliteVec,
    packages=("sqlite-vec==0.1.9",),
    sizes=(1_000, 5_000, 10_000),
    needs_extensions=True,
)
