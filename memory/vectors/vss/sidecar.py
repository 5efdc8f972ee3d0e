"""sqlite-vss behind one connection: nearest vectors, and changes written a batch at a time."""

import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from memory.errors import UnavailableError
from memory.ports import Vector
from memory.vectors.stamp import Stamp
from memory.vectors.vss import image
from memory.vectors.vss.file import open_file
from memory.vectors.vss.library import Library

MAX_BYTES = 10**9
"""SQLite's longest BLOB, and sqlite-vss keeps its whole index in one."""

_NEAREST = "SELECT rowid, distance FROM vectors WHERE vss_search(vector, vss_search_params(?, ?))"
# Without it, one vector in 65,536 begins by chance with these two bytes, is taken for one with a header, and
# shifts all those after it in its batch.
_HEADER = b"v\x01"
_PATIENCE_S = 0.05  # for another search; a batch takes longer, and is not waited for


@dataclass(frozen=True, slots=True)
class Row:
    """A vector to be written, with the CRC-32 of its bytes."""

    key: int
    vector: bytes
    crc: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What changes in one transaction: `stale` leaves, `rows` come; a replaced vector is in both."""

    rows: Sequence[Row]
    stale: Sequence[int]


@dataclass(frozen=True, slots=True)
class Proposed:
    """Keys by falling inner product as FAISS rounds it; no key that is not among them has over `lowest`."""

    keys: NDArray[np.int64]
    lowest: float
    is_all: bool


class Sidecar:
    """Owns the file. Nothing in it is worth more than the time to write it anew. Safe for many threads."""

    def __init__(self, path: Path, stamp: Stamp, library: Library, max_bytes: int = MAX_BYTES) -> None:
        self._path = path
        self._stamp = stamp
        self._library = library
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._is_writing = False
        self._connection: apsw.Connection | None = None
        self._count = 0
        self._has_traces = False

    @property
    def nbytes(self) -> int:
        """What FAISS keeps in memory: all vectors once more."""
        return image.size_bytes(self._count, self._stamp.dimension) if self._connection else 0

    def open(self) -> Mapping[int, int]:
        """What the file holds: the CRC-32 of each vector by its key. Raises like `open_file`."""
        with self._lock:
            self._drop()
            opened = open_file(self._path, self._stamp, self._library)
            self._connection, self._count = opened.connection, len(opened.held)
            self._has_traces = True  # the one before may have ended between a batch and its tidying
            return opened.held

    def nearest(self, query: Vector, k: int) -> Proposed | None:
        """The k nearest of all users; None at once while a batch is written, and after a fault.

        Raises apsw.Error.
        """
        if self._is_writing or not self._lock.acquire(timeout=_PATIENCE_S):
            return None
        try:
            return self._nearest(self._connection, query, k) if self._connection else None
        finally:
            self._lock.release()

    def warm(self) -> None:
        """Have the index read, as the first search would, and the file tidied. Raises apsw.Error."""
        self._is_writing = True
        try:
            with self._lock:
                if self._connection is not None:
                    self._connection.execute("SELECT rowid FROM vectors LIMIT 0")
                    self._tidy(self._connection)
        finally:
            self._is_writing = False

    def write(self, batch: Batch) -> None:
        """All of the batch or nothing.

        Raises apsw.Error, and then the file is to be opened again, for FAISS may hold in memory what was
        never committed; UnavailableError where the index would be longer than SQLite's longest BLOB.
        """
        self._is_writing = True
        try:
            with self._lock:
                self._write(batch)
        finally:
            self._is_writing = False

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        with self._lock:
            self._drop()

    def _nearest(self, connection: apsw.Connection, query: Vector, k: int) -> Proposed:
        self._library.use_one_thread()
        found: list[tuple[int, float]] = []
        if self._count:
            found = connection.execute(_NEAREST, (_HEADER + query.tobytes(), k)).fetchall()  # type: ignore[assignment]
        keys = np.fromiter((key for key, _ in found), np.int64, len(found))
        return Proposed(keys, found[-1][1] if found else -1.0, k >= self._count)

    def _write(self, batch: Batch) -> None:
        if self._connection is None:
            raise UnavailableError(
                f"{self._path} is not open", hint="it is opened again before the next batch"
            )
        count = self._count + len(batch.rows) - len(batch.stale)
        self._check_room(count)
        try:
            self._library.use_one_thread()
            _apply(self._connection, batch)
        except apsw.Error:
            self._drop()
            raise
        self._count = count
        self._has_traces |= bool(batch.stale)
        self._tidy(self._connection)

    def _tidy(self, connection: apsw.Connection) -> None:
        """Nothing that was forgotten stays in a free page or the log; what fails is due again."""
        with suppress(apsw.FullError, apsw.IOError, apsw.BusyError):  # committed all the same
            if self._has_traces:
                connection.execute("PRAGMA incremental_vacuum").fetchall()
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._has_traces = False

    def _check_room(self, count: int) -> None:
        needed = image.size_bytes(count, self._stamp.dimension)
        if needed > self._max_bytes:
            raise UnavailableError(
                f"{count} vectors of {self._stamp.dimension} numbers need {needed} bytes in one BLOB, "
                f"and SQLite's longest has {self._max_bytes}",
                hint='set index.backend = "exact" or "faiss"',
            )

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _apply(connection: apsw.Connection, batch: Batch) -> None:
    # No savepoint in here, and so none of apsw's own: sqlite-vss does not take back what one rolls back.
    connection.execute("BEGIN IMMEDIATE")
    if batch.stale:
        stale = json.dumps(list(batch.stale))
        connection.execute("DELETE FROM rows WHERE key IN (SELECT value FROM json_each(?))", (stale,))
        # One pass over the table however many leave: sqlite-vss finds no single row faster.
        connection.execute("DELETE FROM vectors WHERE rowid IN (SELECT value FROM json_each(?))", (stale,))
    connection.executemany("INSERT INTO rows VALUES (?, ?)", [(row.key, row.crc) for row in batch.rows])
    connection.executemany(
        "INSERT INTO vectors (rowid, vector) VALUES (?, ?)",
        [(row.key, _HEADER + row.vector) for row in batch.rows],
    )
    connection.execute("COMMIT")
