"""The vector index over faiss: approximate for users with very many vectors, exact for all others."""

import threading
from collections.abc import Sequence
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.ports import Filter, IndexedVector, Matrix, Neighbours, Spread, Vector
from memory.vectors.ann.aims import Aims
from memory.vectors.ann.files import Files
from memory.vectors.ann.held import checksum
from memory.vectors.ann.large import Large, Listed
from memory.vectors.ann.library import load
from memory.vectors.ann.upkeep import SAVE_EVERY_S, Upkeep
from memory.vectors.ann.worker import Worker
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp

_LARGEST_SHARE = 4  # of the lists' vectors, as candidates: beyond it a scan is as fast
_MOST_HIDDEN = 8  # rows for each that the filter lets through, beyond which a scan is as fast


class FaissIndex:
    """Approximate: of a large user's true neighbours it finds the share that `measured_recall` tells.

    What it finds has exact cosines and exact statistics: faiss proposes keys only, and `ExactIndex`, which
    holds the vectors, judges them. What was put lately is judged without being proposed. Answered by a full
    scan, so exactly, are: users who are not large, whose lists are not built yet or not worth it, a filter
    by time or one that hides nearly all, and `weighted`, whose best lie far from the nearest.
    """

    backend = "faiss"

    def __init__(self, dimension: int, aims: Aims = Aims(), files: Files | None = None) -> None:  # noqa: B008 - frozen
        self._rows = ExactIndex(dimension, first_pass=False)
        self._aims = aims
        self._users: dict[str, Large] = {}
        self._lock = threading.RLock()  # rows and lists change together
        self._is_settled = False
        self._upkeep = Upkeep(load(), self._rows, self._users, self._lock, aims, files)
        self._worker = Worker(self._upkeep.step, SAVE_EVERY_S)
        self._upkeep.load()

    @classmethod
    def open(cls, folder: Path, stamp: Stamp, aims: Aims = Aims()) -> "FaissIndex":  # noqa: B008 - frozen
        """An index over its files in `folder`, with nothing put yet.

        Raises UnavailableError where faiss can't be loaded. Files that do not fit are made anew.
        """
        return cls(stamp.dimension, aims, Files(folder, stamp, load().__version__))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def nbytes(self) -> int:
        """Memory of the vectors, and of lists and keys."""
        with self._lock:
            return self._rows.nbytes + sum(listed.nbytes for listed in self._all_listed())

    @property
    def measured_recall(self) -> float | None:
        """That of the user for whom it is worst; None while everybody is answered exactly."""
        with self._lock:
            return min((listed.tuning.recall for listed in self._all_listed()), default=None)

    @property
    def waiting(self) -> int:
        """How many changes the files lack, and vectors of users whose lists are not built."""
        sizes = self._rows.sizes()
        with self._lock:
            unbuilt = sum(size for user_id, size in sizes.items() if self._upkeep.lacks(user_id, size))
            return unbuilt + sum(listed.waiting for listed in self._all_listed())

    @property
    def fault(self) -> str:
        """Why the files are not written at present, "" if they are."""
        return self._upkeep.fault

    def put(self, rows: Sequence[IndexedVector]) -> None:
        """Add vectors; a known key is replaced. They are found at once, and filed in the lists later."""
        latest = {row.key: row for row in rows}
        with self._lock:
            before = dict(zip(latest, self._rows.owners(list(latest)), strict=True))
            changed = self._changed(latest, before) if self._users else {}
            self._rows.put(rows)
            for user_id, keys in changed.items():
                self._users[user_id].note_put(keys)
            self._note_moved(latest, before)
        self._worker.ring()

    def remove(self, keys: Sequence[int]) -> None:
        """Forget vectors; unknown keys are ignored. The lists, and soon the files, lose them too."""
        with self._lock:
            for key, owner in zip(keys, self._rows.owners(keys), strict=True):
                if owner in self._users:
                    self._users[owner].note_gone([key])
            self._rows.remove(keys)
        self._worker.ring()

    def search(self, user_id: str, query: Vector, k: int, allowed: Filter) -> Neighbours:
        """The top k of one user by cosine: nearly all of the true ones, and the cosines are exact."""
        if allowed.since is None and allowed.until is None and k > 0:
            with self._lock:
                large = self._users.get(user_id)
                if self._is_settled and large is not None and large.listed is not None:
                    found = self._by_lists(large.listed, user_id, query, k, allowed)
                    if found is not None:
                        return found
        return self._rows.search(user_id, query, k, allowed)

    def spread(self, user_id: str, query: Vector, allowed: Filter) -> Spread:
        """How the cosines of all that the filter lets through lie, exactly."""
        return self._rows.spread(user_id, query, allowed)

    def cosines(self, user_id: str, keys: Sequence[int], query: Vector) -> NDArray[np.float32]:
        """The cosines that `search` would give these keys; NaN for a key that the user does not have here."""
        return self._rows.cosines(user_id, keys, query)

    def vectors(self, user_id: str, keys: Sequence[int]) -> Matrix:
        """The stored vectors; a row of NaN for a key that the user does not have here."""
        return self._rows.vectors(user_id, keys)

    def weighted(self, user_id: str, query: Vector, now: int, k: int) -> Neighbours:
        """The exact top k by cosine x importance x retention: no list knows these weights."""
        return self._rows.weighted(user_id, query, now, k)

    def settle(self) -> None:
        """All was put: lists that still fit are used from now on, missing ones are built in a thread."""
        self._upkeep.settle()
        with self._lock:
            self._is_settled = True
        self._worker.start()
        self._worker.ring()

    def flush(self) -> bool:
        """Build and save everything now; False if the disk refuses, or the index is closed meanwhile."""
        while self._upkeep.step(in_full=True):
            pass
        if self.waiting:
            return False
        self._upkeep.mark()
        return not self.fault

    def close(self) -> None:
        """End a build within seconds, save what waits unless that takes long. It answers on, from memory."""
        self._upkeep.stop()
        self._worker.stop()
        self._upkeep.finish()

    def _all_listed(self) -> list[Listed]:
        return [large.listed for large in self._users.values() if large.listed]

    def _changed(self, rows: dict[int, IndexedVector], before: dict[int, str | None]) -> dict[str, list[int]]:
        """By large user the keys whose vectors the lists do not have; a new importance is no new vector."""
        changed: dict[str, list[int]] = {}
        for user_id in {row.user_id for row in rows.values()} & self._users.keys():
            own = [row for row in rows.values() if row.user_id == user_id]
            changed[user_id] = self._unlike(user_id, own, before)
        return changed

    def _unlike(
        self, user_id: str, rows: Sequence[IndexedVector], before: dict[int, str | None]
    ) -> list[int]:
        listed = self._users[user_id].listed
        if not self._is_settled and listed is not None:
            keys = np.array([row.key for row in rows], np.int64)
            sums = np.array([checksum(row.vector) for row in rows], np.int64)
            return [int(key) for key in keys[~listed.held.agrees(keys, sums)]]
        held = self._rows.vectors(user_id, [row.key for row in rows])
        return [
            row.key
            for row, vector in zip(rows, held, strict=True)
            if before[row.key] != user_id or not np.array_equal(row.vector, vector)
        ]

    def _note_moved(self, rows: dict[int, IndexedVector], before: dict[int, str | None]) -> None:
        for key, row in rows.items():
            owner = before[key]
            if owner != row.user_id and owner in self._users:
                self._users[owner].note_gone([key])

    def _by_lists(
        self, listed: Listed, user_id: str, query: Vector, k: int, allowed: Filter
    ) -> Neighbours | None:
        """Nothing where a scan is as fast: many are wanted, or few let through, or too few of those near."""
        spread = self._rows.spread(user_id, query, allowed)
        hidden = len(listed.lists) / max(1, spread.size)
        if hidden > _MOST_HIDDEN:
            return None
        unit = np.ascontiguousarray(query, np.float32)
        wanted = listed.tuning.overfetch * max(k, self._aims.depth)
        widening = hidden * max(1.0, k / self._aims.depth)
        while wanted * hidden < len(listed.lists) / _LARGEST_SHARE:
            probes = ceil(listed.tuning.probes * widening)
            proposed = listed.lists.nearest(unit, ceil(wanted * hidden), min(probes, listed.lists.count))
            found = self._rows.among(user_id, query, k, allowed, [*proposed.tolist(), *listed.changes.put])
            if found.size >= wanted / 2:
                return Neighbours(found.keys, found.cosines, spread.mean, spread.std, spread.size)
            hidden, widening = 2 * hidden, 2 * widening
        return None
