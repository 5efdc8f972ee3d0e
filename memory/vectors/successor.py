"""An index that is built to take the place of another, kept in step with the store meanwhile."""

from collections.abc import Callable, Sequence

from memory.ports import IndexedVector, VectorIndex
from memory.vectors.faults import INDEX_FAULTS


class Successor:
    """Takes what the index in place takes. Its faults stay with it, for those who capture have done nothing
    wrong: after the first one it takes nothing more, and `fault` says why it must not get the place.
    """

    def __init__(self, index: VectorIndex) -> None:
        self.index = index
        self.fault: Exception | None = None

    def put(self, rows: Sequence[IndexedVector]) -> None:
        """As VectorIndex.put, but it raises nothing."""
        self._attempt(lambda: self.index.put(rows))

    def remove(self, keys: Sequence[int]) -> None:
        """As VectorIndex.remove, but it raises nothing."""
        self._attempt(lambda: self.index.remove(keys))

    def _attempt(self, change: Callable[[], None]) -> None:
        if self.fault is not None:
            return
        try:
            change()
        except INDEX_FAULTS as fault:
            self.fault = fault
