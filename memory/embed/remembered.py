"""An embedder that keeps its vectors in a file, so that the same texts are embedded once, not once a run."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import apsw
import numpy as np

from memory.errors import InvalidError
from memory.ports import Embedder, Matrix, Vector

_BUSY_MS = 10_000  # several daemons may share the file
_KEPT_AT_ONCE = 256  # what was embedded before a fault is not embedded again


class RememberedEmbedder:
    """The Embedder behind it, asked for new texts alone. The file holds hashes and vectors, no words.

    For texts that come again: an evaluation, an import tried twice. What is forgotten stays in the file, so
    a daemon that serves people keeps none.
    """

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self._embedder = embedder
        try:
            self._kept = apsw.Connection(str(file))
            self._kept.set_busy_timeout(_BUSY_MS)
            self._kept.pragma("journal_mode", "wal")
            self._kept.pragma("synchronous", 0)  # it can be made anew
            self._kept.execute(
                "CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"
            )
        except apsw.Error as error:
            raise InvalidError(
                f"{file} can't keep vectors: {error}", hint="name another file in `embed.cache`, or none"
            ) from error

    @property
    def name(self) -> str:
        """The name of the embedder behind it."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    async def query(self, text: str) -> Vector:
        """The vector of a question, kept or embedded now."""
        key = self._hash("query", text)
        kept = self._read(key)
        if kept is None:
            kept = await self._embedder.query(text)
            self._keep([(key, kept)])
        return kept

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order; only the new ones are embedded."""
        keys = [self._hash("passage", text) for text in texts]
        rows = {place: row for place, key in enumerate(keys) if (row := self._read(key)) is not None}
        missing = [place for place in range(len(texts)) if place not in rows]
        for start in range(0, len(missing), _KEPT_AT_ONCE):
            places = missing[start : start + _KEPT_AT_ONCE]
            made = await self._embedder.passages([texts[place] for place in places])
            rows |= dict(zip(places, made, strict=True))
            self._keep([(keys[place], rows[place]) for place in places])
        return np.array([rows[place] for place in range(len(texts))], np.float32).reshape(-1, self.dimension)

    def close(self) -> None:
        """Close the file; the embedder behind it is its owner's."""
        self._kept.close()

    def _hash(self, role: str, text: str) -> bytes:
        return hashlib.sha256("\0".join((self.name, role, text)).encode("utf-8", "replace")).digest()[:16]

    def _read(self, key: bytes) -> Vector | None:
        blob = self._kept.execute("SELECT vector FROM vectors WHERE hash = ?", (key,)).get
        return None if blob is None else np.frombuffer(blob, np.float32)

    def _keep(self, rows: Sequence[tuple[bytes, Vector]]) -> None:
        with self._kept:
            self._kept.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)", [(key, row.tobytes()) for key, row in rows]
            )
