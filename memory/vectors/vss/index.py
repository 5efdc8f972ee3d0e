"""Nearest neighbours by sqlite-vss, proven equal to the full scan, or by the full scan."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from memory.errors import UnavailableError
from memory.ports import Filter, IndexedVector, Matrix, Neighbours, Spread, Vector
from memory.vectors.checks import checked_vector
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp
from memory.vectors.vss.library import Library
from memory.vectors.vss.mirror import Mirror
from memory.vectors.vss.private import make_private
from memory.vectors.vss.sidecar import MAX_BYTES, Sidecar
from memory.vectors.vss.writer import Pace, Writer

_FEW = 256  # candidates that are fetched whatever their share
_LARGEST_SHARE = 1 / 8  # of the index; beyond it the scan of the user's own vectors costs less
_SPARE = 1.25
_USUAL = Pace()


class VssIndex:
    """The answers of `ExactIndex`, whose columns and cosines it uses, with candidates from sqlite-vss.

    sqlite-vss finds the nearest of all users; what is not in its file yet joins them. They are ranked by
    exact cosines, and more are fetched until the k-th lies above anything that was not. Where that takes too
    many, or the file can't be asked just now, the full scan answers; `answered` counts both.
    """

    backend = "vss"
    measured_recall = None  # it is exact

    def __init__(self, dimension: int, sidecar: Sidecar, held: Mapping[int, int], pace: Pace) -> None:
        self._dimension = dimension
        self._vectors = ExactIndex(dimension, first_pass=False)
        self._sidecar = sidecar
        self._mirror = Mirror(self._vectors, dimension, sidecar, held, pace.rows)
        self._pace = pace
        self._writer = Writer(self._mirror.write_batch, self._fullness, pace)
        self._answered = Counter[str]()

    @classmethod
    def open(cls, folder: Path, stamp: Stamp, pace: Pace = _USUAL, max_bytes: int = MAX_BYTES) -> "VssIndex":
        """An index over its file in `folder`, with nothing put yet.

        Raises UnavailableError where the real sqlite-vss or the file can't be used, LockedError where another
        index has the file.
        """
        make_private(folder)
        library = Library.prepare(folder / "library")
        sidecar = Sidecar(folder / f"{stamp.stem}.sqlite", stamp, library, max_bytes)
        try:
            held = sidecar.open()
        except (apsw.Error, OSError) as error:
            raise UnavailableError(
                f"the index file in {folder} can't be used: {error}",
                hint="see that the disk has room; deleting the folder is safe",
            ) from error
        return cls(stamp.dimension, sidecar, held, pace)

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def nbytes(self) -> int:
        """Memory of the vectors, and of the copy that FAISS keeps of them."""
        return self._vectors.nbytes + self._sidecar.nbytes

    @property
    def fault(self) -> str:
        """Why changes are not written to the file at present, "" if they are. They are kept in memory."""
        return self._mirror.fault

    @property
    def waiting(self) -> int:
        """How many changes the file lacks."""
        return self._mirror.waiting

    @property
    def answered(self) -> Mapping[str, int]:
        """How many searches were answered by `vss`, and how many by the full scan for which reason."""
        return dict(self._answered)

    def put(self, rows: Sequence[IndexedVector]) -> None:
        """Add vectors; a known key is replaced. They are found at once, and written to the file later."""
        self._mirror.put(rows)
        self._writer.ring()

    def remove(self, keys: Sequence[int]) -> None:
        """Forget vectors; unknown keys are ignored."""
        self._mirror.remove(keys)
        self._writer.ring()

    def search(self, user_id: str, query: Vector, k: int, allowed: Filter) -> Neighbours:
        """The top k of one user by cosine, equal to the full scan's."""
        found = self._nearest(user_id, query, k, allowed)
        if isinstance(found, Neighbours):
            self._answered["vss"] += 1
            return found
        self._answered[found] += 1
        return self._vectors.search(user_id, query, k, allowed)

    def spread(self, user_id: str, query: Vector, allowed: Filter) -> Spread:
        """How the cosines of all that the filter lets through lie."""
        return self._vectors.spread(user_id, query, allowed)

    def cosines(self, user_id: str, keys: Sequence[int], query: Vector) -> NDArray[np.float32]:
        """The cosines that `search` would give these keys; NaN for a key that the user does not have here."""
        return self._vectors.cosines(user_id, keys, query)

    def vectors(self, user_id: str, keys: Sequence[int]) -> Matrix:
        """The stored vectors; a row of NaN for a key that the user does not have here."""
        return self._vectors.vectors(user_id, keys)

    def weighted(self, user_id: str, query: Vector, now: int, k: int) -> Neighbours:
        """The top k by cosine x importance x retention; their `cosines` are the bare ones."""
        return self._vectors.weighted(user_id, query, now, k)

    def settle(self) -> None:
        """What the file held and nobody put is dropped; from now on changes are written as they come.

        Blocks while sqlite-vss reads its index; the full scan answers meanwhile.
        """
        self._mirror.settle()
        self._mirror.warm()
        self._writer.start()
        self._writer.ring()

    def flush(self) -> bool:
        """Write all that waits now, however long it takes; False: `fault` says why some still waits.

        Closing ends it after the batch in hand.
        """
        while self.waiting:
            if not self._mirror.write_batch():
                return False
        return True

    def close(self) -> None:
        """Write what waits, unless that takes long, and let go of the file. Safe to call twice."""
        self._writer.stop()
        self._mirror.close(self._pace.closing_bytes)

    def _fullness(self) -> float:
        return self.waiting / max(self._pace.rows, self._mirror.held // 20)

    def _nearest(self, user_id: str, query: Vector, k: int, allowed: Filter) -> Neighbours | str:
        """The neighbours, or why sqlite-vss does not tell them."""
        if allowed.since is not None or allowed.until is not None:
            return "span"  # how the cosines of a span lie takes a scan of it, which finds the best by the way
        unit = checked_vector(query, self._dimension, "the query")
        size = self._vectors.size(user_id)
        if k <= 0 or not size:
            return "nothing"
        if self._fullness() > 2:
            return "unwritten"
        held = self._mirror.held
        most = max(_FEW, int(held * _LARGEST_SHARE))
        count = ceil(_SPARE * min(k, size) * held / size) + 1
        while count <= most:
            found = self._mirror.best_of(user_id, unit, k, allowed, count)
            if found is None:
                return "busy"
            if found.is_proven:
                return found.best
            count *= 2
        return "share"
