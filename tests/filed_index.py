"""An exact index under another name that keeps a file, can be held while it writes it, and can fail."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory.errors import UnavailableError
from memory.ports import IndexedVector, VectorIndex
from memory.vectors.backends import Open, open_exact
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp


@dataclass
class Shop:
    """How the indexes that are opened here behave: a `missing` package, writing held until `may_write`.

    Opening the one that is `held` waits until `may_open`.
    """

    missing: bool = False
    refuses: Exception | None = None
    fault: str = ""
    breaks: Exception | None = None
    opened: list["FiledIndex"] = field(default_factory=list)
    writes: threading.Event = field(default_factory=threading.Event)
    may_write: threading.Event = field(default_factory=threading.Event)
    written: threading.Event = field(default_factory=threading.Event)
    held: str = ""  # the backend that is opened slowly
    opens: threading.Event = field(default_factory=threading.Event)
    may_open: threading.Event = field(default_factory=threading.Event)

    def backends(self, *names: str) -> dict[str, Open]:
        """The exact one, and these."""
        return {"exact": open_exact, **dict.fromkeys(names, self.open)}

    def open(self, folder: Path, stamp: Stamp) -> VectorIndex:
        """As a backend is opened; its file is there at once."""
        if self.missing:
            raise UnavailableError("the package is not installed", hint="pip install 'memud[extra]'")
        if self.refuses:
            raise self.refuses
        folder.mkdir(exist_ok=True)
        path = folder / f"{stamp.stem}.filed"
        path.touch()
        if stamp.backend == self.held:
            self.opens.set()
            self.may_open.wait(10)
        self.opened.append(FiledIndex(stamp.dimension, stamp.backend, path, self))
        return self.opened[-1]


class FiledIndex(ExactIndex):
    """Writes when it is flushed, as long as it has not been closed."""

    def __init__(self, dimension: int, backend: str, path: Path, shop: Shop) -> None:
        super().__init__(dimension)
        self.backend = backend
        self.path = path
        self.is_closed = False
        self._shop = shop

    def put(self, rows: Sequence[IndexedVector]) -> None:
        """May break."""
        if self._shop.breaks is not None:
            raise self._shop.breaks
        super().put(rows)

    def flush(self) -> bool:
        """Waits until it may."""
        self._shop.writes.set()
        while not self.is_closed and not self._shop.may_write.wait(0.01):
            pass
        self.fault = self._shop.fault
        self._shop.written.set()
        return not (self.is_closed or self.fault)

    def close(self) -> None:
        """Ends a flush that runs."""
        self.is_closed = True
