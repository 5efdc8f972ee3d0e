"""One file for each user with lists, whole or not there; anything else is thrown away and made anew."""

import hashlib
import os
import struct
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import structlog
from numpy.typing import NDArray

from memory.ports import Vector
from memory.vectors.ann.lists import Keys
from memory.vectors.ann.tuning import Tuning
from memory.vectors.stamp import Stamp

log = structlog.get_logger()

_MAGIC = b"memud ann 1\n"
_LENGTH = struct.Struct("<I")
_ENDING = ".ann"
_KINDS: tuple[type[Any], ...] = (np.int64, np.uint32, np.float32, np.float32, np.uint8)


class DamagedError(Exception):
    """The file is not whole, or of another index."""


class _Header(msgspec.Struct, frozen=True):
    backend: str
    model: str
    dimension: int
    library: str
    user_id: str
    tuning: Tuning
    size: int
    churn: int
    parts: tuple[int, ...]
    checksum: int


@dataclass(frozen=True, slots=True)
class Saved:
    """What is kept of a user's lists: everything but the vectors."""

    user_id: str
    tuning: Tuning
    size: int
    churn: int
    keys: Keys
    sums: NDArray[np.uint32]
    middle: Vector
    widths: NDArray[np.float32]
    image: NDArray[np.uint8]

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """In the order of the file."""
        return self.keys, self.sums, self.middle, self.widths, self.image


class Files:
    """Writes beside, syncs, renames: a reader finds the old file or the new one, after a kill at any time.

    The files tell a user's keys and a sketch of the vectors; they are readable by their owner alone.
    """

    def __init__(self, folder: Path, stamp: Stamp, library: str) -> None:
        self._folder = folder
        self._stamp = stamp
        self._library = library  # faiss promises no format across its versions

    def load(self) -> Iterator[Saved]:
        """What is whole and fits; the rest is deleted, and the log tells why."""
        for path in self._found():
            try:
                yield self._read(path)
            except (DamagedError, msgspec.MsgspecError, OSError, ValueError) as error:
                log.warning("index_file_dropped", file=path.name, reason=str(error))
                path.unlink(missing_ok=True)

    def save(self, saved: Saved) -> None:
        """Replace a user's file. Raises OSError, and the old one stays."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(saved.user_id)
        beside = path.with_name(f"{path.name}.new")
        try:
            self._write(beside, saved)
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
        _sync(self._folder)

    def mark(self) -> None:
        """Leave a file though no user has lists: the index was built, and there was nothing to keep."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self._folder / f"{self._stamp.stem}.built").touch(mode=0o600)

    def drop(self, user_id: str) -> None:
        """Delete a user's file. Raises OSError."""
        self._path(user_id).unlink(missing_ok=True)

    def keep_only(self, users: Collection[str]) -> None:
        """Delete the files of all others, and what a killed writer left. Raises OSError."""
        kept = {self._path(user_id) for user_id in users}
        for path in self._folder.glob(f"{self._stamp.stem}-*"):
            if path not in kept:
                path.unlink(missing_ok=True)

    def _found(self) -> list[Path]:
        return sorted(self._folder.glob(f"{self._stamp.stem}-*{_ENDING}"))

    def _path(self, user_id: str) -> Path:
        name = hashlib.sha256(user_id.encode()).hexdigest()[:32]
        return self._folder / f"{self._stamp.stem}-{name}{_ENDING}"

    def _write(self, path: Path, saved: Saved) -> None:
        parts = [np.ascontiguousarray(array).view(np.uint8).data for array in saved.arrays]
        header = msgspec.json.encode(self._header(saved, parts))
        path.unlink(missing_ok=True)
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(made, "wb") as file:
            file.write(_MAGIC + _LENGTH.pack(len(header)) + _LENGTH.pack(zlib.crc32(header)) + header)
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())

    def _header(self, saved: Saved, parts: list[memoryview]) -> _Header:
        checksum = 0
        for part in parts:
            checksum = zlib.crc32(part, checksum)
        return _Header(
            backend=self._stamp.backend,
            model=self._stamp.model,
            dimension=self._stamp.dimension,
            library=self._library,
            user_id=saved.user_id,
            tuning=saved.tuning,
            size=saved.size,
            churn=saved.churn,
            parts=tuple(len(part) for part in parts),
            checksum=checksum,
        )

    def _read(self, path: Path) -> Saved:
        content = memoryview(path.read_bytes())
        header, body = _headed(content)
        self._check(header, body)
        parts = zip(_parts(body, header.parts), _KINDS, strict=True)
        arrays = (np.frombuffer(part, kind).copy() for part, kind in parts)
        return Saved(header.user_id, header.tuning, header.size, header.churn, *arrays)

    def _check(self, header: _Header, body: memoryview) -> None:
        stamp = Stamp(header.backend, header.model, header.dimension)
        if stamp != self._stamp or header.library != self._library:
            raise DamagedError("made of another model, or by another version of faiss")
        if sum(header.parts) != len(body) or zlib.crc32(body) != header.checksum:
            raise DamagedError("its content is not what was written")


def _headed(content: memoryview) -> tuple[_Header, memoryview]:
    start = len(_MAGIC) + 2 * _LENGTH.size
    if content[: len(_MAGIC)] != _MAGIC or len(content) < start:
        raise DamagedError("not a file of this kind, or cut short")
    (length,) = _LENGTH.unpack_from(content, len(_MAGIC))
    (checksum,) = _LENGTH.unpack_from(content, len(_MAGIC) + _LENGTH.size)
    header = content[start : start + length]
    if zlib.crc32(header) != checksum:
        raise DamagedError("its head is not what was written")
    return msgspec.json.decode(header, type=_Header), content[start + length :]


def _parts(body: memoryview, lengths: tuple[int, ...]) -> Iterator[memoryview]:
    start = 0
    for length in lengths:
        yield body[start : start + length]
        start += length


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
