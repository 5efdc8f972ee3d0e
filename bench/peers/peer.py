"""What a driver gives: how a peer is installed, opened, filled and asked."""

import resource
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.cpu import own_s
from bench.peers.work import Vector


class Embed(Protocol):
    """The embedder that all peers get."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def passage(self, text: str) -> Vector:
        """The vector of a stored text."""
        ...

    def query(self, text: str) -> Vector:
        """The vector of a question."""
        ...


class Store(ABC):
    """A peer's store, open. Texts go in and come out through the calls its own users make."""

    @abstractmethod
    def add(self, text: str) -> None:
        """Store one text; it is acknowledged when this returns."""

    def add_many(self, texts: Sequence[str]) -> None:
        """Fill the store, by the quickest way that leaves it as single calls would."""
        for text in texts:
            self.add(text)

    @abstractmethod
    def search(self, query: str, limit: int) -> list[str]:
        """The texts an agent gets for a question, best first."""

    def look_up(self, word: str, limit: int) -> list[str]:
        """The texts a person gets who looks for a word; the same call where a peer has but one."""
        return self.search(word, limit)

    @abstractmethod
    def count(self) -> int:
        """How many texts are stored."""

    def settle(self) -> None:
        """Return when the work that the calls left behind is done."""
        return

    def cpu_s(self) -> float:
        """CPU time so far, of all threads and processes that belong to it."""
        return own_s()

    def memory_mb(self) -> float:
        """Resident memory; the most that it was, where the system does not tell what it is."""
        statm = Path("/proc/self/statm")
        if statm.exists():
            return int(statm.read_text().split()[1]) * resource.getpagesize() / 1e6
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)

    def disk_bytes(self, folder: Path) -> int:
        """What its files take on the disk, once it is closed."""
        return sum(used_bytes(path) for path in folder.rglob("*") if path.is_file())

    def close(self) -> None:
        """Let go of its files."""
        return


def used_bytes(path: Path) -> int:
    """What a file takes on the disk."""
    return path.stat().st_blocks * 512


@dataclass(frozen=True, slots=True)
class Peer:
    """One program. `adds` notes go in one by one; then it is filled to each of the `sizes` and asked."""

    name: str
    how: str
    open: Callable[[Path, Embed], Store]
    packages: tuple[str, ...] = ()  # none: it runs in memud's own environment
    env: tuple[tuple[str, str], ...] = ()
    adds: int = 1_000
    sizes: tuple[int, ...] = (1_000,)
    needs_extensions: bool = False  # of sqlite3, which some builds of Python leave out
    has_vectors: bool = True
