"""Vectors in memory and, a little later, in the file of sqlite-vss; compared whenever it is opened."""

import threading
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isqrt

import apsw
import numpy as np
import structlog

from memory.errors import MemudError
from memory.ports import Filter, IndexedVector, Neighbours, Vector
from memory.vectors.exact import ExactIndex
from memory.vectors.vss import certificate
from memory.vectors.vss.sidecar import Batch, Row, Sidecar
from memory.vectors.vss.tail import Change, Tail

log = structlog.get_logger()

_FAULTS = (apsw.Error, OSError, MemudError)
# sqlite-vss copies all of a batch again for each of its rows, and the whole index for each batch: this many
# rows, times the root of the index's, balance the two.
_BATCH_FACTOR = 100


@dataclass(frozen=True, slots=True)
class Round:
    """The best of so many candidates; `is_proven`: of all vectors."""

    best: Neighbours
    is_proven: bool


class Mirror:
    """Owns vectors, file and what differs. Safe for many threads; a change is seen entirely or not at all."""

    def __init__(
        self, vectors: ExactIndex, dimension: int, sidecar: Sidecar, held: Mapping[int, int], rows: int
    ) -> None:
        self._vectors = vectors
        self._dimension = dimension
        self._sidecar = sidecar
        self._tail = Tail(held)
        self._rows = rows
        self._edition = 0  # of what the file holds
        self._lock = threading.Lock()  # vectors, tail and edition change together
        self._one_batch = threading.Lock()
        self._is_open = True
        self._is_closed = False
        self.fault = ""

    @property
    def waiting(self) -> int:
        """How many changes the file lacks."""
        return len(self._tail)

    @property
    def held(self) -> int:
        """How many vectors the file holds."""
        return self._tail.held

    def put(self, rows: Sequence[IndexedVector]) -> None:
        """Raises like the exact index, and then nothing has changed."""
        with self._lock:
            self._vectors.put(rows)
            for row in rows:
                self._tail.put(row.key, row.user_id, _crc(row.vector))

    def remove(self, keys: Sequence[int]) -> None:
        """Unknown keys are ignored."""
        with self._lock:
            self._vectors.remove(keys)
            for key in keys:
                self._tail.remove(key)

    def settle(self) -> None:
        """What the file holds and nobody put is gone."""
        with self._lock:
            self._tail.settle()

    def best_of(self, user_id: str, query: Vector, k: int, allowed: Filter, count: int) -> Round | None:
        """The top k of a user among the `count` nearest in the file and all that it lacks.

        None where the file can't be asked: a batch is being written, or it is closed after a fault.
        """
        edition = self._edition
        try:
            candidates = self._sidecar.nearest(query, count)
        except apsw.Error as error:
            self._tell(error)
            return None
        if candidates is None:
            return None
        with self._lock:
            if self._edition != edition or not self._is_open:
                return None
            keys = [*candidates.keys.tolist(), *self._tail.of(user_id)]
            found = self._vectors.among(user_id, query, k, allowed, keys)
            is_proven = candidates.is_all or certificate.is_complete(
                found, k, candidates.lowest, self._dimension
            )
            spread = self._vectors.spread(user_id, query, allowed)
        return Round(replace(found, mean=spread.mean, std=spread.std, size=spread.size), is_proven)

    def warm(self) -> None:
        """Let sqlite-vss read its index; searches do not wait for it meanwhile."""
        with self._one_batch:
            try:
                self._sidecar.warm()
            except apsw.Error as error:
                self._is_open = False
                self._tell(error)

    def write_batch(self) -> bool:
        """Write the oldest changes; False: it failed, `fault` says why, they are kept. Also once closed."""
        with self._one_batch:
            if self._is_closed:
                return False
            try:
                if not self._is_open:
                    self._reopen()
                self._write()
            except _FAULTS as error:
                self._tell(error)
                return False
        if self.fault:
            log.info("index_written_again")
        self.fault = ""
        return True

    def close(self, most_bytes: int) -> None:
        """Let go of the file, after a last batch if the index is no larger than this. Safe to call twice."""
        with self._one_batch:
            self._is_closed = True
            if self._is_open and self.waiting and self._sidecar.nbytes <= most_bytes:
                with suppress(*_FAULTS):  # what is not written is written after the next start
                    self._write()
            self._sidecar.close()

    def _write(self) -> None:
        with self._lock:
            changes, stale = self._tail.take(max(self._rows, isqrt(_BATCH_FACTOR * self.held)))
            rows = self._read(changes)
        if not changes:
            return
        try:
            self._sidecar.write(Batch(rows, stale))
        except apsw.Error:
            # What was rolled back is still in the memory of FAISS, and the next commit would write it.
            self._is_open = False
            self._reopen()
            raise
        with self._lock:
            self._tail.landed({row.key: row.crc for row in rows})
            self._edition += 1

    def _reopen(self) -> None:
        held = self._sidecar.open()
        with self._lock:
            self._tail.reopened(held, self._vectors.owners)
            self._edition += 1
        self._is_open = True

    def _read(self, changes: Mapping[int, Change]) -> list[Row]:
        by_user: dict[str, list[int]] = {}
        for key, change in changes.items():
            if change.user_id is not None:
                by_user.setdefault(change.user_id, []).append(key)
        return [
            Row(key, vector.tobytes(), _crc(vector))
            for user_id, keys in by_user.items()
            for key, vector in zip(keys, self._vectors.vectors(user_id, keys), strict=True)
        ]

    def _tell(self, error: Exception) -> None:
        hint = getattr(error, "hint", "")
        reason = f"{error}; {hint}" if hint else str(error)
        if reason != self.fault:
            log.error("index_not_written", reason=reason, waiting=self.waiting)
        self.fault = reason


def _crc(vector: Vector) -> int:
    return zlib.crc32(np.ascontiguousarray(vector, np.float32).data)
