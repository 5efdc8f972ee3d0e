"""The backends of the vector index by name, and the folder that those with files have them in."""

import shutil
from collections.abc import Callable, Mapping
from math import ceil
from pathlib import Path

import structlog

from memory.errors import InvalidError, StorageFullError
from memory.ports import Embedder, VectorIndex
from memory.vectors.exact import ExactIndex
from memory.vectors.faults import INDEX_FAULTS, told
from memory.vectors.stamp import STEM, Stamp

log = structlog.get_logger()

EXACT = "exact"
Open = Callable[[Path, Stamp], VectorIndex]

_COPIES = 3  # of all vectors, while a backend writes its file anew beside the one before
_MIB = 2**20
_NOT_OURS = ".aside"  # in the name of what lay in a file's place and was made by somebody else


class Backends:
    """Opens indexes. What they keep in the folder is derived: it may be deleted while no daemon runs."""

    def __init__(self, folder: Path, backends: Mapping[str, Open]) -> None:
        self._folder = folder
        self._backends = backends

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self._folder

    def open(self, backend: str, embedder: Embedder) -> VectorIndex:
        """An index that all vectors of this model are still to be put into.

        Raises UnavailableError where this machine can't run it, InvalidError for a name that nobody knows,
        and whatever else is wrong as MemudError.
        """
        if backend not in self._backends:
            raise InvalidError(f"no index {backend!r}", hint=f"there are {', '.join(self._backends)}")
        try:
            return self._backends[backend](self._folder, _stamp(backend, embedder))
        except INDEX_FAULTS as fault:
            raise told(backend, fault) from fault

    def check_room(self, backend: str, embedder: Embedder, vectors: int) -> None:
        """Raise StorageFullError where an index of so many vectors would fill the disk."""
        needed = 0 if backend == EXACT else _COPIES * vectors * embedder.dimension * 4
        free = shutil.disk_usage(self._folder.parent).free
        if needed > free:
            needed_mib, free_mib = ceil(needed / _MIB), free // _MIB
            raise StorageFullError(
                f"the index {backend} may need {needed_mib} MiB of disk, {free_mib} MiB are free",
                hint="free some space, then ask again",
            )

    def has_files(self, backend: str, embedder: Embedder) -> bool:
        """Whether this backend kept something of this model's."""
        return any(self._folder.glob(f"{_stamp(backend, embedder).stem}*"))

    def tidy(self, backend: str, embedder: Embedder) -> None:
        """Delete the files of all indexes but this: nobody would take from them what is forgotten.

        What can't be deleted is told in the log. What no index made stays, for the folder may be a link.
        """
        stem = _stamp(backend, embedder).stem
        for path in self._folder.glob("*"):
            if path.is_file() and self._is_an_index(path.name) and not path.name.startswith(stem):
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    log.warning("index_file_left", file=path.name, reason=error.strerror)

    def _is_an_index(self, name: str) -> bool:
        made = STEM.match(name)
        return made is not None and made["backend"] in self._backends and _NOT_OURS not in name


def open_exact(_: Path, stamp: Stamp) -> VectorIndex:
    """It has no files."""
    return ExactIndex(stamp.dimension)


def _stamp(backend: str, embedder: Embedder) -> Stamp:
    return Stamp(backend, embedder.name, embedder.dimension)
